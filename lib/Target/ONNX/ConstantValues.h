//===- ConstantValues.h - Values known at import ----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Initializers and Constant nodes become arith.constant. A node whose meaning
// depends on the elements of an input, such as axes, asks for them here: a
// value is known if it is such a constant, or an operation that folds to one.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_CONSTANTVALUES_H
#define MEANVAR_LIB_TARGET_ONNX_CONSTANTVALUES_H

#include "OperatorNode.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::meanvar {

/// Operations on constants of more elements are not folded: copies of them in
/// many shapes and types would fill the memory.
constexpr int64_t maxFoldedElements = 4096;

/// Reads the elements of `proto`, which `owner` names in diagnostics.
FailureOr<DenseElementsAttr>
readElements(const onnx::TensorProto &proto, StringRef directory,
             const Twine &owner, MLIRContext *context,
             function_ref<InFlightDiagnostic()> emitError);

/// Returns the elements of `value`, or null where they are not known.
DenseElementsAttr getConstantElements(Value value);

/// Checks that input number `index` is a list of int64, or one.
LogicalResult checkIntegerList(const OperatorNode &node, size_t index);

/// Returns the elements of input number `index`, a list of int64 that has to be
/// known at import.
FailureOr<SmallVector<int64_t>> getConstantIntegers(const OperatorNode &node,
                                                    size_t index);

/// The same of int32 or int64, and of any rank.
FailureOr<SmallVector<int64_t>> getConstantIndices(const OperatorNode &node,
                                                   size_t index);

/// Returns the axes of `node`: those of the attribute 'axes' in versions that
/// have it, otherwise those of input 1. Returns nothing where they are left
/// out.
FailureOr<std::optional<SmallVector<int64_t>>>
getOptionalAxes(const OperatorNode &node, bool isAttribute);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_CONSTANTVALUES_H
