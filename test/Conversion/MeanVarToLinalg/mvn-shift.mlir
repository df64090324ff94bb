// RUN: meanvar-opt %s --convert-meanvar-to-linalg --split-input-file | FileCheck %s

// The shift from which deviations are taken is the mean of a sample of the lane. Of
// a reduced innermost dimension the sample is four pieces of up to 16 elements, one
// from each quarter, so that they are read as vectors.

// CHECK-LABEL: func @innermost(
// CHECK-SAME:      %[[X:.*]]: tensor<4x1024xf32>)
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 6.400000e+01 : f64
// CHECK-DAG:     %[[Q0:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 16] [1, 1]
// CHECK-DAG:     %[[Q1:.*]] = tensor.extract_slice %[[X]][0, 256] [4, 16] [1, 1]
// CHECK-DAG:     %[[Q2:.*]] = tensor.extract_slice %[[X]][0, 512] [4, 16] [1, 1]
// CHECK-DAG:     %[[Q3:.*]] = tensor.extract_slice %[[X]][0, 768] [4, 16] [1, 1]
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK-SAME:        ins(%[[Q0]], %[[Q1]], %[[Q2]], %[[Q3]] : {{.*}}) outs(%{{.*}} : tensor<4xf64>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf64>) outs(%{{.*}} : tensor<4xf32>)
// CHECK:           %[[MEAN:.*]] = arith.divf %{{.*}}, %[[COUNT]] : f64
// CHECK:           arith.truncf %[[MEAN]] : f64 to f32
func.func @innermost(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// -----

// The pieces of a short lane are shorter, and may overlap.

// CHECK-LABEL: func @short(
// CHECK-DAG:     tensor.extract_slice %{{.*}}[0, 0] [4, 2] [1, 1]
// CHECK-DAG:     tensor.extract_slice %{{.*}}[0, 1] [4, 2] [1, 1]
// CHECK-DAG:     tensor.extract_slice %{{.*}}[0, 2] [4, 2] [1, 1]
// CHECK-DAG:     tensor.extract_slice %{{.*}}[0, 3] [4, 2] [1, 1]
func.func @short(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// Of another reduced dimension the sample is up to 32 evenly spread indices; kept
// dimensions are whole.

// CHECK-LABEL: func @outer(
// CHECK-SAME:      %[[X:.*]]: tensor<1000x64xf32>)
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 3.200000e+01 : f64
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[X]][0, 0] [32, 64] [31, 1]
// CHECK-NOT:     tensor.extract_slice
// CHECK:         linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]
// CHECK-SAME:        ins(%[[ROWS]] :
// CHECK:         arith.divf %{{.*}}, %[[COUNT]] : f64
func.func @outer(%x: tensor<1000x64xf32>) -> tensor<1000x64xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<1000x64xf32>
  return %0 : tensor<1000x64xf32>
}

// -----

// Both at once, with sizes known at run time only. No size divides by 0, and an
// empty lane (V8) has an empty sample.

// CHECK-DAG: #[[$ROWS:.*]] = affine_map<()[s0] -> (s0, 32)>
// CHECK-DAG: #[[$STRIDE:.*]] = affine_map<()[s0] -> (s0 floordiv 32, 1)>
// CHECK-DAG: #[[$PIECE:.*]] = affine_map<()[s0] -> (s0 ceildiv 4, 16)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<()[s0] -> ((s0 * 3) floordiv 4)>
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:      %[[X:.*]]: tensor<?x64x?xf32>)
// CHECK-DAG:     %[[ROWS:.*]] = affine.min #[[$ROWS]]()
// CHECK-DAG:     %[[STRIDE:.*]] = affine.max #[[$STRIDE]]()
// CHECK-DAG:     %[[PIECE:.*]] = affine.min #[[$PIECE]]()
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0] [%[[ROWS]], 64, %[[PIECE]]] [%[[STRIDE]], 1, 1]
// CHECK:         %[[BEGIN:.*]] = affine.apply #[[$LAST]]()
// CHECK:         tensor.extract_slice %[[X]][0, 0, %[[BEGIN]]]
func.func @dynamic(%x: tensor<?x64x?xf32>) -> tensor<?x64x?xf32> {
  %0 = meanvar.mvn %x axes = [0, 2] : tensor<?x64x?xf32>
  return %0 : tensor<?x64x?xf32>
}
