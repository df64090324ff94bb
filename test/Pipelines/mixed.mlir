// RUN: meanvar-opt %s --meanvar-to-llvm --split-input-file > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: FileCheck %s --check-prefix=DIALECT --input-file %t.mlir

// Modules that mix meanvar with upstream tensor, linalg, arith, math, scf and func
// operations are compiled as a whole. Nothing but the LLVM dialect is left:

// DIALECT-NOT: {{^ *(%[^ ]* = )?"?(arith|cf|func|linalg|math|meanvar|memref|scf|tensor|vector)[.]}}

// A layer: private functions are inlined, elementwise operations on tensors and
// named linalg operations become vector loops like the dialect's own.

// CHECK-LABEL: llvm.func internal @layer_body(
// CHECK:         llvm.intr.sqrt({{.*}}) : (vector<
// CHECK:         llvm.intr.maximum(%{{.*}}) : (vector<16xf32>, vector<16xf32>)
// CHECK:         llvm.return
func.func private @relu(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x64xf32>
  %init = tensor.empty(%size) : tensor<?x64xf32>
  %zeros = linalg.broadcast ins(%zero : tensor<64xf32>) outs(%init : tensor<?x64xf32>) dimensions = [0]
  %0 = arith.maximumf %x, %zeros : tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

func.func @layer(%x: tensor<?x32xf32>, %weights: tensor<32x64xf32>, %bias: tensor<64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x32xf32>
  %normal = meanvar.mvn %x axes = [1] : tensor<?x32xf32>
  %init = tensor.empty(%size) : tensor<?x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %product = linalg.matmul ins(%normal, %weights : tensor<?x32xf32>, tensor<32x64xf32>) outs(%zeros : tensor<?x64xf32>) -> tensor<?x64xf32>
  %both = meanvar.mean %product, %bias : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %0 = call @relu(%both) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0 : tensor<?x64xf32>
}

// -----

// Loops and branches around the dialect's operations.

// CHECK-LABEL: llvm.func internal @control_flow_body(
// CHECK:         llvm.cond_br
// CHECK:         llvm.intr.sqrt
// CHECK:         llvm.return
func.func @control_flow(%x: tensor<8x?xf32>, %n: index, %center: i1) -> tensor<8x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %center -> (tensor<8x?xf32>) {
    %1 = meanvar.mvn %x axes = [1] center_only : tensor<8x?xf32>
    scf.yield %1 : tensor<8x?xf32>
  } else {
    %2 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<8x?xf32>) {
      %3 = meanvar.mvn %y axes = [1] : tensor<8x?xf32>
      scf.yield %3 : tensor<8x?xf32>
    }
    scf.yield %2 : tensor<8x?xf32>
  }
  return %0 : tensor<8x?xf32>
}

// -----

// Slices and reshapes are views; softmax is decomposed.

// CHECK-LABEL: llvm.func internal @views_body(
// CHECK:         llvm.intr.sqrt
// CHECK:         llvm.intr.exp(
// CHECK:         llvm.return
func.func @views(%x: tensor<4x6x10xf32>) -> tensor<2x60xf32> {
  %0 = tensor.extract_slice %x[1, 0, 0] [2, 6, 10] [1, 1, 1] : tensor<4x6x10xf32> to tensor<2x6x10xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<2x6x10xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<2x6x10xf32> into tensor<2x60xf32>
  %3 = tensor.empty() : tensor<2x60xf32>
  %4 = linalg.softmax dimension(1) ins(%2 : tensor<2x60xf32>) outs(%3 : tensor<2x60xf32>) -> tensor<2x60xf32>
  return %4 : tensor<2x60xf32>
}

// -----

// A public function that another one calls is inlined there, and compiled on its
// own as well.

// CHECK-LABEL: llvm.func internal @caller_body(
// CHECK-NOT:     llvm.call @callee
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func internal @callee_body(
func.func @caller(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @callee(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = meanvar.mean %x, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @callee(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// F1: a function without tensor results keeps its signature.

// CHECK-LABEL: llvm.func @main() {
func.func @main() {
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = meanvar.mvn %x axes = [0] : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %0[%c0] : tensor<4xf32>
  vector.print %first : f32
  return
}

// -----

// A scale and a bias are applied in the last pass over a tile: no second loop over the
// tensor, and no tensor in between.

#all = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// CHECK-LABEL: llvm.func internal @layer_norm_body(
// CHECK-NOT:     llvm.call @malloc
// CHECK:         llvm.return
func.func @layer_norm(%x: tensor<?x768xf32>, %scale: tensor<768xf32>, %bias: tensor<?x768xf32>) -> tensor<?x768xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x768xf32>
  %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-5 inside_sqrt : tensor<?x768xf32>
  %init = tensor.empty(%size) : tensor<?x768xf32>
  %1 = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%0, %scale : tensor<?x768xf32>, tensor<768xf32>) outs(%init : tensor<?x768xf32>) {
  ^bb0(%v: f32, %s: f32, %out: f32):
    %p = arith.mulf %v, %s : f32
    linalg.yield %p : f32
  } -> tensor<?x768xf32>
  %2 = arith.addf %1, %bias : tensor<?x768xf32>
  return %2 : tensor<?x768xf32>
}

// -----

// Of channels as well, whose dimension stays apart from that of the images.

#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

// CHECK-LABEL: llvm.func internal @instance_norm_body(
// CHECK-NOT:     llvm.call @malloc
// CHECK-NOT:     memcpy
// CHECK:         llvm.return
func.func @instance_norm(%x: tensor<8x64x56x56xf32>, %scale: tensor<64xf32>) -> tensor<8x64x56x56xf32> {
  %0 = meanvar.mvn %x axes = [2, 3] epsilon = 1.0e-5 inside_sqrt : tensor<8x64x56x56xf32>
  %init = tensor.empty() : tensor<8x64x56x56xf32>
  %1 = linalg.generic {indexing_maps = [#nchw, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %scale : tensor<8x64x56x56xf32>, tensor<64xf32>) outs(%init : tensor<8x64x56x56xf32>) {
  ^bb0(%v: f32, %s: f32, %out: f32):
    %p = arith.mulf %v, %s : f32
    linalg.yield %p : f32
  } -> tensor<8x64x56x56xf32>
  return %1 : tensor<8x64x56x56xf32>
}
