// RUN: meanvar-opt %s --canonicalize="test-convergence" --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// meanvar.mean
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @mean_of_one_operand_M1
// CHECK-SAME: (%[[A:.*]]: tensor<2x?xf32>)
// CHECK-NEXT: return %[[A]]
func.func @mean_of_one_operand_M1(%a: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = meanvar.mean %a : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// CHECK-LABEL: func @mean_of_one_operand_with_other_type_M1_M4
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[A]] : tensor<2x3xf32> to tensor<?x3xf32>
// CHECK-NEXT: return %[[CAST]]
func.func @mean_of_one_operand_with_other_type_M1_M4(%a: tensor<2x3xf32>) -> tensor<?x3xf32> {
  %0 = meanvar.mean %a : (tensor<2x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// The sum of n equal values is exact in the wider type, and so is the mean.
// CHECK-LABEL: func @mean_of_equal_operands_M5
// CHECK-SAME: (%[[A:.*]]: tensor<4xf16>, %[[B:.*]]: tensor<4xbf16>, %[[C:.*]]: tensor<?xf32>)
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @mean_of_equal_operands_M5(%a: tensor<4xf16>, %b: tensor<4xbf16>, %c: tensor<?xf32>)
    -> (tensor<4xf16>, tensor<4xbf16>, tensor<?xf32>) {
  %0 = meanvar.mean %a, %a, %a : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %1 = meanvar.mean %b, %b, %b : (tensor<4xbf16>, tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  %2 = meanvar.mean %c, %c, %c : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<4xf16>, tensor<4xbf16>, tensor<?xf32>
}

// -----

// f64 is summed in f64, where the sum may round or overflow: that must show.
// CHECK-LABEL: func @mean_of_equal_f64_operands_M5
// CHECK: meanvar.mean
func.func @mean_of_equal_f64_operands_M5(%a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = meanvar.mean %a, %a, %a : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// CHECK-LABEL: func @mean_of_different_operands
// CHECK: meanvar.mean
func.func @mean_of_different_operands(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = meanvar.mean %a, %a, %b : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @mean_of_nothing_V8
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<0x3xf32>
// CHECK-NEXT: return %[[EMPTY]]
func.func @mean_of_nothing_V8(%a: tensor<0x3xf32>, %b: tensor<1x3xf32>) -> tensor<0x3xf32> {
  %0 = meanvar.mean %a, %b : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// -----

// An unused mean goes, as any operation without side effects.
// CHECK-LABEL: func @mean_unused
// CHECK-NEXT: return
func.func @mean_unused(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// meanvar.mvn
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @mvn_sorted_axes_V2
// CHECK: meanvar.mvn %{{.*}} axes = [0, 1, 2] : tensor<2x3x4x5xf32>
func.func @mvn_sorted_axes_V2(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = meanvar.mvn %x axes = [2, 0, 1] : tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func @mvn_non_negative_axes_V2
// CHECK: meanvar.mvn %{{.*}} axes = [1, 3] epsilon = 1.000000e-05 inside_sqrt : tensor<2x3x4x5xf32>
func.func @mvn_non_negative_axes_V2(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = meanvar.mvn %x axes = [-1, -3] epsilon = 1.0e-5 inside_sqrt : tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func @mvn_empty_axes_V2
// CHECK: meanvar.mvn %{{.*}} axes = [0, 1] : tensor<2x?xf32>
func.func @mvn_empty_axes_V2(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = meanvar.mvn %x axes = [] : tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// -----

// Axes that turn out to be the default ones are not printed.
// CHECK-LABEL: func @mvn_default_axes_V2
// CHECK: meanvar.mvn %{{[^ ]*}} : tensor<2x3x4x5xf32>
func.func @mvn_default_axes_V2(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = meanvar.mvn %x axes = [-1, 2, 0] : tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// -----

// CHECK-LABEL: func @mvn_rank_0_V2
// CHECK: meanvar.mvn %{{.*}} axes = [] : tensor<f32>
func.func @mvn_rank_0_V2(%x: tensor<f32>) -> tensor<f32> {
  %0 = meanvar.mvn %x axes = [] : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @mvn_sorted_axes_with_statistics_V2_V3
// CHECK: %[[Y:.*]], %[[MEAN:.*]], %[[SCALE:.*]] = meanvar.mvn %{{.*}} axes = [0, 2] statistics : tensor<2x3x4xf32>
// CHECK: return %[[Y]], %[[MEAN]], %[[SCALE]]
func.func @mvn_sorted_axes_with_statistics_V2_V3(%x: tensor<2x3x4xf32>)
    -> (tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) {
  %0, %mean, %scale = meanvar.mvn %x axes = [-1, -3] statistics : tensor<2x3x4xf32>
  return %0, %mean, %scale : tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

// CHECK-LABEL: func @mvn_without_elements_V8
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<4x0xf32>
// CHECK-NEXT: return %[[EMPTY]]
func.func @mvn_without_elements_V8(%x: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x0xf32>
  return %0 : tensor<4x0xf32>
}

// -----

// CHECK-LABEL: func @mvn_without_elements_dynamic_V8
// CHECK-SAME: (%[[X:.*]]: tensor<?x0x?xf64>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[D2:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[D0]], %[[D2]]) : tensor<?x0x?xf64>
// CHECK-NEXT: return %[[EMPTY]]
func.func @mvn_without_elements_dynamic_V8(%x: tensor<?x0x?xf64>) -> tensor<?x0x?xf64> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x0x?xf64>
  return %0 : tensor<?x0x?xf64>
}

// -----

// The kept dimension is empty, so there is no lane and no statistic either.
// CHECK-LABEL: func @mvn_without_lanes_V8
// CHECK-DAG: %[[Y:.*]] = tensor.empty() : tensor<0x4xf16>
// CHECK-DAG: %[[S:.*]] = tensor.empty() : tensor<0x1xf32>
// CHECK: return %[[Y]], %[[S]]
func.func @mvn_without_lanes_V8(%x: tensor<0x4xf16>) -> (tensor<0x4xf16>, tensor<0x1xf32>) {
  %0, %mean, %scale = meanvar.mvn %x axes = [1] statistics : tensor<0x4xf16>
  return %0, %mean : tensor<0x4xf16>, tensor<0x1xf32>
}

// -----

// The lanes are empty but exist: their statistics are those of nothing.
// CHECK-LABEL: func @mvn_statistics_of_empty_lanes_V8
// CHECK-DAG: %[[MEAN:.*]] = arith.constant dense<0x7FC00000> : tensor<4x1xf32>
// CHECK-DAG: %[[Y:.*]] = tensor.empty() : tensor<4x0xf32>
// CHECK: return %[[Y]], %[[MEAN]]
func.func @mvn_statistics_of_empty_lanes_V8(%x: tensor<4x0xf32>) -> (tensor<4x0xf32>, tensor<4x1xf32>) {
  %0, %mean, %scale = meanvar.mvn %x axes = [1] statistics : tensor<4x0xf32>
  return %0, %mean : tensor<4x0xf32>, tensor<4x1xf32>
}

// -----

// A size that is not known may be 0 only at run time.
// CHECK-LABEL: func @mvn_maybe_without_elements_V8
// CHECK: meanvar.mvn
func.func @mvn_maybe_without_elements_V8(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
