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

// Operands that are stretched to the result leave room in the caches.

#column = affine_map<(d0, d1) -> (d0)>
#line = affine_map<(d0, d1) -> (d1)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @stretched(
// CHECK-NOT:     meanvar.streaming_bytes
func.func @stretched(%x: memref<256xf32>, %y: memref<1024xf32>, %z: memref<256x1024xf32>) {
  linalg.generic {indexing_maps = [#column, #line, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<256xf32>, memref<1024xf32>) outs(%z : memref<256x1024xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.addf %in, %in_0 : f32
    linalg.yield %0 : f32
  }
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
