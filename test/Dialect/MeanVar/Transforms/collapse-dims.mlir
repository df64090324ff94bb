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

// -----

// What follows comes along, so that it can be fused later. Dimensions that it tells
// apart stay, units too: here the channels, whose scale knows nothing of the images.

#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// CHECK-LABEL: func @consumer_of_channels(
// CHECK:         %[[C:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : tensor<1x64x7x?xf32> into tensor<1x64x?xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[C]] axes = [2] : tensor<1x64x?xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[Y]], %{{.*}} : tensor<1x64x?xf32>, tensor<64xf32>)
func.func @consumer_of_channels(%x: tensor<1x64x7x?xf32>, %scale: tensor<64xf32>, %init: tensor<1x64x7x?xf32>) -> tensor<1x64x7x?xf32> {
  %0 = meanvar.mvn %x axes = [2, 3] : tensor<1x64x7x?xf32>
  %1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %scale : tensor<1x64x7x?xf32>, tensor<64xf32>) outs(%init : tensor<1x64x7x?xf32>) {
  ^bb0(%y: f32, %s: f32, %out: f32):
    %p = arith.mulf %y, %s : f32
    linalg.yield %p : f32
  } -> tensor<1x64x7x?xf32>
  return %1 : tensor<1x64x7x?xf32>
}

// -----

// Of a mean as well.

#all = affine_map<(i, j, k) -> (i, j, k)>
#row = affine_map<(i, j, k) -> (j, k)>

// CHECK-LABEL: func @consumer_of_mean(
// CHECK:         %[[Y:.*]] = meanvar.mean %{{.*}}, %{{.*}} : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[Y]], %{{.*}} : tensor<2x12xf32>, tensor<12xf32>)
func.func @consumer_of_mean(%a: tensor<2x3x4xf32>, %b: tensor<2x3x4xf32>, %scale: tensor<3x4xf32>, %init: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0, %scale : tensor<2x3x4xf32>, tensor<3x4xf32>) outs(%init : tensor<2x3x4xf32>) {
  ^bb0(%y: f32, %s: f32, %out: f32):
    %p = arith.mulf %y, %s : f32
    linalg.yield %p : f32
  } -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// -----

// An operation that transposes the result does not go along, and separates nothing.

#all = affine_map<(i, j, k) -> (i, j, k)>
#turned = affine_map<(i, j, k) -> (k, i, j)>

// CHECK-LABEL: func @transposing_user(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<2x12xf32>
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]}
func.func @transposing_user(%x: tensor<2x3x4xf32>, %init: tensor<4x2x3xf32>) -> tensor<4x2x3xf32> {
  %0 = meanvar.mvn %x axes = [1, 2] : tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#all, #turned], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x3x4xf32>) outs(%init : tensor<4x2x3xf32>) {
  ^bb0(%y: f32, %out: f32):
    %n = arith.negf %y : f32
    linalg.yield %n : f32
  } -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}
