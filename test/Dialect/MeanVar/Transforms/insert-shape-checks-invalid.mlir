// RUN: meanvar-opt %s --meanvar-insert-shape-checks --split-input-file --verify-diagnostics

// What would have no result, or no check.

func.func @negative_low(%x: tensor<?xf32>, %z: f32) -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.pad' op has low padding -2 in dimension 0 (allowed: at least 0)}}
  %0 = tensor.pad %x low[-2] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @negative_high(%x: tensor<4x?xf32>, %z: f32) -> tensor<4x?xf32> {
  // expected-error @+1 {{'tensor.pad' op has high padding -1 in dimension 1 (allowed: at least 0)}}
  %0 = tensor.pad %x low[0, 0] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x?xf32> to tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

#wrapped = affine_map<(i, j) -> (i mod 3)>
#both = affine_map<(i, j) -> (i, j)>

func.func @wrapped_subscript(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'linalg.generic' op operand 0 has the subscript 'd0 mod 3' in dimension 0, whose bounds are not known (allowed where sizes are known at run time only: sums of loops with factors that are not negative)}}
  %0 = linalg.generic {indexing_maps = [#wrapped, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @unranked(%x: tensor<?xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'tensor.cast' op from 'tensor<?xf32>' to 'tensor<*xf32>' is not supported (allowed: ranked tensors)}}
  %0 = tensor.cast %x : tensor<?xf32> to tensor<*xf32>
  %1 = tensor.cast %0 : tensor<*xf32> to tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
