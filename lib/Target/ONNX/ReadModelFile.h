//===- ReadModelFile.h - Models in files ------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_READMODELFILE_H
#define MEANVAR_LIB_TARGET_ONNX_READMODELFILE_H

#include "Model.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::meanvar {

/// A model and where it comes from.
struct ModelFile {
  std::unique_ptr<onnx::ModelProto> model;
  /// Of the file; empty where there is none.
  std::string directory;
  Location loc;
};

/// Reads the model in `buffer`, whose identifier serves as file name in
/// diagnostics.
FailureOr<ModelFile> readModelBuffer(llvm::MemoryBufferRef buffer,
                                     StringRef directory, MLIRContext *context);

/// Reads the model in the file `path`.
FailureOr<ModelFile> readModelFile(StringRef path, MLIRContext *context);

/// Returns the directory of the file `path`.
std::string getDirectory(StringRef path);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_READMODELFILE_H
