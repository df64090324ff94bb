// RUN: meanvar-opt %s --raise-to-meanvar | FileCheck %s

// Bounds of sizes, as `raise-to-meanvar` asks for them: it takes a number for that of the elements
// of a lane where it is computed from a size that is known to be the one of the tensor. In each
// function the tensor is a result of meanvar, and the size that of an operand.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Sizes of a normalized tensor are those of its operand.

// CHECK-LABEL: func @mvn(
// CHECK:         %[[Y:.*]] = meanvar.mvn
// CHECK-NOT:     linalg.generic
// CHECK:         meanvar.mvn %[[Y]] axes = [1] epsilon = 0.0{{.*}} : tensor<?x?xf32>
func.func @mvn(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %columns_size = tensor.dim %x, %c1 : tensor<?x?xf32>
  %y = meanvar.mvn %x axes = [0] : tensor<?x?xf32>
  %rows_size = tensor.dim %y, %c0 : tensor<?x?xf32>
  %i = arith.index_cast %columns_size : index to i64
  %n = arith.sitofp %i : i64 to f32
  %rows = tensor.empty(%rows_size) : tensor<?xf32>
  %empty = tensor.empty(%rows_size, %columns_size) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x?xf32>) outs(%init, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32, %acc2: f32):
    %0 = arith.addf %acc, %in : f32
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %acc2, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %z = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sums#0, %sums#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %s2: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %mean2 = arith.divf %s2, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %mean2, %squared : f32
    %root = math.sqrt %var : f32
    %d = arith.subf %in, %mean : f32
    %r = arith.divf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// A size of a mean is that of the only operand which is not known to be 1 there.

// CHECK-LABEL: func @one_operand_of_a_mean(
// CHECK:         %[[Y:.*]] = meanvar.mean
// CHECK-NOT:     linalg.generic
// CHECK:         meanvar.mvn %[[Y]] axes = [1] epsilon = 0.0{{.*}} : tensor<?x?xf32>
func.func @one_operand_of_a_mean(%a: tensor<?x1xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %columns_size = tensor.dim %b, %c0 : tensor<?xf32>
  %y = meanvar.mean %a, %b : (tensor<?x1xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %rows_size = tensor.dim %y, %c0 : tensor<?x?xf32>
  %i = arith.index_cast %columns_size : index to i64
  %n = arith.sitofp %i : i64 to f32
  %rows = tensor.empty(%rows_size) : tensor<?xf32>
  %empty = tensor.empty(%rows_size, %columns_size) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x?xf32>) outs(%init, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32, %acc2: f32):
    %0 = arith.addf %acc, %in : f32
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %acc2, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %z = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sums#0, %sums#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %s2: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %mean2 = arith.divf %s2, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %mean2, %squared : f32
    %root = math.sqrt %var : f32
    %d = arith.subf %in, %mean : f32
    %r = arith.divf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// It is a static size, also where another operand has none and the result says less.

// CHECK-LABEL: func @static_operand_of_a_mean(
// CHECK:         %[[Y:.*]] = meanvar.mean
// CHECK-NOT:     linalg.generic
// CHECK:         meanvar.mvn %[[Y]] axes = [1] epsilon = 0.0{{.*}} : tensor<?x?xf32>
func.func @static_operand_of_a_mean(%a: tensor<?x8xf32>, %b: tensor<?xf32>, %c: tensor<8xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.cast %c : tensor<8xf32> to tensor<?xf32>
  %columns_size = tensor.dim %e, %c0 : tensor<?xf32>
  %y = meanvar.mean %b, %a : (tensor<?xf32>, tensor<?x8xf32>) -> tensor<?x?xf32>
  %rows_size = tensor.dim %y, %c0 : tensor<?x?xf32>
  %i = arith.index_cast %columns_size : index to i64
  %n = arith.sitofp %i : i64 to f32
  %rows = tensor.empty(%rows_size) : tensor<?xf32>
  %empty = tensor.empty(%rows_size, %columns_size) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x?xf32>) outs(%init, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32, %acc2: f32):
    %0 = arith.addf %acc, %in : f32
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %acc2, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %z = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sums#0, %sums#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %s2: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %mean2 = arith.divf %s2, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %mean2, %squared : f32
    %root = math.sqrt %var : f32
    %d = arith.subf %in, %mean : f32
    %r = arith.divf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}

// Of two sizes that are not known, each may be 1.

// CHECK-LABEL: func @operands_of_a_mean(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @operands_of_a_mean(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %columns_size = tensor.dim %b, %c0 : tensor<?xf32>
  %y = meanvar.mean %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %rows_size = tensor.dim %y, %c0 : tensor<?x?xf32>
  %i = arith.index_cast %columns_size : index to i64
  %n = arith.sitofp %i : i64 to f32
  %rows = tensor.empty(%rows_size) : tensor<?xf32>
  %empty = tensor.empty(%rows_size, %columns_size) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sums:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<?x?xf32>) outs(%init, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32, %acc2: f32):
    %0 = arith.addf %acc, %in : f32
    %1 = arith.mulf %in, %in : f32
    %2 = arith.addf %acc2, %1 : f32
    linalg.yield %0, %2 : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %z = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %sums#0, %sums#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %s: f32, %s2: f32, %out: f32):
    %mean = arith.divf %s, %n : f32
    %mean2 = arith.divf %s2, %n : f32
    %squared = arith.mulf %mean, %mean : f32
    %var = arith.subf %mean2, %squared : f32
    %root = math.sqrt %var : f32
    %d = arith.subf %in, %mean : f32
    %r = arith.divf %d, %root : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}
