// RUN: meanvar-opt %s --transform-interpreter --canonicalize --split-input-file | FileCheck %s

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
