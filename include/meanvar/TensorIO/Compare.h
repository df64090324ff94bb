//===- Compare.h - Comparison within tolerances -----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_COMPARE_H
#define MEANVAR_TENSORIO_COMPARE_H

#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// A value a agrees with the expected value e when
/// |a - e| <= max(absolute, relative * |e|) + ulps * ulp(e), where ulp(e) is
/// the distance from |e| to the next larger number of the type.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double ulps = 0;
};

/// Returns the bound that compiled functions keep (rule V5): 1e-6 for f32 and
/// 1e-14 for f64, absolute and relative; for f16 and bf16 that of f32 plus one
/// ulp, of which one half is for the result and one for the rounding of the
/// expected value to the type; zero for integers.
Tolerance getDefaultTolerance(ElementKind kind);

/// What a comparison found.
struct Comparison {
  int64_t numElements = 0;
  int64_t numWrong = 0;
  /// The first element that is out of tolerance, in row-major order.
  std::optional<int64_t> firstWrong;
  /// The largest |a - e|, infinite where only one of the two is finite or a
  /// NaN, the same in ulp(e), and the element where it is. Infinities of one
  /// sign agree, and so do NaNs.
  double largestError = 0;
  double largestErrorUlps = 0;
  int64_t largestErrorAt = 0;
};

/// Compares tensors of one type and shape; other pairs are an error that names
/// both types.
llvm::Expected<Comparison> compareTensors(const HostTensor &actual,
                                          const HostTensor &expected,
                                          const Tolerance &tolerance);

/// Describes a comparison with wrong elements in one line: how many, the first
/// of them and the largest error.
std::string describeMismatch(const Comparison &comparison,
                             const HostTensor &actual,
                             const HostTensor &expected);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_COMPARE_H
