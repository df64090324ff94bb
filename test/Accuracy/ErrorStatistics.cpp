//===- ErrorStatistics.cpp - How far results are from the exact ones ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorStatistics.h"

#include <algorithm>
#include <cmath>

using namespace mlir::meanvar;

void ErrorStatistics::add(double actual, const Approximation &expected) {
  ++numResults;
  if (!std::isfinite(actual)) {
    ++numSpecial;
    shareOfBound = std::numeric_limits<long double>::infinity();
    return;
  }
  long double error = std::abs(actual - expected.value);
  if (error > 0)
    shareOfBound = std::max(shareOfBound, error / expected.error);
  if (std::abs(expected.value) < threshold) {
    largestAbsolute = std::max(largestAbsolute, error);
    return;
  }
  long double ulps = error / getUlp(kind, expected.value);
  ++numLarge;
  sumOfUlps += ulps;
  largestUlps = std::max(largestUlps, ulps);
}
