// RUN: meanvar-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

// Scripts of the transform dialect take meanvar.mvn as they take linalg operations, by its
// TilingInterface: here a host's schedule tiles what consumes the normalization and fuses
// it, and what it consumes, into the loop. Then the pieces are lowered.

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @layer(
// CHECK-SAME:      %[[X:[^:]*]]: tensor<64x768xf16>, %[[SCALE:[^:]*]]: tensor<768xf32>
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c64 step %c8 iter_args(%[[OUT:.*]] =
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [8, 768] [1, 1]
// The producer,
// CHECK:           %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<8x768xf16>)
// CHECK:             arith.extf
// the normalization, lowered: its sums, and its last pass,
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[WIDE]], %{{.*}} : tensor<8x768xf32>, tensor<8xf32>)
// CHECK:           %[[NORMAL:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[WIDE]], {{.*}} outs(%{{.*}} : tensor<8x768xf32>)
// and the consumer.
// CHECK:           %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[NORMAL]], %[[SCALE]] : tensor<8x768xf32>, tensor<768xf32>)
// CHECK:           tensor.insert_slice %[[SCALED]] into %[[OUT]][%[[I]], 0] [8, 768] [1, 1]
// CHECK-NOT:     meanvar.mvn
func.func @layer(%x: tensor<64x768xf16>, %scale: tensor<768xf32>) -> tensor<64x768xf32> {
  %empty = tensor.empty() : tensor<64x768xf32>
  %wide = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x768xf16>) outs(%empty : tensor<64x768xf32>) {
  ^bb0(%v: f16, %out: f32):
    %w = arith.extf %v : f16 to f32
    linalg.yield %w : f32
  } -> tensor<64x768xf32>
  %normal = meanvar.mvn %wide axes = [1] : tensor<64x768xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%normal, %scale : tensor<64x768xf32>, tensor<768xf32>) outs(%empty : tensor<64x768xf32>) attrs = {consumer} {
  ^bb0(%v: f32, %s: f32, %out: f32):
    %p = arith.mulf %v, %s : f32
    linalg.yield %p : f32
  } -> tensor<64x768xf32>
  return %scaled : tensor<64x768xf32>
}

// A loop over parallel tiles, as meanvar-tile-lanes makes it.

// CHECK-LABEL: func @lanes(
// CHECK:         scf.forall (%{{.*}}, %{{.*}}) in (3, 2)
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]}
func.func @lanes(%x: tensor<6x40x100xf32>) -> tensor<6x40x100xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<6x40x100xf32>
  return %0 : tensor<6x40x100xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match attributes {consumer} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %consumer tile_sizes [8, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %lanes = transform.structured.match ops{["func.func"]} attributes {sym_name = "lanes"} in %root
        : (!transform.any_op) -> !transform.any_op
    %mvn = transform.structured.match ops{["meanvar.mvn"]} in %lanes
        : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %mvn tile_sizes [2, 0, 50]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    %functions = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %lowered = transform.apply_registered_pass "convert-meanvar-to-linalg" to %functions
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
