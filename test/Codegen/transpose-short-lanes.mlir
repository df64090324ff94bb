// RUN: meanvar-opt %s --meanvar-transpose-short-lanes --canonicalize --split-input-file | FileCheck %s
// RUN: meanvar-opt %s --meanvar-transpose-short-lanes=vector-bits=256 --split-input-file \
// RUN:   | FileCheck %s --check-prefix=NARROW

// Lanes of a few elements: as many as four vectors have elements, side by side.

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:.*]]: tensor<1024x4xf32>)
// CHECK:         %[[Y:.*]] = scf.forall (%[[I:.*]]) = (0) to (1024) step (64) shared_outs(%[[OUT:.*]] = %{{.*}})
// CHECK:           %[[ROWS:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [64, 4] [1, 1]
// CHECK:           %[[COLUMNS:.*]] = linalg.transpose ins(%[[ROWS]] : tensor<64x4xf32>) outs(%{{.*}} : tensor<4x64xf32>) permutation = [1, 0]
// CHECK:           %[[TILE:.*]] = meanvar.mvn %[[COLUMNS]] axes = [0] : tensor<4x64xf32>
// CHECK:           %[[BACK:.*]] = linalg.transpose ins(%[[TILE]] : tensor<4x64xf32>)
// CHECK:           tensor.parallel_insert_slice %[[BACK]] into %[[OUT]][%[[I]], 0] [64, 4] [1, 1]
// CHECK:         return %[[Y]]
//
// NARROW:        scf.forall {{.*}} step (32)
func.func @rows(%x: tensor<1024x4xf32>) -> tensor<1024x4xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x4xf32>
  return %0 : tensor<1024x4xf32>
}

// -----

// Lanes that are as long as a vector are transposed for their sums, and normalized as they
// are. They are quickest a vector of lanes at a time.

// CHECK-LABEL: func @vectors(
// CHECK:         scf.forall {{.*}} step (16)
// CHECK:           linalg.transpose {{.*}} outs(%{{.*}} : tensor<16x16xf32>) permutation = [1, 0]{{ *$}}
// CHECK:           linalg.transpose {{.*}} permutation = [1, 0] {meanvar.fuse_into_producer}
//
// NARROW-LABEL:  func @vectors(
// NARROW-NEXT:     meanvar.mvn %{{.*}} axes = [1] : tensor<1024x16xf32>
func.func @vectors(%x: tensor<1024x16xf32>) -> tensor<1024x16xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<1024x16xf32>
  return %0 : tensor<1024x16xf32>
}

// -----

// Lanes that do not fill a tile are normalized as they are. Every clause goes along.

// CHECK-LABEL: func @rest(
// CHECK-SAME:      %[[X:.*]]: tensor<?x3xf16>)
// CHECK:         %[[Y:.*]] = scf.forall
// CHECK:           meanvar.mvn {{.*}} axes = [0] epsilon = 1.000000e-05 inside_sqrt : tensor<3x64xf16>
// CHECK:         %[[LEFT:.*]] = tensor.extract_slice %[[X]][%[[BEGIN:.*]], 0] [%[[COUNT:.*]], 3] [1, 1]
// CHECK:         %[[REST:.*]] = meanvar.mvn %[[LEFT]] axes = [1] epsilon = 1.000000e-05 inside_sqrt : tensor<?x3xf16>
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %[[REST]] into %[[Y]][%[[BEGIN]], 0] [%[[COUNT]], 3] [1, 1]
// CHECK:         return %[[ALL]]
func.func @rest(%x: tensor<?x3xf16>) -> tensor<?x3xf16> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-5 inside_sqrt : tensor<?x3xf16>
  return %0 : tensor<?x3xf16>
}

// -----

// f64: half as many.

// CHECK-LABEL: func @doubles(
// CHECK:         meanvar.mvn {{.*}} : tensor<8x8xf64>
func.func @doubles(%x: tensor<64x8xf64>) -> tensor<64x8xf64> {
  %0 = meanvar.mvn %x axes = [1] center_only : tensor<64x8xf64>
  return %0 : tensor<64x8xf64>
}

// -----

// The longest: one vector of lanes.

// CHECK-LABEL: func @longest(
// CHECK:         meanvar.mvn {{.*}} : tensor<19x16xf32>
func.func @longest(%x: tensor<64x19xf32>) -> tensor<64x19xf32> {
  %0 = meanvar.mvn %x axes = [1] center_only : tensor<64x19xf32>
  return %0 : tensor<64x19xf32>
}

// -----

// Longer lanes, those that fill several vectors, lanes of unknown size, few lanes,
// lanes that are not rows, and operations with statistics stay.

// CHECK-LABEL: func @others(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @others(%a: tensor<64x20xf32>, %f: tensor<64x16xf64>, %b: tensor<64x?xf32>,
                  %c: tensor<15x4xf32>, %d: tensor<4x64xf32>, %e: tensor<64x4xf32>)
    -> (tensor<64x20xf32>, tensor<64x16xf64>, tensor<64x?xf32>, tensor<15x4xf32>, tensor<4x64xf32>,
        tensor<64x4xf32>, tensor<64x1xf32>, tensor<64x1xf32>) {
  %0 = meanvar.mvn %a axes = [1] : tensor<64x20xf32>
  %5 = meanvar.mvn %f axes = [1] : tensor<64x16xf64>
  %1 = meanvar.mvn %b axes = [1] : tensor<64x?xf32>
  %2 = meanvar.mvn %c axes = [1] : tensor<15x4xf32>
  %3 = meanvar.mvn %d axes = [0] : tensor<4x64xf32>
  %4:3 = meanvar.mvn %e axes = [1] statistics : tensor<64x4xf32>
  return %0, %5, %1, %2, %3, %4#0, %4#1, %4#2
      : tensor<64x20xf32>, tensor<64x16xf64>, tensor<64x?xf32>, tensor<15x4xf32>, tensor<4x64xf32>,
        tensor<64x4xf32>, tensor<64x1xf32>, tensor<64x1xf32>
}
