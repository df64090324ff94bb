// RUN: meanvar-opt %s --meanvar-collapse-dims --split-input-file | FileCheck %s

// Any rank and axes become a short pattern of kept and reduced dimensions.

// CHECK-LABEL: func @nchw_default_axes(
// CHECK-SAME:      %[[X:.*]]: tensor<8x64x56x56xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]]
// CHECK-SAME:        tensor<8x64x56x56xf32> into tensor<8x64x3136xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[C]] axes = [0, 2] : tensor<8x64x3136xf32>
// CHECK:         tensor.expand_shape %[[Y]] {{\[}}[0], [1], [2, 3]] output_shape [8, 64, 56, 56]
func.func @nchw_default_axes(%x: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %0 = meanvar.mvn %x : tensor<8x64x56x56xf32>
  return %0 : tensor<8x64x56x56xf32>
}

// -----

// Attributes are kept; the statistics have the shape of the original.

// CHECK-LABEL: func @statistics(
// CHECK:         %[[Y:.*]], %[[M:.*]], %[[S:.*]] = meanvar.mvn %{{.*}} axes = [1] epsilon = 1.000000e-05 inside_sqrt center_only statistics : tensor<4x15xf16>
// CHECK-DAG:     tensor.expand_shape %[[Y]] {{.*}} into tensor<4x3x5xf16>
// CHECK-DAG:     tensor.expand_shape %[[M]] {{.*}} : tensor<4x1xf32> into tensor<4x1x1xf32>
// CHECK-DAG:     tensor.expand_shape %[[S]] {{.*}} : tensor<4x1xf32> into tensor<4x1x1xf32>
func.func @statistics(%x: tensor<4x3x5xf16>) -> (tensor<4x3x5xf16>, tensor<4x1x1xf32>, tensor<4x1x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [2, 1] epsilon = 1.0e-05 inside_sqrt center_only statistics : tensor<4x3x5xf16>
  return %0#0, %0#1, %0#2 : tensor<4x3x5xf16>, tensor<4x1x1xf32>, tensor<4x1x1xf32>
}

// -----

// Sizes known at run time only are merged, too.

// CHECK-LABEL: func @dynamic(
// CHECK:         %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2, 3]] : tensor<?x3x?x?xf32> into tensor<?x?xf32>
// CHECK:         meanvar.mvn %[[C]] axes = [1] : tensor<?x?xf32>
// CHECK:         tensor.expand_shape {{.*}} : tensor<?x?xf32> into tensor<?x3x?x?xf32>
func.func @dynamic(%x: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32> {
  %0 = meanvar.mvn %x axes = [-1, -2] : tensor<?x3x?x?xf32>
  return %0 : tensor<?x3x?x?xf32>
}

// -----

// Unit dimensions join a neighbour, whatever their kind.

// CHECK-LABEL: func @unit_dims(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2, 3]] : tensor<1x7x1x9xf32> into tensor<63xf32>
// CHECK:         meanvar.mvn %{{.*}} axes = [0] : tensor<63xf32>
func.func @unit_dims(%x: tensor<1x7x1x9xf32>) -> tensor<1x7x1x9xf32> {
  %0 = meanvar.mvn %x axes = [1, 3] : tensor<1x7x1x9xf32>
  return %0 : tensor<1x7x1x9xf32>
}

// -----

// Lanes of one element lie side by side.

// CHECK-LABEL: func @unit_lanes(
// CHECK:         %[[F:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2]] : tensor<5x1x?xf32> into tensor<?xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[F]] {{\[}}[0, 1]] {{.*}} : tensor<?xf32> into tensor<1x?xf32>
// CHECK:         meanvar.mvn %[[E]] axes = [0] : tensor<1x?xf32>
func.func @unit_lanes(%x: tensor<5x1x?xf32>) -> tensor<5x1x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<5x1x?xf32>
  return %0 : tensor<5x1x?xf32>
}

// -----

// CHECK-LABEL: func @rank_0(
// CHECK:         tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f64> into tensor<1x1xf64>
// CHECK:         meanvar.mvn %{{.*}} axes = [0] : tensor<1x1xf64>
// CHECK:         tensor.collapse_shape %{{.*}} [] : tensor<1x1xf64> into tensor<f64>
func.func @rank_0(%x: tensor<f64>) -> tensor<f64> {
  %0 = meanvar.mvn %x axes = [] : tensor<f64>
  return %0 : tensor<f64>
}

// -----

// Nothing to do: the dimensions alternate already.

// CHECK-LABEL: func @alternating(
// CHECK-NOT:     tensor.
// CHECK:         meanvar.mvn %{{.*}} axes = [0, 2] : tensor<2x3x4xf32>
func.func @alternating(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = meanvar.mvn %x axes = [0, 2] : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// The mean: dimensions that each operand covers in one way.

// CHECK-LABEL: func @mean_equal_shapes(
// CHECK:         meanvar.mean %{{.*}}, %{{.*}} : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
func.func @mean_equal_shapes(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// CHECK-LABEL: func @mean_broadcast(
// CHECK:         meanvar.mean %{{.*}}, %{{.*}}, %{{.*}} : (tensor<6x20xf32>, tensor<20xf32>, tensor<f32>) -> tensor<6x20xf32>
func.func @mean_broadcast(%a: tensor<2x3x4x5xf32>, %b: tensor<4x5xf32>, %c: tensor<f32>) -> tensor<2x3x4x5xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<2x3x4x5xf32>, tensor<4x5xf32>, tensor<f32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// A dimension that may turn out to be 1 stays on its own (M3).

// CHECK-LABEL: func @mean_dynamic(
// CHECK:         meanvar.mean %{{.*}}, %{{.*}} : (tensor<?x20xf32>, tensor<3x20xf32>) -> tensor<3x20xf32>
func.func @mean_dynamic(%a: tensor<?x4x5xf32>, %b: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}
