//===- Broadcasting.h - Elementwise operations ------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs of elementwise operators are aligned at their last dimensions, and
// sizes of 1 are stretched. Sizes that are known at run time only may be 1,
// too: the function then reads such an input with stride 0, and checks that
// sizes agree.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_BROADCASTING_H
#define MEANVAR_LIB_TARGET_ONNX_BROADCASTING_H

#include "OperatorNode.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::meanvar {

/// An operand of an elementwise operation.
struct ElementwiseOperand {
  /// Null for a constant.
  Value tensor;
  /// From the dimensions of the result to those of `tensor`.
  AffineMap map;
  /// The value of all elements, where it is known at import.
  TypedAttr constant;
};

/// Returns the shape to which all inputs of `node` broadcast, without checking
/// that they do.
TensorShape inferBroadcastShape(const OperatorNode &node);

/// Makes input number `index` readable in the dimensions of a result of shape
/// `shape`, and checks that its sizes are those of the result or 1.
FailureOr<ElementwiseOperand> stretchInput(const OperatorNode &node,
                                           size_t index,
                                           ArrayRef<TensorSize> shape);

/// Builds an elementwise operation with a result of shape `shape`.
/// `emitElement` gets an element of each operand.
FailureOr<Value> emitElementwise(
    const OperatorNode &node, ArrayRef<ElementwiseOperand> operands,
    ArrayRef<TensorSize> shape, Type elementType,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement);

/// Emits the conversion of `value`, a number, to `type` as the operator Cast
/// does it.
Value emitCast(ImplicitLocOpBuilder &builder, Value value, Type type);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_BROADCASTING_H
