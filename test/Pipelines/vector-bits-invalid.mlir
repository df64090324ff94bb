// RUN: not meanvar-opt %s --meanvar-tile-lanes="vector-bits=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not meanvar-opt %s --meanvar-vectorize-linalg="vector-bits=96" 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not meanvar-opt %s --meanvar-to-llvm="vector-bits=64" 2>&1 | FileCheck %s --check-prefix=NARROW

// ZERO:   error: vector-bits is 0 (allowed: powers of two of at least 128)
// ODD:    error: vector-bits is 96 (allowed: powers of two of at least 128)
// NARROW: error: vector-bits is 64 (allowed: powers of two of at least 128)
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
