//===- Scalar.h - Text of single elements -----------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_SCALAR_H
#define MEANVAR_TENSORIO_SCALAR_H

#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// Parses one element of `tensor` and stores it at `index`. Floats are decimal
/// or hexadecimal ("0x1.8p3"), "nan", "inf" or "-inf" and are rounded once, to
/// nearest even; integers are decimal and must fit; i1 is 0, 1, false or true.
/// Errors name the text and what is allowed.
llvm::Error parseElement(llvm::StringRef text, HostTensor &tensor,
                         int64_t index);

/// Returns the shortest text that parseElement reads back as element `index`.
std::string printElement(const HostTensor &tensor, int64_t index);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_SCALAR_H
