//===- StructuredOperations.h - Operations of linalg ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_REFERENCE_STRUCTUREDOPERATIONS_H
#define MEANVAR_LIB_REFERENCE_STRUCTUREDOPERATIONS_H

#include "meanvar/Reference/Evaluator.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::meanvar {

/// Evaluates a structured operation on its operands, loop by loop: sums are
/// those of the order of the loops, which compiled code keeps. Returns the
/// elements of each result; their shapes are those of the outputs.
/// `getOuterScalar` returns the scalars that the body captures. Fails for
/// indexing maps that are more than a choice of loops, for operations of the
/// body that the reference does not know, and where sizes disagree.
llvm::Expected<std::vector<std::vector<Approximation>>>
evaluateStructuredOperation(
    linalg::LinalgOp op, ArrayRef<const ReferenceTensor *> operands,
    llvm::function_ref<Approximation(Value)> getOuterScalar);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_REFERENCE_STRUCTUREDOPERATIONS_H
