// RUN: meanvar-opt %s --meanvar-vectorize-linalg --split-input-file | FileCheck %s

// What stays linalg, for convert-linalg-to-loops.

// A sum that is not marked is added in order, as its author may expect.

#element = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0) -> ()>

// CHECK-LABEL: func @ordered_sum(
// CHECK-NOT:     vector
// CHECK:         linalg.generic
func.func @ordered_sum(%x: memref<?xf32>, %sum: memref<f32>) {
  linalg.generic {indexing_maps = [#element, #sum], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%sum : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A maximum that drops NaN would drop the last one, too: the neutral value that
// vectors start from is a number.

#element = affine_map<(d0) -> (d0)>
#result = affine_map<(d0) -> ()>

// CHECK-LABEL: func @maxnum(
// CHECK:         linalg.generic
func.func @maxnum(%x: memref<?xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [#element, #result], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%y : memref<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maxnumf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Vectors would have to be gathered from, or scattered to, elements that do not
// follow each other.

// CHECK-LABEL: func @output_not_contiguous(
// CHECK:         linalg.generic
func.func @output_not_contiguous(%x: memref<?xf32>, %y: memref<?xf32, strided<[2]>>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32, strided<[2]>>)
  return
}

// CHECK-LABEL: func @transposed(
// CHECK:         linalg.generic
func.func @transposed(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>) permutation = [1, 0]
  return
}

// -----

// Elements outside the mask are 0, by which an integer division would trap.

#element = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @division(
// CHECK:         linalg.generic
func.func @division(%a: memref<?xi32>, %b: memref<?xi32>, %y: memref<?xi32>) {
  linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel"]}
      ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%y : memref<?xi32>) {
  ^bb0(%lhs: i32, %rhs: i32, %out: i32):
    %0 = arith.divsi %lhs, %rhs : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// Booleans have no vectors in memory: a byte each there, a bit each in a register.

// CHECK-LABEL: func @booleans(
// CHECK:         linalg.generic
func.func @booleans(%x: memref<?xi1>, %y: memref<?xi1>) {
  linalg.copy ins(%x : memref<?xi1>) outs(%y : memref<?xi1>)
  return
}

// -----

// Operations on tensors are not touched.

// CHECK-LABEL: func @tensors(
// CHECK-NOT:     vector
// CHECK:         linalg.
func.func @tensors(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// An output that the innermost loop writes again and again.

// CHECK-LABEL: func @output_does_not_vary(
// CHECK:         linalg.generic
func.func @output_does_not_vary(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
