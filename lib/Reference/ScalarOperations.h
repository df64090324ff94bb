//===- ScalarOperations.h - Upstream operations on numbers ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_REFERENCE_SCALAROPERATIONS_H
#define MEANVAR_LIB_REFERENCE_SCALAROPERATIONS_H

#include "meanvar/Reference/Approximation.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::meanvar {

/// Returns the kind of a float, integer or index type, or nothing.
std::optional<ElementKind> getElementKind(Type type);

/// Returns a float or integer attribute as a number, or nothing for another one
/// or an unknown type.
std::optional<Approximation> getNumber(Attribute attribute);

/// Evaluates one operation at one element.
using ScalarFunction = Approximation (*)(Operation *,
                                         llvm::ArrayRef<Approximation>);

/// Returns what evaluates an operation of the arith or math dialect. Operands
/// and results of `op` may be tensors: their element types count. On determined
/// operands the operations of IEEE 754 give determined results; otherwise, and
/// for functions of the math library, the error is bounded. Integers are
/// determined or unknown, and held sign-extended, so true is -1. Fails, naming
/// the operation, for one that the reference does not know.
llvm::Expected<ScalarFunction> getScalarFunction(Operation *op);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_REFERENCE_SCALAROPERATIONS_H
