//===- FloatFormat.h - Formats of the float kinds ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_FLOATFORMAT_H
#define MEANVAR_TENSORIO_FLOATFORMAT_H

#include "meanvar/TensorIO/HostTensor.h"

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace mlir::meanvar {

/// Returns the semantics of a float kind.
const llvm::fltSemantics &getFloatSemantics(ElementKind kind);

/// Returns the largest finite number of a float kind.
double getLargest(ElementKind kind);

/// Returns the distance from |value| to the next larger number of a float kind,
/// that of the subnormal numbers at 0.
long double getUlp(ElementKind kind, long double value);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_FLOATFORMAT_H
