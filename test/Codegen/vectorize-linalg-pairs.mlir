// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --cse --split-input-file | FileCheck %s

// Where all that varies along the vectors is bf16, pairs of vectors hold the even and
// the odd elements of their place: the halves of vectors of 32-bit words, which become
// f32 by a shift or a mask.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @elementwise(
// CHECK-SAME:      %[[X:.*]]: memref<?x768xbf16>, %[[FACTOR:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?x768xbf16>)
// CHECK-DAG:     %[[HALF:.*]] = arith.constant dense<16> : vector<16xi32>
// CHECK:         scf.for
// CHECK:           scf.for %[[I:.*]] = %{{.*}} step %c64
// CHECK:             %[[LOAD:.*]] = vector.load %[[X]][%{{.*}}, %[[I]]] : memref<?x768xbf16>, vector<32xbf16>
// CHECK:             %[[WORDS:.*]] = vector.bitcast %[[LOAD]] : vector<32xbf16> to vector<16xi32>
// CHECK:             %[[LOW:.*]] = arith.trunci %[[WORDS]]
// CHECK:             %[[EVEN:.*]] = arith.bitcast %[[LOW]] : vector<16xi16> to vector<16xbf16>
// CHECK:             %[[SHIFTED:.*]] = arith.shrui %[[WORDS]], %[[HALF]]
// CHECK:             %[[HIGH:.*]] = arith.trunci %[[SHIFTED]]
// CHECK:             %[[ODD:.*]] = arith.bitcast %[[HIGH]] : vector<16xi16> to vector<16xbf16>
// CHECK:             vector.load %[[X]]{{.*}} vector<32xbf16>
// CHECK-NOT:         vector.load
// CHECK-DAG:         arith.extf %[[EVEN]] : vector<16xbf16> to vector<16xf32>
// CHECK-DAG:         arith.extf %[[ODD]] : vector<16xbf16> to vector<16xf32>
// CHECK-COUNT-4:     arith.truncf %{{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK:             arith.shli %{{.*}}, %[[HALF]]
// CHECK:             %[[PAIR:.*]] = arith.ori
// CHECK:             %[[RESULT:.*]] = vector.bitcast %[[PAIR]] : vector<16xi32> to vector<32xbf16>
// CHECK:             vector.store %[[RESULT]], %[[Y]][%{{.*}}, %[[I]]] : memref<?x768xbf16>, vector<32xbf16>
// CHECK:             vector.store {{.*}} vector<32xbf16>
func.func @elementwise(%x: memref<?x768xbf16>, %factor: memref<?xf32>, %y: memref<?x768xbf16>) {
  linalg.generic {indexing_maps = [#element, #lane, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %factor : memref<?x768xbf16>, memref<?xf32>) outs(%y : memref<?x768xbf16>) {
  ^bb0(%in: bf16, %f: f32, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  }
  return
}

// -----

// Sums of lanes: the order of the terms is free. Single vectors and masked ones hold
// neighbours.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @sums(
// CHECK-SAME:      %[[X:.*]]: memref<4x?xbf16>,
// CHECK:         scf.for %{{.*}} step %c64
// CHECK-COUNT-2:   vector.load %[[X]]{{.*}} vector<32xbf16>
// CHECK:         scf.for %{{.*}} step %c16
// CHECK:           vector.load %[[X]]{{.*}} vector<16xbf16>
// CHECK:         vector.maskedload %[[X]]{{.*}} vector<16xbf16>
func.func @sums(%x: memref<4x?xbf16>, %sum: memref<4xf32>) {
  linalg.generic {indexing_maps = [#element, #lane], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x?xbf16>) outs(%sum : memref<4xf32>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: bf16, %out: f32):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What varies and has another type holds neighbours, so all does.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @another_type(
// CHECK-NOT:     vector<32xbf16>
func.func @another_type(%x: memref<?x768xbf16>, %bias: memref<768xf32>, %y: memref<?x768xbf16>) {
  linalg.generic {indexing_maps = [#element, #row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : memref<?x768xbf16>, memref<768xf32>) outs(%y : memref<?x768xbf16>) {
  ^bb0(%in: bf16, %b: f32, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  }
  return
}

// -----

// The other type of 16 bits has instructions that convert neighbours.

// CHECK-LABEL: func @f16(
// CHECK-NOT:     vector.bitcast
func.func @f16(%x: memref<768xf16>, %y: memref<768xf16>) {
  linalg.abs ins(%x : memref<768xf16>) outs(%y : memref<768xf16>)
  return
}

// -----

// A stride that is known at run time only may not be 1.

// CHECK-LABEL: func @run_time_stride(
// CHECK-NOT:     vector.bitcast
func.func @run_time_stride(%x: memref<768xbf16, strided<[?]>>, %y: memref<768xbf16>) {
  linalg.abs ins(%x : memref<768xbf16, strided<[?]>>) outs(%y : memref<768xbf16>)
  return
}

// -----

// Too short for two vectors.

// CHECK-LABEL: func @short(
// CHECK-NOT:     vector.bitcast
func.func @short(%x: memref<24xbf16>, %y: memref<24xbf16>) {
  linalg.abs ins(%x : memref<24xbf16>) outs(%y : memref<24xbf16>)
  return
}
