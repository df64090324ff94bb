// RUN: meanvar-opt %s --split-input-file --raise-to-meanvar | FileCheck %s

// The ways in which one function may be written.

// Named operations. The factor is broadcast by an operation of its own.

// CHECK-LABEL: func @named(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 9.9999999747524271E-7 : tensor<4x8xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @named(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant dense<8.0> : tensor<4xf32>
  %epsilon = arith.constant dense<1.0e-06> : tensor<4xf32>
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %mean = linalg.div ins(%sum, %n : tensor<4xf32>, tensor<4xf32>) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %means = linalg.broadcast ins(%mean : tensor<4xf32>) outs(%empty : tensor<4x8xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %means : tensor<4x8xf32>, tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.square ins(%d : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %squares = linalg.reduce { arith.addf } ins(%q : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %var = linalg.div ins(%squares, %n : tensor<4xf32>, tensor<4xf32>) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %root = linalg.sqrt ins(%var : tensor<4xf32>) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %shifted = linalg.add ins(%root, %epsilon : tensor<4xf32>, tensor<4xf32>) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %factor = linalg.reciprocal ins(%shifted : tensor<4xf32>) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %factors = linalg.broadcast ins(%factor : tensor<4xf32>) outs(%empty : tensor<4x8xf32>) dimensions = [1]
  %y = linalg.map { arith.mulf } ins(%d, %factors : tensor<4x8xf32>, tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>)
  return %y : tensor<4x8xf32>
}

// -----

// Arithmetic on whole tensors; the variance has an epsilon of 0.

// CHECK-LABEL: func @elementwise(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf64>
// CHECK-NEXT:    %[[Y:.*]] = meanvar.mvn %[[X]] axes = [0, 1] epsilon = 0.0{{.*}} : tensor<4x8xf64>
// CHECK-NEXT:    return %[[Y]]
func.func @elementwise(%x: tensor<4x8xf64>) -> tensor<4x8xf64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %n = arith.constant dense<32.0> : tensor<f64>
  %empty = tensor.empty() : tensor<4x8xf64>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf64>) outs(%zero : tensor<f64>) dimensions = [0, 1]
  %mean = arith.divf %sum, %n : tensor<f64>
  %means = linalg.broadcast ins(%mean : tensor<f64>) outs(%empty : tensor<4x8xf64>) dimensions = [0, 1]
  %d = arith.subf %x, %means : tensor<4x8xf64>
  %q = arith.mulf %d, %d : tensor<4x8xf64>
  %squares = linalg.reduce { arith.addf } ins(%q : tensor<4x8xf64>) outs(%zero : tensor<f64>) dimensions = [0, 1]
  %var = arith.divf %squares, %n : tensor<f64>
  %root = math.sqrt %var : tensor<f64>
  %roots = linalg.broadcast ins(%root : tensor<f64>) outs(%empty : tensor<4x8xf64>) dimensions = [0, 1]
  %y = arith.divf %d, %roots : tensor<4x8xf64>
  return %y : tensor<4x8xf64>
}

// -----

// All sums in one operation, all that follows in another, with scale and bias. The reciprocal of
// the number of elements is rounded, and powers stand for squares and roots.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @fused(
// CHECK-SAME:      %[[X:.*]]: tensor<4x?xf32>, %[[W:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [0] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<4x?xf32>
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$COLUMN]], #[[$COLUMN]], #[[$ID]], #[[$ID]]]
// CHECK-SAME:        ins(%[[W]], %[[B]], %[[N]] : tensor<?xf32>, tensor<?xf32>, tensor<4x?xf32>)
// CHECK-NEXT:    ^bb0(%[[WE:.*]]: f32, %[[BE:.*]]: f32, %[[NE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[WN:.*]] = arith.mulf %[[NE]], %[[WE]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.addf %[[WN]], %[[BE]] : f32
// CHECK-NEXT:      linalg.yield %[[R]]
// CHECK:         return %[[Y]]
func.func @fused(%x: tensor<4x?xf32>, %w: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %minus_half = arith.constant -0.5 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %size = tensor.dim %x, %c1 : tensor<4x?xf32>
  %columns = tensor.empty(%size) : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<4x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%columns : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x?xf32>) outs(%init, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %acc0: f32, %acc1: f32):
    %q = math.powf %in, %two : f32
    %0 = arith.addf %in, %acc0 : f32
    %1 = arith.addf %acc1, %q : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %y = linalg.generic {indexing_maps = [#id, #column, #column, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %w, %sums#0, %b, %sums#1 : tensor<4x?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      outs(%empty : tensor<4x?xf32>) {
  ^bb0(%in: f32, %we: f32, %s: f32, %be: f32, %sq: f32, %out: f32):
    %mean = arith.mulf %s, %n : f32
    %moment = arith.mulf %n, %sq : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %moment, %squared : f32
    %positive = arith.maxnumf %zero, %var : f32
    %shifted = arith.addf %epsilon, %positive : f32
    %factor = math.powf %shifted, %minus_half : f32
    %d = arith.subf %in, %mean : f32
    %normalized = arith.mulf %factor, %d : f32
    %scaled = arith.mulf %normalized, %we : f32
    %r = arith.addf %scaled, %be : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// -----

// The factor is multiplied out: x * factor - mean * factor. The reciprocal of 3 is rounded to f32.
// Lanes are summed one dimension at a time; a dimension of size 1 is neither kept nor reduced.

#id = affine_map<(i, j, k, l) -> (i, j, k, l)>
#kept = affine_map<(i, j, k, l) -> (i, 0, 0, 0)>
#outer = affine_map<(i, j, k, l) -> (i, j, 0, 0)>

// CHECK-LABEL: func @multiplied_out(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4x1x3xf32>
// CHECK-NEXT:    %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1, 3] epsilon = 1.250000e-01 inside_sqrt : tensor<2x4x1x3xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @multiplied_out(%x: tensor<2x4x1x3xf32>) -> tensor<2x4x1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %n3 = arith.constant 3.0 : f32
  %n4 = arith.constant 4.0 : f32
  %n12 = arith.constant 0x3DAAAAAB : f32
  %epsilon = arith.constant 0.125 : f32
  %e0 = tensor.empty() : tensor<2x4x1x1xf32>
  %e1 = tensor.empty() : tensor<2x1x1x1xf32>
  %e2 = tensor.empty() : tensor<2x4x1x3xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x1x1x1xf32>) -> tensor<2x1x1x1xf32>
  %partial = linalg.generic {indexing_maps = [#id, #outer], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x4x1x3xf32>) outs(%i0 : tensor<2x4x1x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<2x4x1x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction", "parallel", "parallel"]}
      ins(%partial : tensor<2x4x1x1xf32>) outs(%i1 : tensor<2x1x1x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.divf %in, %n3 : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<2x1x1x1xf32>
  %squares = linalg.generic {indexing_maps = [#id, #kept], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%x : tensor<2x4x1x3xf32>) outs(%i1 : tensor<2x1x1x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<2x1x1x1xf32>
  %y = linalg.generic {indexing_maps = [#id, #kept, #kept, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<2x4x1x3xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>) outs(%e2 : tensor<2x4x1x3xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n4 : f32
    %moment = arith.mulf %sq, %n12 : f32
    %negated = arith.negf %mean : f32
    %squared = arith.mulf %negated, %mean : f32
    %var = arith.addf %moment, %squared : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %0 = arith.mulf %in, %factor : f32
    %1 = arith.mulf %mean, %minus_one : f32
    %2 = arith.mulf %1, %factor : f32
    %3 = arith.addf %0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x1x3xf32>
  return %y : tensor<2x4x1x3xf32>
}

// -----

// The result is transposed where it is computed, and so is the tensor where it is summed.

#id = affine_map<(i, j) -> (i, j)>
#transposed = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$TRANSPOSED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func @transposed(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [0] epsilon = 1.000000e+00 inside_sqrt : tensor<4x8xf32>
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$TRANSPOSED]]]
// CHECK-SAME:        ins(%[[Y]] : tensor<4x8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[IN]]
// CHECK:         return %[[T]]
func.func @transposed(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4.0 : f32
  %epsilon = arith.constant 1.0 : f32
  %columns = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%columns : tensor<8xf32>) -> tensor<8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%empty : tensor<8x4xf32>) permutation = [1, 0]
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<8xf32>) dimensions = [0]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t, %sum : tensor<8x4xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %q, %acc : f32
    linalg.yield %total : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #column, #transposed], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8x4xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %root = math.sqrt %shifted : f32
    %r = arith.divf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// bf16 is extended in the bodies, and the result stays f32. It is what sums make use of, too. The
// mean has another use.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @extended(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xbf16>
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xbf16>)
// CHECK:           arith.addf
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xbf16>)
// CHECK:           arith.extf
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[WIDE]] axes = [1] epsilon = 1.000000e+00 : tensor<4x8xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]], %[[SUM]]
func.func @extended(%x: tensor<4x8xbf16>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xbf16>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xbf16>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: bf16, %s: f32, %sq: f32, %out: f32):
    %e = arith.extf %in : bf16 to f32
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %e, %mean : f32
    %moment = arith.divf %sq, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %moment, %squared : f32
    %root = math.sqrt %var : f32
    %shifted = arith.addf %root, %epsilon : f32
    %r = arith.divf %d, %shifted : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y, %sum : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// A normalization of a normalization. The second is used in a sum and nowhere else.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @twice(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 1.000000e+00 inside_sqrt : tensor<4x8xf32>
// CHECK:         %[[Z:.*]] = meanvar.mvn %[[Y]] axes = [1] epsilon = 1.000000e+00 inside_sqrt : tensor<4x8xf32>
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<4x8xf32>)
// CHECK-NEXT:    ^bb0(%[[ZE:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT:      math.absf %[[ZE]]
// CHECK-NEXT:      arith.addf
// CHECK:         return %[[S]]
func.func @twice(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum0 = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %q0 = linalg.square ins(%x : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %squares0 = linalg.reduce { arith.addf } ins(%q0 : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum0, %squares0 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %moment = arith.divf %sq, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %moment, %squared : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %sum1 = linalg.reduce { arith.addf } ins(%y : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %q1 = linalg.square ins(%y : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %squares1 = linalg.reduce { arith.addf } ins(%q1 : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %total = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y, %sum1, %squares1 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %moment = arith.divf %sq, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %moment, %squared : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    %a = math.absf %r : f32
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %total : tensor<4xf32>
}

// -----

// The factor is multiplied by a scale of a narrower type first, which is read at index 0 of its
// first dimension, and by a second one, that the body does not extend.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (0, j)>

// CHECK-DAG:   #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG:   #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @scale_first(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<1x8xf16>, %[[V:.*]]: tensor<4xf32>
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 5.000000e-01 inside_sqrt : tensor<4x8xf32>
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$COLUMN]], #[[$ID]]]
// CHECK-SAME:        ins(%[[N]], %[[V]], %[[W]] : tensor<4x8xf32>, tensor<4xf32>, tensor<1x8xf16>)
// CHECK-NEXT:    ^bb0(%[[NE:.*]]: f32, %[[VE:.*]]: f32, %[[WE:.*]]: f16, %{{.*}}: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[NE]], %[[VE]] : f32
// CHECK-NEXT:      %[[WX:.*]] = arith.extf %[[WE]] : f16 to f32
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[P]], %[[WX]] : f32
// CHECK-NEXT:      linalg.yield %[[Q]]
// CHECK:         return %[[Y]]
func.func @scale_first(%x: tensor<4x8xf32>, %w: tensor<1x8xf16>, %v: tensor<4xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.125 : f32
  %epsilon = arith.constant 0.5 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.mulf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %q, %acc : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #column, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %v, %w, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<1x8xf16>, tensor<4xf32>, tensor<4xf32>)
      outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %ve: f32, %we: f16, %s: f32, %sq: f32, %out: f32):
    %mean = arith.mulf %s, %n : f32
    %var = arith.mulf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %extended = arith.extf %we : f16 to f32
    %scaled = arith.mulf %factor, %extended : f32
    %scaled2 = arith.mulf %ve, %scaled : f32
    %d = arith.subf %in, %mean : f32
    %r = arith.mulf %d, %scaled2 : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
