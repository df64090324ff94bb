// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --split-input-file | FileCheck %s

// Reductions that keep the innermost dimension: each element of a vector is the sum
// of a lane of its own, so nothing is reduced horizontally.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @widened(
// CHECK-SAME:      %[[X:.*]]: memref<?x?xf32>, %[[SUM:.*]]: memref<?xf64>)
//
// 16 rows are added as f32, then to the sums.
//
// CHECK:         scf.for
// CHECK:           %[[PARTIAL:.*]]:8 = scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %c1 iter_args
// CHECK-COUNT-8:     vector.load %[[X]][%[[ROW]], %{{.*}}] : memref<?x?xf32>, vector<16xf32>
// CHECK:           arith.extf %[[PARTIAL]]#0 : vector<16xf32> to vector<16xf64>
// CHECK:           arith.addf %{{.*}} : vector<16xf64>
//
// The lanes that are left, in a masked vector.
//
// CHECK:         %[[MASK:.*]] = vector.create_mask
// CHECK:         vector.maskedload %[[X]][{{.*}}], %[[MASK]]
// CHECK:         vector.maskedstore %[[SUM]][{{.*}}], %[[MASK]]
// CHECK-NOT:     vector.reduction
func.func @widened(%x: memref<?x?xf32>, %sum: memref<?xf64>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%sum : memref<?xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// A static number of lanes needs no mask.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @static(
// CHECK-NOT:     mask
// CHECK-COUNT-4: vector.load %{{.*}} : memref<?x64xf32>, vector<16xf32>
// CHECK-COUNT-4: vector.store %{{.*}} : memref<64xf64>, vector<16xf64>
// CHECK-NOT:     mask
func.func @static(%x: memref<?x64xf32>, %sum: memref<64xf64>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x64xf32>) outs(%sum : memref<64xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// f64: where one chunk has all lanes, the sums, and with them the rounding errors, stay in
// registers.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @compensated(
// CHECK:         scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// CHECK:           %[[PARTIAL:.*]]:4 = scf.for {{.*}} -> (vector<8xf64>, vector<8xf64>, vector<8xf64>, vector<8xf64>)
// CHECK:           %[[TOTAL:.*]] = arith.addf %[[SUM:.*]], %[[PARTIAL]]#0 : vector<8xf64>
// CHECK:           arith.subf %[[TOTAL]], %[[SUM]]
func.func @compensated(%x: memref<?x32xf64>, %sum: memref<32xf64>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x32xf64>) outs(%sum : memref<32xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %out, %in : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// Several chunks take turns for each block of rows; their errors, two vectors of 32 here,
// are on the stack. 512 lanes at a time.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @compensated_chunks(
// CHECK-SAME:      %[[X:.*]]: memref<?x?xf64>, %[[SUM:.*]]: memref<?xf64>)
// CHECK:         %[[ERRORS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x8xf64>
// CHECK:         scf.for %[[STRIP:[a-z0-9]*]] = %c0 to %{{.*}} step %c512
// Errors of 0,
// CHECK:           vector.store %cst, %[[ERRORS]]
// rows in blocks, and the chunks of each block.
// CHECK:           scf.for %[[BLOCK:[a-z0-9]*]] = %c0 to %{{.*}} step %c16
// CHECK:             scf.for %[[I:[a-z0-9]*]] = %[[STRIP]] to %{{.*}} step %c32
// CHECK:               %[[PARTIAL:.*]]:4 = scf.for
// CHECK:               %[[OLD:.*]] = vector.load %[[SUM]][%[[I]]]
// CHECK:               %[[OFFSET:.*]] = arith.subi %[[I]], %[[STRIP]]
// CHECK:               %[[NUMBER:.*]] = arith.divui %[[OFFSET]], %c8
// CHECK:               vector.load %[[ERRORS]][%[[NUMBER]], %c0]
// CHECK:               %[[TOTAL:.*]] = arith.addf %[[OLD]], %[[PARTIAL]]#0
// CHECK:               arith.subf %[[TOTAL]], %[[OLD]]
// CHECK-DAG:           vector.store %[[TOTAL]], %[[SUM]][%[[I]]]
// CHECK-DAG:           vector.store %{{.*}}, %[[ERRORS]][%{{.*}}, %c0]
// At the end they are added.
// CHECK:           scf.for %[[I:[a-z0-9]*]] = %[[STRIP]] to %{{.*}} step %c32
// CHECK:             vector.load %[[SUM]][%[[I]]]
// CHECK:             vector.load %[[ERRORS]]
// CHECK:             arith.addf
// CHECK:             vector.store %{{.*}}, %[[SUM]][%[[I]]]
func.func @compensated_chunks(%x: memref<?x?xf64>, %sum: memref<?xf64>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%sum : memref<?xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %out, %in : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// Exceptional cases are small code: chunk after chunk.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @compensated_cold(
// CHECK-NOT:     memref.alloca
func.func @compensated_cold(%x: memref<?x?xf64>, %sum: memref<?xf64>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x?xf64>) outs(%sum : memref<?xf64>) attrs = {meanvar.partial_sums = 16 : i64, meanvar.cold} {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %out, %in : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// The order of a maximum is free.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @maximum(
// CHECK:         vector.load %{{.*}} : memref<?x32xf32>, vector<16xf32>
// CHECK:         arith.maximumf %{{.*}} : vector<16xf32>
// CHECK:         vector.store
func.func @maximum(%x: memref<?x32xf32>, %y: memref<32xf32>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x32xf32>) outs(%y : memref<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}
