//===- MeanVarianceTest.cpp - Tests of both operators by definition -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/MeanVariance.h"
#include "meanvar/TensorIO/HostTensor.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::meanvar;

namespace {
constexpr long double infinity = std::numeric_limits<long double>::infinity();
constexpr long double nan = std::numeric_limits<long double>::quiet_NaN();
constexpr ElementKind floats[] = {ElementKind::F16, ElementKind::BF16,
                                  ElementKind::F32, ElementKind::F64};

std::vector<Approximation> determined(std::vector<long double> values) {
  std::vector<Approximation> numbers;
  for (long double value : values)
    numbers.push_back({value, 0});
  return numbers;
}

//===----------------------------------------------------------------------===//
// Populations
//===----------------------------------------------------------------------===//

TEST(PopulationTest, KnownValues) {
  Population population =
      computePopulation(determined({2, 4, 4, 4, 5, 5, 7, 9}));
  EXPECT_EQ(population.mean, 5);
  EXPECT_EQ(population.meanTail, 0);
  EXPECT_EQ(population.sigma, 2);
}

TEST(PopulationTest, MeanHasMoreBitsThanALongDouble) {
  constexpr long double base = 1e15L;
  Population population = computePopulation(determined({base, base, base + 1}));
  long double rounded = population.mean - base; // exact
  EXPECT_GT(std::abs(rounded - 1.0L / 3), 1e-6L);
  EXPECT_LT(std::abs(rounded + population.meanTail - 1.0L / 3), 1e-19L);
}

TEST(PopulationTest, EqualValuesAreExact) {
  Population population =
      computePopulation(determined(std::vector<long double>(7, 0.1L)));
  EXPECT_EQ(population.mean, 0.1L);
  EXPECT_EQ(population.sigma, 0);
}

TEST(PopulationTest, LargeMeanDoesNotCancel) {
  Population population = computePopulation(determined({1e15L - 1, 1e15L + 1}));
  EXPECT_EQ(population.mean, 1e15L);
  EXPECT_EQ(population.sigma, 1);
}

TEST(PopulationTest, ExtremesOfF64) {
  EXPECT_EQ(computePopulation(determined({-DBL_MAX, DBL_MAX})).sigma, DBL_MAX);
  constexpr double subnormal = 0x1p-1074;
  EXPECT_EQ(computePopulation(determined({-subnormal, subnormal})).sigma,
            subnormal);
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

TEST(MeanTest, ExamplesOfONNX) {
  EXPECT_EQ(computeMean(ElementKind::F32, determined({3, 1, 2})).value, 2);
  EXPECT_EQ(computeMean(ElementKind::F32, determined({0, 3, 6})).value, 3);
  EXPECT_EQ(computeMean(ElementKind::F32, determined({2, 4, 6})).value, 4);
}

TEST(MeanTest, OneOperandIsTheResult) {
  Approximation number{0.5L, 0.25L};
  Approximation mean = computeMean(ElementKind::F16, number);
  EXPECT_EQ(mean.value, number.value);
  EXPECT_EQ(mean.error, number.error);
}

TEST(MeanTest, BoundsOfM5) {
  auto numbers = determined({1, 2, 5}); // mean 8/3
  long double third = 8.0L / 3;
  for (auto [kind, bound] : {std::pair(ElementKind::F16, 5 * 0x1p-22L),
                             std::pair(ElementKind::BF16, 5 * 0x1p-22L),
                             std::pair(ElementKind::F32, 5 * 0x1p-50L),
                             std::pair(ElementKind::F64, 3 * 5 * 0x1p-53L)}) {
    Approximation mean = computeMean(kind, numbers);
    EXPECT_EQ(mean.value, third);
    long double expected = 0.51L * getUlp(kind, third) + bound;
    EXPECT_NEAR(mean.error / expected, 1, 1e-15);
  }
}

TEST(MeanTest, EqualOperandsAreExact) {
  auto three = determined({0.1L, 0.1L, 0.1L});
  EXPECT_TRUE(computeMean(ElementKind::F32, three).isDetermined());
  EXPECT_EQ(computeMean(ElementKind::F32, three).value, 0.1L);
  EXPECT_FALSE(computeMean(ElementKind::F64, three).isDetermined());
  auto four = determined({0.1L, 0.1L, 0.1L, 0.1L});
  EXPECT_TRUE(computeMean(ElementKind::F64, four).isDetermined());
}

TEST(MeanTest, SpecialValues) {
  for (ElementKind kind : floats) {
    EXPECT_EQ(computeMean(kind, determined({1, infinity})).value, infinity);
    EXPECT_EQ(computeMean(kind, determined({-infinity, 1})).value, -infinity);
    EXPECT_TRUE(
        std::isnan(computeMean(kind, determined({infinity, -infinity})).value));
    EXPECT_TRUE(std::isnan(computeMean(kind, determined({1, nan})).value));
  }
}

TEST(MeanTest, SumsOfNarrowKindsDoNotOverflow) {
  long double largest = FLT_MAX;
  Approximation mean = computeMean(
      ElementKind::F32, determined({largest, largest, -largest, largest}));
  EXPECT_EQ(mean.value, largest / 2);
  mean = computeMean(ElementKind::F16, determined({65504, 65504, 65472}));
  EXPECT_EQ(mean.value, (2 * 65504 + 65472) / 3.0L);
}

TEST(MeanTest, SumsOfF64Overflow) {
  auto getMean = [](std::vector<long double> values) {
    return computeMean(ElementKind::F64, determined(std::move(values))).value;
  };
  long double largest = DBL_MAX;
  EXPECT_EQ(getMean({largest, largest}), infinity);
  EXPECT_EQ(getMean({largest, largest, -largest}), infinity);
  EXPECT_EQ(getMean({-largest, -largest}), -infinity);
  EXPECT_EQ(getMean({largest, -largest, largest}), largest / 3);
  // The sum is infinite before the infinity of the other sign comes.
  EXPECT_TRUE(std::isnan(getMean({largest, largest, -infinity})));
  EXPECT_EQ(getMean({-infinity, largest, largest}), -infinity);
}

TEST(MeanTest, UncertainSumsOfF64MayOverflow) {
  Approximation uncertain{DBL_MAX / 2, 0x1p980L};
  EXPECT_TRUE(
      computeMean(ElementKind::F64, {uncertain, {DBL_MAX / 2, 0}}).isUnknown());
  EXPECT_FALSE(
      computeMean(ElementKind::F64, {uncertain, {DBL_MAX / 4, 0}}).isUnknown());
}

TEST(MeanTest, UnknownOperands) {
  EXPECT_TRUE(
      computeMean(ElementKind::F32, {{1, 0}, makeUnknown()}).isUnknown());
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

NormalizedLane normalize(ElementKind kind, std::vector<long double> values,
                         double epsilon = 1e-9, bool insideSqrt = false,
                         bool centerOnly = false) {
  return normalizeLane(kind, determined(std::move(values)),
                       {epsilon, insideSqrt, centerOnly});
}

TEST(NormalizationTest, ExampleOfONNX) {
  NormalizedLane lane =
      normalize(ElementKind::F32, {4, 6, 8, 22, 24, 26, 40, 42, 44});
  const double expected[] = {-1.3525045, -1.217254, -1.0820036, -0.13525045, 0,
                             0.13525045, 1.0820036, 1.217254,   1.3525045};
  for (auto [number, value] : llvm::zip_equal(lane.elements, expected))
    EXPECT_NEAR(number.value, value, 1e-7);
  EXPECT_EQ(lane.mean.value, 24);
}

TEST(NormalizationTest, Clauses) {
  // The mean is 5 and sigma 2.
  std::vector<long double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  ElementKind kind = ElementKind::F32;
  EXPECT_EQ(normalize(kind, values, 0).elements[0].value, -1.5L);
  EXPECT_EQ(normalize(kind, values, 1).elements[0].value, -1);
  EXPECT_EQ(normalize(kind, values, 5, true).elements[0].value, -1);
  EXPECT_EQ(normalize(kind, values, 7, false, true).elements[0].value, -3);
  EXPECT_EQ(normalize(kind, values, 2).scale.value, 0.25L);
  EXPECT_EQ(normalize(kind, values, 5, true).scale.value, 1.0L / 3);
}

TEST(NormalizationTest, BoundsOfV5) {
  std::vector<long double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  auto getError = [&](ElementKind kind, bool centerOnly = false) {
    return normalize(kind, values, 0, false, centerOnly).elements[7].error;
  };
  EXPECT_EQ(getError(ElementKind::F32), 2e-6L);
  EXPECT_EQ(getError(ElementKind::F64), 2e-14L);
  // Beside 2, a result may be on the side where the ulp is larger.
  EXPECT_EQ(getError(ElementKind::F16), 2e-6L + 0x1p-10L);
  EXPECT_EQ(getError(ElementKind::BF16), 2e-6L + 0x1p-7L);
  EXPECT_EQ(getError(ElementKind::F32, true), 4e-6L);
  // Near 0, sigma is the unit.
  EXPECT_EQ(
      normalize(ElementKind::F32, values, 0, false, true).elements[4].error,
      2e-6L);
}

TEST(NormalizationTest, BoundGrowsWithTheMean) {
  NormalizedLane lane = normalize(ElementKind::F32, {1e6L - 1, 1e6L + 1}, 0);
  EXPECT_EQ(lane.elements[1].value, 1);
  EXPECT_NEAR(lane.elements[1].error, 1e-4, 1e-12);
}

TEST(NormalizationTest, ConstantLanesAreExactly0) {
  for (ElementKind kind : floats)
    for (long double value : {0.0L, 0.1L, 65504.0L})
      for (double epsilon : {0.0, 1e-9}) {
        NormalizedLane lane =
            normalize(kind, std::vector<long double>(9, value), epsilon);
        for (const Approximation &element : lane.elements) {
          EXPECT_TRUE(element.isDetermined());
          EXPECT_EQ(element.value, 0);
        }
        EXPECT_EQ(lane.mean.value, value);
      }
  EXPECT_EQ(normalize(ElementKind::F32, {3, 3}, 0.5).scale.value, 2);
  EXPECT_EQ(normalize(ElementKind::F32, {3, 3}, 0.25, true).scale.value, 2);
  EXPECT_EQ(normalize(ElementKind::F32, {3, 3}, 0).scale.value, infinity);
  EXPECT_EQ(normalize(ElementKind::F32, {3, 3}, 1e-60).scale.value, infinity);
}

TEST(NormalizationTest, OneElementIsAConstantLane) {
  EXPECT_EQ(normalize(ElementKind::F64, {3}).elements[0].value, 0);
}

TEST(NormalizationTest, SpecialValuesMakeTheirLaneNaN) {
  for (ElementKind kind : floats)
    for (long double special : {nan, infinity, -infinity})
      for (bool centerOnly : {false, true}) {
        NormalizedLane lane =
            normalize(kind, {1, special, 3}, 1e-9, false, centerOnly);
        for (const Approximation &element : lane.elements) {
          EXPECT_TRUE(std::isnan(element.value));
          EXPECT_TRUE(element.isDetermined());
        }
        EXPECT_TRUE(std::isnan(lane.mean.value));
        EXPECT_TRUE(std::isnan(lane.scale.value));
      }
}

TEST(NormalizationTest, NaNWinsOverUnknownNumbers) {
  NormalizedLane lane =
      normalizeLane(ElementKind::F32, {makeUnknown(), {nan, 0}, {1, 0}}, {});
  EXPECT_TRUE(std::isnan(lane.elements[2].value));
  lane = normalizeLane(ElementKind::F32, {makeUnknown(), {1, 0}}, {});
  EXPECT_TRUE(lane.elements[1].isUnknown());
}

TEST(NormalizationTest, Extremes) {
  NormalizedLane lane = normalize(ElementKind::F32, {-FLT_MAX, FLT_MAX}, 0);
  EXPECT_EQ(lane.elements[1].value, 1);
  lane = normalize(ElementKind::F32, {0, 0x1p-149L}, 0);
  EXPECT_EQ(lane.elements[1].value, 1);
  // V6: nothing is promised beyond 1e150.
  lane = normalize(ElementKind::F64, {-1e150L, 1e150L}, 0);
  EXPECT_EQ(lane.elements[1].value, 1);
  lane = normalize(ElementKind::F64, {-1.1e150L, 1e150L}, 0);
  EXPECT_TRUE(lane.elements[1].isUnknown());
  // V4 holds there, too.
  lane = normalize(ElementKind::F64, {DBL_MAX, DBL_MAX}, 0);
  EXPECT_TRUE(lane.elements[1].isDetermined());
  EXPECT_EQ(lane.elements[1].value, 0);
}

TEST(NormalizationTest, CenteredF16MayOverflow) {
  std::vector<long double> values(40, -65504);
  values.front() = 65504;
  NormalizedLane lane = normalize(ElementKind::F16, values, 0, false, true);
  EXPECT_EQ(lane.elements.front().value, infinity);
}

//===----------------------------------------------------------------------===//
// Propagation of errors
//===----------------------------------------------------------------------===//

/// Lanes of uncertain numbers, and determined ones within their errors.
class PropagationTest : public ::testing::TestWithParam<ElementKind> {
protected:
  std::vector<Approximation> makeLane(size_t size, long double mean,
                                      long double largestError) {
    std::normal_distribution<double> normal;
    std::vector<Approximation> lane;
    for (size_t i = 0; i < size; ++i)
      lane.push_back({mean + normal(random), largestError * uniform(random)});
    return lane;
  }

  /// Moves each number as far as its error allows, or less far.
  std::vector<Approximation> perturb(const std::vector<Approximation> &lane) {
    bool isCorner = uniform(random) < 0.5;
    std::vector<Approximation> moved;
    for (const Approximation &number : lane) {
      long double share = 2 * uniform(random) - 1;
      if (isCorner)
        share = std::copysign(1, share);
      moved.push_back({number.value + share * number.error, 0});
    }
    return moved;
  }

  /// Expects that all that `inner` allows `outer` allows, too, up to the
  /// roundings of the reference itself.
  void expectInside(const Approximation &inner, const Approximation &outer) {
    ASSERT_FALSE(outer.isUnknown());
    long double reach = std::abs(inner.value - outer.value) + inner.error;
    EXPECT_LE(reach, outer.error * (1 + 1e-12L) +
                         1e-17L * (1 + std::abs(outer.value)));
    // The bound is not much larger than it need be, either.
    tightest = std::max(tightest, reach / outer.error);
  }

  std::mt19937 random{1};
  std::uniform_real_distribution<double> uniform{0, 1};
  long double tightest = 0;
};

TEST_P(PropagationTest, Mean) {
  for (int trial = 0; trial < 2000; ++trial) {
    auto operands = makeLane(2 + trial % 5, trial % 3, 0.1L);
    Approximation mean = computeMean(GetParam(), operands);
    expectInside(computeMean(GetParam(), perturb(operands)), mean);
  }
  EXPECT_GT(tightest, 0.9);
}

TEST_P(PropagationTest, Normalization) {
  for (int trial = 0; trial < 2000; ++trial) {
    auto lane = makeLane(3 + trial % 7, trial % 4 == 0 ? 3e4L : trial % 3,
                         trial % 2 == 0 ? 1e-2L : 1e-6L);
    NormalizationClauses clauses;
    clauses.epsilon = trial % 5 == 0 ? 0.5 : 1e-9;
    clauses.insideSqrt = trial % 3 == 0;
    clauses.centerOnly = trial % 7 == 0;
    // A sigma that the errors could bring to 0 leaves results unknown.
    if (computePopulation(lane).sigma < 0.05L)
      continue;
    NormalizedLane outer = normalizeLane(GetParam(), lane, clauses);
    NormalizedLane inner = normalizeLane(GetParam(), perturb(lane), clauses);
    for (auto [few, many] : llvm::zip_equal(inner.elements, outer.elements))
      expectInside(few, many);
    expectInside(inner.mean, outer.mean);
    expectInside(inner.scale, outer.scale);
  }
  EXPECT_GT(tightest, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Floats, PropagationTest, ::testing::ValuesIn(floats),
                         [](const auto &info) {
                           return getElementName(info.param).str();
                         });
} // namespace
