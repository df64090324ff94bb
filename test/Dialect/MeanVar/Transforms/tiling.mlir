// RUN: meanvar-opt %s --transform-interpreter --canonicalize --cse --split-input-file | FileCheck %s

// A tile of meanvar.mvn is a meanvar.mvn over whole lanes.

// CHECK-LABEL: func @kept_dims(
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c2
// CHECK:           scf.for %[[J:.*]] = %c0 to %c32 step %c4
// CHECK:             %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0, %[[J]]] [2, 16, 4] [1, 1, 1]
// CHECK:             %[[Y:.*]], %[[M:.*]], %[[S:.*]] = meanvar.mvn %[[SLICE]] axes = [1] statistics : tensor<2x16x4xf32>
// CHECK:             tensor.insert_slice %[[Y]] into %{{.*}}[%[[I]], 0, %[[J]]] [2, 16, 4]
// CHECK:             tensor.insert_slice %[[M]] into %{{.*}}[%[[I]], 0, %[[J]]] [2, 1, 4]
// CHECK:             tensor.insert_slice %[[S]] into %{{.*}}[%[[I]], 0, %[[J]]] [2, 1, 4]
func.func @kept_dims(%x: tensor<8x16x32xf32>) -> (tensor<8x16x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<8x16x32xf32>
  return %0#0, %0#1, %0#2 : tensor<8x16x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mvn = transform.structured.match ops{["meanvar.mvn"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %mvn tile_sizes [2, 0, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Lanes of run-time size are whole, too.

// CHECK-LABEL: func @run_time_lanes(
// CHECK-DAG:     %[[LENGTH:.*]] = tensor.dim %{{.*}}, %c1
// CHECK:         scf.for %[[I:.*]] = %c0 to %{{.*}} step %c4
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [%[[COUNT:.*]], %[[LENGTH]]] [1, 1]
// CHECK:           meanvar.mvn %[[SLICE]] axes = [1] : tensor<?x?xf32>
func.func @run_time_lanes(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mvn = transform.structured.match ops{["meanvar.mvn"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %mvn tile_sizes [4, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A tile of meanvar.mean takes of each operand what it needs: of an operand that is
// stretched its only element, and of one that may turn out to be, one or the other.

// CHECK-LABEL: func @mean(
// CHECK-SAME:      %[[A:[^:]*]]: tensor<64x?xf32>, %[[B:[^:]*]]: tensor<?xf32>, %[[C:[^:]*]]: tensor<64x1xf32>, %[[D:[^:]*]]: tensor<f32>
// CHECK-DAG:     %[[SIZE_A:.*]] = tensor.dim %[[A]], %c1
// CHECK-DAG:     %[[IS_ONE_A:.*]] = arith.cmpi eq, %[[SIZE_A]], %c1
// CHECK:         scf.for %[[I:.*]] = %c0 to %c64 step %c8
// CHECK:           scf.for %[[J:.*]] = %c0 to %{{.*}} step %c16
// CHECK:             %[[COUNT:.*]] = affine.min
// CHECK:             %[[OFFSET_A:.*]] = arith.select %[[IS_ONE_A]], %c0, %[[J]]
// CHECK:             %[[COUNT_A:.*]] = arith.select %[[IS_ONE_A]], %c1, %[[COUNT]]
// CHECK:             %[[TILE_A:.*]] = tensor.extract_slice %[[A]][%[[I]], %[[OFFSET_A]]] [8, %[[COUNT_A]]]
// CHECK:             %[[TILE_B:.*]] = tensor.extract_slice %[[B]][%{{.*}}] [%{{.*}}] [1]
// CHECK:             %[[TILE_C:.*]] = tensor.extract_slice %[[C]][%[[I]], 0] [8, 1]
// CHECK:             %[[MEAN:.*]] = meanvar.mean %[[TILE_A]], %[[TILE_B]], %[[TILE_C]], %[[D]] : {{.*}} -> tensor<8x?xf32>
// CHECK:             tensor.insert_slice %[[MEAN]] into %{{.*}}[%[[I]], %[[J]]] [8, %[[COUNT]]]
func.func @mean(%a: tensor<64x?xf32>, %b: tensor<?xf32>, %c: tensor<64x1xf32>, %d: tensor<f32>) -> tensor<64x?xf32> {
  %0 = meanvar.mean %a, %b, %c, %d
      : (tensor<64x?xf32>, tensor<?xf32>, tensor<64x1xf32>, tensor<f32>) -> tensor<64x?xf32>
  return %0 : tensor<64x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mean = transform.structured.match ops{["meanvar.mean"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %mean tile_sizes [8, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A mean is fused with a normalization of its result, and with the one of its operand.

// CHECK-LABEL: func @mean_between(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<8x32xf32>, %[[Y:[^:]*]]: tensor<32xf32>
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c2
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [2, 32]
// CHECK:           %[[FIRST:.*]] = meanvar.mvn %[[ROWS]] axes = [1]
// CHECK:           %[[MEAN:.*]] = meanvar.mean %[[FIRST]], %[[Y]] : (tensor<2x32xf32>, tensor<32xf32>) -> tensor<2x32xf32>
// CHECK:           meanvar.mvn %[[MEAN]] axes = [1]
// CHECK:           tensor.insert_slice
// CHECK-NOT:     meanvar
func.func @mean_between(%x: tensor<8x32xf32>, %y: tensor<32xf32>) -> tensor<8x32xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x32xf32>
  %1 = meanvar.mean %0, %y : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
  %2 = meanvar.mvn %1 axes = [1] {last} : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %last = transform.structured.match attributes {last} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %last tile_sizes [2, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer's tiles take the normalization with them.

// CHECK-LABEL: func @fused(
// CHECK:         scf.forall (%[[I:.*]]) in (8)
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [1, 32]
// CHECK:           %[[Y:.*]] = meanvar.mvn %[[SLICE]] axes = [1] : tensor<1x32xf32>
// CHECK:           linalg.exp ins(%[[Y]] : tensor<1x32xf32>)
func.func @fused(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x32xf32>
  %1 = tensor.empty() : tensor<8x32xf32>
  %2 = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %mvn = transform.structured.match ops{["meanvar.mvn"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %forall = transform.structured.tile_using_forall %exp num_threads [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.fuse_into_containing_op %mvn into %forall
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer whose tiles divide the lanes leaves the normalization where it is.

// CHECK-LABEL: func @divided(
// CHECK:         %[[Y:.*]] = meanvar.mvn %{{.*}} axes = [1] : tensor<8x32xf32>
// CHECK:         scf.for %[[I:.*]] = %c0 to %c32 step %c4
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[Y]][0, %[[I]]] [8, 4]
// CHECK:           linalg.exp ins(%[[SLICE]]
func.func @divided(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x32xf32>
  %1 = tensor.empty() : tensor<8x32xf32>
  %2 = linalg.exp ins(%0 : tensor<8x32xf32>) outs(%1 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %exp tile_sizes [0, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
