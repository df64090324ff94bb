// RUN: meanvar-opt %s --meanvar-to-llvm="vector-bits=256" | FileCheck %s

// A target with narrower vectors.

// CHECK-NOT:     vector<16x
// CHECK-LABEL: llvm.func internal @f_body(
// CHECK-NOT:     vector<16x
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
// CHECK-NOT:     vector<16x
func.func @f(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
