// RUN: meanvar-opt %s --meanvar-resolve-buffer-views | FileCheck %s

// A copy that is not contiguous would become a call of MLIR's run-time library.

// CHECK-LABEL: func @strided_copy(
// CHECK-SAME:      %[[A:.*]]: memref<4x4xf32, strided<[8, 1]>>, %[[B:.*]]: memref<4x4xf32>)
// CHECK-NEXT:    linalg.copy ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}})
func.func @strided_copy(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// A contiguous one becomes a memcpy.

// CHECK-LABEL: func @contiguous_copy(
// CHECK-NEXT:    memref.copy
func.func @contiguous_copy(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  return
}

// Upstream lowers an expansion with one size known at run time in each group only.

// CHECK-LABEL: func @expand(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[BASE:[^,]*]], {{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[Y:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]]], strides: [%[[B]], 1] : memref<f32> to memref<?x?xf32>
// CHECK:         return %[[Y]]
func.func @expand(%x: memref<?xf32>, %a: index, %b: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [%a, %b] : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// Strides and offsets are those of the source, multiplied within a group.

// CHECK-LABEL: func @expand_strided(
// CHECK-SAME:      %[[X:.*]]: memref<?x6xf32, strided<[?, 1], offset: ?>>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[STRIDE:.*]] = arith.muli %[[STRIDES]]#0, %[[B]] : index
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[A]], %[[B]], 2, 3], strides: [%[[STRIDE]], %[[STRIDES]]#0, 3, 1]
func.func @expand_strided(%x: memref<?x6xf32, strided<[?, 1], offset: ?>>, %a: index, %b: index) -> memref<?x?x2x3xf32, strided<[?, ?, 3, 1], offset: ?>> {
  %0 = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [%a, %b, 2, 3] : memref<?x6xf32, strided<[?, 1], offset: ?>> into memref<?x?x2x3xf32, strided<[?, ?, 3, 1], offset: ?>>
  return %0 : memref<?x?x2x3xf32, strided<[?, ?, 3, 1], offset: ?>>
}

// CHECK-LABEL: func @expand_rank_0(
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 1], strides: [1, 1] : memref<f32> to memref<1x1xf32>
func.func @expand_rank_0(%x: memref<f32>) -> memref<1x1xf32> {
  %0 = memref.expand_shape %x [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  return %0 : memref<1x1xf32>
}
