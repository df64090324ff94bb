// RUN: meanvar-opt %s --split-input-file --raise-to-meanvar | FileCheck %s

// What iree-base-compiler 3.13.0 makes of the StableHLO of jax 0.10.2.

// (x - mean) / (std + 1e-9). The function for std subtracts the degrees of freedom, 0, from the
// number of elements, and asks whether the result is positive.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1, d2) -> ()>

// CHECK-LABEL: func @standard_deviation(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1, 2] epsilon = 9.9999997171806853E-10 : tensor<2x3x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]]
func.func @standard_deviation(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %cst = arith.constant 9.99999971E-10 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  %cst_1 = arith.constant 1.200000e+01 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2xf32>
  %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%1 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.addf %out, %in : f32
    linalg.yield %34 : f32
  } -> tensor<2xf32>
  %expanded = tensor.expand_shape %2 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %3 = tensor.empty() : tensor<2x1x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x1x1xf32>) outs(%3 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.divf %in, %cst_1 : f32
    linalg.yield %34 : f32
  } -> tensor<2x1x1xf32>
  %5 = tensor.empty() : tensor<2x3x4xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x1x1xf32>) outs(%5 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %7 = tensor.empty() : tensor<2x3x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%7 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %34 = arith.subf %in, %in_4 : f32
    linalg.yield %34 : f32
  } -> tensor<2x3x4xf32>
  %9 = tensor.empty() : tensor<2x3x4xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x3x4xf32>) outs(%9 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.mulf %in, %in : f32
    linalg.yield %34 : f32
  } -> tensor<2x3x4xf32>
  %11 = tensor.empty() : tensor<f32>
  %12 = linalg.generic {indexing_maps = [#map3], iterator_types = []} outs(%11 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_2 : f32
  } -> tensor<f32>
  %13 = tensor.empty() : tensor<f32>
  %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%12 : tensor<f32>) outs(%13 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.subf %cst_1, %in : f32
    linalg.yield %34 : f32
  } -> tensor<f32>
  %15 = tensor.empty() : tensor<2xf32>
  %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<2xf32>) -> tensor<2xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%10 : tensor<2x3x4xf32>) outs(%16 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.addf %out, %in : f32
    linalg.yield %34 : f32
  } -> tensor<2xf32>
  %expanded_3 = tensor.expand_shape %17 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %18 = tensor.empty() : tensor<2x1x1xf32>
  %19 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<f32>) outs(%18 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x1x1xf32>
  %20 = tensor.empty() : tensor<2x1x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_3, %19 : tensor<2x1x1xf32>, tensor<2x1x1xf32>) outs(%20 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %34 = arith.divf %in, %in_4 : f32
    linalg.yield %34 : f32
  } -> tensor<2x1x1xf32>
  %22 = tensor.empty() : tensor<i1>
  %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%14 : tensor<f32>) outs(%22 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %34 = arith.cmpf ogt, %in, %cst_2 : f32
    linalg.yield %34 : i1
  } -> tensor<i1>
  %24 = tensor.empty() : tensor<2x1x1xf32>
  %extracted = tensor.extract %23[] : tensor<i1>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x1x1xf32>) outs(%24 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.select %extracted, %in, %cst_0 : f32
    linalg.yield %34 : f32
  } -> tensor<2x1x1xf32>
  %26 = tensor.empty() : tensor<2x1x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x1x1xf32>) outs(%26 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = math.sqrt %in : f32
    linalg.yield %34 : f32
  } -> tensor<2x1x1xf32>
  %28 = tensor.empty() : tensor<2x1x1xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x1x1xf32>) outs(%28 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %34 = arith.addf %in, %cst : f32
    linalg.yield %34 : f32
  } -> tensor<2x1x1xf32>
  %30 = tensor.empty() : tensor<2x3x4xf32>
  %31 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x1x1xf32>) outs(%30 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %32 = tensor.empty() : tensor<2x3x4xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %31 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%32 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %34 = arith.divf %in, %in_4 : f32
    linalg.yield %34 : f32
  } -> tensor<2x3x4xf32>
  return %33 : tensor<2x3x4xf32>
}

// -----

// jax.nn.standardize in f16: sums in f32, in one pass, all else in f16.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>

// CHECK-LABEL: func @standardize(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x4xf16>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [2] epsilon = 1.0013580322265625E-5 inside_sqrt : tensor<2x3x4xf16>
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]]
func.func @standardize(%arg0: tensor<2x3x4xf16>) -> tensor<2x3x4xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %cst_0 = arith.constant 1.001360e-05 : f16
  %cst_1 = arith.constant 4.000000e+00 : f32
  %cst_2 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf16>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %42 = arith.extf %in : f16 to f32
    linalg.yield %42 : f32
  } -> tensor<2x3x4xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = linalg.fill ins(%cst_2 : f32) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x3x4xf32>) outs(%3 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %out, %in : f32
    linalg.yield %42 : f32
  } -> tensor<2x3xf32>
  %expanded = tensor.expand_shape %4 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %5 = tensor.empty() : tensor<2x3x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x1xf32>) outs(%5 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.divf %in, %cst_1 : f32
    linalg.yield %42 : f32
  } -> tensor<2x3x1xf32>
  %7 = tensor.empty() : tensor<2x3x1xf16>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x3x1xf32>) outs(%7 : tensor<2x3x1xf16>) {
  ^bb0(%in: f32, %out: f16):
    %42 = arith.truncf %in : f32 to f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %9 = tensor.empty() : tensor<2x3x4xf16>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf16>) outs(%9 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %out: f16):
    %42 = arith.mulf %in, %in : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x4xf16>
  %11 = tensor.empty() : tensor<2x3x4xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x3x4xf16>) outs(%11 : tensor<2x3x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %42 = arith.extf %in : f16 to f32
    linalg.yield %42 : f32
  } -> tensor<2x3x4xf32>
  %13 = tensor.empty() : tensor<2x3xf32>
  %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x3x4xf32>) outs(%14 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.addf %out, %in : f32
    linalg.yield %42 : f32
  } -> tensor<2x3xf32>
  %expanded_3 = tensor.expand_shape %15 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %16 = tensor.empty() : tensor<2x3x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x3x1xf32>) outs(%16 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %42 = arith.divf %in, %cst_1 : f32
    linalg.yield %42 : f32
  } -> tensor<2x3x1xf32>
  %18 = tensor.empty() : tensor<2x3x1xf16>
  %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x3x1xf32>) outs(%18 : tensor<2x3x1xf16>) {
  ^bb0(%in: f32, %out: f16):
    %42 = arith.truncf %in : f32 to f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %20 = tensor.empty() : tensor<2x3x1xf16>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x3x1xf16>) outs(%20 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %42 = arith.mulf %in, %in : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %22 = tensor.empty() : tensor<2x3x1xf16>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %21 : tensor<2x3x1xf16>, tensor<2x3x1xf16>) outs(%22 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %42 = arith.subf %in, %in_4 : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %24 = tensor.empty() : tensor<f16>
  %25 = linalg.generic {indexing_maps = [#map2], iterator_types = []} outs(%24 : tensor<f16>) {
  ^bb0(%out: f16):
    linalg.yield %cst : f16
  } -> tensor<f16>
  %26 = tensor.empty() : tensor<2x3x1xf16>
  %27 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<f16>) outs(%26 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x1xf16>
  %28 = tensor.empty() : tensor<2x3x1xf16>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27, %23 : tensor<2x3x1xf16>, tensor<2x3x1xf16>) outs(%28 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %42 = arith.maximumf %in, %in_4 : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %30 = tensor.empty() : tensor<2x3x4xf16>
  %31 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x3x1xf16>) outs(%30 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x4xf16>
  %32 = tensor.empty() : tensor<2x3x4xf16>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %31 : tensor<2x3x4xf16>, tensor<2x3x4xf16>) outs(%32 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %42 = arith.subf %in, %in_4 : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x4xf16>
  %34 = tensor.empty() : tensor<2x3x1xf16>
  %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<2x3x1xf16>) outs(%34 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %42 = arith.addf %in, %cst_0 : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %36 = tensor.empty() : tensor<2x3x1xf16>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x3x1xf16>) outs(%36 : tensor<2x3x1xf16>) {
  ^bb0(%in: f16, %out: f16):
    %42 = math.rsqrt %in : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x1xf16>
  %38 = tensor.empty() : tensor<2x3x4xf16>
  %39 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<2x3x1xf16>) outs(%38 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<2x3x4xf16>
  %40 = tensor.empty() : tensor<2x3x4xf16>
  %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %39 : tensor<2x3x4xf16>, tensor<2x3x4xf16>) outs(%40 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %in_4: f16, %out: f16):
    %42 = arith.mulf %in, %in_4 : f16
    linalg.yield %42 : f16
  } -> tensor<2x3x4xf16>
  return %41 : tensor<2x3x4xf16>
}

// -----

// The layer normalization of flax: the factor is multiplied by the scale first. Rounding to f16
// comes after the scale, so the normalized value is f32.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @scaled_factor(
// CHECK:         %[[X:.*]] = linalg.generic
// CHECK:           arith.extf
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf32>)
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [2] epsilon = 9.9999999747524271E-7 inside_sqrt : tensor<2x3x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[N]], %[[W]] : tensor<2x3x4xf32>, tensor<2x3x4xf32>)
// CHECK:           arith.mulf
// CHECK:         linalg.generic
// CHECK:           arith.truncf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @scaled_factor(%arg0: tensor<2x3x4xf16>, %arg1: tensor<4xf32>) -> tensor<2x3x4xf16> {
  %cst = arith.constant 9.99999997E-7 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf16>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %38 = arith.extf %in : f16 to f32
    linalg.yield %38 : f32
  } -> tensor<2x3x4xf32>
  %2 = tensor.empty() : tensor<2x3xf32>
  %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x3x4xf32>) outs(%3 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %5 = tensor.empty() : tensor<2x3xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<2x3xf32>) outs(%5 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.divf %in, %cst_0 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %7 = tensor.empty() : tensor<2x3x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x3x4xf32>) outs(%7 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x4xf32>
  %9 = tensor.empty() : tensor<2x3xf32>
  %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x3x4xf32>) outs(%10 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %out, %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %12 = tensor.empty() : tensor<2x3xf32>
  %13 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x3xf32>) outs(%12 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.divf %in, %cst_0 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %14 = tensor.empty() : tensor<2x3xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<2x3xf32>) outs(%14 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.mulf %in, %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %16 = tensor.empty() : tensor<2x3xf32>
  %17 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%16 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %38 = arith.subf %in, %in_2 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %18 = tensor.empty() : tensor<2x3xf32>
  %19 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x3xf32>) outs(%18 : tensor<2x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.maximumf %in, %cst_1 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3xf32>
  %20 = tensor.empty() : tensor<2x3x4xf32>
  %21 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x3xf32>) outs(%20 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %22 = tensor.empty() : tensor<2x3x4xf32>
  %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %21 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%22 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %38 = arith.subf %in, %in_2 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x4xf32>
  %expanded = tensor.expand_shape %19 [[0], [1, 2]] output_shape [2, 3, 1] : tensor<2x3xf32> into tensor<2x3x1xf32>
  %24 = tensor.empty() : tensor<2x3x1xf32>
  %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x3x1xf32>) outs(%24 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %cst : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x1xf32>
  %26 = tensor.empty() : tensor<2x3x1xf32>
  %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x3x1xf32>) outs(%26 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.rsqrt %in : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x1xf32>
  %28 = tensor.empty() : tensor<2x3x4xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x3x1xf32>) outs(%28 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %30 = tensor.empty() : tensor<2x3x4xf32>
  %31 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4xf32>) outs(%30 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %32 = tensor.empty() : tensor<2x3x4xf32>
  %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%32 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %38 = arith.mulf %in, %in_2 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x4xf32>
  %34 = tensor.empty() : tensor<2x3x4xf32>
  %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %33 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%34 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %38 = arith.mulf %in, %in_2 : f32
    linalg.yield %38 : f32
  } -> tensor<2x3x4xf32>
  %36 = tensor.empty() : tensor<2x3x4xf16>
  %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x3x4xf32>) outs(%36 : tensor<2x3x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %38 = arith.truncf %in : f32 to f16
    linalg.yield %38 : f16
  } -> tensor<2x3x4xf16>
  return %37 : tensor<2x3x4xf16>
}
