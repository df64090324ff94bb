//===- MeanVariance.cpp - Both operators by their definition --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/MeanVariance.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir::meanvar;
using llvm::ArrayRef;

using Real = long double;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// A sum whose error does not grow with the number of its terms (A. Neumaier,
/// Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen,
/// ZAMM 54, 1974).
class CompensatedSum {
public:
  void add(Real term) {
    Real next = sum + term;
    if (std::abs(sum) >= std::abs(term))
      compensation += (sum - next) + term;
    else
      compensation += (term - next) + sum;
    sum = next;
  }

  Real get() const { return sum + compensation; }

private:
  Real sum = 0;
  Real compensation = 0;
};
} // namespace

/// Returns the mean of `function` over the numbers.
template <typename Function>
static Real average(ArrayRef<Approximation> numbers, Function function) {
  CompensatedSum sum;
  for (const Approximation &number : numbers)
    sum.add(function(number));
  return sum.get() / static_cast<Real>(numbers.size());
}

static bool areEqual(ArrayRef<Approximation> numbers) {
  return llvm::all_of(numbers, [&](const Approximation &number) {
    return number.value == numbers.front().value;
  });
}

/// Returns true for numbers that are determined and equal.
static bool isConstant(ArrayRef<Approximation> numbers) {
  return areEqual(numbers) &&
         llvm::all_of(numbers, [](const Approximation &number) {
           return number.isDetermined();
         });
}

static bool areFinite(ArrayRef<Approximation> numbers) {
  return llvm::all_of(numbers, [](const Approximation &number) {
    return std::isfinite(number.value);
  });
}

static bool isAnyUnknown(ArrayRef<Approximation> numbers) {
  return llvm::any_of(
      numbers, [](const Approximation &number) { return number.isUnknown(); });
}

/// Returns the largest magnitude that one of the numbers may have.
static Real getLargestMagnitude(ArrayRef<Approximation> numbers) {
  Real largest = 0;
  for (const Approximation &number : numbers)
    largest = std::max(largest, std::abs(number.value) + number.error);
  return largest;
}

Population mlir::meanvar::computePopulation(ArrayRef<Approximation> values) {
  Population population;
  if (areEqual(values)) {
    population.mean = values.front().value;
    return population;
  }
  population.mean =
      average(values, [](const Approximation &x) { return x.value; });
  population.meanTail = average(values, [&](const Approximation &x) {
    return x.value - population.mean;
  });
  Real variance = average(values, [&](const Approximation &x) {
    Real deviation = (x.value - population.mean) - population.meanTail;
    return deviation * deviation;
  });
  population.sigma = std::sqrt(variance);
  return population;
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

/// M5, M6: what adding in the operands' order gives where it leaves the finite
/// numbers, be it by overflow: NaN, an infinity, or unknown where errors
/// decide. Otherwise nothing. Only f64 sums can overflow: those of the other
/// kinds are far from the end of f64's range.
static std::optional<Approximation>
findSpecialSum(ArrayRef<Approximation> operands) {
  double sum = 0;
  Real uncertainty = 0;
  for (const Approximation &operand : operands) {
    Real next = sum + operand.value;
    uncertainty += operand.error;
    if (uncertainty > 0 && std::isfinite(next)) {
      uncertainty += getUlp(ElementKind::F64, next);
      if (confine(ElementKind::F64, next, uncertainty).isUnknown())
        return makeUnknown();
    }
    sum += static_cast<double>(operand.value);
  }
  if (std::isfinite(sum))
    return std::nullopt;
  return Approximation{sum, 0};
}

/// The part of M5's bound that does not depend on the result, in units of the
/// largest operand.
static Real getSumBound(ElementKind kind, size_t numOperands) {
  switch (kind) {
  case ElementKind::F64:
    return static_cast<Real>(numOperands) * 0x1p-53L;
  case ElementKind::F32:
    return 0x1p-50L;
  default:
    return 0x1p-22L;
  }
}

Approximation mlir::meanvar::computeMean(ElementKind kind,
                                         ArrayRef<Approximation> operands) {
  if (operands.size() == 1) // M1
    return operands.front();
  if (isAnyUnknown(operands))
    return makeUnknown();
  if (std::optional<Approximation> special = findSpecialSum(operands))
    return *special;

  bool isExactForEqual =
      kind != ElementKind::F64 || llvm::isPowerOf2_64(operands.size());
  if (isExactForEqual && isConstant(operands))
    return operands.front();
  Real value = computePopulation(operands).mean;
  Real error =
      average(operands, [](const Approximation &x) { return x.error; });
  error += 0.51L * getUlp(kind, std::abs(value) + error) +
           getSumBound(kind, operands.size()) * getLargestMagnitude(operands);
  // The mean of finite numbers does not overflow, however close it comes.
  return {value, error};
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

ElementKind mlir::meanvar::getStatisticsKind(ElementKind kind) {
  return kind == ElementKind::F64 ? ElementKind::F64 : ElementKind::F32;
}

/// V5: the bound where neither |mean| / sigma nor the result is large.
static Real getBaseTolerance(ElementKind kind) {
  return kind == ElementKind::F64 ? 1e-14L : 1e-6L;
}

/// V6, V4: nothing is promised about f64 lanes with larger values, but that
/// constant ones give 0.
static bool isPromised(ElementKind kind, ArrayRef<Approximation> lane) {
  constexpr Real largestPromised = 1e150L;
  return kind != ElementKind::F64 ||
         getLargestMagnitude(lane) <= largestPromised || isConstant(lane);
}

namespace {
/// One lane of finite numbers. What is uncertain about the numbers makes the
/// results uncertain: where x_i moves by e_i, the mean moves by at most E[e]
/// and sigma, which is a norm of the deviations, by at most sqrt(E[e^2]).
class LaneNormalization {
public:
  LaneNormalization(ElementKind kind, ArrayRef<Approximation> lane,
                    const NormalizationClauses &clauses)
      : kind(kind), lane(lane), clauses(clauses),
        population(computePopulation(lane)) {
    auto getError = [](const Approximation &x) { return x.error; };
    meanError = average(lane, getError);
    sigmaError = std::sqrt(average(
        lane, [](const Approximation &x) { return x.error * x.error; }));
    smallestSigma = population.sigma - sigmaError;
    divisor = getDivisor(population.sigma);
  }

  Approximation getMean() const;
  Approximation getScale() const;
  Approximation getElement(const Approximation &x) const;

private:
  /// V3: what deviations are divided by.
  Real getDivisor(Real sigma) const {
    if (clauses.insideSqrt)
      return std::sqrt(sigma * sigma + clauses.epsilon);
    return sigma + clauses.epsilon;
  }

  /// V5: the relative bound, which grows where |mean| / sigma exceeds 1e4.
  Real getTolerance() const {
    Real mean = std::abs(population.mean) + meanError;
    return getBaseTolerance(kind) *
           std::max(1.0L, mean / (smallestSigma * 1e4L));
  }

  ElementKind kind;
  ArrayRef<Approximation> lane;
  const NormalizationClauses &clauses;
  Population population;
  Real meanError = 0;
  Real sigmaError = 0;
  Real smallestSigma = 0;
  Real divisor = 0;
};
} // namespace

Approximation LaneNormalization::getMean() const {
  Real unit = std::max(population.sigma + sigmaError,
                       std::abs(population.mean) + meanError);
  return confineRounded(getStatisticsKind(kind), population.mean,
                        meanError + getBaseTolerance(kind) * unit);
}

Approximation LaneNormalization::getScale() const {
  ElementKind statisticsKind = getStatisticsKind(kind);
  if (divisor == 0 && sigmaError == 0)
    return {std::numeric_limits<Real>::infinity(), 0};
  Real scale = 1 / divisor;
  if (population.sigma == 0 && sigmaError == 0)
    return confineRounded(statisticsKind, scale,
                          getBaseTolerance(kind) * scale);
  if (smallestSigma <= 0)
    return makeUnknown();
  Real error = scale * sigmaError / getDivisor(smallestSigma);
  return confineRounded(statisticsKind, scale,
                        error + getTolerance() * (scale + error));
}

Approximation LaneNormalization::getElement(const Approximation &x) const {
  if (population.sigma == 0 && sigmaError == 0)
    return {0, 0}; // V4
  if (smallestSigma <= 0)
    return makeUnknown();
  Real value = (x.value - population.mean) - population.meanTail;
  Real error = x.error + meanError;
  Real unit = population.sigma + sigmaError;
  if (!clauses.centerOnly) {
    value /= divisor;
    error = (error + std::abs(value) * sigmaError) / getDivisor(smallestSigma);
    unit = 1;
  }
  // V5, at the value that is allowed and furthest from 0.
  Real largest = std::abs(value) + error;
  Real bound = getTolerance() * std::max(unit, largest);
  if (kind == ElementKind::F16 || kind == ElementKind::BF16)
    bound += getUlp(kind, largest + bound) / 2;
  // Nothing is closer than subnormal numbers are to one another.
  bound = std::max(bound, getUlp(kind, 0) / 2);
  return confine(kind, value, error + bound);
}

NormalizedLane
mlir::meanvar::normalizeLane(ElementKind kind, ArrayRef<Approximation> lane,
                             const NormalizationClauses &clauses) {
  NormalizedLane result;
  auto fill = [&](const Approximation &number) {
    result.elements.assign(lane.size(), number);
    result.mean = result.scale = number;
    return result;
  };
  if (!areFinite(lane)) // V7
    return fill({std::numeric_limits<Real>::quiet_NaN(), 0});
  if (isAnyUnknown(lane) || !isPromised(kind, lane))
    return fill(makeUnknown());
  LaneNormalization normalization(kind, lane, clauses);
  result.elements.reserve(lane.size());
  for (const Approximation &x : lane)
    result.elements.push_back(normalization.getElement(x));
  result.mean = normalization.getMean();
  result.scale = normalization.getScale();
  return result;
}
