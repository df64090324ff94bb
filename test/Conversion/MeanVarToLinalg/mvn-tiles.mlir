// RUN: meanvar-opt %s --meanvar-tile-lanes="panel-lanes=64" --convert-meanvar-to-linalg --split-input-file | FileCheck %s

// The passes over a tile, that of the sums and the last one, know where the input of the
// next one is: behind its own, if the tile has whole rows. That goes for lanes that are
// rows,

// CHECK-LABEL: func @lanes(
// CHECK:         scf.forall
// CHECK:           attrs = {meanvar.has_next_tile, meanvar.partial_sums = 16 : i64}
// CHECK:           scf.if
// CHECK-NOT:       meanvar.has_next_tile
// CHECK:           scf.yield
// CHECK:           attrs = {meanvar.has_next_tile}
func.func @lanes(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
  return %0 : tensor<64x1024xf32>
}

// -----

// and for lanes side by side that are tiled together.

// CHECK-LABEL: func @all_neighbours(
// CHECK:         scf.forall
// CHECK:           attrs = {meanvar.has_next_tile}
func.func @all_neighbours(%x: tensor<8x1024x64xf32>) -> tensor<8x1024x64xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x1024x64xf32>
  return %0 : tensor<8x1024x64xf32>
}

// -----

// A panel of some of them is not followed by the next panel.

// CHECK-LABEL: func @some_neighbours(
// CHECK:         scf.forall
// CHECK-NOT:     meanvar.has_next_tile
func.func @some_neighbours(%x: tensor<8x1024x256xf32>) -> tensor<8x1024x256xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x1024x256xf32>
  return %0 : tensor<8x1024x256xf32>
}

// -----

// Without tiles there is no next one.

// CHECK-LABEL: func @one_tile(
// CHECK-NOT:     meanvar.has_next_tile
func.func @one_tile(%x: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<1024x64xf32>
  return %0 : tensor<1024x64xf32>
}
