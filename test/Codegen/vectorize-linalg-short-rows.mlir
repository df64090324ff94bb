// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --cse --split-input-file | FileCheck %s

// Where the innermost dimension is kept and shorter than a vector, vectors run along it
// and the dimension before it taken as one.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// The deviations from a value for each lane. Three vectors of 16 hold 16 rows of three.
//
// CHECK-LABEL: func @sums(
// CHECK-SAME:      %[[X:.*]]: memref<?x3xf32>, %[[SHIFT:.*]]: memref<3xf32>, %[[SUM:.*]]: memref<3xf64>)
// CHECK-DAG:     %[[ROW:.*]] = vector.constant_mask [3] : vector<16xi1>
// CHECK-DAG:     %[[FLAT:.*]] = memref.reinterpret_cast %{{.*}}, sizes: [%{{.*}}], strides: [1]
//
// What belongs to the lanes is read once and repeated, beginning with the element that
// comes first in the vector.
//
// CHECK:         %[[ONCE:.*]] = vector.maskedload %[[SHIFT]][%c0], %[[ROW]]
// CHECK-DAG:     vector.shuffle %[[ONCE]], %[[ONCE]] [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
// CHECK-DAG:     vector.shuffle {{.*}} [1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]
// CHECK-DAG:     vector.shuffle {{.*}} [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
//
// CHECK:         scf.for {{.*}} -> (vector<16xf64>, vector<16xf64>, vector<16xf64>)
// CHECK:           scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-3:     vector.load %[[FLAT]][%{{.*}}]
//
// The rows that are left, in three masked vectors.
//
// CHECK:         scf.if
// CHECK-COUNT-3:   vector.create_mask
//
// Sixteen rows of sums, some in two vectors, become one.
//
// CHECK:         vector.shuffle %[[LEFT:.*]], %[[LEFT]] [0, 1, 2, -1,
// CHECK:         vector.shuffle {{.*}} [15, 16, 17, -1,
// CHECK:         vector.maskedload %[[SUM]][%c0], %[[ROW]]
// CHECK:         vector.maskedstore %[[SUM]][%c0], %[[ROW]]
func.func @sums(%x: memref<?x3xf32>, %shift: memref<3xf32>, %sum: memref<3xf64>) {
  linalg.generic {indexing_maps = [#element, #lane, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x, %shift : memref<?x3xf32>, memref<3xf32>) outs(%sum : memref<3xf64>)
      attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %in_0: f32, %out: f64):
    %0 = arith.subf %in, %in_0 : f32
    %1 = arith.extf %0 : f32 to f64
    %2 = arith.addf %out, %1 : f64
    linalg.yield %2 : f64
  }
  return
}

// -----

// Rows of four fill a vector: the four vectors in flight hold the same lanes.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @one_vector(
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK:         scf.for {{.*}} -> (vector<16xf32>)
func.func @one_vector(%x: memref<?x4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Nothing is reduced: a factor for each lane.

#element = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#lane = affine_map<(d0, d1, d2) -> (d0, d2)>

// CHECK-LABEL: func @scaled(
// CHECK-SAME:      %{{.*}}, %[[FACTOR:.*]]: memref<2x5xf32>, %{{.*}})
// CHECK:         scf.for %[[D0:.*]] =
// CHECK:           vector.maskedload %[[FACTOR]][%[[D0]], %c0]
// CHECK-COUNT-5:   vector.shuffle
// CHECK:           scf.for {{.*}} step %c80
// CHECK-COUNT-5:     vector.load %{{.*}}[%[[D0]], %{{.*}}]
// CHECK-COUNT-5:     vector.store %{{.*}}[%[[D0]], %{{.*}}]
// 35 rows: two times 16, and the rest in a vector without gaps, of which 15 elements count.
// CHECK:           vector.constant_mask [15]
// CHECK:           vector.maskedstore
// CHECK-NOT:       vector.maskedstore
func.func @scaled(%x: memref<2x35x5xf32>, %factor: memref<2x5xf32>, %y: memref<2x35x5xf32>) {
  linalg.generic {indexing_maps = [#element, #lane, #element],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %factor : memref<2x35x5xf32>, memref<2x5xf32>) outs(%y : memref<2x35x5xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Rows with gaps between them are walked one by one.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @gaps(
// CHECK-NOT:     reinterpret_cast
// CHECK:         vector.maskedload
func.func @gaps(%x: memref<?x3xf32, strided<[6, 1]>>, %y: memref<3xf32>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x3xf32, strided<[6, 1]>>) outs(%y : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}
