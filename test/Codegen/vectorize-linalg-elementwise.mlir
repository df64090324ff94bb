// RUN: meanvar-opt %s --meanvar-vectorize-linalg --canonicalize --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-vectorize-linalg=vector-bits=256 --canonicalize --split-input-file \
// RUN:   | FileCheck %s --check-prefix=PIECES

// Elementwise operations, named or not: a main loop of four vectors, a loop of
// single ones, and a masked one. All that is stored in one step is computed before,
// so that an output may be the buffer of an input.

// CHECK-LABEL: func @named(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK:         scf.for %{{.*}} = %c0 to %[[MAIN_END:.*]] step %c64
// CHECK-COUNT-4:   vector.load %[[X]]
// CHECK-COUNT-4:   math.exp %{{.*}} : vector<16xf32>
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[Y]]
// CHECK:         scf.for %{{.*}} = %[[MAIN_END]] to %{{.*}} step %c16
// CHECK:         scf.if
// CHECK:           %[[MASK:.*]] = vector.create_mask
// CHECK:           %[[TAIL:.*]] = vector.maskedload %[[X]][%{{.*}}], %[[MASK]]
// CHECK:           %[[RESULT:.*]] = math.exp %[[TAIL]] : vector<16xf32>
// CHECK:           vector.maskedstore %[[Y]][%{{.*}}], %[[MASK]], %[[RESULT]]
func.func @named(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// Operands that do not vary along the vectors are scalars. Vectors have the width of
// the type in which elements are computed, and 16 bits are computed in 32.

#element = affine_map<(d0, d1) -> (d0, d1)>
#lane = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @broadcast(
// CHECK-SAME:      %[[X:.*]]: memref<?x64xf16>, %[[MEAN:.*]]: memref<?xf32>, %[[BIAS:.*]]: memref<64xf32>, %[[Y:.*]]: memref<?x64xf16>)
// CHECK-DAG:     vector.load %[[X]][%{{.*}}] : memref<?x64xf16>, vector<16xf16>
// CHECK-DAG:     %[[SCALAR:.*]] = memref.load %[[MEAN]]
// CHECK-DAG:     vector.broadcast %[[SCALAR]] : f32 to vector<16xf32>
// CHECK-DAG:     vector.load %[[BIAS]][%{{.*}}] : memref<64xf32>, vector<16xf32>
// CHECK:         vector.store %{{.*}}, %[[Y]][%{{.*}}] : memref<?x64xf16>, vector<16xf16>
func.func @broadcast(%x: memref<?x64xf16>, %mean: memref<?xf32>, %bias: memref<64xf32>, %y: memref<?x64xf16>) {
  linalg.generic {indexing_maps = [#element, #lane, #row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean, %bias : memref<?x64xf16>, memref<?xf32>, memref<64xf32>) outs(%y : memref<?x64xf16>) {
  ^bb0(%in: f16, %m: f32, %b: f32, %out: f16):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.subf %0, %m : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  }
  return
}

// -----

// An input whose stride is known at run time only, such as one that may be stretched
// (M3): vectors where the stride turns out to be 1, else element by element. The
// elements beyond the end read the last one.

// CHECK-LABEL: func @run_time_stride(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32, strided<[?]>>,
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[IS_CONTIGUOUS:.*]] = arith.cmpi eq, %[[STRIDE]], %c1
// CHECK:         %[[CONTIGUOUS:.*]] = memref.reinterpret_cast {{.*}} strides: [1]
// CHECK:         scf.if %[[IS_CONTIGUOUS]]
// CHECK:           vector.load %[[CONTIGUOUS]]
// CHECK:         } else {
// CHECK:           memref.load %[[X]]
// CHECK:           vector.from_elements
// CHECK:         vector.maskedload %[[CONTIGUOUS]]
// CHECK:         } else {
// CHECK:           %[[INDEX:.*]] = arith.minui
// CHECK:           memref.load %[[X]][%[[INDEX]]]
func.func @run_time_stride(%x: memref<?xf32, strided<[?]>>, %y: memref<?xf32>) {
  linalg.abs ins(%x : memref<?xf32, strided<[?]>>) outs(%y : memref<?xf32>)
  return
}

// -----

// Rank 0 has no vectors.

// CHECK-LABEL: func @rank_0(
// CHECK-NEXT:    %[[X:.*]] = memref.load %{{.*}}[] : memref<f32>
// CHECK-NEXT:    %[[Y:.*]] = math.exp %[[X]] : f32
// CHECK-NEXT:    memref.store %[[Y]], %{{.*}}[] : memref<f32>
func.func @rank_0(%x: memref<f32>, %y: memref<f32>) {
  linalg.exp ins(%x : memref<f32>) outs(%y : memref<f32>)
  return
}

// -----

// One size of 1 is a scalar, too.

// CHECK-LABEL: func @one_element(
// CHECK-NOT:     vector
// CHECK:         math.exp %{{.*}} : f32
func.func @one_element(%x: memref<1xf32>, %y: memref<1xf32>) {
  linalg.exp ins(%x : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}

// -----

// A fill has no input; the output decides on the vectors.

// CHECK-LABEL: func @fill(
// CHECK:         vector.store %{{.*}} : memref<8xf64>, vector<8xf64>
func.func @fill(%s: f64, %y: memref<8xf64>) {
  linalg.fill ins(%s : f64) outs(%y : memref<8xf64>)
  return
}

// -----

// Four cache lines of each stream at a time: vectors for the type of the streams, eight
// of them for bf16, whatever the type of sums is.

#element = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @streams(
// CHECK:         scf.for {{.*}} step %c64
// CHECK-COUNT-4:   arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK-COUNT-4:   vector.store {{.*}} vector<16xf64>
func.func @streams(%x: memref<?xf32>, %sum: memref<?xf64>) {
  linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel"]}
      ins(%x, %sum : memref<?xf32>, memref<?xf64>) outs(%sum : memref<?xf64>) attrs = {meanvar.has_streams} {
  ^bb0(%v: f32, %s: f64, %out: f64):
    %e = arith.extf %v : f32 to f64
    %p = arith.addf %s, %e : f64
    linalg.yield %p : f64
  }
  return
}

// CHECK-LABEL: func @narrow_streams(
// CHECK:         scf.for {{.*}} step %c128
// CHECK-COUNT-8:   vector.store {{.*}} vector<16xf32>
func.func @narrow_streams(%x: memref<?xbf16>, %sum: memref<?xf32>) {
  linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel"]}
      ins(%x, %sum : memref<?xbf16>, memref<?xf32>) outs(%sum : memref<?xf32>) attrs = {meanvar.has_streams} {
  ^bb0(%v: bf16, %s: f32, %out: f32):
    %e = arith.extf %v : bf16 to f32
    %p = arith.addf %s, %e : f32
    linalg.yield %p : f32
  }
  return
}

// -----

// Where masks are dear, a part of a vector whose size is known is stored in pieces: 7
// elements behind 16.

// CHECK-LABEL: func @part(
// CHECK:         vector.maskedstore

// PIECES-LABEL: func @part(
// PIECES-SAME:      %{{.*}}: memref<23xf32>, %[[Y:.*]]: memref<23xf32>)
// PIECES:         %[[READ:.*]] = vector.maskedload
// PIECES:         %[[PART:.*]] = math.absf %[[READ]] : vector<8xf32>
// PIECES-NOT:     vector.maskedstore
// PIECES:         %[[FOUR:.*]] = vector.extract_strided_slice %[[PART]] {offsets = [0], sizes = [4], strides = [1]}
// PIECES:         vector.store %[[FOUR]], %[[Y]][%c16] : memref<23xf32>, vector<4xf32>
// PIECES:         %[[TWO:.*]] = vector.extract_strided_slice %[[PART]] {offsets = [4], sizes = [2], strides = [1]}
// PIECES:         vector.store %[[TWO]], %[[Y]][%c20] : memref<23xf32>, vector<2xf32>
// PIECES:         %[[ONE:.*]] = vector.extract_strided_slice %[[PART]] {offsets = [6], sizes = [1], strides = [1]}
// PIECES:         vector.store %[[ONE]], %[[Y]][%c22] : memref<23xf32>, vector<1xf32>
// PIECES-NOT:     vector.store
// PIECES:         return
func.func @part(%x: memref<23xf32>, %y: memref<23xf32>) {
  linalg.abs ins(%x : memref<23xf32>) outs(%y : memref<23xf32>)
  return
}

// -----

// One that is known at run time only is not.

// PIECES-LABEL: func @part_of_any_size(
// PIECES:         vector.maskedstore
// PIECES-NOT:     vector.extract_strided_slice
// PIECES:         return
func.func @part_of_any_size(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.abs ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
