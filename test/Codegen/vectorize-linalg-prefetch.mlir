// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --cse --split-input-file | FileCheck %s

// The last pass over a tile asks for a later one, 16 KB ahead, a cache line at a time: a
// vector of f32, two of f16.

// CHECK-LABEL: func @next_tile(
// CHECK-SAME:      %[[X:.*]]: memref<4x1024xf16,
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK:           scf.for %[[I:.*]] =
// CHECK:             %[[NEXT:.*]] = arith.addi %[[I]], %c8192
// CHECK:             memref.prefetch %[[X]][%[[ROW]], %[[NEXT]]], read, locality<3>, data
// CHECK:             memref.prefetch %[[X]][%[[ROW]], %{{.*}}], read
// CHECK-NOT:         memref.prefetch
// CHECK:             vector.load %[[X]][%[[ROW]], %[[I]]]
// CHECK:             vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
func.func @next_tile(%x: memref<4x1024xf16, strided<[1024, 1], offset: ?>>, %result: memref<65536x1024xf16>, %i: index) {
  %y = memref.subview %result[%i, 0] [4, 1024] [1, 1] : memref<65536x1024xf16> to memref<4x1024xf16, strided<[1024, 1], offset: ?>>
  linalg.abs {meanvar.streaming_bytes = 65536 : i64, meanvar.has_next_tile}
      ins(%x : memref<4x1024xf16, strided<[1024, 1], offset: ?>>) outs(%y : memref<4x1024xf16, strided<[1024, 1], offset: ?>>)
  return
}

// -----

// Of a tile of 600 KB, whose rows are taken as one, the part that a cache has room for:
// 448 KB ahead.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @next_large_tile(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %c114688
// CHECK:           memref.prefetch %{{.*}}[%[[NEXT]]], read, locality<3>, data
func.func @next_large_tile(%x: memref<51200x3xf32, strided<[3, 1], offset: ?>>, %f: memref<3xf32>, %result: memref<512000x3xf32>, %i: index) {
  %y = memref.subview %result[%i, 0] [51200, 3] [1, 1] : memref<512000x3xf32> to memref<51200x3xf32, strided<[3, 1], offset: ?>>
  linalg.generic {indexing_maps = [#element, #lane, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %f : memref<51200x3xf32, strided<[3, 1], offset: ?>>, memref<3xf32>) outs(%y : memref<51200x3xf32, strided<[3, 1], offset: ?>>)
      attrs = {meanvar.streaming_bytes = 65536 : i64, meanvar.has_next_tile} {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A larger one fills the cache, and is read from memory in this pass, too: a page ahead.

// CHECK-LABEL: func @large_tile(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %c1024
// CHECK:           memref.prefetch %{{.*}}[%c0, %[[NEXT]]], read, locality<3>, data
// CHECK:           nontemporal
func.func @large_tile(%x: memref<1x262144xf32, strided<[262144, 1], offset: ?>>, %result: memref<8x262144xf32>, %i: index) {
  %y = memref.subview %result[%i, 0] [1, 262144] [1, 1] : memref<8x262144xf32> to memref<1x262144xf32, strided<[262144, 1], offset: ?>>
  linalg.abs {meanvar.streaming_bytes = 65536 : i64, meanvar.has_next_tile}
      ins(%x : memref<1x262144xf32, strided<[262144, 1], offset: ?>>) outs(%y : memref<1x262144xf32, strided<[262144, 1], offset: ?>>)
  return
}

// -----

// The same without tiles, where rows are 64 KB at least. Others end too soon,

// CHECK-LABEL: func @long_rows(
// CHECK:         memref.prefetch
// CHECK:         nontemporal
func.func @long_rows(%x: memref<64x16384xf32>, %y: memref<64x16384xf32>) {
  linalg.abs {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<64x16384xf32>) outs(%y : memref<64x16384xf32>)
  return
}

// -----

// CHECK-LABEL: func @shorter_rows(
// CHECK-NOT:     memref.prefetch
// CHECK:         nontemporal
func.func @shorter_rows(%x: memref<64x16383xf32>, %y: memref<64x16383xf32>) {
  linalg.abs {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<64x16383xf32>) outs(%y : memref<64x16383xf32>)
  return
}

// -----

// and several streams would be in the way of one another.

// CHECK-LABEL: func @two_inputs(
// CHECK-NOT:     memref.prefetch
// CHECK:         nontemporal
func.func @two_inputs(%x: memref<1048576xf32>, %y: memref<1048576xf32>, %z: memref<1048576xf32>) {
  linalg.add {meanvar.streaming_bytes = 65536 : i64}
      ins(%x, %y : memref<1048576xf32>, memref<1048576xf32>) outs(%z : memref<1048576xf32>)
  return
}

// -----

// Of a size known at run time: prefetches of what is read anyway, where rows are short.

// CHECK-LABEL: func @run_time_size(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>,
// CHECK:         %[[IS_LONG:.*]] = arith.cmpi uge, %{{.*}}, %c16384
// CHECK:         %[[DISTANCE:.*]] = arith.select %[[IS_LONG]], %c1024, %c0
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[NEXT:.*]] = arith.addi %[[I]], %[[DISTANCE]]
// CHECK:           memref.prefetch %[[X]][%[[NEXT]]]
func.func @run_time_size(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.abs {meanvar.streaming_bytes = 65536 : i64} ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// Before each block of additions, a sum asks for the block of the next page.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @sum(
// CHECK-SAME:      %[[X:.*]]: memref<8x262144xf32>,
// CHECK:         scf.for %[[ROW:.*]] =
// CHECK:           scf.for %[[BLOCK:.*]] = %c0 to %c262144 step %c1024
// CHECK:             %[[NEXT:.*]] = arith.addi %[[BLOCK]], %c1024
// CHECK:             %[[END:.*]] = arith.addi %[[BLOCK]], %c2048
// CHECK:             scf.for %[[I:.*]] = %[[NEXT]] to %[[END]] step %c16 {
// CHECK:               memref.prefetch %[[X]][%[[ROW]], %[[I]]], read, locality<3>, data
// CHECK:             }
// CHECK:             scf.for
func.func @sum(%x: memref<8x262144xf32>, %sums: memref<8xf64>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x262144xf32>) outs(%sums : memref<8xf64>)
      attrs = {meanvar.partial_sums = 16 : i64, meanvar.streaming_bytes = 65536 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Not in a tile that fits the cache: the pass over the one before has done so.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @sum_of_tile(
// CHECK-NOT:     memref.prefetch
func.func @sum_of_tile(%tensor: memref<64x131072xf32>, %i: index, %sums: memref<1xf64>) {
  %x = memref.subview %tensor[%i, 0] [1, 131072] [1, 1] : memref<64x131072xf32> to memref<1x131072xf32, strided<[131072, 1], offset: ?>>
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<1x131072xf32, strided<[131072, 1], offset: ?>>) outs(%sums : memref<1xf64>)
      attrs = {meanvar.partial_sums = 16 : i64, meanvar.streaming_bytes = 65536 : i64, meanvar.has_next_tile} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Of run-time sizes the blocks have one branch each.

#element = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @sum_of_run_time_size(
// CHECK:         %[[IS_LONG:.*]] = arith.cmpi uge, %{{.*}}, %c16384
// CHECK:         %[[IS_LARGE:.*]] = arith.cmpi uge, %{{.*}}, %c65536
// CHECK:         %[[IS_AHEAD:.*]] = arith.andi %[[IS_LONG]], %[[IS_LARGE]]
// CHECK:         %[[DISTANCE:.*]] = arith.select %[[IS_AHEAD]], %c1024, %c0
// CHECK:         scf.for
// CHECK:           scf.for %[[BLOCK:[a-z0-9]*]] =
// CHECK:             %[[HAS_DISTANCE:.*]] = arith.cmpi ne, %[[DISTANCE]], %c0
// CHECK:             scf.if %[[HAS_DISTANCE]] {
// CHECK-NEXT:          %[[NEXT:.*]] = arith.addi %[[BLOCK]], %[[DISTANCE]]
// CHECK:               scf.for %{{.*}} = %[[NEXT]] to
// CHECK-NEXT:            memref.prefetch
func.func @sum_of_run_time_size(%x: memref<?x?xf32>, %sums: memref<?xf64>) {
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%sums : memref<?xf64>)
      attrs = {meanvar.partial_sums = 16 : i64, meanvar.streaming_bytes = 65536 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}
