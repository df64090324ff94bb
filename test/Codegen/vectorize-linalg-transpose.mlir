// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --split-input-file | FileCheck %s

// Short rows to columns: even and odd columns apart, and each of them again.

// CHECK-LABEL: func @split(
// CHECK-SAME:      %[[ROWS:.*]]: memref<16x4xf32, strided<[4, 1], offset: ?>>, %[[COLUMNS:.*]]: memref<4x16xf32>)
// CHECK:         %[[LINE:.*]] = memref.collapse_shape %[[ROWS]]
// What a later tile has in this place is asked for: 4096 bytes on.
// CHECK-COUNT-4: memref.prefetch %[[LINE]]
// CHECK-COUNT-4: vector.load %[[LINE]]
// CHECK:         %[[EVEN0:.*]] = vector.shuffle %{{.*}} [0, 2, 4, {{.*}}, 28, 30]
// CHECK:         %[[EVEN1:.*]] = vector.shuffle %{{.*}} [0, 2, 4, {{.*}}, 28, 30]
// CHECK:         %[[COLUMN0:.*]] = vector.shuffle %[[EVEN0]], %[[EVEN1]] [0, 2, 4, {{.*}}, 28, 30]
// CHECK:         %[[COLUMN2:.*]] = vector.shuffle %[[EVEN0]], %[[EVEN1]] [1, 3, 5, {{.*}}, 29, 31]
// CHECK-COUNT-4: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK:         vector.store %[[COLUMN0]], %[[COLUMNS]][%c0, %c0]
// CHECK:         vector.store %{{.*}}, %[[COLUMNS]][%c1, %c0]
// CHECK:         vector.store %[[COLUMN2]], %[[COLUMNS]][%c2, %c0]
func.func @split(%x: memref<16x4xf32, strided<[4, 1], offset: ?>>, %y: memref<4x16xf32>) {
  linalg.transpose ins(%x : memref<16x4xf32, strided<[4, 1], offset: ?>>) outs(%y : memref<4x16xf32>)
      permutation = [1, 0]
  return
}

// -----

// And back: columns 0 and 2, 1 and 3 are interleaved, then the two results.

// CHECK-LABEL: func @join(
// CHECK:         %[[LINE:.*]] = memref.collapse_shape
// CHECK:         %[[LOW02:.*]] = vector.shuffle %{{.*}} [0, 16, 1, 17, {{.*}}, 7, 23]
// CHECK:         %[[HIGH02:.*]] = vector.shuffle %{{.*}} [8, 24, 9, 25, {{.*}}, 15, 31]
// CHECK:         %[[LOW13:.*]] = vector.shuffle
// CHECK:         %[[HIGH13:.*]] = vector.shuffle
// CHECK:         %[[ROWS:.*]] = vector.shuffle %[[LOW02]], %[[LOW13]] [0, 16, 1, 17, {{.*}}, 7, 23]
// CHECK:         vector.store %[[ROWS]], %[[LINE]][%c0]
func.func @join(%x: memref<4x16xf32>, %y: memref<16x4xf32>) {
  linalg.transpose ins(%x : memref<4x16xf32>) outs(%y : memref<16x4xf32>) permutation = [1, 0]
  return
}

// -----

// An odd number of columns: every place moves, bit by bit of the distance, to the vector
// that begins with its column. Then each vector holds one column in another order.

// CHECK-LABEL: func @odd(
// CHECK:         %[[V0:.*]] = vector.load %{{.*}}[%c0]
// CHECK:         %[[V1:.*]] = vector.load %{{.*}}[%c16]
// CHECK:         %[[V2:.*]] = vector.load %{{.*}}[%c32]
// CHECK:         %[[A0:.*]] = vector.shuffle %[[V0]], %[[V1]] [0, 1, 18, 3, 4, 21, {{.*}}, 15]
// CHECK:         %[[A1:.*]] = vector.shuffle %[[V1]], %[[V2]]
// CHECK:         %[[A2:.*]] = vector.shuffle %[[V2]], %[[V0]]
// CHECK:         %[[B0:.*]] = vector.shuffle %[[A0]], %[[A2]] [0, 17, 2, 3, 20, 5, {{.*}}, 15]
// CHECK-COUNT-2: vector.shuffle
// CHECK:         %[[C0:.*]] = vector.shuffle %[[B0]], %[[B0]] [0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13]
// CHECK-COUNT-2: vector.shuffle
// CHECK-NOT:     vector.shuffle
// CHECK:         vector.store %[[C0]], %{{.*}}[%c0, %c0]
func.func @odd(%x: memref<16x3xf32>, %y: memref<3x16xf32>) {
  linalg.transpose ins(%x : memref<16x3xf32>) outs(%y : memref<3x16xf32>) permutation = [1, 0]
  return
}

// -----

// More rows than a vector has elements: group by group.

// CHECK-LABEL: func @groups(
// CHECK-SAME:      %{{.*}}: memref<32x2xf16>, %[[COLUMNS:.*]]: memref<2x32xf16>)
// CHECK:         vector.load %{{.*}}[%c0] : memref<64xf16>, vector<16xf16>
// CHECK:         vector.load %{{.*}}[%c16]
// CHECK:         vector.store %{{.*}}, %[[COLUMNS]][%c0, %c0]
// CHECK:         vector.store %{{.*}}, %[[COLUMNS]][%c1, %c0]
// CHECK:         vector.load %{{.*}}[%c32]
// CHECK:         vector.load %{{.*}}[%c48]
// CHECK:         vector.store %{{.*}}, %[[COLUMNS]][%c0, %c16]
// CHECK:         vector.store %{{.*}}, %[[COLUMNS]][%c1, %c16]
func.func @groups(%x: memref<32x2xf16>, %y: memref<2x32xf16>) {
  linalg.transpose ins(%x : memref<32x2xf16>) outs(%y : memref<2x32xf16>) permutation = [1, 0]
  return
}

// -----

// Rows of a large result bypass the caches where they are aligned for that.

// CHECK-LABEL: func @stream(
// CHECK-SAME:      %[[RESULT:[^:]*]]: memref<65536x2xf32>, %[[ROW:[^:]*]]: index
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %{{.*}}
// CHECK:         %[[ELEMENT:.*]] = arith.divui %[[ADDRESS]], %c4
// CHECK:         %[[PLACE:.*]] = arith.addi %[[ELEMENT]], %{{.*}}
// CHECK:         %[[PAST:.*]] = arith.remui %[[PLACE]], %c16
// CHECK:         %[[IS_ALIGNED:.*]] = arith.cmpi eq, %[[PAST]], %c0
// CHECK:         scf.if %[[IS_ALIGNED]] {
// CHECK-COUNT-2:   vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<32xf32{{.*}}>, vector<16xf32>
// CHECK:         } else {
// CHECK-COUNT-2:   vector.store
// CHECK-NOT:     nontemporal
func.func @stream(%x: memref<2x16xf32>, %result: memref<65536x2xf32>, %row: index) {
  %y = memref.subview %result[%row, 0] [16, 2] [1, 1]
      : memref<65536x2xf32> to memref<16x2xf32, strided<[2, 1], offset: ?>>
  linalg.transpose {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<2x16xf32>)
      outs(%y : memref<16x2xf32, strided<[2, 1], offset: ?>>) permutation = [1, 0]
  return
}

// -----

// Other transpositions are left to convert-linalg-to-loops, in their generic form.

// CHECK-LABEL: func @others(
// CHECK-COUNT-3: linalg.generic
// CHECK-NOT:     vector
func.func @others(%a: memref<3x5xf32>, %b: memref<5x3xf32>, %c: memref<16x4xf32, strided<[5, 1]>>,
                  %d: memref<4x16xf32>, %e: memref<?x4xf32>, %f: memref<4x?xf32>) {
  linalg.transpose ins(%a : memref<3x5xf32>) outs(%b : memref<5x3xf32>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<16x4xf32, strided<[5, 1]>>) outs(%d : memref<4x16xf32>) permutation = [1, 0]
  linalg.transpose ins(%e : memref<?x4xf32>) outs(%f : memref<4x?xf32>) permutation = [1, 0]
  return
}
