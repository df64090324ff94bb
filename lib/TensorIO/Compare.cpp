//===- Compare.cpp - Comparison within tolerances -------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Compare.h"
#include "meanvar/TensorIO/FloatFormat.h"
#include "meanvar/TensorIO/Scalar.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace mlir::meanvar;
using llvm::Expected;

Tolerance mlir::meanvar::getDefaultTolerance(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return {1e-6, 1e-6, 1};
  case ElementKind::F32:
    return {1e-6, 1e-6, 0};
  case ElementKind::F64:
    return {1e-14, 1e-14, 0};
  default:
    return {};
  }
}

namespace {
struct ElementError {
  double absolute = 0;
  double ulps = 0;
  bool isWrong = false;
};
} // namespace

static ElementError compareFloats(double actual, double expected,
                                  ElementKind kind,
                                  const Tolerance &tolerance) {
  if ((std::isnan(actual) && std::isnan(expected)) || actual == expected)
    return {};
  double infinity = std::numeric_limits<double>::infinity();
  if (!std::isfinite(actual) || !std::isfinite(expected))
    return {infinity, infinity, true};
  double error = std::abs(actual - expected);
  auto ulp = static_cast<double>(getUlp(kind, expected));
  double bound =
      std::max(tolerance.absolute, tolerance.relative * std::abs(expected)) +
      tolerance.ulps * ulp;
  return {error, error / ulp, !(error <= bound)};
}

static ElementError compareIntegers(int64_t actual, int64_t expected,
                                    const Tolerance &tolerance) {
  if (actual == expected)
    return {};
  // Exact where it matters: distinct integers never have a distance of zero.
  double error = std::max(1.0, std::abs(static_cast<double>(actual) -
                                        static_cast<double>(expected)));
  double bound =
      std::max(tolerance.absolute,
               tolerance.relative * std::abs(static_cast<double>(expected)));
  return {error, error, !(error <= bound)};
}

Expected<Comparison> mlir::meanvar::compareTensors(const HostTensor &actual,
                                                   const HostTensor &expected,
                                                   const Tolerance &tolerance) {
  if (actual.getKind() != expected.getKind() ||
      actual.getShape() != expected.getShape())
    return llvm::createStringError("expected '" + expected.getTypeString() +
                                   "', but got '" + actual.getTypeString() +
                                   "'");
  Comparison result;
  result.numElements = actual.getNumElements();
  ElementKind kind = actual.getKind();
  for (int64_t i = 0; i < result.numElements; ++i) {
    ElementError error =
        isFloat(kind) ? compareFloats(actual.getFloat(i), expected.getFloat(i),
                                      kind, tolerance)
                      : compareIntegers(actual.getInteger(i),
                                        expected.getInteger(i), tolerance);
    if (error.absolute > result.largestError) {
      result.largestError = error.absolute;
      result.largestErrorUlps = error.ulps;
      result.largestErrorAt = i;
    }
    if (!error.isWrong)
      continue;
    ++result.numWrong;
    if (!result.firstWrong)
      result.firstWrong = i;
  }
  return result;
}

/// Returns the position of element `index` as "[1,0,2]".
static std::string printIndex(int64_t index, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<std::string> positions;
  for (int64_t size : llvm::reverse(shape)) {
    positions.push_back(std::to_string(index % size));
    index /= size;
  }
  std::string text = "[";
  for (const std::string &position : llvm::reverse(positions))
    text += (text.size() > 1 ? "," : "") + position;
  return text + "]";
}

std::string mlir::meanvar::describeMismatch(const Comparison &comparison,
                                            const HostTensor &actual,
                                            const HostTensor &expected) {
  int64_t first = comparison.firstWrong.value_or(0);
  return llvm::formatv(
      "{0} of {1} elements are wrong: the first is {2}, got {3}, expected {4}; "
      "the largest error is {5:e3} ({6} ulp) at {7}",
      comparison.numWrong, comparison.numElements,
      printIndex(first, actual.getShape()), printElement(actual, first),
      printElement(expected, first), comparison.largestError,
      llvm::formatv("{0:e3}", comparison.largestErrorUlps).str(),
      printIndex(comparison.largestErrorAt, actual.getShape()));
}
