// RUN: meanvar-opt %s --raise-to-meanvar | FileCheck %s

// What resembles a mean-variance normalization and is another function. Each function but the
// first differs from it in one thing.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> ()>
#transposed = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func @normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT:    %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<4x8xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @normalization(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The variance is divided by n - 1.

// CHECK-LABEL: func @unbiased(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @unbiased(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %n1 = arith.constant 7.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n1 : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean is divided by another number.

// CHECK-LABEL: func @other_count(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @other_count(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 4.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// So is the mean that is subtracted before squaring.

// CHECK-LABEL: func @other_count_in_variance(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @other_count_in_variance(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %n1 = arith.constant 9.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n1 : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The sum of the squares is not divided.

// CHECK-LABEL: func @no_count(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @no_count(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %one = arith.constant 1.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %one : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A reciprocal that is 1 / n for no rounding.

// CHECK-LABEL: func @inexact_reciprocal(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @inexact_reciprocal(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %reciprocal = arith.constant 0.12500001 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.mulf %sq, %reciprocal : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Sums that do not begin with 0.

// CHECK-LABEL: func @initial_value(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @initial_value(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 1.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The maximum instead of the sum of the squares.

// CHECK-LABEL: func @maximum(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @maximum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.maximumf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The minimum instead of the mean.

// CHECK-LABEL: func @minimum_for_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @minimum_for_mean(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.minimumf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Of the opposite sign.

// CHECK-LABEL: func @sign(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @sign(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %mean, %in : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean is added.

// CHECK-LABEL: func @sum_with_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @sum_with_mean(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.addf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A variance minus an epsilon.

// CHECK-LABEL: func @negative_epsilon(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @negative_epsilon(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant -1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The same, by a subtraction.

// CHECK-LABEL: func @subtracted_epsilon(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @subtracted_epsilon(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.subf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Divided by the variance.

// CHECK-LABEL: func @no_root(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @no_root(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %one = arith.constant 1.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = arith.divf %one, %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Divided by the fourth root of the variance.

// CHECK-LABEL: func @two_roots(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @two_roots(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %root = math.sqrt %shifted : f32
    %factor = math.rsqrt %root : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Another root.

// CHECK-LABEL: func @cube_root(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @cube_root(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.cbrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Multiplied by the deviation instead of divided.

// CHECK-LABEL: func @multiplied(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @multiplied(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.sqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean absolute deviation.

// CHECK-LABEL: func @absolute(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @absolute(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = math.absf %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The third moment.

// CHECK-LABEL: func @cubed(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @cubed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q1 = arith.mulf %d, %d : f32
    %q = arith.mulf %q1, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean of the squares instead of the variance.

// CHECK-LABEL: func @uncentered(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @uncentered(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %in, %in : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean is subtracted from one factor of the square only, and once more from the sum.

// CHECK-LABEL: func @half_centered(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @half_centered(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %s : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A deviation of at least epsilon.

// CHECK-LABEL: func @clamped_deviation(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @clamped_deviation(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %clamped = arith.maximumf %var, %epsilon : f32
    %factor = math.rsqrt %clamped : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// An operation between the difference and the product.

// CHECK-LABEL: func @operation_between(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @operation_between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %e = math.tanh %d : f32
    %r = arith.mulf %e, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// And one before the square.

// CHECK-LABEL: func @operation_before_square(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @operation_before_square(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d0 = arith.subf %in, %mean : f32
    %d = math.tanh %d0 : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Twice the mean.

// CHECK-LABEL: func @scaled_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @scaled_mean(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %mean2 = arith.addf %mean, %mean : f32
    %d = arith.subf %in, %mean2 : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// An epsilon inside of the root, and another outside.

// CHECK-LABEL: func @epsilon_on_both(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @epsilon_on_both(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %root = math.sqrt %shifted : f32
    %factor = arith.addf %root, %epsilon : f32
    %r = arith.divf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The variance is doubled.

// CHECK-LABEL: func @doubled_variance(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @doubled_variance(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %doubled = arith.addf %var, %var : f32
    %shifted = arith.addf %doubled, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Rounded to a narrower type on the way.

// CHECK-LABEL: func @narrow(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @narrow(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %h = arith.truncf %mean : f32 to f16
    %g = arith.extf %h : f16 to f32
    %d = arith.subf %in, %g : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The variance is that of another tensor.

// CHECK-LABEL: func @other_tensor(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @other_tensor(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%z, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Another tensor is normalized with the statistics.

// CHECK-LABEL: func @other_tensor_normalized(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @other_tensor_normalized(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// An epsilon that is no constant.

// CHECK-LABEL: func @run_time_epsilon(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @run_time_epsilon(%x: tensor<4x8xf32>, %epsilon: f32) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The mean is that of a sum with another tensor.

// CHECK-LABEL: func @added_tensor(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @added_tensor(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %xz = arith.addf %x, %z : tensor<4x8xf32>
  %sum = linalg.reduce { arith.addf } ins(%xz : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Weighted squares.

// CHECK-LABEL: func @weighted(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @weighted(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum, %w : tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %weight: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q0 = arith.mulf %d, %d : f32
    %q = arith.mulf %q0, %weight : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The sum is part of what is summed.

// CHECK-LABEL: func @running_sum(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @running_sum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %qa = arith.addf %q, %acc : f32
    %total = arith.addf %acc, %qa : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The lanes of the mean are others: it is read at another index.

// CHECK-LABEL: func @shifted_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @shifted_mean(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// The tensor that is normalized is read transposed.

// CHECK-LABEL: func @transposed_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @transposed_mean(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#transposed, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// The mean is over the other axis.

// CHECK-LABEL: func @other_axis_in_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @other_axis_in_mean(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) dimensions = [0]
  %squares = linalg.generic {indexing_maps = [#id, #column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// The variance is over both axes, the mean over one.

// CHECK-LABEL: func @both_axes_in_variance(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @both_axes_in_variance(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %scalar = tensor.empty() : tensor<f32>
  %n2 = arith.constant 32.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %init0 = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %squares = linalg.generic {indexing_maps = [#id, #row, #all], iterator_types = ["reduction", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init0 : tensor<f32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#id, #row, #all, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<f32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n2 : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// A number that is the size of another tensor, which is not known to be as long.

// CHECK-LABEL: func @run_time_count(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @run_time_count(%x: tensor<4x?xf32>, %z: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %z, %c1 : tensor<4x?xf32>
  %i = arith.index_cast %dim : index to i64
  %n = arith.sitofp %i : i64 to f32
  %epsilon = arith.constant 1.0e-05 : f32
  %size = tensor.dim %x, %c1 : tensor<4x?xf32>
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty(%size) : tensor<4x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x?xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x?xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x?xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// A constant where the size is known at run time only.

// CHECK-LABEL: func @constant_count(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @constant_count(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c1 : tensor<4x?xf32>
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty(%size) : tensor<4x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x?xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x?xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x?xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// A number that may not fit its type.

// CHECK-LABEL: func @narrow_count(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @narrow_count(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %size = tensor.dim %x, %c1 : tensor<4x?xf32>
  %i = arith.index_cast %size : index to i8
  %n = arith.sitofp %i : i8 to f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty(%size) : tensor<4x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x?xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x?xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x?xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// A part of each lane.

// CHECK-LABEL: func @prefix(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @prefix(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %epsilon = arith.constant 1.0e-05 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %part = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
  %sum = linalg.reduce { arith.addf } ins(%part : tensor<4x4xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32, %acc: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %total = arith.addf %acc, %q : f32
    linalg.yield %total : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %s: f32, %sq: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %d = arith.subf %in, %mean : f32
    %var = arith.divf %sq, %n : f32
    %shifted = arith.addf %var, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %r = arith.mulf %d, %factor : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
