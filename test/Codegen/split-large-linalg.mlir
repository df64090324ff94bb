// RUN: meanvar-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(meanvar-split-large-linalg{threads=2},canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: meanvar-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(meanvar-split-large-linalg,canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not meanvar-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(meanvar-split-large-linalg{threads=0}))' 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: threads is 0 (allowed: 1 to 1024)

// Sums are split for any number of threads, so that their order is the same.

// CHECK-LABEL: func @sum(
// CHECK-SAME:      %[[X:.*]]: memref<1000000xf32>, %[[SUM:.*]]: memref<f64>)
// CHECK:         %[[PARTIALS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64xf64>
// CHECK:         linalg.fill {{.*}} outs(%[[PARTIALS]] :
// CHECK:         scf.forall (%[[I:.*]]) = (0) to (1000000) step (16384) {
// CHECK-DAG:       %[[SIZE:.*]] = affine.min {{.*}}[%[[I]]]
// CHECK-DAG:       %[[BLOCK:.*]] = memref.subview %[[X]][%[[I]]] [%[[SIZE]]] [1]
// CHECK-DAG:       %[[NUMBER:.*]] = affine.apply {{.*}}[%[[I]]]
// CHECK-DAG:       %[[PARTIAL:.*]] = memref.subview %[[PARTIALS]][%[[NUMBER]]] [1] [1] : memref<64xf64> to memref<f64, strided<[], offset: ?>>
// CHECK:           linalg.generic {{.*}} ins(%[[BLOCK]] : {{.*}}) outs(%[[PARTIAL]] : {{.*}}) attrs = {meanvar.partial_sums = 16 : i64}
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[PARTIALS]] : memref<64xf64>) outs(%[[SUM]] : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64}

func.func @sum(%x: memref<1000000xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<1000000xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Sums of many lanes take fewer blocks.

// CHECK-LABEL: func @columns(
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<16x512xf64>
// CHECK:         scf.forall

func.func @columns(%x: memref<?x512xf32>, %sum: memref<512xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<?x512xf32>) outs(%sum : memref<512xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Sums in order, sums of exceptional cases and small ones stay.

// CHECK-LABEL: func @kept(
// CHECK-NOT:     scf.forall
// CHECK:         return

func.func @kept(%x: memref<1000000xf32>, %small: memref<16384xf32>, %sum: memref<f64>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<1000000xf32>) outs(%sum : memref<f64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<1000000xf32>) outs(%sum : memref<f64>) attrs = {meanvar.cold, meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%small : memref<16384xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Elementwise operations are split for threads, into pieces of whole rows where
// several fit.

// CHECK-LABEL: func @elementwise(
// ONE-NOT:       scf.forall
// TWO:           scf.forall (%[[I:.*]]) = (0) to (1001) step (21) {
// TWO:             %[[ROWS:.*]] = affine.min
// TWO:             memref.subview %{{.*}}[%[[I]], 0] [%[[ROWS]], 777] [1, 1]
// TWO:             linalg.exp

func.func @elementwise(%x: memref<1001x777xf32>, %y: memref<1001x777xf32>) {
  linalg.exp ins(%x : memref<1001x777xf32>) outs(%y : memref<1001x777xf32>)
  return
}

// -----

// Sizes of pieces follow from the sizes at run time.

// CHECK-LABEL: func @dynamic(
// TWO:           scf.forall (%{{.*}}, %{{.*}}) = (0, 0) to (%{{.*}}, %{{.*}}) step (%{{.*}}, %{{.*}}) {

func.func @dynamic(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  linalg.exp ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// -----

// An output that is written more than once stays, and so does what is in a
// parallel loop already.

// CHECK-LABEL: func @not_elementwise(
// CHECK-NOT:     memref.subview

func.func @not_elementwise(%x: memref<1000x1000xf32>, %y: memref<1000xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<1000x1000xf32>) outs(%y : memref<1000xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  scf.forall (%i) in (3) {
    linalg.exp ins(%x : memref<1000x1000xf32>) outs(%x : memref<1000x1000xf32>)
  }
  return
}

// -----

// Eight loops, each with an index of its own.

// CHECK-LABEL: func @eight(
// TWO:           scf.forall (%[[I:[^,]*]], %{{[^)]*}}, %[[P:[^,)]*]]) =
// TWO:             memref.subview %{{.*}}[%[[I]], {{.*}}, %[[P]]]

func.func @eight(%x: memref<?x?x?x?x?x?x?x?xf32>, %y: memref<?x?x?x?x?x?x?x?xf32>) {
  linalg.exp ins(%x : memref<?x?x?x?x?x?x?x?xf32>) outs(%y : memref<?x?x?x?x?x?x?x?xf32>)
  return
}

// -----

// A maximum beside a sum: parts of it do not add up.

// CHECK-LABEL: func @sum_and_maximum(
// CHECK-NOT:     memref.subview

func.func @sum_and_maximum(%x: memref<1000000xf64>, %sum: memref<f64>, %largest: memref<f64>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<1000000xf64>) outs(%sum, %largest : memref<f64>, memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f64, %s: f64, %m: f64):
    %0 = arith.addf %s, %in : f64
    %1 = arith.maximumf %m, %in : f64
    linalg.yield %0, %1 : f64, f64
  }
  return
}
