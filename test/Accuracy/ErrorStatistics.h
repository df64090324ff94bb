//===- ErrorStatistics.h - How far results are from the exact ones *- C++
//-*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_ACCURACY_ERRORSTATISTICS_H
#define MEANVAR_TEST_ACCURACY_ERRORSTATISTICS_H

#include "meanvar/Reference/Approximation.h"

namespace mlir::meanvar {

/// The errors of the results of one algorithm. They are measured in ulp of the
/// exact result where that is at least `threshold` in magnitude, and absolutely
/// below it.
class ErrorStatistics {
public:
  ErrorStatistics(ElementKind kind, long double threshold)
      : kind(kind), threshold(threshold) {}

  /// Takes a result and what the reference has in its place.
  void add(double actual, const Approximation &expected);

  long double getLargestUlps() const { return largestUlps; }
  long double getMeanUlps() const {
    return numLarge == 0 ? 0 : sumOfUlps / static_cast<long double>(numLarge);
  }
  /// The largest error of a result below the threshold.
  long double getLargestAbsolute() const { return largestAbsolute; }
  /// The share of results that are NaN or infinite.
  double getShareOfSpecial() const {
    return static_cast<double>(numSpecial) / static_cast<double>(numResults);
  }
  /// The largest error as a part of what the contract allows.
  long double getShareOfBound() const { return shareOfBound; }

private:
  ElementKind kind;
  long double threshold;
  long double largestUlps = 0;
  long double sumOfUlps = 0;
  long double largestAbsolute = 0;
  long double shareOfBound = 0;
  int64_t numResults = 0;
  int64_t numLarge = 0;
  int64_t numSpecial = 0;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_ACCURACY_ERRORSTATISTICS_H
