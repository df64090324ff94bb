//===- Approximation.h - Numbers with error bounds --------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the reference: what real arithmetic gives, and how far from it
// the contract lets a compiled program be.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_REFERENCE_APPROXIMATION_H
#define MEANVAR_REFERENCE_APPROXIMATION_H

#include "meanvar/TensorIO/FloatFormat.h"

#include <cfloat>
#include <limits>

namespace mlir::meanvar {

// 64 bits hold any product of f32 values and leave 11 bits to those of f64; the
// exponents take squares and sums of squares of every element type. The x87
// format has both, and so has IEEE 754's binary128.
static_assert(LDBL_MANT_DIG >= 64 && LDBL_MAX_EXP >= 16384,
              "the reference needs an extended long double");

/// A number x of which |x - value| <= error is known. An error of 0 means that
/// x is determined to the bit, as inputs and results of IEEE 754 operations on
/// determined numbers are; NaN and infinities are determined or unknown. An
/// infinite error means that nothing is known, not even that x is a number. The
/// sign of a zero is never known: the contract leaves that of a mean and of a
/// normalized element open.
struct Approximation {
  long double value = 0;
  long double error = 0;

  bool isDetermined() const { return error == 0; }
  bool isUnknown() const {
    return error == std::numeric_limits<long double>::infinity();
  }
};

/// Nothing is known.
Approximation makeUnknown();

/// Returns `value`, known up to `error`, as an element of a float kind: beyond
/// the range of the kind it is an infinity, and where the error leaves that
/// open, unknown.
Approximation confine(ElementKind kind, long double value, long double error);

/// Returns the same after one rounding to `kind`: at most half an ulp is added
/// to the error.
Approximation confineRounded(ElementKind kind, long double value,
                             long double error);

/// Returns true if `actual` is a number that `expected` allows. Zeros of both
/// signs are the same, and so are all NaNs.
bool isWithin(double actual, const Approximation &expected);

} // namespace mlir::meanvar

#endif // MEANVAR_REFERENCE_APPROXIMATION_H
