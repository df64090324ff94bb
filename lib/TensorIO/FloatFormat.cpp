//===- FloatFormat.cpp - Formats of the float kinds -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace mlir::meanvar;
using llvm::APFloat;

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

double mlir::meanvar::getLargest(ElementKind kind) {
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
