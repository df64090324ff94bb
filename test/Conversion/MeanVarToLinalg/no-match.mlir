// RUN: meanvar-opt %s --convert-meanvar-to-linalg | FileCheck %s

// A normalization of rank 0 has no dimension to reduce. It is left alone here;
// meanvar-collapse-dims gives it two dimensions before.

// CHECK-LABEL: func @rank_0(
// CHECK-NEXT:    meanvar.mvn %{{.*}} axes = [] : tensor<f32>
func.func @rank_0(%x: tensor<f32>) -> tensor<f32> {
  %0 = meanvar.mvn %x axes = [] : tensor<f32>
  return %0 : tensor<f32>
}

// Other dialects' operations are, too.

// CHECK-LABEL: func @others(
// CHECK-NEXT:    arith.addf
func.func @others(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
