//===- ONNXOperation.h - An operator of ONNX in another dialect -*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_ONNXOPERATION_H
#define MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_ONNXOPERATION_H

#include "OperatorTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::meanvar {

/// An operation that stands for an operator of ONNX: its inputs, outputs and
/// attributes, however a dialect spells them.
class ONNXOperation {
public:
  /// The names of the attributes of `op` begin with `attributePrefix`.
  ONNXOperation(Operation *op, StringRef attributePrefix,
                PatternRewriter &rewriter)
      : op(op), rewriter(rewriter), attributePrefix(attributePrefix) {}

  /// Leaves the operation alone.
  LogicalResult leave(const Twine &reason) const {
    return rewriter.notifyMatchFailure(op, reason);
  }

  /// Attributes, or `otherwise` if there is none; nothing if they are of
  /// another kind.
  std::optional<SmallVector<int64_t>>
  getIntegers(StringRef name, ArrayRef<int64_t> otherwise) const;
  std::optional<int64_t> getInteger(StringRef name, int64_t otherwise) const;
  std::optional<double> getFloat(StringRef name, double otherwise) const;

  bool hasInput(unsigned index) const {
    return index < op->getNumOperands() &&
           !isMissing(op->getOperand(index).getType());
  }
  /// Returns the builtin type of an input, or null if meanvar has none.
  RankedTensorType getInputType(unsigned index) const {
    return getTensorType(op->getOperand(index).getType());
  }
  /// Emits an input as a builtin tensor.
  Value getInput(unsigned index) const {
    return castTensor(rewriter, op->getLoc(), op->getOperand(index),
                      getInputType(index));
  }

  bool isOutputUsed(unsigned index) const {
    return index < op->getNumResults() && !op->getResult(index).use_empty();
  }
  /// Returns true if an output is not used or may be replaced by a value of
  /// type `type`.
  bool isReplaceable(unsigned index, RankedTensorType type) const {
    return !isOutputUsed(index) ||
           isCastable(type, op->getResult(index).getType());
  }
  /// Replaces the outputs that are used by `values` and erases the operation.
  void replace(ValueRange values) const;

  Operation *op;
  PatternRewriter &rewriter;

private:
  Attribute getAttribute(StringRef name) const;

  StringRef attributePrefix;
};

/// Convert the operator that they are named after, or leave it alone.
LogicalResult convertMean(const ONNXOperation &node);
LogicalResult convertMeanVarianceNormalization(const ONNXOperation &node);
LogicalResult convertLayerNormalization(const ONNXOperation &node);
LogicalResult convertInstanceNormalization(const ONNXOperation &node);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_ONNXTOMEANVAR_ONNXOPERATION_H
