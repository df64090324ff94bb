// RUN: meanvar-opt %s --meanvar-collapse-dims --split-input-file | FileCheck %s

// A reshape of a result becomes one of the buffer that the result goes to.

// CHECK-LABEL: func @expanded(
// CHECK-SAME:      %[[X:.*]]: tensor<6xf32>, %[[OUT:.*]]: memref<2x3xf32>)
// CHECK:         %[[VIEW:.*]] = memref.collapse_shape %[[OUT]] {{\[}}[0, 1]] : memref<2x3xf32> into memref<6xf32>
// CHECK:         bufferization.materialize_in_destination %[[X]] in restrict writable %[[VIEW]]
func.func @expanded(%x: tensor<6xf32>, %out: memref<2x3xf32>) {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<2x3xf32>, memref<2x3xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @collapsed(
// CHECK-SAME:      %[[X:.*]]: tensor<?x3xf32>, %[[OUT:.*]]: memref<?xf32>)
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK:         %[[VIEW:.*]] = memref.expand_shape %[[OUT]] {{\[}}[0, 1]] output_shape [%[[SIZE]], 3] : memref<?xf32> into memref<?x3xf32>
// CHECK:         bufferization.materialize_in_destination %[[X]] in restrict writable %[[VIEW]]
func.func @collapsed(%x: tensor<?x3xf32>, %out: memref<?xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @cast(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<?xf32>)
// CHECK:         %[[VIEW:.*]] = memref.cast %[[OUT]] : memref<?xf32> to memref<4xf32>
// CHECK:         bufferization.materialize_in_destination %[[X]] in restrict writable %[[VIEW]]
func.func @cast(%x: tensor<4xf32>, %out: memref<?xf32>) {
  %0 = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// What collapsing the dimensions of an operation adds goes the same way.

// CHECK-LABEL: func @operation(
// CHECK-SAME:      %[[X:.*]]: tensor<8x4x5xf32>, %[[OUT:.*]]: memref<8x4x5xf32>)
// CHECK-DAG:     %[[VIEW:.*]] = memref.collapse_shape %[[OUT]] {{\[}}[0], [1, 2]] : memref<8x4x5xf32> into memref<8x20xf32>
// CHECK-DAG:     %[[Y:.*]] = meanvar.mvn %{{.*}} axes = [1] : tensor<8x20xf32>
// CHECK-NOT:     tensor.expand_shape
// CHECK:         bufferization.materialize_in_destination %[[Y]] in restrict writable %[[VIEW]]
func.func @operation(%x: tensor<8x4x5xf32>, %out: memref<8x4x5xf32>) {
  %0 = meanvar.mvn %x axes = [1, 2] : tensor<8x4x5xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<8x4x5xf32>, memref<8x4x5xf32>) -> ()
  return
}

// -----

// Views of a buffer with strides, and of one without elements, are left alone.

// CHECK-LABEL: func @strided(
// CHECK:         %[[E:.*]] = tensor.expand_shape
// CHECK-NOT:     memref.
// CHECK:         bufferization.materialize_in_destination %[[E]] in restrict writable %{{.*}} : (tensor<2x3xf32>, memref<2x3xf32, strided<[8, 1]>>)
func.func @strided(%x: tensor<6xf32>, %out: memref<2x3xf32, strided<[8, 1]>>) {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<2x3xf32>, memref<2x3xf32, strided<[8, 1]>>) -> ()
  return
}

// -----

// CHECK-LABEL: func @empty(
// CHECK:         %[[C:.*]] = tensor.empty
// CHECK-NOT:     memref.
// CHECK:         bufferization.materialize_in_destination %[[C]] in restrict writable %{{.*}} : (tensor<0xf32>, memref<0xf32>)
func.func @empty(%x: tensor<0x3xf32>, %out: memref<0xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<0x3xf32> into tensor<0xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<0xf32>, memref<0xf32>) -> ()
  return
}

// -----

// A buffer may know fewer sizes than the tensor that is written to it.

// CHECK-LABEL: func @collapsed_to_dynamic(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3xf32>, %[[OUT:.*]]: memref<?xf32>)
// CHECK:         %[[CAST:.*]] = memref.cast %[[OUT]] : memref<?xf32> to memref<6xf32>
// CHECK:         memref.expand_shape %[[CAST]] {{.*}} : memref<6xf32> into memref<2x3xf32>
func.func @collapsed_to_dynamic(%x: tensor<2x3xf32>, %out: memref<?xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<6xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @expanded_to_dynamic(
// CHECK-SAME:      %[[X:.*]]: tensor<6xf32>, %[[OUT:.*]]: memref<?x3xf32>)
// CHECK:         %[[CAST:.*]] = memref.cast %[[OUT]] : memref<?x3xf32> to memref<2x3xf32>
// CHECK:         memref.collapse_shape %[[CAST]] {{.*}} : memref<2x3xf32> into memref<6xf32>
func.func @expanded_to_dynamic(%x: tensor<6xf32>, %out: memref<?x3xf32>) {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<2x3xf32>, memref<?x3xf32>) -> ()
  return
}
