// RUN: meanvar-opt %s --meanvar-vectorize-linalg=vector-bits=128 --canonicalize --split-input-file \
// RUN:   | FileCheck %s
// RUN: meanvar-opt %s --meanvar-vectorize-linalg=vector-bits=256 --canonicalize --split-input-file \
// RUN:   | FileCheck %s --check-prefix=WIDE

// Sums of short rows: each row has a vector of them, which waits in a buffer for those
// of other rows; then all of them are folded together.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @whole_groups(
// CHECK-SAME:      %[[X:.*]]: memref<8x4xf32>, %[[SUM:.*]]: memref<8xf64>)
//
// The buffer is not in a loop, where the stack would grow.
//
// CHECK:         %[[BUFFER:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK:         scf.for %[[FIRST:.*]] = %c0 to %c8 step %c4
// CHECK:           scf.for %[[I:.*]] = %c0 to %c4 step %c1
// CHECK:             %[[ROW:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK:             %[[SUMS:.*]] = vector.load %[[X]][%[[ROW]], %c0]
// CHECK-NEXT:        vector.store %[[SUMS]], %[[BUFFER]][%[[I]], %c0]
//
// Halves of two rows are added at once: what is left has two sums of each.
//
// CHECK-DAG:       %[[R0:.*]] = vector.load %[[BUFFER]][%c0, %c0]
// CHECK-DAG:       %[[R1:.*]] = vector.load %[[BUFFER]][%c1, %c0]
// CHECK-DAG:       %[[LOW:.*]] = vector.shuffle %[[R0]], %[[R1]] [0, 1, 4, 5]
// CHECK-DAG:       %[[HIGH:.*]] = vector.shuffle %[[R0]], %[[R1]] [2, 3, 6, 7]
// CHECK:           %[[R01:.*]] = arith.addf %[[LOW]], %[[HIGH]] : vector<4xf32>
// CHECK:           %[[R23:.*]] = arith.addf
// CHECK-DAG:       %[[EVEN:.*]] = vector.shuffle %[[R01]], %[[R23]] [0, 2, 4, 6]
// CHECK-DAG:       %[[ODD:.*]] = vector.shuffle %[[R01]], %[[R23]] [1, 3, 5, 7]
// CHECK:           %[[TOTALS:.*]] = arith.addf %[[EVEN]], %[[ODD]]
//
// That is a sum of each of the four rows, which are neighbours in the output.
//
// CHECK:           %[[EXTENDED:.*]] = arith.extf %[[TOTALS]] : vector<4xf32> to vector<4xf64>
// CHECK:           %[[INIT:.*]] = vector.load %[[SUM]][%[[FIRST]]]
// CHECK:           %[[RESULT:.*]] = arith.addf %[[INIT]], %[[EXTENDED]]
// CHECK:           vector.store %[[RESULT]], %[[SUM]][%[[FIRST]]]
func.func @whole_groups(%x: memref<8x4xf32>, %sum: memref<8xf64>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x4xf32>) outs(%sum : memref<8xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Shuffles stay within 128 bits until each of these has a sum of four rows.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// WIDE-LABEL:    func @wide(
// WIDE-COUNT-4:  vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// WIDE-NOT:      [0, 1, 8, 9, 4, 5, 12, 13]
func.func @wide(%x: memref<8x8xf32>, %sum: memref<8xf64>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%sum : memref<8xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// The last group may lack rows. Its buffer has those of the group before in their place,
// and their sums are not stored.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @unknown_number(
// CHECK-SAME:      %[[X:.*]]: memref<?x4xf32>, %[[SUM:.*]]: memref<?xf64>)
// CHECK:         memref.alloca()
// CHECK:         scf.for
// CHECK:           %[[SIZE:.*]] = memref.dim %[[X]], %c0
// CHECK:           scf.for %[[FIRST:.*]] = %c0 to %[[SIZE]] step %c4
// CHECK:             %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[FIRST]]
// CHECK:             %[[COUNT:.*]] = arith.minui %[[LEFT]], %c4
// CHECK:             scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
// CHECK:             %[[MASK:.*]] = vector.create_mask %[[COUNT]] : vector<4xi1>
// CHECK:             vector.maskedload %[[SUM]][%[[FIRST]]], %[[MASK]]
// CHECK:             vector.maskedstore %[[SUM]][%[[FIRST]]], %[[MASK]]
func.func @unknown_number(%x: memref<?x4xf32>, %sum: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<?x4xf32>) outs(%sum : memref<?xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      %1 = arith.addf %out, %0 : f64
      linalg.yield %1 : f64
    }
  }
  return
}

// -----

// Of fewer rows than a vector has elements, what is left is halved until it has a sum of
// each, in the order of other groups.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// WIDE-LABEL:  func @few_rows(
// WIDE:          memref.alloca() {alignment = 64 : i64} : memref<4x8xf32>
// WIDE-DAG:      %[[MASK:.*]] = vector.constant_mask [3] : vector<4xi1>
// WIDE:          vector.shuffle {{.*}} [0, 2, 8, 10, 4, 6, 12, 14]
// WIDE:          %[[HALVES:.*]] = arith.maximumf %{{.*}} : vector<8xf32>
// WIDE-DAG:      %[[LOW:.*]] = vector.shuffle %[[HALVES]], %[[HALVES]] [0, 1, 2, 3]
// WIDE-DAG:      %[[HIGH:.*]] = vector.shuffle %[[HALVES]], %[[HALVES]] [4, 5, 6, 7]
// WIDE:          arith.maximumf %[[LOW]], %[[HIGH]] : vector<4xf32>
// WIDE:          vector.maskedstore %{{.*}}, %[[MASK]]
func.func @few_rows(%x: memref<3x8xf32>, %max: memref<3xf32>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x8xf32>) outs(%max : memref<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Elements of accumulators may be added in their own type only where accumulators may have
// twice as many terms: those of a sum that may have but one overflow.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @one_term(
// CHECK-NOT:     memref.alloca
// CHECK:         arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
// CHECK:         vector.reduction <add>, %{{.*}} : vector<4xf64> into f64
func.func @one_term(%x: memref<8x4xf32>, %sum: memref<8xf64>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x4xf32>) outs(%sum : memref<8xf64>) attrs = {meanvar.partial_sums = 1 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Two rows, and rows of so many elements that folding them takes no time, are folded one
// by one.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @one_by_one(
// CHECK-NOT:     memref.alloca
// CHECK:         vector.reduction
// CHECK:         vector.reduction
func.func @one_by_one(%x: memref<2x8xf32>, %max: memref<2xf32>, %long: memref<8x1000xf32>, %longMax: memref<8xf32>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x8xf32>) outs(%max : memref<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%long : memref<8x1000xf32>) outs(%longMax : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}
