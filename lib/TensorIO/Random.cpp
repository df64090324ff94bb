//===- Random.cpp - Reproducible random tensors ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Random.h"

#include <cmath>

// Fusing a product and a sum would make the bits depend on the target.
#pragma STDC FP_CONTRACT OFF

using namespace mlir::meanvar;

/// Natural logarithm of a normal positive number, within 2 ulp: with
/// x = m * 2^e and t = (m - 1) / (m + 1), ln(m) = 2 * (t + t^3/3 + t^5/5 +
/// ...).
static double computeLogarithm(double x) {
  constexpr double ln2 = 0x1.62e42fefa39efp-1;
  constexpr double sqrtHalf = 0x1.6a09e667f3bcdp-1;
  // |t| <= 0.172, so the terms left out are below 2^-60 of the first.
  constexpr int lastOddPower = 23;
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < sqrtHalf) {
    m *= 2;
    --exponent;
  }
  double t = (m - 1) / (m + 1);
  double square = t * t;
  double sum = 0;
  for (int power = lastOddPower; power >= 1; power -= 2)
    sum = sum * square + 1.0 / power;
  return exponent * ln2 + 2 * t * sum;
}

uint64_t NormalGenerator::nextWord() {
  state += 0x9E3779B97F4A7C15u;
  uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

double NormalGenerator::nextUniform() {
  return static_cast<double>(nextWord() >> 11) * 0x1p-52 - 1;
}

double NormalGenerator::next() {
  if (spare) {
    double value = *spare;
    spare.reset();
    return value;
  }
  while (true) {
    double u = nextUniform();
    double v = nextUniform();
    double s = u * u + v * v;
    if (s >= 1 || s == 0)
      continue;
    double factor = std::sqrt(-2 * computeLogarithm(s) / s);
    spare = v * factor;
    return u * factor;
  }
}

void mlir::meanvar::fillWithNormal(HostTensor &tensor, uint64_t seed) {
  NormalGenerator generator(seed);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.setFloat(i, generator.next());
}
