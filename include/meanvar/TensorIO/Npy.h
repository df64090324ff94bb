//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `.npy` format, versions 1.0 to 3.0, of little-endian numbers. bf16, which
// NumPy does not have, is written as '<u2', the bits of its elements.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_NPY_H
#define MEANVAR_TENSORIO_NPY_H

#include "meanvar/TensorIO/Files.h"
#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// Returns true when `content` starts as a `.npy` file does.
bool isNpy(llvm::StringRef content);

/// Reads the content of a `.npy` file. `wanted` is the element type the caller
/// knows, if any: '<u2', '<V2' and '|V2' are read as bf16 when that is wanted
/// and refused otherwise, and '<i8' is read as index. Fortran order is
/// converted. The lengths are checked before anything is allocated. Errors
/// start with `name`.
llvm::Expected<HostTensor> readNpy(llvm::StringRef content,
                                   llvm::StringRef name,
                                   std::optional<ElementKind> wanted);

/// Writes `tensor` to `stream` as the content of a `.npy` file.
void writeNpy(llvm::raw_ostream &stream, const HostTensor &tensor);

/// Writes `tensor` beside the file `path`, whose place it takes when committed.
/// `tensor` must live until then.
llvm::Expected<StagedFile> stageNpyFile(llvm::StringRef path,
                                        const HostTensor &tensor);

/// Writes `tensor` to the file `path`, whole or not at all.
llvm::Error writeNpyFile(llvm::StringRef path, const HostTensor &tensor);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_NPY_H
