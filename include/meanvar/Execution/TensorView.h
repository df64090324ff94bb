//===- TensorView.h - Tensors owned by someone else -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_TENSORVIEW_H
#define MEANVAR_EXECUTION_TENSORVIEW_H

#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// A dense, row-major tensor, or a scalar as a tensor of rank 0, whose elements
/// and shape belong to the caller.
struct TensorView {
  TensorView(ElementKind kind, llvm::ArrayRef<int64_t> shape, void *data)
      : kind(kind), shape(shape), data(data) {}
  /*implicit*/ TensorView(HostTensor &tensor)
      : TensorView(tensor.getKind(), tensor.getShape(), tensor.getData()) {}

  /// The number of bytes, or nothing when it exceeds maxTensorBytes.
  std::optional<uint64_t> getNumBytes() const;

  ElementKind kind;
  llvm::ArrayRef<int64_t> shape;
  void *data;
};

/// Views every tensor of `tensors`, which must outlive the result.
llvm::SmallVector<TensorView>
makeViews(llvm::MutableArrayRef<HostTensor> tensors);

} // namespace mlir::meanvar

#endif // MEANVAR_EXECUTION_TENSORVIEW_H
