//===- Operators.h - Mean and MeanVarianceNormalization ---------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_OPERATORS_H
#define MEANVAR_LIB_TARGET_ONNX_OPERATORS_H

#include "Model.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir::meanvar {

/// A node of the standard domain with everything that its meaning depends on.
struct OperatorNode {
  const onnx::NodeProto &proto;
  /// "node 'n1' (Mean, opset 13)", for diagnostics.
  std::string description;
  int64_t opset;
  AttributeMap attributes;
  SmallVector<TypedValue<RankedTensorType>> inputs;
  Location loc;

  /// Starts an error about the node.
  InFlightDiagnostic emitError() const;
};

/// Returns true for the operators that `importOperator` knows.
bool isSupportedOperator(StringRef opType);

/// Builds the operation for `node`, or emits why it cannot be imported.
FailureOr<Value> importOperator(OpBuilder &builder, const OperatorNode &node);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_OPERATORS_H
