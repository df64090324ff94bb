//===- SmallFloat.h - The bits of f16 and bf16 ------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between 16-bit floats and double by bit manipulation: exact, the
// same on every host, and independent of the host's support for these types.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_SMALLFLOAT_H
#define MEANVAR_TENSORIO_SMALLFLOAT_H

#include <cstdint>

namespace mlir::meanvar {

/// Widens the bits of an f16. Exact; NaN payloads are kept.
double halfToDouble(uint16_t bits);

/// Widens the bits of a bf16. Exact; NaN payloads are kept.
double bfloatToDouble(uint16_t bits);

/// Rounds to the nearest f16, ties to even, once, subnormal results included. A
/// NaN stays a NaN and becomes quiet.
uint16_t doubleToHalf(double value);

/// Rounds to the nearest bf16, ties to even, once, subnormal results included.
/// A NaN stays a NaN and becomes quiet.
uint16_t doubleToBFloat(double value);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_SMALLFLOAT_H
