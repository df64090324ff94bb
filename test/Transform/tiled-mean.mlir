// RUN: meanvar-opt %s -o %t.mlir --pass-pipeline='builtin.module(transform-preload-library{transform-library-paths=%S/Inputs/tile-means.mlir},transform-interpreter)'
// RUN: FileCheck %s --input-file=%t.mlir

// Tiles of a mean give the same elements, whichever sizes turn out to be 1.

// RUN: meanvar-runner %s --input=5x7xf32=random(1) --input=7xf32=random(2) --output=@%t.1.npy
// RUN: meanvar-runner %t.mlir --input=5x7xf32=random(1) --input=7xf32=random(2) --expected-output=@%t.1.npy --atol=0 --rtol=0
// RUN: meanvar-runner %s --input=1x7xf32=random(1) --input=1xf32=random(2) --output=@%t.2.npy
// RUN: meanvar-runner %t.mlir --input=1x7xf32=random(1) --input=1xf32=random(2) --expected-output=@%t.2.npy --atol=0 --rtol=0
// RUN: meanvar-runner %s --input=5x1xf32=random(1) --input=7xf32=random(2) --output=@%t.3.npy
// RUN: meanvar-runner %t.mlir --input=5x1xf32=random(1) --input=7xf32=random(2) --expected-output=@%t.3.npy --atol=0 --rtol=0
// RUN: meanvar-runner %s --input=1x1xf32=random(1) --input=1xf32=random(2) --output=@%t.4.npy
// RUN: meanvar-runner %t.mlir --input=1x1xf32=random(1) --input=1xf32=random(2) --expected-output=@%t.4.npy --atol=0 --rtol=0

// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             meanvar.mean
func.func @mean(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
