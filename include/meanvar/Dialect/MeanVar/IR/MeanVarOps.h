//===- MeanVarOps.h - The meanvar operations --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_H
#define MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_H

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h.inc"

namespace mlir::meanvar {

/// Aligns dimension `dim` of a shape of rank `resultRank` with a shape of rank
/// `operandRank` at their last dimensions (M2). Returns the operand's
/// dimension, or a negative number where the operand has none and is stretched.
inline int64_t alignToOperand(int64_t dim, int64_t resultRank,
                              int64_t operandRank) {
  return dim - (resultRank - operandRank);
}

/// Computes the shape of the mean of tensors of the given shapes (M2, M4).
/// On two static sizes that do not broadcast, fails and calls `emitError` for
/// the diagnostic if it is given.
FailureOr<SmallVector<int64_t>>
inferMeanShape(ArrayRef<ArrayRef<int64_t>> shapes,
               function_ref<InFlightDiagnostic()> emitError = nullptr);

} // namespace mlir::meanvar

#endif // MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_H
