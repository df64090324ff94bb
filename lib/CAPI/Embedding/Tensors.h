//===- Tensors.h - Tensors of C as views ------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CAPI_EMBEDDING_TENSORS_H
#define MEANVAR_LIB_CAPI_EMBEDDING_TENSORS_H

#include "meanvar-c/Embedding.h"
#include "meanvar/Execution/TensorView.h"

namespace mlir::meanvar {

/// Returns the constant of the C interface for `kind`.
MeanVarElementType toElementType(ElementKind kind);

/// Which of the tensors need a pointer to their elements.
enum class RequiredData { Scalars, All };

/// Views `tensors`, whose shapes the result refers to. Fails where a tensor is
/// none, whatever function it is for: an unknown element type, a negative size,
/// more bytes than maxTensorBytes, or a null pointer. `role` ("input") names
/// the tensors in messages.
llvm::Expected<llvm::SmallVector<TensorView>>
viewTensors(llvm::ArrayRef<MeanVarTensor> tensors, llvm::StringRef role,
            RequiredData required);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CAPI_EMBEDDING_TENSORS_H
