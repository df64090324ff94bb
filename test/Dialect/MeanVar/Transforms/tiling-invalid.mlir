// RUN: meanvar-opt %s --transform-interpreter --split-input-file --verify-diagnostics

// A part of a lane has another mean.

func.func @part_of_lane(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error@+3 {{dimension 1 is reduced and not known to be whole in a tile (allowed: tiles of kept dimensions)}}
  // expected-error@+2 {{to tile operation}}
  // expected-error@+1 {{failed to generate tiling loops}}
  %0 = meanvar.mvn %x axes = [1] : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mvn = transform.structured.match ops{["meanvar.mvn"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %mvn tile_sizes [0, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
