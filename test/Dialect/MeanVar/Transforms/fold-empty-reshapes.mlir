// RUN: meanvar-opt %s --meanvar-collapse-dims --split-input-file | FileCheck %s

// Reshapes of tensors with a static size of 0 become empty tensors: nothing
// later can hold a group of 0 and ?.

// CHECK-LABEL: func @collapse_zero_and_dynamic
// CHECK-NOT: tensor.collapse_shape
// CHECK: %[[EMPTY:.*]] = tensor.empty({{.*}}) : tensor<?xf64>
// CHECK: return %[[EMPTY]]
func.func @collapse_zero_and_dynamic(%x: tensor<0x?xf64>) -> tensor<?xf64> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<0x?xf64> into tensor<?xf64>
  return %0 : tensor<?xf64>
}

// -----

// The other sizes stay what they are.
// CHECK-LABEL: func @collapse_beside_zero
// CHECK-SAME: (%[[X:.*]]: tensor<0x?x4xf32>)
// CHECK: %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK: %[[SIZE:.*]] = affine.apply {{.*}}[%[[DIM]]]
// CHECK: tensor.empty(%[[SIZE]]) : tensor<0x?xf32>
func.func @collapse_beside_zero(%x: tensor<0x?x4xf32>) -> tensor<0x?xf32> {
  %0 = tensor.collapse_shape %x [[0], [1, 2]] : tensor<0x?x4xf32> into tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// -----

// CHECK-LABEL: func @expand_beside_zero
// CHECK-SAME: %[[SIZE:[^ ]*]]: index
// CHECK-NOT: tensor.expand_shape
// CHECK: tensor.empty(%[[SIZE]]) : tensor<2x?x0xf32>
func.func @expand_beside_zero(%x: tensor<?x0xf32>, %size: index) -> tensor<2x?x0xf32> {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, %size, 0] : tensor<?x0xf32> into tensor<2x?x0xf32>
  return %0 : tensor<2x?x0xf32>
}

// -----

// Where a size may be something else nothing changes.
// CHECK-LABEL: func @collapse_maybe_empty
// CHECK: tensor.collapse_shape
func.func @collapse_maybe_empty(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}
