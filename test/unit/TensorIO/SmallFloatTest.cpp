//===- SmallFloatTest.cpp - Tests of conversions of 16-bit floats ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/SmallFloat.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir::meanvar;
using llvm::APFloat;

namespace {
/// A format and the two conversions under test.
struct Format {
  const llvm::fltSemantics &semantics;
  double (*widen)(uint16_t);
  uint16_t (*round)(double);
};

const Format formats[] = {{APFloat::IEEEhalf(), halfToDouble, doubleToHalf},
                          {APFloat::BFloat(), bfloatToDouble, doubleToBFloat}};

uint16_t roundWithAPFloat(double value, const llvm::fltSemantics &semantics) {
  APFloat result(value);
  bool losesInfo;
  result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return result.bitcastToAPInt().getZExtValue();
}

TEST(SmallFloatTest, WidensAndRoundsEveryValue) {
  for (const Format &format : formats) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      APFloat expected(format.semantics, llvm::APInt(16, bits));
      double value = format.widen(bits);
      if (expected.isNaN()) {
        EXPECT_TRUE(std::isnan(value)) << bits;
        EXPECT_TRUE(std::isnan(format.widen(format.round(value)))) << bits;
        continue;
      }
      bool losesInfo;
      expected.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                       &losesInfo);
      EXPECT_EQ(value, expected.convertToDouble()) << bits;
      EXPECT_EQ(format.round(value), bits);
    }
  }
}

TEST(SmallFloatTest, RoundsTiesToEvenEverywhere) {
  for (const Format &format : formats) {
    for (unsigned bits = 0; bits < 0x7FFF; ++bits) {
      double low = format.widen(bits), high = format.widen(bits + 1);
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = (low + high) / 2;
      for (double value :
           {middle, std::nextafter(middle, low), std::nextafter(middle, high)})
        EXPECT_EQ(format.round(value),
                  roundWithAPFloat(value, format.semantics))
            << value;
    }
  }
}

TEST(SmallFloatTest, RoundsAnyDouble) {
  std::mt19937_64 words(1);
  for (const Format &format : formats) {
    for (int i = 0; i < 100000; ++i) {
      // Exponents beyond those of the format on both sides.
      double value = std::ldexp(static_cast<double>(words()),
                                static_cast<int>(words() % 340) - 220);
      EXPECT_EQ(format.round(-value),
                roundWithAPFloat(-value, format.semantics))
          << value;
    }
    EXPECT_EQ(format.round(1e300), roundWithAPFloat(1e300, format.semantics));
    EXPECT_EQ(format.round(5e-324), 0);
    EXPECT_EQ(format.round(-0.0), 0x8000);
  }
}
} // namespace
