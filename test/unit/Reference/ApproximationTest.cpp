//===- ApproximationTest.cpp - Tests of numbers with error bounds ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Approximation.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::meanvar;

namespace {
constexpr long double infinity = std::numeric_limits<long double>::infinity();
constexpr long double nan = std::numeric_limits<long double>::quiet_NaN();

TEST(ApproximationTest, UlpAtPowersOfTwo) {
  EXPECT_EQ(getUlp(ElementKind::F32, 1), 0x1p-23L);
  EXPECT_EQ(getUlp(ElementKind::F32, 0x1.fffffep-1L), 0x1p-24L);
  EXPECT_EQ(getUlp(ElementKind::F32, -2), 0x1p-22L);
  EXPECT_EQ(getUlp(ElementKind::F16, 1024), 1);
  EXPECT_EQ(getUlp(ElementKind::F16, 1023.5L), 0.5L);
  EXPECT_EQ(getUlp(ElementKind::BF16, 256), 2);
  EXPECT_EQ(getUlp(ElementKind::F64, 1), 0x1p-52L);
}

TEST(ApproximationTest, UlpOfSubnormalNumbersAndZero) {
  for (long double value : {0.0L, 0x1p-149L, 0x1p-127L, 0x1p-126L, 1e-60L})
    EXPECT_EQ(getUlp(ElementKind::F32, value), 0x1p-149L) << value;
  EXPECT_EQ(getUlp(ElementKind::F32, 0x1p-125L), 0x1p-148L);
  EXPECT_EQ(getUlp(ElementKind::F16, 0), 0x1p-24L);
  EXPECT_EQ(getUlp(ElementKind::BF16, 0), 0x1p-133L);
  EXPECT_EQ(getUlp(ElementKind::F64, 0), 0x1p-1074L);
}

TEST(ApproximationTest, UlpBeyondTheRange) {
  EXPECT_EQ(getUlp(ElementKind::F16, 1e30L), 32);
  EXPECT_EQ(getUlp(ElementKind::F16, infinity), 32);
}

TEST(ApproximationTest, LargestNumbers) {
  EXPECT_EQ(getLargest(ElementKind::F16), 65504);
  EXPECT_EQ(getLargest(ElementKind::BF16), 0x1.fep127L);
  EXPECT_EQ(getLargest(ElementKind::F32), FLT_MAX);
  EXPECT_EQ(getLargest(ElementKind::F64), DBL_MAX);
}

TEST(ApproximationTest, ConfineRoundsToInfinityAtTheTie) {
  // 65520 is half an ulp above the largest f16, and even is the infinity.
  EXPECT_EQ(confine(ElementKind::F16, 65520, 0).value, infinity);
  EXPECT_EQ(confine(ElementKind::F16, -65520, 0).value, -infinity);
  EXPECT_EQ(confine(ElementKind::F16, 65519.9L, 0).value, 65519.9L);
  EXPECT_TRUE(confine(ElementKind::F16, 1e6L, 10).isDetermined());
}

TEST(ApproximationTest, ConfineIsUnknownWhereTheErrorDecides) {
  EXPECT_TRUE(confine(ElementKind::F16, 65500, 20).isUnknown());
  EXPECT_TRUE(confine(ElementKind::F16, 65530, 11).isUnknown());
  EXPECT_TRUE(confine(ElementKind::F16, -65500, 20).isUnknown());
  EXPECT_EQ(confine(ElementKind::F16, 65530, 10).value, infinity);
  EXPECT_EQ(confine(ElementKind::F16, 65500, 19.9L).value, 65500);
  EXPECT_TRUE(confine(ElementKind::F16, 0, infinity).isUnknown());
}

TEST(ApproximationTest, ConfineKeepsDeterminedSpecialValues) {
  EXPECT_EQ(confine(ElementKind::F32, infinity, 0).value, infinity);
  EXPECT_TRUE(std::isnan(confine(ElementKind::F32, nan, 0).value));
  EXPECT_TRUE(confine(ElementKind::F32, infinity, 1).isUnknown());
}

TEST(ApproximationTest, ConfineRoundedAddsHalfAnUlp) {
  EXPECT_EQ(confineRounded(ElementKind::F32, 1, 0).error, 0x1p-24L);
  // Numbers of [1, 2] may be 2, where the ulp is twice as large.
  EXPECT_EQ(confineRounded(ElementKind::F32, 1.5L, 0.5L).error,
            0.5L + 0x1p-23L);
  EXPECT_EQ(confineRounded(ElementKind::F32, 0, 0).error, 0x1p-150L);
  EXPECT_TRUE(confineRounded(ElementKind::F16, 65504, 0).isUnknown());
}

TEST(ApproximationTest, IsWithin) {
  EXPECT_TRUE(isWithin(1.25, {1, 0.25L}));
  EXPECT_TRUE(isWithin(0.75, {1, 0.25L}));
  EXPECT_FALSE(isWithin(std::nextafter(1.25, 2), {1, 0.25L}));
  EXPECT_TRUE(isWithin(-0.0, {0, 0}));
  EXPECT_TRUE(isWithin(INFINITY, {infinity, 0}));
  EXPECT_FALSE(isWithin(-INFINITY, {infinity, 0}));
  EXPECT_FALSE(isWithin(FLT_MAX, {infinity, 0}));
  EXPECT_FALSE(isWithin(INFINITY, {1, 1}));
  EXPECT_TRUE(isWithin(NAN, {nan, 0}));
  EXPECT_FALSE(isWithin(1, {nan, 0}));
  EXPECT_FALSE(isWithin(NAN, {1, 1}));
  EXPECT_TRUE(isWithin(NAN, makeUnknown()));
  EXPECT_TRUE(isWithin(INFINITY, makeUnknown()));
}
} // namespace
