// RUN: meanvar-opt %s --split-input-file --raise-to-meanvar | FileCheck %s

// What torch-mlir, in iree-base-compiler 3.13.0, makes of ONNX models, without the calling
// convention of IREE.

// MeanVarianceNormalization is a function of other operators. It is computed in one pass.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map2 = affine_map<(d0, d1, d2) -> ()>

// CHECK-LABEL: func @mean_variance_normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1, 2] epsilon = 9.9999997171806853E-10 : tensor<2x3x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]]
func.func @mean_variance_normalization(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %c2_i64 = arith.constant 2 : i64
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant dense<9.99999971E-10> : tensor<f32>
  %cst_1 = arith.constant 1.200000e+01 : f32
  %0 = tensor.empty() : tensor<2x1x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%1 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x1x1xf32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.divf %in, %cst_1 : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x1x1xf32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.fpowi %in, %c2_i64 : f32, i64
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %5 = tensor.empty() : tensor<2x3x4xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%5 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.fpowi %in, %c2_i64 : f32, i64
    linalg.yield %14 : f32
  } -> tensor<2x3x4xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%6 : tensor<2x3x4xf32>) outs(%1 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x1x1xf32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.divf %in, %cst_1 : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %4 : tensor<2x1x1xf32>, tensor<2x1x1xf32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.subf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x1x1xf32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.sqrt %in : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<2x3x4xf32>, tensor<2x1x1xf32>) outs(%5 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.subf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<2x3x4xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %cst_0 : tensor<2x1x1xf32>, tensor<f32>) outs(%0 : tensor<2x1x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.addf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<2x1x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<2x3x4xf32>, tensor<2x1x1xf32>) outs(%5 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.divf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<2x3x4xf32>
  return %13 : tensor<2x3x4xf32>
}

// -----

// ReduceMean, Sub, Pow and so on, as exporters wrote them before opset 17. Scale and bias stay.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @reduce_mean(
// CHECK-SAME:      %[[X:.*]]: tensor<?x3x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [2] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<?x3x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[N]], %{{.*}} : tensor<?x3x4xf32>, tensor<4xf32>)
// CHECK:           arith.mulf
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @reduce_mean(%arg0: tensor<?x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<?x3x4xf32> {
  %c2_i64 = arith.constant 2 : i64
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %cst_0 = arith.constant dense<9.99999974E-6> : tensor<f32>
  %cst_1 = arith.constant 4.000000e+00 : f32
  %dim = tensor.dim %arg0, %c0 : tensor<?x3x4xf32>
  %0 = tensor.empty(%dim) : tensor<?x3x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x3x1xf32>) -> tensor<?x3x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x3x4xf32>) outs(%1 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<?x3x1xf32>) outs(%0 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.divf %in, %cst_1 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %4 = tensor.empty(%dim) : tensor<?x3x4xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<?x3x4xf32>, tensor<?x3x1xf32>) outs(%4 : tensor<?x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.subf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x4xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?x3x4xf32>) outs(%4 : tensor<?x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.fpowi %in, %c2_i64 : f32, i64
    linalg.yield %14 : f32
  } -> tensor<?x3x4xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%6 : tensor<?x3x4xf32>) outs(%1 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?x3x1xf32>) outs(%0 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.divf %in, %cst_1 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %cst_0 : tensor<?x3x1xf32>, tensor<f32>) outs(%0 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.addf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<?x3x1xf32>) outs(%0 : tensor<?x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.sqrt %in : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %10 : tensor<?x3x4xf32>, tensor<?x3x1xf32>) outs(%4 : tensor<?x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.divf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x4xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg1 : tensor<?x3x4xf32>, tensor<4xf32>) outs(%4 : tensor<?x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.mulf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x4xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg2 : tensor<?x3x4xf32>, tensor<4xf32>) outs(%4 : tensor<?x3x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.addf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x3x4xf32>
  return %13 : tensor<?x3x4xf32>
}

// -----

// The number of elements is computed from a size.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map2 = affine_map<(d0, d1, d2) -> ()>

// CHECK-LABEL: func @run_time_count(
// CHECK-SAME:      %[[X:.*]]: tensor<?x?x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1, 2] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<?x?x4xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Y]]
func.func @run_time_count(%arg0: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
  %c4_i64 = arith.constant 4 : i64
  %cst = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cst_0 = arith.constant dense<9.99999974E-6> : tensor<f32>
  %dim = tensor.dim %arg0, %c0 : tensor<?x?x4xf32>
  %0 = tensor.empty(%dim) : tensor<?x1x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : tensor<?x?x4xf32>) outs(%1 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<?x1x1xf32>
  %dim_1 = tensor.dim %arg0, %c1 : tensor<?x?x4xf32>
  %3 = arith.index_cast %dim_1 : index to i64
  %4 = arith.muli %3, %c4_i64 : i64
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<?x1x1xf32>) outs(%0 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.sitofp %4 : i64 to f32
    %15 = arith.divf %in, %14 : f32
    linalg.yield %15 : f32
  } -> tensor<?x1x1xf32>
  %6 = tensor.empty(%dim, %dim_1) : tensor<?x?x4xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<?x?x4xf32>, tensor<?x1x1xf32>) outs(%6 : tensor<?x?x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.subf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x?x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<?x?x4xf32>, tensor<?x?x4xf32>) outs(%6 : tensor<?x?x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.mulf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x?x4xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction"]} ins(%8 : tensor<?x?x4xf32>) outs(%1 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.addf %in, %out : f32
    linalg.yield %14 : f32
  } -> tensor<?x1x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<?x1x1xf32>) outs(%0 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = arith.sitofp %4 : i64 to f32
    %15 = arith.divf %in, %14 : f32
    linalg.yield %15 : f32
  } -> tensor<?x1x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %cst_0 : tensor<?x1x1xf32>, tensor<f32>) outs(%0 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.addf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x1x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x1x1xf32>) outs(%0 : tensor<?x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %14 = math.sqrt %in : f32
    linalg.yield %14 : f32
  } -> tensor<?x1x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %12 : tensor<?x?x4xf32>, tensor<?x1x1xf32>) outs(%6 : tensor<?x?x4xf32>) {
  ^bb0(%in: f32, %in_2: f32, %out: f32):
    %14 = arith.divf %in, %in_2 : f32
    linalg.yield %14 : f32
  } -> tensor<?x?x4xf32>
  return %13 : tensor<?x?x4xf32>
}

// -----

// LayerNormalization in f16, with statistics in f32.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @layer_normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<2x3x4xf16>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[N:.*]] = meanvar.mvn %[[X]] axes = [2] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<2x3x4xf16>
// CHECK:         linalg.generic {{.*}} ins(%[[N]], %{{.*}} : tensor<2x3x4xf16>, tensor<4xf16>)
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @layer_normalization(%arg0: tensor<2x3x4xf16>, %arg1: tensor<4xf16>, %arg2: tensor<4xf16>) -> tensor<2x3x4xf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 4.000000e+00 : f32
  %cst_1 = arith.constant 9.99999974E-6 : f32
  %0 = tensor.empty() : tensor<2x3x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf16>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %19 = arith.extf %in : f16 to f32
    linalg.yield %19 : f32
  } -> tensor<2x3x4xf32>
  %2 = tensor.empty() : tensor<2x3x1xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x3x4xf32>) outs(%3 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x3x1xf32>) outs(%2 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.divf %in, %cst_0 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %collapsed = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<2x3xf32>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %6 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %19 = arith.subf %in, %in_3 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x4xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %19 = arith.mulf %in, %in_3 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x4xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<2x3x4xf32>) outs(%3 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %out : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x3x1xf32>) outs(%2 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.divf %in, %cst_0 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x3x1xf32>) outs(%2 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = arith.addf %in, %cst_1 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x3x1xf32>) outs(%2 : tensor<2x3x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %19 = math.rsqrt %in : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x1xf32>
  %collapsed_2 = tensor.collapse_shape %12 [[0], [1, 2]] : tensor<2x3x1xf32> into tensor<2x3xf32>
  %13 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<2x3xf32>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x4xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %13 : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%0 : tensor<2x3x4xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %19 = arith.mulf %in, %in_3 : f32
    linalg.yield %19 : f32
  } -> tensor<2x3x4xf32>
  %15 = tensor.empty() : tensor<2x3x4xf16>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x3x4xf32>) outs(%15 : tensor<2x3x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %19 = arith.truncf %in : f32 to f16
    linalg.yield %19 : f16
  } -> tensor<2x3x4xf16>
  %17 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %arg1 : tensor<2x3x4xf16>, tensor<4xf16>) outs(%15 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %in_3: f16, %out: f16):
    %19 = arith.mulf %in, %in_3 : f16
    linalg.yield %19 : f16
  } -> tensor<2x3x4xf16>
  %18 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %arg2 : tensor<2x3x4xf16>, tensor<4xf16>) outs(%15 : tensor<2x3x4xf16>) {
  ^bb0(%in: f16, %in_3: f16, %out: f16):
    %19 = arith.addf %in, %in_3 : f16
    linalg.yield %19 : f16
  } -> tensor<2x3x4xf16>
  return %18 : tensor<2x3x4xf16>
}

// -----

// GroupNormalization computes the mean twice, once of a copy.

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

// CHECK-LABEL: func @group_normalization(
// CHECK-SAME:      %[[X:.*]]: tensor<2x6x4x5xf32>
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]]
// CHECK-NOT:     linalg.generic
// CHECK:         meanvar.mvn %[[G]] axes = [2] epsilon = 9.9999997473787516E-6 inside_sqrt : tensor<2x2x60xf32>
// CHECK:         return
func.func @group_normalization(%arg0: tensor<2x6x4x5xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 0.000000e+00 : f32
  %cst_1 = arith.constant 6.000000e+01 : f32
  %cst_2 = arith.constant 6.000000e+01 : f32
  %cst_3 = arith.constant 9.99999974E-6 : f32
  %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3]] : tensor<2x6x4x5xf32> into tensor<2x120xf32>
  %expanded = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [2, 2, 60] : tensor<2x120xf32> into tensor<2x2x60xf32>
  %0 = tensor.empty() : tensor<2x2x1xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x2x60xf32>) outs(%1 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.addf %in, %out : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.divf %in, %cst_1 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %4 = tensor.empty() : tensor<2x2x60xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x2x60xf32>) outs(%4 : tensor<2x2x60xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x60xf32>
  %6 = tensor.empty() : tensor<2x2x1xf32>
  %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<2x2x60xf32>) outs(%7 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.addf %in, %out : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x1xf32>) outs(%6 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.divf %in, %cst_2 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %9 : tensor<2x2x60xf32>, tensor<2x2x1xf32>) outs(%4 : tensor<2x2x60xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.subf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x60xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<2x2x60xf32>, tensor<2x2x60xf32>) outs(%4 : tensor<2x2x60xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.mulf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x60xf32>
  %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x2x60xf32>) outs(%7 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.addf %in, %out : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x1xf32>) outs(%6 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.divf %in, %cst_2 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x1xf32>
  %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = arith.addf %in, %cst_3 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %23 = math.rsqrt %in : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x1xf32>
  %17 = tensor.empty() : tensor<2x2x60xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %3 : tensor<2x2x60xf32>, tensor<2x2x1xf32>) outs(%17 : tensor<2x2x60xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.subf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x60xf32>
  %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x2x60xf32>, tensor<2x2x1xf32>) outs(%17 : tensor<2x2x60xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.mulf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x2x60xf32>
  %collapsed_4 = tensor.collapse_shape %19 [[0], [1, 2]] : tensor<2x2x60xf32> into tensor<2x120xf32>
  %expanded_5 = tensor.expand_shape %collapsed_4 [[0], [1, 2, 3]] output_shape [2, 6, 4, 5] : tensor<2x120xf32> into tensor<2x6x4x5xf32>
  %expanded_6 = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
  %20 = tensor.empty() : tensor<2x6x4x5xf32>
  %21 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<2x6x4x5xf32>, tensor<6x1x1xf32>) outs(%20 : tensor<2x6x4x5xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.mulf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x6x4x5xf32>
  %expanded_7 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
  %22 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_7 : tensor<2x6x4x5xf32>, tensor<6x1x1xf32>) outs(%20 : tensor<2x6x4x5xf32>) {
  ^bb0(%in: f32, %in_8: f32, %out: f32):
    %23 = arith.addf %in, %in_8 : f32
    linalg.yield %23 : f32
  } -> tensor<2x6x4x5xf32>
  return %22 : tensor<2x6x4x5xf32>
}
