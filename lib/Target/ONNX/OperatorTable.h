//===- OperatorTable.h - The operators that are imported --------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each version of each operator is a row of a table: what the version allows,
// and the function that imports it. The tables are in the files of the
// operators, one for each subject; OperatorTable.cpp lists them.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_OPERATORTABLE_H
#define MEANVAR_LIB_TARGET_ONNX_OPERATORTABLE_H

#include "OperatorNode.h"

namespace mlir::meanvar {

/// Sets of element types.
enum ElementTypes : unsigned {
  float16Type = 1,
  bfloat16Type = 2,
  floatType = 4,
  doubleType = 8,
  int32Type = 16,
  int64Type = 32,
  int8Type = 64,
  uint8Type = 128,
  boolType = 256,
  /// The floating-point types of operators before opset 13, and all.
  ieeeTypes = float16Type | floatType | doubleType,
  floatTypes = ieeeTypes | bfloat16Type,
  integerTypes = int32Type | int64Type,
  allTypes = floatTypes | integerTypes,
  /// What operators take that do not compute.
  smallTypes = int8Type | uint8Type | boolType,
  storedTypes = allTypes | smallTypes
};

/// Any number of inputs, all of one type.
constexpr int variadic = INT_MAX;

/// Builds the operations of a node, and returns a value for each output that
/// has a name; the others may be null. The node agrees with the row.
using ImportFunction = FailureOr<SmallVector<Value>> (*)(const OperatorNode &);

/// One version of an operator. It is valid up to the next one of that name.
struct OperatorVersion {
  StringLiteral name;
  /// The opset that introduced the version.
  int64_t since;
  int minInputs, maxInputs;
  /// The first is never optional.
  int maxOutputs;
  /// So many of the first inputs are of one element type out of `types`; the
  /// function checks the others.
  int typedInputs;
  unsigned types;
  /// The attributes, with commas between.
  StringLiteral attributes;
  ImportFunction import;
};

/// Returns the version of the operator `name` that the opset uses, or null
/// after an error that `emitError` starts, which says what there is.
const OperatorVersion *
findOperatorVersion(StringRef name, int64_t opset,
                    function_ref<InFlightDiagnostic()> emitError);

/// Checks that the attributes and the numbers of inputs and outputs are those
/// of `version`.
LogicalResult checkForm(const OperatorNode &node,
                        const OperatorVersion &version);

/// Checks the element types of the inputs.
LogicalResult checkElementTypes(const OperatorNode &node,
                                const OperatorVersion &version);

/// Checks that the element type `type` of `what` is one of `types`.
LogicalResult checkElementType(const OperatorNode &node, Type type,
                               unsigned types, const Twine &what);

// The tables.
ArrayRef<OperatorVersion> getConstantOperators();
ArrayRef<OperatorVersion> getElementwiseOperators();
ArrayRef<OperatorVersion> getMeanOperators();
ArrayRef<OperatorVersion> getNormalizationOperators();
ArrayRef<OperatorVersion> getReductionOperators();
ArrayRef<OperatorVersion> getShapeOperators();
ArrayRef<OperatorVersion> getSizeOperators();

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_OPERATORTABLE_H
