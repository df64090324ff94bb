//===- TextbookAlgorithms.cpp - What meanvar is compared with -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextbookAlgorithms.h"

#include <cmath>

using namespace mlir::meanvar;

template <typename Real>
static void normalize(llvm::ArrayRef<Real> x, Real mean, Real variance,
                      Real epsilon, llvm::MutableArrayRef<Real> y) {
  Real divisor = std::sqrt(variance) + epsilon;
  for (size_t i = 0; i < x.size(); ++i)
    y[i] = (x[i] - mean) / divisor;
}

template <typename Real>
void TextbookAlgorithms<Real>::normalizeInOnePass(Lane x, Real epsilon,
                                                  Result y) {
  Real sum = 0;
  Real squares = 0;
  for (Real value : x) {
    sum += value;
    squares += value * value;
  }
  auto count = static_cast<Real>(x.size());
  Real mean = sum / count;
  normalize<Real>(x, mean, squares / count - mean * mean, epsilon, y);
}

template <typename Real>
void TextbookAlgorithms<Real>::normalizeInTwoPasses(Lane x, Real epsilon,
                                                    Result y) {
  auto count = static_cast<Real>(x.size());
  Real sum = 0;
  for (Real value : x)
    sum += value;
  Real mean = sum / count;
  Real squares = 0;
  for (Real value : x)
    squares += (value - mean) * (value - mean);
  normalize<Real>(x, mean, squares / count, epsilon, y);
}

template <typename Real>
void TextbookAlgorithms<Real>::normalizeByWelford(Lane x, Real epsilon,
                                                  Result y) {
  Real mean = 0;
  Real squares = 0;
  Real count = 0;
  for (Real value : x) {
    count += 1;
    Real deviation = value - mean;
    mean += deviation / count;
    squares += deviation * (value - mean);
  }
  normalize<Real>(x, mean, squares / count, epsilon, y);
}

template struct mlir::meanvar::TextbookAlgorithms<float>;
template struct mlir::meanvar::TextbookAlgorithms<double>;
