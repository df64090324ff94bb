// RUN: meanvar-opt %s --meanvar-insert-shape-checks --meanvar-lower-entry-points --split-input-file | FileCheck %s

// F3: sizes of results are computed from those of the inputs alone, through any
// number of operations that know how their sizes follow from their operands.

// CHECK-LABEL: func @reified_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?x?xf32>, %[[SIZES:.*]]: memref<?xi64>,
// CHECK:         %[[PADDED:.*]] = affine.apply {{.*}}()[%{{.*}}]
// CHECK-NEXT:    %[[COLUMNS:.*]] = memref.dim %[[X]], %c1
// CHECK-NOT:     tensor
// CHECK:         %[[SIZE0:.*]] = arith.index_cast %[[PADDED]] : index to i64
// CHECK:         memref.store %[[SIZE0]], %[[SIZES]][%c0{{.*}}]
// CHECK:         %[[SIZE1:.*]] = arith.index_cast %[[COLUMNS]] : index to i64
// CHECK:         memref.store %[[SIZE1]], %[[SIZES]][%c1{{.*}}]
// CHECK-LABEL: func @reified(
func.func @reified(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  %1 = tensor.pad %0 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = meanvar.mvn %1 axes = [0] : tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// M3: the size of a mean is that of the operand that is not stretched; the check
// that sizes agree comes before it is stored.

// CHECK-LABEL: func @mean_shape(
// CHECK-SAME:      %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[SIZES:.*]]: memref<?xi64>,
// CHECK-DAG:     memref.dim %[[A]], %c0
// CHECK-DAG:     memref.dim %[[B]], %c0
// CHECK:         scf.if
// CHECK:           memref.store %c1_i32,
// CHECK:         %[[SIZE:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK:         memref.store %[[INTEGER]], %[[SIZES]][%c0{{.*}}]
// CHECK-LABEL: func @mean(
// CHECK-SAME:      meanvar.messages = ["'meanvar.mean' operand 1 has size {0} in result dimension 0, which does not broadcast with size {1} of the other operands",
func.func @mean(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A value that a loop carries keeps the size it starts with if no iteration changes
// it, so that no loop is left to run.

// CHECK-LABEL: func @carried_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %{{.*}}: index, %[[SIZES:.*]]: memref<?xi64>,
// CHECK-NOT:     scf.for
// CHECK:         %[[SIZE:.*]] = memref.dim %[[X]], %c0
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[SIZE]]
// CHECK:         memref.store %[[INTEGER]], %[[SIZES]]
// CHECK-LABEL: func @carried(
func.func @carried(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
    %1 = meanvar.mvn %y axes = [0] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Of a branch the size is chosen, not the value.

// CHECK-LABEL: func @branch_shape(
// CHECK-SAME:      %[[C:.*]]: i1, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>, %[[SIZES:.*]]: memref<?xi64>,
// CHECK:         %[[SIZE:.*]] = scf.if %[[C]] -> (index) {
// CHECK:           %[[SIZE_A:.*]] = memref.dim %[[A]], %c0
// CHECK:           scf.yield %[[SIZE_A]]
// CHECK:         } else {
// CHECK:           %[[SIZE_B:.*]] = memref.dim %[[B]], %c0
// CHECK:           scf.yield %[[SIZE_B]]
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[SIZE]]
// CHECK:         memref.store %[[INTEGER]], %[[SIZES]]
// CHECK-LABEL: func @branch(
func.func @branch(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.if %c -> (tensor<?xf32>) {
    %1 = meanvar.mvn %a axes = [0] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    %2 = meanvar.mvn %b axes = [0] epsilon = 1.0 : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// The same where a tensor is selected.

// CHECK-LABEL: func @selected_shape(
// CHECK-SAME:      %[[C:.*]]: i1, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>,
// CHECK:         %[[SIZE_A:.*]] = memref.dim %[[A]], %c0
// CHECK:         arith.select %[[C]], %{{.*}}, %{{.*}} : index
// CHECK-LABEL: func @selected(
func.func @selected(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.select %c, %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// F4: a check in a loop whose outcome is the same in every iteration comes before
// the loop. It holds, too, if there is no iteration.

// CHECK-LABEL: func @hoisted_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %{{.*}}: memref<?xf32>, %[[N:.*]]: index,
// CHECK-NOT:     scf.for
// CHECK-DAG:     %[[IS_SKIPPED:.*]] = arith.cmpi sle, %[[N]], %c0
// CHECK:         arith.ori %{{.*}}, %[[IS_SKIPPED]]
// CHECK:         memref.store %c1_i32,
// CHECK-NOT:     scf.for
// CHECK:         return
// CHECK-LABEL: func @hoisted(
// CHECK-SAME:      "'meanvar.mean' operand 1 has size {0} in result dimension 0
func.func @hoisted(%x: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
    %1 = meanvar.mean %x, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// A check in a branch is made where the branch is taken.

// CHECK-LABEL: func @in_branch_shape(
// CHECK-SAME:      %[[C:.*]]: i1,
// CHECK:         scf.if %[[C]] {
// CHECK:           scf.if
// CHECK:             memref.store %c{{[0-9]+}}_i32,
// CHECK-LABEL: func @in_branch(
func.func @in_branch(%c: i1, %x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    %1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    %2 = arith.constant dense<0.0> : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Inner loops and branches keep sizes if all their ways do.

// CHECK-LABEL: func @nested_loops_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?x?xf32>, %{{.*}}: index,
// CHECK-NOT:     scf.for
// CHECK:         memref.dim %[[X]], %c0
// CHECK-NOT:     scf.for
// CHECK-NOT:     tensor
// CHECK-LABEL: func @nested_loops(
func.func @nested_loops(%x: tensor<?x7xf32>, %n: index) -> tensor<?x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?x7xf32> {
    %inner = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> tensor<?x7xf32> {
      %first = arith.cmpi eq, %i, %c0 : index
      %m = scf.if %first -> tensor<?x7xf32> {
        %0 = meanvar.mvn %b axes = [1] : tensor<?x7xf32>
        scf.yield %0 : tensor<?x7xf32>
      } else {
        scf.yield %b : tensor<?x7xf32>
      }
      scf.yield %m : tensor<?x7xf32>
    }
    scf.yield %inner : tensor<?x7xf32>
  }
  return %r : tensor<?x7xf32>
}

// -----

// F4: a check that depends on an iteration, or on a branch in one, stays in a loop,
// of which nothing else is left. Data that the loop carries is not needed.

// CHECK-LABEL: func @iteration_shape(
// CHECK-SAME:      %[[X:.*]]: memref<?xf32>, %{{.*}}: memref<?xf32>, %[[N:.*]]: index,
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %[[N]]
// CHECK-NOT:     iter_args
// CHECK:           %[[IS_FIRST:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK:           scf.if %[[IS_FIRST]] {
// CHECK-NOT:         tensor
// CHECK:             memref.store %c{{[0-9]+}}_i32,
// CHECK-LABEL: func @iteration(
// CHECK-SAME:      "'tensor.extract_slice' slice ends at {0} in dimension 0, which has size {1}"
func.func @iteration(%x: tensor<?xf32>, %init: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (tensor<4xf32>) {
    %first = arith.cmpi eq, %i, %c0 : index
    %1 = scf.if %first -> (tensor<4xf32>) {
      %2 = tensor.extract_slice %x[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
      scf.yield %2 : tensor<4xf32>
    } else {
      %3 = meanvar.mvn %a axes = [0] : tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
