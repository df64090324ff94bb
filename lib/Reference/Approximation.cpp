//===- Approximation.cpp - Numbers with error bounds ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Approximation.h"

#include <cmath>

using namespace mlir::meanvar;

Approximation mlir::meanvar::makeUnknown() {
  return {0, std::numeric_limits<long double>::infinity()};
}

Approximation mlir::meanvar::confine(ElementKind kind, long double value,
                                     long double error) {
  if (!std::isfinite(value) && error == 0)
    return {value, 0};
  if (!std::isfinite(value) || !std::isfinite(error))
    return makeUnknown();
  long double largest = getLargest(kind);
  // From here on numbers round to an infinity.
  long double limit = largest + getUlp(kind, largest) / 2;
  if (std::abs(value) - error >= limit)
    return {std::copysign(std::numeric_limits<long double>::infinity(), value),
            0};
  if (std::abs(value) + error >= limit)
    return makeUnknown();
  return {value, error};
}

Approximation mlir::meanvar::confineRounded(ElementKind kind, long double value,
                                            long double error) {
  return confine(kind, value,
                 error + getUlp(kind, std::abs(value) + error) / 2);
}

bool mlir::meanvar::isWithin(double actual, const Approximation &expected) {
  if (expected.isUnknown())
    return true;
  if (std::isnan(expected.value))
    return std::isnan(actual);
  return actual == expected.value ||
         std::abs(actual - expected.value) <= expected.error;
}
