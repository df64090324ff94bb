//===- Random.h - Reproducible random tensors -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same seed gives the same bits on every host.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_RANDOM_H
#define MEANVAR_TENSORIO_RANDOM_H

#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// Numbers of the standard normal distribution, in f64.
///
/// Bits come from SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014) with the seed as its state.
/// Two successive words w give u and v = (w >> 11) * 2^-52 - 1, in [-1, 1), and
/// Marsaglia's polar method makes a pair of them: s = u*u + v*v; pairs with
/// s >= 1 or s = 0 are dropped; else u*f and then v*f with f = sqrt(-2*ln(s)/s)
/// are the next two numbers. The logarithm is a fixed sequence of additions,
/// multiplications and divisions, so that nothing depends on a mathematics
/// library.
class NormalGenerator {
public:
  explicit NormalGenerator(uint64_t seed) : state(seed) {}

  double next();

private:
  uint64_t nextWord();
  double nextUniform();

  uint64_t state;
  std::optional<double> spare;
};

/// Fills `tensor`, of a float type, in row-major order; each number is rounded
/// once to the element type.
void fillWithNormal(HostTensor &tensor, uint64_t seed);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_RANDOM_H
