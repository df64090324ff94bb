//===- KnownIntegers.h - Integers known as sizes ----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models compute the shape of a Reshape from the sizes of other tensors. The
// elements of such a vector are known at import, not as numbers but as sizes,
// and what is computed of them is computed element by element: then a Reshape
// has a shape, and no data decides the type of a result.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_KNOWNINTEGERS_H
#define MEANVAR_LIB_TARGET_ONNX_KNOWNINTEGERS_H

#include "OperatorNode.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::meanvar {

/// The largest number of elements of a tensor that are known as sizes: more
/// than a shape can have.
constexpr int64_t maxKnownIntegers = 256;

/// Returns the elements of `value`, a tensor of integers, in row-major order,
/// where each of them is known at import as a number or as a size.
std::optional<TensorShape> getKnownIntegers(const OperatorNode &node,
                                            Value value);

/// Returns a tensor of shape `shape` whose elements are `integers`: a constant
/// if all of them are.
Value createKnownIntegers(const OperatorNode &node,
                          ArrayRef<TensorSize> integers,
                          ArrayRef<int64_t> shape, Type elementType);

/// Computes an elementwise operator on inputs whose elements are known: returns
/// its result, or null where they are not, or are more than a vector.
/// `emitElement` gets an element of each input.
Value computeKnownIntegers(
    const OperatorNode &node,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_KNOWNINTEGERS_H
