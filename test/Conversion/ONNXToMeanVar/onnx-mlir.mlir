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

// LayerNormalization: scale and bias are applied in the type of the statistics. Results that are
// not used may have a type of their own.

// CHECK-LABEL: func @layer_normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<?x3x4xf16>, %[[W:.*]]: tensor<3x4xf16>, %[[B:.*]]: tensor<1xf16>
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [1, 2] epsilon = 1.250000e-01 inside_sqrt : tensor<?x3x4xf16>
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ID:.*]], #[[$LAST:.*]], #[[$ZERO:.*]], #[[$ID]]]
// CHECK-SAME:        ins(%[[N]], %[[W]], %[[B]] :
// CHECK-NEXT:    ^bb0(%[[NE:.*]]: f16, %[[WE:.*]]: f16, %[[BE:.*]]: f16, %{{.*}}: f16):
// CHECK-DAG:       %[[NX:.*]] = arith.extf %[[NE]] : f16 to f32
// CHECK-DAG:       %[[WX:.*]] = arith.extf %[[WE]] : f16 to f32
// CHECK-DAG:       %[[P:.*]] = arith.mulf %[[NX]], %[[WX]] : f32
// CHECK-DAG:       %[[BX:.*]] = arith.extf %[[BE]] : f16 to f32
// CHECK:           %[[S:.*]] = arith.addf %[[P]], %[[BX]] : f32
// CHECK:           %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK:           linalg.yield %[[R]] : f16
// CHECK:         return %[[Y]]
func.func @layer_normalization(%x: tensor<?x3x4xf16>, %w: tensor<3x4xf16>, %b: tensor<1xf16>) -> tensor<?x3x4xf16> {
  %y, %mean, %factor = "onnx.LayerNormalization"(%x, %w, %b) {axis = -2 : si64, epsilon = 0.125 : f32, stash_type = 1 : si64} : (tensor<?x3x4xf16>, tensor<3x4xf16>, tensor<1xf16>) -> (tensor<?x3x4xf16>, none, none)
  return %y : tensor<?x3x4xf16>
}

// No bias, the usual epsilon, and statistics, of which the model wants one in another type and
// without sizes.

// CHECK-LABEL: func @layer_statistics(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4xf64>, %[[W:.*]]: tensor<4xf64>
// CHECK:         %[[N:.*]], %[[MEAN:.*]], %[[SCALE:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 9.9999997473787516E-6 inside_sqrt statistics : tensor<2x4xf64>
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[W]] :
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      %[[P:.*]] = arith.mulf
// CHECK-NEXT:      linalg.yield %[[P]] : f64
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[MEAN]] : tensor<2x1xf64>)
// CHECK:           arith.truncf %{{.*}} : f64 to f32
// CHECK:         %[[F:.*]] = tensor.cast %[[SCALE]] : tensor<2x1xf64> to tensor<?x?xf64>
// CHECK:         return %[[Y]], %[[M]], %[[F]]
func.func @layer_statistics(%x: tensor<2x4xf64>, %w: tensor<4xf64>) -> (tensor<2x4xf64>, tensor<2x1xf32>, tensor<?x?xf64>) {
  %none = "onnx.NoValue"() {value} : () -> none
  %y, %mean, %factor = "onnx.LayerNormalization"(%x, %w, %none) : (tensor<2x4xf64>, tensor<4xf64>, none) -> (tensor<2x4xf64>, tensor<2x1xf32>, tensor<?x?xf64>)
  return %y, %mean, %factor : tensor<2x4xf64>, tensor<2x1xf32>, tensor<?x?xf64>
}

// CHECK-LABEL: func @instance_normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x?xf32>, %[[W:.*]]: tensor<3xf32>, %[[B:.*]]: tensor<?xf32>
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [2] epsilon = 0.0099999997764825821 inside_sqrt : tensor<2x3x?xf32>
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$CHANNEL:.*]], #[[$CHANNEL]], #[[$ID]]]
// CHECK-SAME:        ins(%[[N]], %[[W]], %[[B]] :
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK:         return %[[Y]]
func.func @instance_normalization(%x: tensor<2x3x?xf32>, %w: tensor<3xf32>, %b: tensor<?xf32>) -> tensor<2x3x?xf32> {
  %0 = "onnx.InstanceNormalization"(%x, %w, %b) {epsilon = 0.00999999977 : f32} : (tensor<2x3x?xf32>, tensor<3xf32>, tensor<?xf32>) -> tensor<2x3x?xf32>
  return %0 : tensor<2x3x?xf32>
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

// The same with scale and bias: other types, sizes that may be 1 or do not fit, attributes of other
// kinds or without a meaning, statistics of another shape, or used where there are none.

// CHECK-LABEL: func @other_normalizations(
// CHECK-NOT:     meanvar.
// CHECK:         return
func.func @other_normalizations(%x: tensor<2x4xf32>, %w: tensor<4xf32>, %d: tensor<4xf64>, %u: tensor<?xf32>, %l: tensor<5xf32>, %v: tensor<1x2x4xf32>, %i: tensor<2x4x5xf32>, %m: tensor<2xf32>) -> (tensor<2x4xf32>, none) {
  %none = "onnx.NoValue"() {value} : () -> none
  "onnx.LayerNormalization"(%x, %d) : (tensor<2x4xf32>, tensor<4xf64>) -> tensor<2x4xf32>
  "onnx.LayerNormalization"(%x, %none, %w) : (tensor<2x4xf32>, none, tensor<4xf32>) -> tensor<2x4xf32>
  "onnx.LayerNormalization"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = "onnx.LayerNormalization"(%x, %u) : (tensor<2x4xf32>, tensor<?xf32>) -> tensor<2x4xf32>
  %1 = "onnx.LayerNormalization"(%x, %w, %l) : (tensor<2x4xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<2x4xf32>
  %2 = "onnx.LayerNormalization"(%x, %v) : (tensor<2x4xf32>, tensor<1x2x4xf32>) -> tensor<2x4xf32>
  %3 = "onnx.LayerNormalization"(%x, %w) {axis = 2 : si64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = "onnx.LayerNormalization"(%x, %w) {axis = "1"} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %5 = "onnx.LayerNormalization"(%x, %w) {epsilon = -1.0 : f32} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %6 = "onnx.LayerNormalization"(%x, %w) {epsilon = 0x7F800000 : f32} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %7, %mean = "onnx.LayerNormalization"(%x, %w) : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
  "some.use"(%0, %1, %2, %3, %4, %5, %6, %7, %mean) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf32>) -> ()
  "onnx.InstanceNormalization"(%x, %w, %w) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  "onnx.InstanceNormalization"(%i, %w, %l) : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<5xf32>) -> tensor<2x4x5xf32>
  "onnx.InstanceNormalization"(%i, %w, %v) : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<1x2x4xf32>) -> tensor<2x4x5xf32>
  "onnx.InstanceNormalization"(%i, %w) : (tensor<2x4x5xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
  "onnx.InstanceNormalization"(%i, %w, %w) {epsilon = 1} : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5xf32>
  %8, %9 = "onnx.LayerNormalization"(%x, %w) : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, none)
  return %8, %9 : tensor<2x4xf32>, none
}
