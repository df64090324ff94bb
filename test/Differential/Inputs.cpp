//===- Inputs.cpp - Random elements of tensors ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "meanvar/TensorIO/FloatFormat.h"
#include "meanvar/TensorIO/Random.h"

#include <cmath>
#include <limits>

using namespace mlir::meanvar;

namespace {
/// A kind of values: one number for each element, from its index and a random
/// number of the standard normal distribution.
struct Distribution {
  Distribution(ElementKind kind, Choices &choices);

  double get(int64_t index, double normal) const;

private:
  enum class Shape {
    Integers,
    Normal,
    Constant,
    NearlyConstant,
    TwoValues,
    FirstIsOutlier,
    SomeAreOutliers,
    SomeAreSpecial,
    Huge,
    Subnormal,
  };

  double getSpecial(double normal) const;

  Shape shape;
  double largest;
  double smallest;
  double mean;
  double sigma;
  double outlier;
  double ulp;
};
} // namespace

Distribution::Distribution(ElementKind kind, Choices &choices) {
  shape = choices.pick<Shape>({Shape::Integers, Shape::Normal, Shape::Normal,
                               Shape::Constant, Shape::NearlyConstant,
                               Shape::TwoValues, Shape::FirstIsOutlier,
                               Shape::SomeAreOutliers, Shape::SomeAreSpecial,
                               Shape::Huge, Shape::Subnormal});
  // Sums of squares of f64 values are in range up to 1e150 (V6).
  bool isDouble = kind == ElementKind::F64;
  largest = isDouble && choices.choose(4) != 0 ? 1e150 : getLargest(kind);
  smallest = static_cast<double>(getUlp(kind, 0));
  mean = choices.pick<double>({0, 1, 0.1, -3, 1e2, -1e3, 1e4, 1e5, 1e6, 1e-3,
                               -1e-20, 1e30, largest, -largest});
  sigma = choices.pick<double>({1, 1e-2, 30, 1e3, 1e-4, 1e-12, 1e-25, 1e18});
  outlier = choices.pick<double>({1e3, -1e5, 1e10, 1e30, largest});
  ulp = static_cast<double>(getUlp(kind, mean));
}

double Distribution::getSpecial(double normal) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (normal > 2.5)
    return infinity;
  if (normal > 2.3)
    return -infinity;
  if (normal > 2)
    return std::numeric_limits<double>::quiet_NaN();
  return mean + sigma * normal;
}

double Distribution::get(int64_t index, double normal) const {
  switch (shape) {
  case Shape::Integers:
    return static_cast<double>(index * 7 % 5);
  case Shape::Normal:
    return mean + sigma * normal;
  case Shape::Constant:
    return mean;
  case Shape::NearlyConstant:
    return mean + ulp * std::round(normal);
  case Shape::TwoValues:
    return normal > 1.5 ? mean : mean + sigma;
  case Shape::FirstIsOutlier:
    return index == 0 ? outlier : mean + sigma * normal;
  case Shape::SomeAreOutliers:
    return std::abs(normal) > 2.3 ? outlier : mean + sigma * normal;
  case Shape::SomeAreSpecial:
    return getSpecial(normal);
  case Shape::Huge:
    return std::copysign(largest * (1 - std::abs(std::remainder(normal, 1))),
                         normal);
  case Shape::Subnormal:
    return smallest * std::round(20 * normal);
  }
  return 0;
}

void mlir::meanvar::fillAtRandom(HostTensor &tensor, Choices &choices) {
  Distribution distribution(tensor.getKind(), choices);
  NormalGenerator generator(choices.choose(1000));
  for (int64_t index = 0; index < tensor.getNumElements(); ++index)
    tensor.setFloat(index, distribution.get(index, generator.next()));
}
