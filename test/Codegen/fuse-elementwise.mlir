// RUN: meanvar-opt %s --meanvar-fuse-elementwise --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-fuse-elementwise=broadcasts --split-input-file \
// RUN:   | FileCheck %s --check-prefix=BROADCASTS

// An elementwise operation becomes part of the one that alone uses it. Attributes that
// tell about kernels stay.

#all = affine_map<(i, j) -> (i, j)>
#lane = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @scale_and_bias(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<8x768xf32>, %[[F:[^:]*]]: tensor<8xf32>, %[[S:[^:]*]]: tensor<768xf32>
// CHECK:         %[[R:.*]] = linalg.generic
// CHECK-SAME:        ins(%[[X]], %[[F]], %[[S]] : {{.*}} attrs = {meanvar.has_next_tile}
// CHECK-NEXT:    ^bb0(%[[XE:.*]]: f32, %[[FE:.*]]: f32, %[[SE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[XE]], %[[FE]] : f32
// CHECK-NEXT:      %[[P:.*]] = arith.addf %[[Y]], %[[SE]] : f32
// CHECK-NEXT:      linalg.yield %[[P]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]
func.func @scale_and_bias(%x: tensor<8x768xf32>, %factor: tensor<8xf32>, %bias: tensor<768xf32>, %init: tensor<8x768xf32>) -> tensor<8x768xf32> {
  %y = linalg.generic {indexing_maps = [#all, #lane, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %factor : tensor<8x768xf32>, tensor<8xf32>) outs(%init : tensor<8x768xf32>) attrs = {meanvar.has_next_tile} {
  ^bb0(%v: f32, %f: f32, %out: f32):
    %p = arith.mulf %v, %f : f32
    linalg.yield %p : f32
  } -> tensor<8x768xf32>
  %r = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y, %bias : tensor<8x768xf32>, tensor<768xf32>) outs(%init : tensor<8x768xf32>) {
  ^bb0(%v: f32, %b: f32, %out: f32):
    %s = arith.addf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x768xf32>
  return %r : tensor<8x768xf32>
}

// -----

// Not where it would be computed again for each element of a row,

#all = affine_map<(i, j) -> (i, j)>
#lane = affine_map<(i, j) -> (i)>
#line = affine_map<(i) -> (i)>

// CHECK-LABEL: func @per_lane(
// CHECK:         math.sqrt
// CHECK:         linalg.generic
// CHECK:         arith.mulf
func.func @per_lane(%x: tensor<8x768xf32>, %variance: tensor<8xf32>, %lanes: tensor<8xf32>, %init: tensor<8x768xf32>) -> tensor<8x768xf32> {
  %spread = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%variance : tensor<8xf32>) outs(%lanes : tensor<8xf32>) {
  ^bb0(%v: f32, %out: f32):
    %s = math.sqrt %v : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#all, #lane, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %spread : tensor<8x768xf32>, tensor<8xf32>) outs(%init : tensor<8x768xf32>) {
  ^bb0(%v: f32, %f: f32, %out: f32):
    %p = arith.mulf %v, %f : f32
    linalg.yield %p : f32
  } -> tensor<8x768xf32>
  return %r : tensor<8x768xf32>
}

// -----

// nor into a reduction, whose kernel knows what it sums.

#all = affine_map<(i, j) -> (i, j)>
#lane = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @reduction(
// CHECK:         arith.negf
// CHECK:         linalg.generic
// CHECK:         arith.addf
func.func @reduction(%x: tensor<8x768xf32>, %init: tensor<8x768xf32>, %lanes: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x768xf32>) outs(%init : tensor<8x768xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<8x768xf32>
  %r = linalg.generic {indexing_maps = [#all, #lane], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x768xf32>) outs(%lanes : tensor<8xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %s = arith.addf %sum, %v : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Upstream's patterns do both, but would lose the permission of a sum.

#all = affine_map<(i, j) -> (i, j)>
#lane = affine_map<(i, j) -> (i)>

// BROADCASTS-LABEL: func @sums(
// BROADCASTS:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// BROADCASTS:           arith.negf
// BROADCASTS:           arith.addf
// BROADCASTS:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// BROADCASTS:           arith.negf
// BROADCASTS:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} attrs = {meanvar.partial_sums = 16 : i64}
// BROADCASTS:           arith.addf
func.func @sums(%x: tensor<8x768xf64>, %lanes: tensor<8xf64>) -> (tensor<8xf64>, tensor<8xf64>) {
  %init = tensor.empty() : tensor<8x768xf64>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x768xf64>) outs(%init : tensor<8x768xf64>) {
  ^bb0(%v: f64, %out: f64):
    %n = arith.negf %v : f64
    linalg.yield %n : f64
  } -> tensor<8x768xf64>
  %r = linalg.generic {indexing_maps = [#all, #lane], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<8x768xf64>) outs(%lanes : tensor<8xf64>) {
  ^bb0(%v: f64, %sum: f64):
    %s = arith.addf %sum, %v : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  %z = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x768xf64>) outs(%init : tensor<8x768xf64>) {
  ^bb0(%v: f64, %out: f64):
    %n = arith.negf %v : f64
    linalg.yield %n : f64
  } -> tensor<8x768xf64>
  %q = linalg.generic {indexing_maps = [#all, #lane], iterator_types = ["parallel", "reduction"]}
      ins(%z : tensor<8x768xf64>) outs(%lanes : tensor<8xf64>) attrs = {meanvar.partial_sums = 16 : i64} {
  ^bb0(%v: f64, %sum: f64):
    %s = arith.addf %sum, %v : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r, %q : tensor<8xf64>, tensor<8xf64>
}

// -----

// More inputs than hardware prefetches streams stay two loops: so groups of the operands
// of a mean stay apart.

#line = affine_map<(i) -> (i)>

// CHECK-LABEL: func @many_inputs(
// CHECK-COUNT-2: linalg.generic
func.func @many_inputs(%x: tensor<8192xf64>, %init: tensor<8192xf64>) -> tensor<8192xf64> {
  %y = linalg.generic {indexing_maps = [#line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line, #line], iterator_types = ["parallel"]}
      ins(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>, tensor<8192xf64>)
      outs(%init : tensor<8192xf64>) {
  ^bb0(%a0: f64, %a1: f64, %a2: f64, %a3: f64, %a4: f64, %a5: f64, %a6: f64, %a7: f64, %a8: f64, %a9: f64, %a10: f64, %a11: f64, %a12: f64, %a13: f64, %a14: f64, %a15: f64, %out: f64):
    %s1 = arith.addf %a0, %a1 : f64
    %s2 = arith.addf %s1, %a2 : f64
    %s3 = arith.addf %s2, %a3 : f64
    %s4 = arith.addf %s3, %a4 : f64
    %s5 = arith.addf %s4, %a5 : f64
    %s6 = arith.addf %s5, %a6 : f64
    %s7 = arith.addf %s6, %a7 : f64
    %s8 = arith.addf %s7, %a8 : f64
    %s9 = arith.addf %s8, %a9 : f64
    %s10 = arith.addf %s9, %a10 : f64
    %s11 = arith.addf %s10, %a11 : f64
    %s12 = arith.addf %s11, %a12 : f64
    %s13 = arith.addf %s12, %a13 : f64
    %s14 = arith.addf %s13, %a14 : f64
    %s15 = arith.addf %s14, %a15 : f64
    linalg.yield %s15 : f64
  } -> tensor<8192xf64>
  %z = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%y : tensor<8192xf64>) outs(%init : tensor<8192xf64>) {
  ^bb0(%v: f64, %out: f64):
    %n = arith.negf %v : f64
    linalg.yield %n : f64
  } -> tensor<8192xf64>
  return %z : tensor<8192xf64>
}

// -----

// What is to be transposed back is computed in rows, from the rows, also where
// others use the columns.

#element = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK:       #[[$ELEMENT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK:       #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<32x16xf32>, %[[F:[^:]*]]: tensor<32xf32>, %{{[^:]*}}: tensor<16x32xf32>, %[[INIT:[^:]*]]: tensor<32x16xf32>
// CHECK:         %[[COLUMNS:.*]] = linalg.transpose ins(%[[X]]
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$ROW]], #[[$ELEMENT]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME:        ins(%[[X]], %[[F]] : tensor<32x16xf32>, tensor<32xf32>) outs(%[[INIT]] : tensor<32x16xf32>) attrs = {meanvar.has_next_tile}
// CHECK-NOT:     linalg.transpose
// CHECK:         return %[[COLUMNS]], %[[R]]
func.func @rows(%x: tensor<32x16xf32>, %factor: tensor<32xf32>, %empty: tensor<16x32xf32>, %init: tensor<32x16xf32>) -> (tensor<16x32xf32>, tensor<32x16xf32>) {
  %columns = linalg.transpose ins(%x : tensor<32x16xf32>) outs(%empty : tensor<16x32xf32>) permutation = [1, 0]
  %y = linalg.generic {indexing_maps = [#element, #column, #element], iterator_types = ["parallel", "parallel"]}
      ins(%columns, %factor : tensor<16x32xf32>, tensor<32xf32>) outs(%empty : tensor<16x32xf32>) attrs = {meanvar.has_next_tile} {
  ^bb0(%v: f32, %f: f32, %out: f32):
    %p = arith.mulf %v, %f : f32
    linalg.yield %p : f32
  } -> tensor<16x32xf32>
  %r = linalg.transpose ins(%y : tensor<16x32xf32>) outs(%init : tensor<32x16xf32>) permutation = [1, 0] {meanvar.fuse_into_producer}
  return %columns, %r : tensor<16x32xf32>, tensor<32x16xf32>
}

// -----

// Not without the attribute, nor where what is transposed is used as it is, or is no
// elementwise result.

#element = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @transpositions_left(
// CHECK-COUNT-3: linalg.transpose
func.func @transpositions_left(%x: tensor<16x32xf32>, %empty: tensor<16x32xf32>, %init: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>) {
  %y = linalg.abs ins(%x : tensor<16x32xf32>) outs(%empty : tensor<16x32xf32>) -> tensor<16x32xf32>
  %a = linalg.transpose ins(%y : tensor<16x32xf32>) outs(%init : tensor<32x16xf32>) permutation = [1, 0]
  %z = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x32xf32>) outs(%empty : tensor<16x32xf32>) {
  ^bb0(%v: f32, %out: f32):
    %p = arith.negf %v : f32
    linalg.yield %p : f32
  } -> tensor<16x32xf32>
  %b = linalg.transpose ins(%z : tensor<16x32xf32>) outs(%init : tensor<32x16xf32>) permutation = [1, 0] {meanvar.fuse_into_producer}
  %c = linalg.transpose ins(%x : tensor<16x32xf32>) outs(%init : tensor<32x16xf32>) permutation = [1, 0] {meanvar.fuse_into_producer}
  return %a, %z, %b, %c : tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<32x16xf32>
}

// -----

// Loops over many streams of memory stay apart.

#element = affine_map<(i) -> (i)>

// CHECK-LABEL: func @streams(
// CHECK-COUNT-2: linalg.generic
func.func @streams(%x: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%init : tensor<?xf32>) attrs = {meanvar.has_streams} {
  ^bb0(%v: f32, %out: f32):
    %p = arith.negf %v : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%y : tensor<?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%v: f32, %out: f32):
    %p = arith.addf %v, %v : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
