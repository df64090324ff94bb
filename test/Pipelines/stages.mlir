// RUN: meanvar-opt %s --meanvar-entry-point-pipeline > %t.entry.mlir
// RUN: FileCheck %s --check-prefix=ENTRY --input-file %t.entry.mlir
// RUN: meanvar-opt %t.entry.mlir --meanvar-to-linalg-pipeline > %t.linalg.mlir
// RUN: FileCheck %s --check-prefix=LINALG --input-file %t.linalg.mlir
// RUN: meanvar-opt %t.linalg.mlir --meanvar-bufferization-pipeline > %t.buffers.mlir
// RUN: FileCheck %s --check-prefix=BUFFERS --input-file %t.buffers.mlir
// RUN: meanvar-opt %t.buffers.mlir --meanvar-linalg-to-llvm-pipeline > %t.llvm.mlir
// RUN: FileCheck %s --check-prefix=LLVM --input-file %t.llvm.mlir

// The four stages of meanvar-to-llvm, each from the text that the one before has
// printed. In a row they are the pipeline.

// RUN: meanvar-opt %s --meanvar-to-llvm > %t.whole.mlir
// RUN: diff %t.llvm.mlir %t.whole.mlir

// First, functions get the calling convention; the computation is what it was.

// ENTRY-LABEL: func @f_shape(
// ENTRY-LABEL: func @f(
// ENTRY-LABEL: func private @f_body(
// ENTRY-SAME:      %[[X:.*]]: memref<?x32x32xf32>, %[[Y:.*]]: memref<?x32x32xf32>)
// ENTRY:         %[[INPUT:.*]] = bufferization.to_tensor %[[X]]
// ENTRY:         %[[RESULT:.*]] = meanvar.mvn %[[INPUT]] axes = [1, 2] : tensor<?x32x32xf32>
// ENTRY:         bufferization.materialize_in_destination %[[RESULT]] in restrict writable %[[Y]]

// Second, tiles of lanes of a matrix, and linalg on them. The output is collapsed
// like the input, so that tiles are written where they belong.

// LINALG-LABEL: func private @f_body(
// LINALG-SAME:      %{{.*}}: memref<?x32x32xf32>, %[[Y:.*]]: memref<?x32x32xf32>)
// LINALG-NOT:    meanvar.mvn
// LINALG:        %[[RESULT:.*]] = scf.forall
// LINALG:          linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// LINALG:          scf.if
// LINALG:          linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// LINALG:        %[[MATRIX:.*]] = memref.collapse_shape %[[Y]] {{.*}} into memref<?x1024xf32>
// LINALG:        bufferization.materialize_in_destination %[[RESULT]] in restrict writable %[[MATRIX]]

// Third, buffers: the result is computed in the output, and temporaries of the
// tile's lanes are on the stack, in front of the loop.

// BUFFERS-LABEL: func private @f_body(
// BUFFERS-SAME:      %{{.*}}: memref<?x32x32xf32>, %[[Y:.*]]: memref<?x32x32xf32>)
// BUFFERS-NOT:   tensor
// BUFFERS-NOT:   memref.alloc(
// BUFFERS:       %[[MATRIX:.*]] = memref.collapse_shape %[[Y]]
// BUFFERS:       memref.alloca()
// BUFFERS:       scf.for
// BUFFERS-NOT:     memref.alloca
// BUFFERS:         %[[TILE:.*]] = memref.subview %[[MATRIX]]
// BUFFERS:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]{{.*}} outs(%[[TILE]] :

// Last, vectors in the LLVM dialect.

// LLVM-LABEL: llvm.func internal @f_body(
// LLVM-NOT:     linalg.
// LLVM:         vector<16xf32>

func.func @f(%x: tensor<?x32x32xf32>) -> tensor<?x32x32xf32> {
  %0 = meanvar.mvn %x axes = [1, 2] : tensor<?x32x32xf32>
  return %0 : tensor<?x32x32xf32>
}
