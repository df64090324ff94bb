// RUN: meanvar-opt %s --allow-unregistered-dialect --convert-onnx-to-meanvar | FileCheck %s

// The generic form of onnx-mlir's dialect.

// CHECK-LABEL: func @normalizations(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x4x?xf32>
// CHECK:         meanvar.mvn %[[X]] : tensor<2x3x4x?xf32>
// CHECK:         meanvar.mvn %[[X]] axes = [1, -1] : tensor<2x3x4x?xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] : tensor<2x3x4x?xf32>
// CHECK:         tensor.cast %[[Y]] : tensor<2x3x4x?xf32> to tensor<*xf32>
func.func @normalizations(%x: tensor<2x3x4x?xf32>) -> (tensor<2x3x4x?xf32>, tensor<2x3x4x?xf32>, tensor<*xf32>) {
  %0 = "onnx.MeanVarianceNormalization"(%x) {axes = [0, 2, 3], onnx_node_name = "a"} : (tensor<2x3x4x?xf32>) -> tensor<2x3x4x?xf32>
  %1 = "onnx.MeanVarianceNormalization"(%x) {axes = [1, -1]} : (tensor<2x3x4x?xf32>) -> tensor<2x3x4x?xf32>
  %2 = "onnx.MeanVarianceNormalization"(%x) : (tensor<2x3x4x?xf32>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<2x3x4x?xf32>, tensor<2x3x4x?xf32>, tensor<*xf32>
}

// The result of a mean may be declared with less than follows.

// CHECK-LABEL: func @means(
// CHECK:         meanvar.mean %{{.*}}, %{{.*}} : (tensor<3x1xf16>, tensor<4xf16>) -> tensor<3x4xf16>
// CHECK:         tensor.cast %{{.*}} : tensor<3x4xf16> to tensor<3x?xf16>
func.func @means(%a: tensor<3x1xf16>, %b: tensor<4xf16>) -> tensor<3x?xf16> {
  %0 = "onnx.Mean"(%a, %b) : (tensor<3x1xf16>, tensor<4xf16>) -> tensor<3x?xf16>
  return %0 : tensor<3x?xf16>
}

// What is no such operation stays: other types, unranked tensors, axes that are none, sizes
// that do not broadcast or that the result has not, other operators.

// CHECK-LABEL: func @others(
// CHECK-NOT:     meanvar.
// CHECK:         return
func.func @others(%i: tensor<4xi32>, %u: tensor<*xf32>, %x: tensor<2x3xf32>, %y: tensor<2x4xf32>, %d: tensor<2x3xf64>) {
  "onnx.Mean"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  "onnx.Mean"(%u) : (tensor<*xf32>) -> tensor<*xf32>
  "onnx.Mean"(%x, %y) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  "onnx.Mean"(%x, %d) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xf64>
  "onnx.Mean"(%x) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  "onnx.Mean"() : () -> tensor<2x4xf32>
  "onnx.MeanVarianceNormalization"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "onnx.MeanVarianceNormalization"(%x) {axes = [2]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "onnx.MeanVarianceNormalization"(%x) {axes = [1, -1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "onnx.MeanVarianceNormalization"(%x) {axes = ["a"]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  "onnx.MeanVarianceNormalization"(%x) {axes = [1]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  "onnx.Sum"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
