// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --cse --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-vectorize-linalg=vector-bits=256 --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s --check-prefix=HALF

// Whole vectors bypass the caches from the first aligned one on, if the result turns out
// to be large; what is before and behind them does not.

// CHECK-LABEL: func @row(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK-DAG:     %[[NAN:.*]] = arith.constant dense<0x7FC00000> : vector<16xf32>
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %c4
// CHECK:         %[[HAS_BYTES:.*]] = arith.cmpi uge, %[[BYTES]], %c65536
// CHECK:         %[[IS_LONG:.*]] = arith.cmpi uge, %{{.*}}, %c128
// CHECK:         %[[IS_LARGE:.*]] = arith.andi %[[HAS_BYTES]], %[[IS_LONG]]
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         %[[BEGIN:.*]] = arith.select %[[IS_LARGE]], %{{.*}}, %c0
// CHECK:         scf.if
// A NaN that is computed is stored as one certain NaN.
// CHECK:           %[[EXP:.*]] = math.exp %{{.*}} : vector<16xf32>
// CHECK:           %[[IS_NAN:.*]] = arith.cmpf uno, %[[EXP]], %[[EXP]]
// CHECK:           %[[STORED:.*]] = arith.select %[[IS_NAN]], %[[NAN]], %[[EXP]]
// CHECK:           vector.maskedstore %[[Y]][%c0], %{{.*}}, %[[STORED]]
// CHECK:         scf.if %[[IS_LARGE]] {
// CHECK:           scf.for %{{.*}} = %[[BEGIN]] to %[[END:.*]] step %c64
// CHECK-COUNT-4:     vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c64
// CHECK-NOT:         nontemporal
// CHECK:         scf.for %{{.*}} = %[[END]] to %{{.*}} step %c16
// CHECK:         vector.maskedstore

// Where a vector is a part of a cache line, whole lines do, since a line of which a part
// goes through the caches is slow: vectors up to the first one, and behind the main loop,
// do not.

// HALF-LABEL: func @row(
// HALF-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// HALF:         %[[IS_LONG:.*]] = arith.cmpi uge, %{{.*}}, %c128
// HALF:         %[[MISALIGNMENT:.*]] = arith.remui %{{.*}}, %c16
// HALF:         arith.subi %c16, %[[MISALIGNMENT]]
// HALF:         %[[BEGIN:.*]] = arith.select %[[IS_LARGE:.*]], %{{.*}}, %c0
// HALF:         %[[FIRST:.*]] = arith.remui %[[BEGIN]], %c8
// HALF:         scf.if
// HALF:           vector.maskedstore %[[Y]][%c0]
// HALF:         scf.for %{{.*}} = %[[FIRST]] to %[[BEGIN]] step %c8
// HALF-NOT:       nontemporal
// HALF:         scf.if %[[IS_LARGE]] {
// HALF:           scf.for %{{.*}} = %[[BEGIN]] to %[[END:.*]] step %c32
// HALF-COUNT-4:     vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
// HALF:         } else {
// HALF:           scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c32
// HALF-NOT:     nontemporal
// HALF:         scf.for %{{.*}} = %[[END]] to %{{.*}} step %c8
// HALF:         vector.maskedstore
// HALF-NOT:     nontemporal
// HALF:         return
func.func @row(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// Two vectors of 16-bit elements are a line.

// CHECK-LABEL: func @half_lines(
// CHECK:         arith.cmpi uge, %{{.*}}, %c256
// CHECK:         arith.remui %{{.*}}, %c32
// CHECK:         scf.for %{{.*}} to %{{.*}} step %c16
// CHECK-NOT:       nontemporal
// CHECK:         scf.for %{{.*}} step %c64
// CHECK-COUNT-4:   vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
// CHECK:         scf.for %{{.*}} step %c64
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @half_lines(%x: memref<?xf16>, %y: memref<?xf16>) {
  linalg.abs {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<?xf16>) outs(%y : memref<?xf16>)
  return
}

// -----

// Whether a square root is a NaN is asked of its bits.

// CHECK-LABEL: func @root(
// CHECK-DAG:     %[[MASK:.*]] = arith.constant dense<2147483647> : vector<16xi32>
// CHECK-DAG:     %[[INFINITY:.*]] = arith.constant dense<2139095040> : vector<16xi32>
// CHECK:         %[[ROOT:.*]] = math.sqrt %{{.*}} : vector<16xf32>
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[ROOT]] : vector<16xf32> to vector<16xi32>
// CHECK:         %[[MAGNITUDE:.*]] = arith.andi %[[BITS]], %[[MASK]]
// CHECK:         %[[IS_NAN:.*]] = arith.cmpi sgt, %[[MAGNITUDE]], %[[INFINITY]]
// CHECK:         arith.select %[[IS_NAN]], %{{.*}}, %[[ROOT]]
func.func @root(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.sqrt {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// Short rows taken as one: whole rows come before the first aligned vector, so that the
// period begins there. 11 rows of 3 elements are 1 modulo 16.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @short_rows(
// CHECK:         arith.muli %{{.*}}, %c11
// CHECK:         arith.muli %{{.*}}, %c3
// CHECK:         vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
func.func @short_rows(%x: memref<65536x3xf32>, %f: memref<3xf32>, %y: memref<65536x3xf32>) {
  linalg.generic {indexing_maps = [#element, #lane, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : memref<65536x3xf32>, memref<3xf32>) outs(%y : memref<65536x3xf32>)
      attrs = {meanvar.streaming_bytes = 65536 : i64} {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What all elements share is read in each of the ways that rows may go.

#element = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func @shared_element(
// CHECK-SAME:      %{{.*}}: memref<2048x32xf32>, %[[F:.*]]: memref<f32>
// CHECK:         scf.if
// CHECK:           memref.load %[[F]][]
// CHECK:           nontemporal
// CHECK:         } else {
// CHECK:           memref.load %[[F]][]
// CHECK:         return
func.func @shared_element(%x: memref<2048x32xf32>, %f: memref<f32>, %y: memref<2048x32xf32>) {
  linalg.generic {indexing_maps = [#element, #scalar, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : memref<2048x32xf32>, memref<f32>) outs(%y : memref<2048x32xf32>)
      attrs = {meanvar.streaming_bytes = 65536 : i64} {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Of run-time sizes, rows are whole vectors if their size and their distance are. Others
// may be long enough.

// CHECK-LABEL: func @run_time_rows(
// CHECK-SAME:      %{{.*}}: memref<?x?xf32, strided<[?, 1]>>, %[[Y:.*]]: memref<?x?xf32, strided<[?, 1]>>)
// CHECK:         arith.cmpi uge, %[[SIZE:.*]], %c128
// CHECK:         {{.*}} %[[DISTANCE:strides]]:2 = memref.extract_strided_metadata %[[Y]]
// CHECK:         arith.remui %[[SIZE]], %c16
// CHECK:         arith.remui %[[DISTANCE]]#0, %c16
// CHECK:         scf.if
// CHECK:           nontemporal
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             %[[BEGIN:.*]] = arith.select %{{.*}}, %{{.*}}, %c0
// CHECK:             nontemporal
func.func @run_time_rows(%x: memref<?x?xf32, strided<[?, 1]>>, %y: memref<?x?xf32, strided<[?, 1]>>) {
  linalg.exp {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<?x?xf32, strided<[?, 1]>>) outs(%y : memref<?x?xf32, strided<[?, 1]>>)
  return
}

// -----

// Rows of a few vectors are not worth it.

// CHECK-LABEL: func @few(
// CHECK-NOT:     nontemporal
func.func @few(%x: memref<65536x100xf32>, %y: memref<65536x100xf32>) {
  linalg.exp {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<65536x100xf32>) outs(%y : memref<65536x100xf32>)
  return
}

// -----

// But rows of nothing but whole vectors are aligned if the first one is.

// CHECK-LABEL: func @whole_vectors(
// CHECK-SAME:      %{{.*}}: memref<65536x32xf32>, %[[Y:.*]]: memref<65536x32xf32>)
// CHECK:         %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK:         %[[FIRST:.*]] = arith.divui %[[ADDRESS]], %c4
// CHECK:         %[[MISALIGNMENT:.*]] = arith.remui %[[FIRST]], %c16
// CHECK:         %[[IS_ALIGNED:.*]] = arith.cmpi eq, %[[MISALIGNMENT]], %c0
// CHECK:         scf.if %[[IS_ALIGNED]] {
// CHECK:           scf.for
// CHECK-COUNT-2:     vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK:         } else {
// CHECK:           scf.for
// CHECK-NOT:         nontemporal
// CHECK:         return
func.func @whole_vectors(%x: memref<65536x32xf32>, %y: memref<65536x32xf32>) {
  linalg.exp {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<65536x32xf32>) outs(%y : memref<65536x32xf32>)
  return
}

// -----

// What only writes reads nothing ahead.

// CHECK-LABEL: func @write(
// CHECK-NOT:     memref.prefetch
// CHECK:         vector.store {{.*}} nontemporal
// CHECK-NOT:     memref.prefetch
// CHECK:         return
#id = affine_map<(d0) -> (d0)>
func.func @write(%value: f32, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%y : memref<?xf32>)
      attrs = {meanvar.streaming_bytes = 65536 : i64} {
  ^bb0(%out: f32):
    linalg.yield %value : f32
  }
  return
}
