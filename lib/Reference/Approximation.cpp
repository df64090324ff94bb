//===- Approximation.cpp - Numbers with error bounds ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Approximation.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace mlir::meanvar;
using llvm::APFloat;

Approximation mlir::meanvar::makeUnknown() {
  return {0, std::numeric_limits<long double>::infinity()};
}

const llvm::fltSemantics &mlir::meanvar::getFloatSemantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return APFloat::IEEEhalf();
  case ElementKind::BF16:
    return APFloat::BFloat();
  case ElementKind::F32:
    return APFloat::IEEEsingle();
  case ElementKind::F64:
    return APFloat::IEEEdouble();
  default:
    llvm_unreachable("not a float kind");
  }
}

long double mlir::meanvar::getLargest(ElementKind kind) {
  APFloat largest = APFloat::getLargest(getFloatSemantics(kind));
  return largest.convertToDouble();
}

long double mlir::meanvar::getUlp(ElementKind kind, long double value) {
  const llvm::fltSemantics &semantics = getFloatSemantics(kind);
  int exponent = APFloat::semanticsMinExponent(semantics);
  if (value != 0)
    exponent = std::clamp(std::ilogb(value), exponent,
                          APFloat::semanticsMaxExponent(semantics));
  int precision = static_cast<int>(APFloat::semanticsPrecision(semantics));
  return std::ldexp(1.0L, exponent - (precision - 1));
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
