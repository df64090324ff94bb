//===- ReadModelFile.cpp - Models in files --------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadModelFile.h"

#include "ParseText.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::meanvar;

/// The location of a file as a whole: binary files have no lines.
static Location getFileLoc(StringRef path, MLIRContext *context) {
  return FileLineColLoc::get(context, path, 0, 0);
}

std::string meanvar::getDirectory(StringRef path) {
  StringRef directory = llvm::sys::path::parent_path(path);
  return directory.empty() ? "." : directory.str();
}

FailureOr<ModelFile> meanvar::readModelBuffer(llvm::MemoryBufferRef buffer,
                                              StringRef directory,
                                              MLIRContext *context) {
  context
      ->loadDialect<MeanVarDialect, arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  Location loc = getFileLoc(buffer.getBufferIdentifier(), context);
  StringRef content = buffer.getBuffer();
  FailureOr<std::unique_ptr<onnx::ModelProto>> model =
      isTextModel(content)
          ? parseTextModel(content, buffer.getBufferIdentifier(), context)
          : parseModel(content, loc);
  if (failed(model) || failed(checkFormatVersion(**model, loc)))
    return failure();
  return ModelFile{std::move(*model), directory.str(), loc};
}

FailureOr<ModelFile> meanvar::readModelFile(StringRef path,
                                            MLIRContext *context) {
  Location loc = getFileLoc(path, context);
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return emitError(loc) << "the file cannot be read: " << error.message();
  if (!llvm::sys::fs::is_regular_file(status))
    return emitError(loc)
           << "the file cannot be read: it is not a regular file";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitError(loc) << "the file cannot be read: "
                          << buffer.getError().message();
  return readModelBuffer((*buffer)->getMemBufferRef(), getDirectory(path),
                         context);
}
