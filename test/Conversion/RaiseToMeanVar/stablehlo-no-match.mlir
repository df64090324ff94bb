// RUN: meanvar-opt %s --raise-to-meanvar | FileCheck %s

// What iree-base-compiler 3.13.0 makes of the StableHLO of jax 0.10.2, where it is no
// mean-variance normalization.

// jnp.std with ddof=1 divides by one less.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1, d2) -> ()>

// CHECK-LABEL: func @unbiased(
// CHECK-NOT:     meanvar.mvn
// CHECK:         return
func.func @unbiased(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %cst = arith.constant 1.000000e+00 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 4.000000e+00 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%1 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<2x3xf32>
  %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %3 = tensor.empty() : tensor<2x3x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x1xf32>) outs(%3 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.divf %in, %cst_1 : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x1xf32>
  %5 = tensor.empty() : tensor<2x3x4xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x3x1xf32>) outs(%5 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %7 = tensor.empty() : tensor<2x3x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%7 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.subf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x4xf32>
  %9 = tensor.empty() : tensor<2x3x4xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x3x4xf32>) outs(%9 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.mulf %in, %in : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x4xf32>
  %11 = tensor.empty() : tensor<f32>
  %12 = linalg.generic {indexing_maps = [#map3], iterator_types = []} outs(%11 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst : f32
  } -> tensor<f32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%12 : tensor<f32>) outs(%13 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.subf %cst_1, %in : f32
    linalg.yield %32 : f32
  } -> tensor<f32>
  %15 = tensor.empty() : tensor<2x3xf32>
  %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<2x3x4xf32>) outs(%16 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.addf %out, %in : f32
    linalg.yield %32 : f32
  } -> tensor<2x3xf32>
  %expanded_3 = tensor.expand_shape %17 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %18 = tensor.empty() : tensor<2x3x1xf32>
  %19 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<f32>) outs(%18 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x1xf32>
  %20 = tensor.empty() : tensor<2x3x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_3, %19 : tensor<2x3x1xf32>, tensor<2x3x1xf32>) outs(%20 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.divf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x1xf32>
  %22 = tensor.empty() : tensor<i1>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%14 : tensor<f32>) outs(%22 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %32 = arith.cmpf ogt, %in, %cst_2 : f32
    linalg.yield %32 : i1
  } -> tensor<i1>
  %24 = tensor.empty() : tensor<2x3x1xf32>
  %extracted = tensor.extract %23[] : tensor<i1>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x3x1xf32>) outs(%24 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = arith.select %extracted, %in, %cst_0 : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x1xf32>
  %26 = tensor.empty() : tensor<2x3x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x1xf32>) outs(%26 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %32 = math.sqrt %in : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x1xf32>
  %28 = tensor.empty() : tensor<2x3x4xf32>
  %29 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x3x1xf32>) outs(%28 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %30 = tensor.empty() : tensor<2x3x4xf32>
  %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %29 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%30 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %32 = arith.divf %in, %in_4 : f32
    linalg.yield %32 : f32
  } -> tensor<2x3x4xf32>
  return %31 : tensor<2x3x4xf32>
}
