// RUN: meanvar-opt %s | FileCheck %s

// CHECK-LABEL: func @f(
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: meanvar.mvn %{{.*}} axes = [1] : tensor<4x8xf32>
  %0 = meanvar.mvn %x axes = [1] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
