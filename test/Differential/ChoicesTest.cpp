//===- ChoicesTest.cpp - Tests of decisions and of shrinking --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlir::meanvar;

namespace {

using Numbers = std::vector<uint32_t>;

TEST(ChoicesTest, RepeatsWhatASeedGave) {
  Choices first(7);
  for (uint32_t count = 1; count < 100; ++count)
    EXPECT_LT(first.choose(count), count);
  Choices second(7);
  Choices replayed(first.getTaken());
  for (uint32_t number : first.getTaken()) {
    EXPECT_EQ(second.choose(100), second.getTaken().back());
    EXPECT_EQ(replayed.choose(100), number);
  }
}

TEST(ChoicesTest, TakesTheSimplestWhereNumbersEnd) {
  Choices choices(Numbers{3, 9});
  EXPECT_EQ(choices.choose(10), 3U);
  // What a changed sequence has too large stands for something that fits.
  EXPECT_EQ(choices.choose(5), 4U);
  EXPECT_EQ(choices.choose(5), 0U);
  EXPECT_FALSE(choices.isOneIn(2));
  EXPECT_EQ(choices.getTaken(), (Numbers{3, 4, 0, 0}));
}

TEST(ShrinkTest, FindsTheSmallestFailure) {
  auto isFailing = [](const Numbers &numbers) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [](uint32_t number) { return number >= 10; });
  };
  EXPECT_EQ(shrink({1, 500, 2, 77, 3, 4, 5, 6}, 1000, isFailing),
            (Numbers{10}));
}

TEST(ShrinkTest, KeepsWhatHasToStay) {
  auto isFailing = [](const Numbers &numbers) {
    return std::count(numbers.begin(), numbers.end(), 5) >= 2;
  };
  EXPECT_EQ(shrink({9, 5, 8, 7, 5, 5, 1}, 1000, isFailing), (Numbers{5, 5}));
}

TEST(ShrinkTest, StopsAfterSoManyAttempts) {
  unsigned attempts = 0;
  auto isFailing = [&](const Numbers &) {
    ++attempts;
    return false;
  };
  Numbers numbers(100, 9);
  EXPECT_EQ(shrink(numbers, 12, isFailing), numbers);
  EXPECT_EQ(attempts, 12U);
}

} // namespace
