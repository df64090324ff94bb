// RUN: meanvar-opt %s --convert-meanvar-to-linalg --split-input-file | FileCheck %s

// A normalization takes one pass over the elements for the statistics and one for
// the result. In between stand operations on the lanes: first a shift close to
// the mean (mvn-shift.mlir), last the branch for lanes whose sums cannot be trusted
// (mvn-unreliable.mlir).

// CHECK-DAG: #[[$ELEMENT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$LANE:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:.*]]: tensor<64x1024xf16>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f64
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 1.024000e+03 : f64
// CHECK-DAG:     %[[EPSILON:.*]] = arith.constant 1.000000e-09 : f64
// CHECK-DAG:     %[[LARGEST:.*]] = arith.constant 3.4028234663852886E+38 : f64
//
// The shift, an f32 for each lane.
//
// CHECK:         %[[SHIFT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64xf32>)
//
// Sums of the deviations and of their squares, as f64. The attribute lets code
// generation add up to 16 terms as f32 first.
//
// CHECK:         %[[SUMS:.*]]:2 = linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$LANE]], #[[$LANE]], #[[$LANE]]]
// CHECK-SAME:        iterator_types = ["parallel", "reduction"]
// CHECK-SAME:        ins(%[[X]], %[[SHIFT]] : tensor<64x1024xf16>, tensor<64xf32>)
// CHECK-SAME:        outs(%{{.*}}, %{{.*}} : tensor<64xf64>, tensor<64xf64>)
// CHECK-SAME:        attrs = {meanvar.partial_sums = 16 : i64}
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f16, %[[M:.*]]: f32, %[[S1:.*]]: f64, %[[S2:.*]]: f64):
// CHECK-DAG:       %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK-DAG:       %[[D:.*]] = arith.subf %[[WIDE]], %[[M]] fastmath<contract> : f32
// CHECK-DAG:       %[[D2:.*]] = arith.mulf %[[D]], %[[D]] fastmath<contract> : f32
// CHECK-DAG:       %[[D_F64:.*]] = arith.extf %[[D]] : f32 to f64
// CHECK-DAG:       %[[NEXT1:.*]] = arith.addf %[[S1]], %[[D_F64]] : f64
// CHECK-DAG:       %[[D2_F64:.*]] = arith.extf %[[D2]] : f32 to f64
// CHECK-DAG:       %[[NEXT2:.*]] = arith.addf %[[S2]], %[[D2_F64]] fastmath<contract> : f64
// CHECK:           linalg.yield %[[NEXT1]], %[[NEXT2]]
//
// What each lane contributes: the correction of the shift and 1 / (sqrt(variance) +
// epsilon) (V1, V3), limited so that 0 times it is 0 (V4). The maximum keeps NaN (V7).
//
// CHECK:         %[[LANES:.*]]:3 = linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK-SAME:        ins(%[[SHIFT]], %[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK-NEXT:    ^bb0(%{{[^ ]*}}: f32, %[[SUM1:[^ ]*]]: f64, %[[SUM2:[^ ]*]]: f64,
// CHECK-DAG:       %[[C:.*]] = arith.divf %[[SUM1]], %[[COUNT]] : f64
// CHECK-DAG:       %[[MEAN2:.*]] = arith.divf %[[SUM2]], %[[COUNT]] : f64
// CHECK-DAG:       %[[C2:.*]] = arith.mulf %[[C]], %[[C]] : f64
// CHECK:           %[[DIFFERENCE:.*]] = arith.subf %[[MEAN2]], %[[C2]] : f64
// CHECK:           %[[VARIANCE:.*]] = arith.maximumf %[[DIFFERENCE]], %[[ZERO]] : f64
// CHECK:           %[[DEVIATION:.*]] = math.sqrt %[[VARIANCE]] : f64
// CHECK:           %[[SPREAD:.*]] = arith.addf %[[DEVIATION]], %[[EPSILON]] : f64
// CHECK:           %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[SPREAD]] : f64
// CHECK:           %[[FACTOR:.*]] = arith.minimumf %[[INVERSE]], %[[LARGEST]] : f64
// CHECK-DAG:       %[[C_F32:.*]] = arith.truncf %[[C]] : f64 to f32
// CHECK-DAG:       %[[FACTOR_F32:.*]] = arith.truncf %[[FACTOR]] : f64 to f32
// CHECK:           linalg.yield %[[C_F32]], %[[FACTOR_F32]], %{{.*}} : f32, f32, f32
//
// CHECK:         %[[CHOSEN:.*]]:4 = scf.if
//
// y = ((x * scale - shift) - correction) * factor, rounded once.
//
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$LANE]], #[[$LANE]], #[[$LANE]], #[[$LANE]], #[[$ELEMENT]]]
// CHECK-SAME:        iterator_types = ["parallel", "parallel"]
// CHECK-SAME:        ins(%[[X]], %[[CHOSEN]]#0, %[[CHOSEN]]#1, %[[CHOSEN]]#2, %[[CHOSEN]]#3 :
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f16, %[[S:.*]]: f32, %[[C:.*]]: f32, %[[F:.*]]: f32, %[[SCALE:.*]]: f32, %{{.*}}: f16):
// CHECK:           %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f32
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[WIDE]], %[[SCALE]] fastmath<contract> : f32
// CHECK:           %[[SHIFTED:.*]] = arith.subf %[[SCALED]], %[[S]] fastmath<contract> : f32
// CHECK:           %[[CENTERED:.*]] = arith.subf %[[SHIFTED]], %[[C]] : f32
// CHECK:           %[[NORMALIZED:.*]] = arith.mulf %[[CENTERED]], %[[F]] : f32
// CHECK:           arith.truncf %[[NORMALIZED]] : f32 to f16
// CHECK:         return %[[Y]]
func.func @rows(%x: tensor<64x1024xf16>) -> tensor<64x1024xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x1024xf16>
  return %0 : tensor<64x1024xf16>
}

// -----

// f64 has no wider type: terms and sums are f64.

// CHECK-LABEL: func @f64(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1024x?xf64>, tensor<?xf64>) outs({{.*}} : tensor<?xf64>, tensor<?xf64>) attrs = {meanvar.partial_sums
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f64, %[[M:.*]]: f64, %[[S1:.*]]: f64, %[[S2:.*]]: f64):
// CHECK-DAG:       %[[D:.*]] = arith.subf %[[IN]], %[[M]] fastmath<contract> : f64
// CHECK-DAG:       %[[D2:.*]] = arith.mulf %[[D]], %[[D]] fastmath<contract> : f64
// CHECK-DAG:       arith.addf %[[S1]], %[[D]] : f64
// CHECK-DAG:       arith.addf %[[S2]], %[[D2]] fastmath<contract> : f64
func.func @f64(%x: tensor<1024x?xf64>) -> tensor<1024x?xf64> {
  %0 = meanvar.mvn %x axes = [0] : tensor<1024x?xf64>
  return %0 : tensor<1024x?xf64>
}

// -----

// V3: `inside_sqrt` adds epsilon to the variance, in f64 whatever the elements are.

// CHECK-LABEL: func @inside_sqrt(
// CHECK:         %[[EPSILON:.*]] = arith.constant 1.000000e-05 : f64
// CHECK:         %[[VARIANCE:.*]] = arith.maximumf
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[VARIANCE]], %[[EPSILON]] : f64
// CHECK-NEXT:    %[[SPREAD:.*]] = math.sqrt %[[SUM]] : f64
// CHECK-NEXT:    arith.divf %{{.*}}, %[[SPREAD]] : f64
func.func @inside_sqrt(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-05 inside_sqrt : tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// -----

// V3: `center_only` needs no root; the factor is 1.

// CHECK-LABEL: func @center_only(
// CHECK-NOT:     math.sqrt
// CHECK:         linalg.yield %{{.*}}, %[[FACTOR:.*]], %[[FACTOR]] : f32, f32, f32
// CHECK-NOT:     math.sqrt
// CHECK:         return
func.func @center_only(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = meanvar.mvn %x axes = [1] center_only : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// V3: `statistics` returns the mean and the inverse of the spread, not limited, in
// the shape of the operand with 1 for the reduced dimensions. Reduced dimensions on
// both sides of the kept ones [R, K, R] are reduced in one operation.

// CHECK-DAG: #[[$ELEMENT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$LANE:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-LABEL: func @statistics(
// CHECK-SAME:      %[[X:.*]]: tensor<8x64x50xf32>)
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 4.000000e+02 : f64
// CHECK:         %[[SUMS:.*]]:2 = linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$LANE]], #[[$LANE]], #[[$LANE]]]
// CHECK-SAME:        iterator_types = ["reduction", "parallel", "reduction"]
// CHECK:         %[[LANES:.*]]:5 = linalg.generic {{.*}} ins(%{{.*}}, %[[SUMS]]#0, %[[SUMS]]#1 :
// CHECK-NEXT:    ^bb0(%[[SHIFT:[^ ]*]]: f32, %[[SUM1:[^ ]*]]: f64,
// CHECK-DAG:       %[[C:.*]] = arith.divf %[[SUM1]], %[[COUNT]] : f64
// CHECK-DAG:       %[[SPREAD:.*]] = arith.addf %{{.*}}, %{{.*}} : f64
// CHECK-DAG:       %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[SPREAD]] : f64
// CHECK-DAG:       %[[SHIFT_F64:.*]] = arith.extf %[[SHIFT]] : f32 to f64
// CHECK-DAG:       %[[MEAN:.*]] = arith.addf %[[SHIFT_F64]], %[[C]] : f64
// CHECK-DAG:       %[[MEAN_F32:.*]] = arith.truncf %[[MEAN]] : f64 to f32
// CHECK-DAG:       %[[INVERSE_F32:.*]] = arith.truncf %[[INVERSE]] : f64 to f32
// CHECK:           linalg.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[MEAN_F32]], %[[INVERSE_F32]] :
// CHECK:         %[[CHOSEN:.*]]:6 = scf.if
// CHECK-DAG:     %[[MEANS:.*]] = tensor.expand_shape %[[CHOSEN]]#4 {{\[}}[0, 1, 2]] output_shape [1, 64, 1] : tensor<64xf32> into tensor<1x64x1xf32>
// CHECK-DAG:     %[[INVERSES:.*]] = tensor.expand_shape %[[CHOSEN]]#5 {{.*}} : tensor<64xf32> into tensor<1x64x1xf32>
// CHECK:         return %{{.*}}, %[[MEANS]], %[[INVERSES]]
func.func @statistics(%x: tensor<8x64x50xf32>) -> (tensor<8x64x50xf32>, tensor<1x64x1xf32>, tensor<1x64x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [0, 2] statistics : tensor<8x64x50xf32>
  return %0#0, %0#1, %0#2 : tensor<8x64x50xf32>, tensor<1x64x1xf32>, tensor<1x64x1xf32>
}

// -----

// A lane's size that is known at run time only is converted once.

// CHECK-LABEL: func @dynamic(
// CHECK:         %[[SIZE:.*]] = tensor.dim %{{.*}}, %c1
// CHECK:         %[[INTEGER:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK:         %[[COUNT:.*]] = arith.sitofp %[[INTEGER]] : i64 to f64
// CHECK:         arith.divf %{{.*}}, %[[COUNT]] : f64
func.func @dynamic(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

// All dimensions reduced: the statistics have rank 0.

// CHECK-DAG: #[[$ELEMENT:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func @all_reduced(
// CHECK:         linalg.generic {indexing_maps = [#[[$ELEMENT]], #[[$SCALAR]], #[[$SCALAR]], #[[$SCALAR]]]
// CHECK-SAME:        iterator_types = ["reduction"]
// CHECK-SAME:        outs(%{{.*}}, %{{.*}} : tensor<f64>, tensor<f64>)
// CHECK:         scf.if %{{.*}} -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
func.func @all_reduced(%x: tensor<24xf32>) -> tensor<24xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<24xf32>
  return %0 : tensor<24xf32>
}
