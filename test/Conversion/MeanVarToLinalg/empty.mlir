// RUN: meanvar-opt %s --convert-meanvar-to-linalg | FileCheck %s

// V8: of a tensor without elements nothing is read.

// CHECK-LABEL: func @mean(
// CHECK-NEXT:    %[[Y:.*]] = tensor.empty() : tensor<0x3xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @mean(%a: tensor<0x3xf32>, %b: tensor<1x3xf32>) -> tensor<0x3xf32> {
  %0 = meanvar.mean %a, %b : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// CHECK-LABEL: func @mvn(
// CHECK-NOT:     linalg
// CHECK:         %[[Y:.*]] = tensor.empty(%{{.*}}) : tensor<?x0xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @mvn(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// An empty lane has neither a mean nor a factor.

// CHECK-LABEL: func @statistics(
// CHECK-DAG:     %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK-DAG:     %[[Y:.*]] = tensor.empty(%{{.*}}) : tensor<?x0xf32>
// CHECK:         %[[MEAN:.*]] = tensor.splat %[[NAN]]{{.*}} : tensor<?x1xf32>
// CHECK:         %[[FACTOR:.*]] = tensor.splat %[[NAN]]{{.*}} : tensor<?x1xf32>
// CHECK:         return %[[Y]], %[[MEAN]], %[[FACTOR]]
func.func @statistics(%x: tensor<?x0xf32>) -> (tensor<?x0xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<?x0xf32>
  return %0#0, %0#1, %0#2 : tensor<?x0xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}
