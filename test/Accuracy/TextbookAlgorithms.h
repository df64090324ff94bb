//===- TextbookAlgorithms.h - What meanvar is compared with -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The usual ways to normalize a lane and to average operands, one element after
// the other, in the arithmetic of `Real`. They are compiled without fast-math
// and without contraction.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_ACCURACY_TEXTBOOKALGORITHMS_H
#define MEANVAR_TEST_ACCURACY_TEXTBOOKALGORITHMS_H

#include "llvm/ADT/ArrayRef.h"

namespace mlir::meanvar {

template <typename Real>
struct TextbookAlgorithms {
  using Lane = llvm::ArrayRef<Real>;
  using Result = llvm::MutableArrayRef<Real>;

  /// E[x^2] - E[x]^2.
  static void normalizeInOnePass(Lane x, Real epsilon, Result y);
  /// E[(x - E[x])^2].
  static void normalizeInTwoPasses(Lane x, Real epsilon, Result y);
  /// B. P. Welford, Note on a method for calculating corrected sums of squares
  /// and products, Technometrics 4, 1962.
  static void normalizeByWelford(Lane x, Real epsilon, Result y);
};

extern template struct TextbookAlgorithms<float>;
extern template struct TextbookAlgorithms<double>;

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_ACCURACY_TEXTBOOKALGORITHMS_H
