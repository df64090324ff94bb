//===- OperatorTypes.h - Types of other compilers' tensors ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_OPERATORTYPES_H
#define MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_OPERATORTYPES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::meanvar {

/// Returns the builtin type that values of `type` have, or come from and go to
/// by casts; null where meanvar has none.
RankedTensorType getTensorType(Type type);

/// Returns true if `type` is that of an input or output that is not there.
bool isMissing(Type type);

/// Returns true if a result of type `type` can stand for one of `declared`.
/// Casts of torch keep the type.
bool isCastable(RankedTensorType type, Type declared);

/// Casts `value` between a type of torch and a builtin one, or between builtin
/// ones.
Value castTensor(OpBuilder &builder, Location loc, Value value, Type type);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_OPERATORTYPES_H
