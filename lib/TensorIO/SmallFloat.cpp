//===- SmallFloat.cpp - The bits of f16 and bf16 --------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/SmallFloat.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace mlir::meanvar;

namespace {
constexpr int doubleFractionBits = 52;
constexpr int doubleBias = 1023;
constexpr uint64_t doubleInfinity = uint64_t(0x7FF) << doubleFractionBits;

/// A binary interchange format of 16 bits: a sign, `exponentBits`, and the
/// rest.
template <int exponentBits>
struct Format16 {
  static constexpr int fractionBits = 15 - exponentBits;
  static constexpr int bias = (1 << (exponentBits - 1)) - 1;
  static constexpr int minExponent = 1 - bias;
  static constexpr uint16_t infinity = ((1 << exponentBits) - 1)
                                       << fractionBits;
  static constexpr uint16_t quietBit = 1 << (fractionBits - 1);

  static double widen(uint16_t bits) {
    int exponentField = (bits & 0x7FFF) >> fractionBits;
    uint64_t fraction = bits & ((1 << fractionBits) - 1);
    double magnitude;
    if ((bits & infinity) == infinity)
      magnitude = llvm::bit_cast<double>(
          doubleInfinity | (fraction << (doubleFractionBits - fractionBits)));
    else if (exponentField == 0)
      magnitude =
          std::ldexp(static_cast<double>(fraction), minExponent - fractionBits);
    else
      magnitude =
          std::ldexp(static_cast<double>(fraction | (1 << fractionBits)),
                     exponentField - bias - fractionBits);
    return (bits & 0x8000) ? -magnitude : magnitude;
  }

  static uint16_t round(double value) {
    uint64_t bits = llvm::bit_cast<uint64_t>(value);
    uint16_t sign = static_cast<uint16_t>((bits >> 63) << 15);
    uint64_t magnitude = bits & ~(uint64_t(1) << 63);
    if (magnitude > doubleInfinity) {
      uint64_t payload =
          (magnitude & ~doubleInfinity) >> (doubleFractionBits - fractionBits);
      return sign | infinity | quietBit | static_cast<uint16_t>(payload);
    }
    int exponent =
        static_cast<int>(magnitude >> doubleFractionBits) - doubleBias;
    if (exponent > bias)
      return sign | infinity;
    // Subnormal doubles are far below half of the smallest 16-bit number.
    int shift =
        doubleFractionBits - fractionBits + std::max(0, minExponent - exponent);
    if (shift > doubleFractionBits + 1)
      return sign;
    uint64_t significand =
        (magnitude & ((uint64_t(1) << doubleFractionBits) - 1)) |
        (uint64_t(1) << doubleFractionBits);
    uint64_t rounded = significand >> shift;
    uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
    uint64_t half = uint64_t(1) << (shift - 1);
    if (rest > half || (rest == half && (rounded & 1)))
      ++rounded;
    // The leading bit of `rounded` adds one to the exponent field, and a carry
    // out of the fraction one more, up to infinity.
    uint64_t exponentField = std::max(0, exponent - minExponent);
    return sign |
           static_cast<uint16_t>((exponentField << fractionBits) + rounded);
  }
};

using Half = Format16<5>;
using BFloat = Format16<8>;
} // namespace

double mlir::meanvar::halfToDouble(uint16_t bits) { return Half::widen(bits); }

double mlir::meanvar::bfloatToDouble(uint16_t bits) {
  return BFloat::widen(bits);
}

uint16_t mlir::meanvar::doubleToHalf(double value) {
  return Half::round(value);
}

uint16_t mlir::meanvar::doubleToBFloat(double value) {
  return BFloat::round(value);
}
