//===- RandomTest.cpp - Tests of reproducible random tensors --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Random.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::meanvar;

namespace {
TEST(RandomTest, GivesTheSameBitsEverywhere) {
  NormalGenerator generator(1);
  EXPECT_EQ(generator.next(), 0x1.b7c251a5470ccp-2);
  EXPECT_EQ(generator.next(), 0x1.95f5305298699p+0);
  EXPECT_EQ(generator.next(), 0x1.d368fe72bb620p-2);
  EXPECT_EQ(generator.next(), -0x1.b9bb240029695p-5);
}

TEST(RandomTest, IsStandardNormal) {
  constexpr int count = 1 << 20;
  NormalGenerator generator(42);
  double sums[5] = {};
  for (int i = 0; i < count; ++i) {
    double value = generator.next();
    double power = 1;
    for (double &sum : sums) {
      sum += power;
      power *= value;
    }
  }
  // Five standard deviations of each moment's estimate.
  double scale = 5 / std::sqrt(static_cast<double>(count));
  EXPECT_NEAR(sums[1] / count, 0, scale);
  EXPECT_NEAR(sums[2] / count, 1, std::sqrt(2.0) * scale);
  EXPECT_NEAR(sums[3] / count, 0, std::sqrt(15.0) * scale);
  EXPECT_NEAR(sums[4] / count, 3, std::sqrt(96.0) * scale);
}
} // namespace
