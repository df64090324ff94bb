// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-vectorize-linalg=vector-bits=128 --canonicalize --split-input-file \
// RUN:   | FileCheck %s --check-prefix=NARROW

// Reductions along the innermost dimension: several vectors of sums at once, so that
// an addition need not wait for the one before; one horizontal sum at the end.

// A sum in f64 of f32 terms, marked as one of which 16 may be added as f32 first.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @widened(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[SUM:.*]]: memref<f64>)
// CHECK-DAG:     %[[ZERO_F32:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[ZERO_F64:.*]] = arith.constant dense<0.000000e+00> : vector<16xf64>
// CHECK:         %[[SIZE:.*]] = memref.dim %[[X]], %c0
//
// The main loop is over blocks of 16 terms in each of 4 vectors of 16 elements.
//
// CHECK:         %[[BLOCKS:.*]] = scf.for %[[BEGIN:.*]] = %c0 to %[[MAIN_END:.*]] step %c1024 iter_args(%[[TOTAL:.*]] = %[[ZERO_F64]]) -> (vector<16xf64>) {
// CHECK:           %[[END:.*]] = arith.minui
// CHECK:           %[[PARTIAL:.*]]:4 = scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %c64
// CHECK-SAME:          iter_args(%[[P0:.*]] = %[[ZERO_F32]], %[[P1:.*]] = %[[ZERO_F32]], %[[P2:.*]] = %[[ZERO_F32]], %[[P3:.*]] = %[[ZERO_F32]])
// CHECK:             %[[X0:.*]] = vector.load %[[X]][%[[I]]] : memref<?xf32>, vector<16xf32>
// CHECK:             arith.addf %[[P0]], %[[X0]] : vector<16xf32>
// CHECK:             %[[I1:.*]] = arith.addi %[[I]], %c16
// CHECK:             %[[X1:.*]] = vector.load %[[X]][%[[I1]]]
// CHECK:             arith.addf %[[P1]], %[[X1]] : vector<16xf32>
// CHECK:             arith.addf %[[P2]],
// CHECK:             arith.addf %[[P3]],
//
// LLVM must not unroll it further.
//
// CHECK:           } {llvm.loop_annotation =
// CHECK-DAG:       %[[P01:.*]] = arith.addf %[[PARTIAL]]#0, %[[PARTIAL]]#1 : vector<16xf32>
// CHECK-DAG:       %[[P23:.*]] = arith.addf %[[PARTIAL]]#2, %[[PARTIAL]]#3 : vector<16xf32>
// CHECK:           %[[P:.*]] = arith.addf %[[P01]], %[[P23]] : vector<16xf32>
// CHECK:           %[[WIDE:.*]] = arith.extf %[[P]] : vector<16xf32> to vector<16xf64>
// CHECK:           arith.addf %[[TOTAL]], %[[WIDE]] : vector<16xf64>
//
// What is left: single vectors, and a masked one.
//
// CHECK:         %[[SINGLE:.*]] = scf.for %{{.*}} = %[[MAIN_END]] to %{{.*}} step %c16 iter_args(%{{.*}} = %[[ZERO_F32]])
// CHECK:         %[[TAIL:.*]] = scf.if %{{.*}} -> (vector<16xf32>) {
// CHECK:           %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<16xi1>
// CHECK:           %[[LAST:.*]] = vector.maskedload %[[X]][%{{.*}}], %[[MASK]], %[[ZERO_F32]]
// CHECK:           %[[TERM:.*]] = arith.select %[[MASK]], %[[LAST]], %[[ZERO_F32]]
// CHECK:           arith.addf %[[SINGLE]], %[[TERM]] : vector<16xf32>
// CHECK:         } else {
// CHECK:           scf.yield %[[SINGLE]]
// CHECK:         %[[WIDE_TAIL:.*]] = arith.extf %[[TAIL]] : vector<16xf32> to vector<16xf64>
// CHECK:         %[[ALL:.*]] = arith.addf %[[BLOCKS]], %[[WIDE_TAIL]] : vector<16xf64>
//
// `reassoc` makes the horizontal sum a tree; the order is still the same every time.
// What the output holds is one term more.
//
// CHECK:         %[[HORIZONTAL:.*]] = vector.reduction <add>, %[[ALL]] fastmath<reassoc> : vector<16xf64> into f64
// CHECK:         %[[INIT:.*]] = memref.load %[[SUM]][]
// CHECK:         %[[RESULT:.*]] = arith.addf %[[INIT]], %[[HORIZONTAL]] : f64
// CHECK:         memref.store %[[RESULT]], %[[SUM]][]

// NARROW-LABEL: func @widened(
// NARROW:        vector.load %{{.*}} : memref<?xf32>, vector<4xf32>
func.func @widened(%x: memref<?xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// A static size that is a multiple of the vectors leaves nothing to mask, and no
// loop that runs once.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @static(
// CHECK-NOT:     scf.for
// CHECK-NOT:     vector.create_mask
// CHECK-COUNT-4: vector.load
// CHECK-NOT:     vector.load
//
// Of so few terms, the sum is that of their own type to the end.
//
// CHECK-COUNT-3: arith.addf %{{.*}} : vector<16xf32>
// CHECK-NOT:     arith.addf
// CHECK:         %[[SUM:.*]] = vector.reduction <add>, %{{.*}} : vector<16xf32> into f32
// CHECK:         arith.extf %[[SUM]] : f32 to f64
func.func @static(%x: memref<64xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Vectors are no wider than what there is to add.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @short(
// CHECK:         %[[MASK:.*]] = vector.constant_mask [3] : vector<4xi1>
// CHECK:         vector.maskedload %{{.*}}, %[[MASK]]
// CHECK:         vector.reduction <add>, %{{.*}} : vector<4xf32> into f32
func.func @short(%x: memref<3xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<3xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Where the sum is no wider than its terms, the rounding errors of the additions to
// it are kept (TwoSum) and added at the end.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @compensated(
// CHECK:         %[[BLOCKS:.*]]:2 = scf.for %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[ERROR:.*]] = %{{.*}}) -> (vector<8xf64>, vector<8xf64>)
// CHECK:           scf.for
// CHECK:           %[[TOTAL:.*]] = arith.addf %[[SUM]], %[[TERM:.*]] : vector<8xf64>
// CHECK:           %[[TERM_PART:.*]] = arith.subf %[[TOTAL]], %[[SUM]]
// CHECK:           %[[SUM_PART:.*]] = arith.subf %[[TOTAL]], %[[TERM_PART]]
// CHECK-DAG:       %[[LOST_SUM:.*]] = arith.subf %[[SUM]], %[[SUM_PART]]
// CHECK-DAG:       %[[LOST_TERM:.*]] = arith.subf %[[TERM]], %[[TERM_PART]]
// CHECK:           %[[LOST:.*]] = arith.addf %[[LOST_SUM]], %[[LOST_TERM]]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[ERROR]], %[[LOST]]
// CHECK:           scf.yield %[[TOTAL]], %[[NEXT]]
// CHECK-DAG:     %[[TOTAL:.*]] = vector.reduction <add>
// CHECK-DAG:     %[[ERROR:.*]] = vector.reduction <add>
// CHECK:         arith.addf %[[TOTAL]], %[[ERROR]] : f64
func.func @compensated(%x: memref<?xf64>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<?xf64>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %out, %in : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// Several sums in one pass, as a normalization needs them. What is the same for the
// whole lane is read before the loop; products may still be fused with additions.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @two_sums(
// CHECK-SAME:      %[[X:.*]]: memref<8x?xf32>, %[[SHIFT:.*]]: memref<8xf32>,
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %c8 step %c1
// CHECK:           %[[SCALAR:.*]] = memref.load %[[SHIFT]][%[[ROW]]]
// CHECK:           %{{.*}}:2 = scf.for
// CHECK:             %{{.*}}:8 = scf.for
// CHECK:               %[[V:.*]] = vector.load %[[X]][%[[ROW]],
// CHECK:               %[[M:.*]] = vector.broadcast %[[SCALAR]] : f32 to vector<16xf32>
// CHECK:               %[[D:.*]] = arith.subf %[[V]], %[[M]]
// CHECK-DAG:           arith.addf %{{.*}}, %[[D]] : vector<16xf32>
// CHECK-DAG:           %[[D2:.*]] = arith.mulf %[[D]], %[[D]] fastmath<contract>
// CHECK-DAG:           arith.addf %{{.*}}, %[[D2]] fastmath<contract>
// CHECK:           vector.reduction
// CHECK:           vector.reduction
func.func @two_sums(%x: memref<8x?xf32>, %shift: memref<8xf32>, %sum: memref<8xf64>, %squares: memref<8xf64>) {
  linalg.generic {indexing_maps = [#element, #lane, #lane, #lane], iterator_types = ["parallel", "reduction"]}
      ins(%x, %shift : memref<8x?xf32>, memref<8xf32>) outs(%sum, %squares : memref<8xf64>, memref<8xf64>)
      attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %m: f32, %out0: f64, %out1: f64):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %0 fastmath<contract> : f32
    %2 = arith.extf %0 : f32 to f64
    %3 = arith.addf %out0, %2 : f64
    %4 = arith.extf %1 : f32 to f64
    %5 = arith.addf %out1, %4 fastmath<contract> : f64
    linalg.yield %3, %5 : f64, f64
  }
  return
}

// -----

// Dimensions that are reduced, too, are loops around it that carry the vectors.

#element = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func @two_dims(
// CHECK:         scf.for %[[ROW:.*]] = %c0 to %{{.*}} step %c1 iter_args({{.*}}) -> (vector<16xf64>)
// CHECK:           vector.load %{{.*}}[%[[ROW]],
// CHECK:         vector.reduction
// CHECK-NOT:     vector.reduction
func.func @two_dims(%x: memref<?x1024xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<?x1024xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// The order of a maximum or of a bitwise operation is free in any case. Elements
// outside the mask count as the neutral value.

#element = affine_map<(d0) -> (d0)>
#result = affine_map<(d0) -> ()>

// CHECK-LABEL: func @maximum(
// CHECK-DAG:     %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK:         arith.maximumf %{{.*}} : vector<16xf32>
// CHECK:         arith.select %{{.*}}, %{{.*}}, %[[LOWEST]]
// CHECK:         vector.reduction <maximumf>
func.func @maximum(%x: memref<?xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#element, #result], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func @any(
// CHECK:         %[[SMALL:.*]] = arith.cmpf olt, %{{.*}} : vector<16xf32>
// CHECK:         arith.ori %{{.*}}, %[[SMALL]] : vector<16xi1>
// CHECK:         vector.reduction <or>, %{{.*}} : vector<16xi1> into i1
func.func @any(%x: memref<?xf32>, %limit: f32, %y: memref<i1>) {
  linalg.generic {indexing_maps = [#element, #result], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%y : memref<i1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.cmpf olt, %in, %limit : f32
    %1 = arith.ori %out, %0 : i1
    linalg.yield %1 : i1
  }
  return
}

// -----

// An operation that hardly ever runs is compiled for size: one vector at a time.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @cold(
// CHECK-COUNT-1: vector.load
// CHECK-NOT:     vector.load
// CHECK:         vector.maskedload
// CHECK-NOT:     vector.load
// CHECK:         vector.reduction
func.func @cold(%x: memref<?xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%sum : memref<f64>) attrs = {meanvar.cold, meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}
