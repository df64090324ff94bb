// RUN: meanvar-opt %s --meanvar-choose-streaming-stores=streaming-bytes=65536 --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-choose-streaming-stores --split-input-file | FileCheck %s --check-prefix=NONE

// NONE-NOT: meanvar.streaming_bytes

// A result of 64 KiB that nothing reads; what is stored past the caches is visible to
// others when the function returns.

// CHECK-LABEL: func @large(
// CHECK:         linalg.exp {meanvar.streaming_bytes = 65536 : i64}
// CHECK:         scf.if
// CHECK-NEXT:      llvm.fence seq_cst
// CHECK:         return
func.func @large(%x: memref<128x128xf32>, %y: memref<128x128xf32>) {
  linalg.exp ins(%x : memref<128x128xf32>) outs(%y : memref<128x128xf32>)
  return
}

// -----

// One element less.

// CHECK-LABEL: func @small(
// CHECK-NOT:     meanvar.streaming_bytes
// CHECK-NOT:     fence
func.func @small(%x: memref<16383xf32>, %y: memref<16383xf32>) {
  linalg.exp ins(%x : memref<16383xf32>) outs(%y : memref<16383xf32>)
  return
}

// -----

// A part of a result whose size is known at run time only.

// CHECK-LABEL: func @part(
// CHECK:         linalg.exp {meanvar.streaming_bytes = 65536 : i64}
// CHECK:         %[[SIZE:.*]] = memref.dim
// CHECK:         arith.cmpi uge
// CHECK:         scf.if
func.func @part(%x: memref<16xf32>, %y: memref<?x16xf32>, %i: index) {
  %row = memref.subview %y[%i, 0] [1, 16] [1, 1] : memref<?x16xf32> to memref<16xf32, strided<[1], offset: ?>>
  linalg.exp ins(%x : memref<16xf32>) outs(%row : memref<16xf32, strided<[1], offset: ?>>)
  return
}

// -----

// A sum over an argument of that size, or a part of it, is read ahead. Others are not:
// of fewer bytes, for exceptional cases, or in the order of the elements.

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// CHECK-LABEL: func @sums(
// CHECK-COUNT-1: meanvar.streaming_bytes = 65536 : i64
// CHECK-NOT:     meanvar.streaming_bytes
// CHECK-NOT:     fence
func.func @sums(%x: memref<?xf32>, %few: memref<16383xf32>, %i: index, %sum: memref<f64>) {
  %part = memref.subview %x[%i] [512] [1] : memref<?xf32> to memref<512xf32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
      ins(%part : memref<512xf32, strided<[1], offset: ?>>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
      ins(%few : memref<16383xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%sum : memref<f64>) attrs = {meanvar.partial_sums = 16 : i64, meanvar.cold} {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%sum : memref<f64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %out, %0 : f64
    linalg.yield %1 : f64
  }
  return
}

// -----

// Operands that are stretched to the result leave room in the caches: it bypasses them
// from four times as many bytes on.

#column = affine_map<(d0, d1) -> (d0)>
#line = affine_map<(d0, d1) -> (d1)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @stretched(
// CHECK:         meanvar.streaming_bytes = 262144 : i64
// CHECK:         scf.if
// CHECK-NEXT:      llvm.fence seq_cst
func.func @stretched(%x: memref<64xf32>, %y: memref<1024xf32>, %z: memref<64x1024xf32>) {
  linalg.generic {indexing_maps = [#column, #line, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<64xf32>, memref<1024xf32>) outs(%z : memref<64x1024xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.addf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#column = affine_map<(d0, d1) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @stretched_to_less(
// CHECK-NOT:     meanvar.streaming_bytes
// CHECK-NOT:     fence
func.func @stretched_to_less(%x: memref<63xf32>, %z: memref<63x1024xf32>) {
  linalg.generic {indexing_maps = [#column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<63xf32>) outs(%z : memref<63x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// A result of run-time size that is written in both ways.

#column = affine_map<(d0, d1) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @stretched_or_not(
// CHECK-SAME:      %[[Z:[a-z0-9]*]]: memref<?x?xf32>, %{{.*}}: i1)
// CHECK:         meanvar.streaming_bytes = 262144 : i64
// CHECK:         linalg.exp {meanvar.streaming_bytes = 65536 : i64}
// CHECK:         %[[IS_STREAMING:.*]] = arith.cmpi uge, %{{.*}}, %c65536
// CHECK:         scf.if %[[IS_STREAMING]]
// CHECK-NEXT:      llvm.fence seq_cst
func.func @stretched_or_not(%x: memref<?xf32>, %y: memref<?x?xf32>, %z: memref<?x?xf32>, %choice: i1) {
  scf.if %choice {
    linalg.generic {indexing_maps = [#column, #matrix], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<?xf32>) outs(%z : memref<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
  } else {
    linalg.exp ins(%y : memref<?x?xf32>) outs(%z : memref<?x?xf32>)
  }
  return
}

// -----

// Bufferization leaves copies of results to themselves.

// CHECK-LABEL: func @self_copy(
// CHECK:         linalg.exp {meanvar.streaming_bytes = 65536 : i64}
func.func @self_copy(%x: memref<65536xf32>, %y: memref<65536xf32>) {
  linalg.exp ins(%x : memref<65536xf32>) outs(%y : memref<65536xf32>)
  %a = memref.subview %y[0] [16] [1] : memref<65536xf32> to memref<16xf32, strided<[1]>>
  %b = memref.subview %y[0] [16] [1] : memref<65536xf32> to memref<16xf32, strided<[1]>>
  memref.copy %a, %b : memref<16xf32, strided<[1]>> to memref<16xf32, strided<[1]>>
  return
}

// -----

// Of a part of a function, what another part reads.

// CHECK-LABEL: func @is_read_elsewhere(
// CHECK-NOT:     meanvar.streaming_bytes
// CHECK-NOT:     fence
func.func @is_read_elsewhere(%x: memref<65536xf32>, %y: memref<65536xf32> {meanvar.is_read}) {
  linalg.exp ins(%x : memref<65536xf32>) outs(%y : memref<65536xf32>)
  return
}

// -----

// Results that are read again, through a view or in the operation itself, temporaries,
// and reductions stay in the caches.

// CHECK-LABEL: func @read(
// CHECK-NOT:     meanvar.streaming_bytes
// CHECK-NOT:     fence
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#element = affine_map<(d0, d1) -> (d0, d1)>
func.func @read(%x: memref<65536xf32>, %a: memref<65536xf32>, %b: memref<65536xf32>,
                %c: memref<65536xf32>, %m: memref<65536x2xf32>) {
  %c0 = arith.constant 0 : index
  linalg.exp ins(%x : memref<65536xf32>) outs(%a : memref<65536xf32>)
  %view = memref.subview %a[0] [16] [1] : memref<65536xf32> to memref<16xf32, strided<[1]>>
  %first = memref.load %view[%c0] : memref<16xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<65536xf32>) outs(%b : memref<65536xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%m : memref<65536x2xf32>) outs(%c : memref<65536xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  }
  return
}
