//===- Reshaping.h - Tensors of another shape -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_RESHAPING_H
#define MEANVAR_LIB_TARGET_ONNX_RESHAPING_H

#include "OperatorNode.h"

namespace mlir::meanvar {

/// Returns `tensor` with the shape `shape`, which has as many elements: the
/// caller has checked what is not known at import. Dimensions at both ends that
/// stay as they are remain dimensions of their own. Constants are folded.
Value reshape(const OperatorNode &node, Value tensor,
              ArrayRef<TensorSize> shape);

/// Removes the dimensions that `isRemoved` marks, which have size 1: the caller
/// has checked those that are not known at import.
Value removeUnitDimensions(const OperatorNode &node, Value tensor,
                           ArrayRef<bool> isRemoved);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_RESHAPING_H
