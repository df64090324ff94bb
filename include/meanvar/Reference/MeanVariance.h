//===- MeanVariance.h - Both operators by their definition ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `meanvar.mean` at one element and `meanvar.mvn` of one lane, straight from
// docs/Spec.md: real arithmetic, to 64 bits or more, and the bounds of the
// rules M5 and V5. It shares nothing with the compiler and need not be fast.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_REFERENCE_MEANVARIANCE_H
#define MEANVAR_REFERENCE_MEANVARIANCE_H

#include "meanvar/Reference/Approximation.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlir::meanvar {

/// Mean and standard deviation (sigma) of a population. The mean is
/// `mean + meanTail`: with `mean` alone, which is rounded, differences from a
/// mean that is large beside sigma would lack the last bits of a long double.
struct Population {
  long double mean = 0;
  long double meanTail = 0;
  long double sigma = 0;
};

/// Computes both from one value or more, all finite. Of equal values the mean
/// is that value and sigma is 0, exactly.
Population computePopulation(llvm::ArrayRef<Approximation> values);

/// Returns the mean of operands of the given kind at one element (M5, M6).
Approximation computeMean(ElementKind kind,
                          llvm::ArrayRef<Approximation> operands);

/// The clauses of `meanvar.mvn` (V3).
struct NormalizationClauses {
  double epsilon = 1e-9;
  bool insideSqrt = false;
  bool centerOnly = false;
};

/// The results of `meanvar.mvn` for one lane.
struct NormalizedLane {
  std::vector<Approximation> elements;
  /// The results of `statistics`.
  Approximation mean;
  Approximation scale;
};

/// Returns the kind of the statistics of tensors of the given kind.
ElementKind getStatisticsKind(ElementKind kind);

/// Normalizes a lane of one element or more (V1, V3 to V7).
NormalizedLane normalizeLane(ElementKind kind,
                             llvm::ArrayRef<Approximation> lane,
                             const NormalizationClauses &clauses);

} // namespace mlir::meanvar

#endif // MEANVAR_REFERENCE_MEANVARIANCE_H
