// RUN: meanvar-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// What bufferization meets on tensors is lowered there, from the buffers of the operands to
// new ones.

// CHECK-LABEL: func @mean(
// CHECK-SAME:      %[[X:.*]]: memref<4x8xf32, strided<[?, ?], offset: ?>>, %[[Y:.*]]: memref<8xf32, strided<[?], offset: ?>>) -> memref<4x8xf32>
// CHECK:         %[[MEAN:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[X]], %[[Y]] : {{.*}}) outs(%[[MEAN]] : memref<4x8xf32>)
// CHECK:         return %[[MEAN]]
func.func @mean(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = meanvar.mean %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// All that is known of reads and writes holds within the operation, too: sums are their own
// buffers, and nothing is copied.

// CHECK-LABEL: func @mvn(
// CHECK-SAME:      %[[X:[^:]*]]: memref<4x?xf16
// CHECK-NOT:     memref.copy
// CHECK-NOT:     meanvar.mvn
// CHECK:         %[[SHIFT:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK:         %[[SUM:.*]] = memref.alloc() {{.*}} : memref<4xf64>
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[SUM]]
// CHECK-NEXT:    %[[SQUARES:.*]] = memref.alloc() {{.*}} : memref<4xf64>
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[SQUARES]]
// CHECK-NEXT:    linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]], %[[SHIFT]] : {{.*}}) outs(%[[SUM]], %[[SQUARES]] : memref<4xf64>, memref<4xf64>)
// CHECK:         %[[RESULT:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<4x?xf16>
// CHECK:         linalg.generic {{.*}} outs(%[[RESULT]] : memref<4x?xf16>)
// CHECK:         return %[[RESULT]]
func.func @mvn(%x: tensor<4x?xf16>) -> tensor<4x?xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x?xf16>
  return %0 : tensor<4x?xf16>
}

// Nothing is left of a tensor without elements but its buffer.

// CHECK-LABEL: func @empty(
// CHECK-NOT:     linalg
// CHECK:         return %{{.*}} : memref<0x4xf32
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
