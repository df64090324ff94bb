//===- ImportONNX.cpp - ONNX models to the meanvar dialect ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points of the importer. Model.cpp reads the file, GraphImporter.cpp
// the graph, and the tables in OperatorTable.h lead to what imports the nodes.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ImportONNX.h"

#include "GraphImporter.h"
#include "Names.h"
#include "ParseMessage.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::meanvar;

/// The location of a file as a whole: binary files have no lines.
static Location getFileLoc(StringRef path, MLIRContext *context) {
  return FileLineColLoc::get(context, path, 0, 0);
}

/// Returns the directory of the file `path`.
static std::string getDirectory(StringRef path) {
  StringRef directory = llvm::sys::path::parent_path(path);
  return directory.empty() ? "." : directory.str();
}

OwningOpRef<ModuleOp> meanvar::importONNXModel(llvm::MemoryBufferRef buffer,
                                               MLIRContext *context,
                                               StringRef directory) {
  context
      ->loadDialect<MeanVarDialect, arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  Location loc = getFileLoc(buffer.getBufferIdentifier(), context);
  FailureOr<std::unique_ptr<onnx::ModelProto>> model =
      parseModel(buffer.getBuffer(), loc);
  if (failed(model))
    return {};
  OwningOpRef<ModuleOp> module = GraphImporter(**model, directory, loc).run();
  if (!module || failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> meanvar::importONNXModel(StringRef path,
                                               MLIRContext *context) {
  Location loc = getFileLoc(path, context);
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status)) {
    emitError(loc) << "the file cannot be read: " << error.message();
    return {};
  }
  if (!llvm::sys::fs::is_regular_file(status)) {
    emitError(loc) << "the file cannot be read: it is not a regular file";
    return {};
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    emitError(loc) << "the file cannot be read: "
                   << buffer.getError().message();
    return {};
  }
  return importONNXModel((*buffer)->getMemBufferRef(), context,
                         getDirectory(path));
}

void meanvar::registerImportONNXDialects(DialectRegistry &registry) {
  registry.insert<MeanVarDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
}

void meanvar::registerONNXToMLIRTranslation() {
  TranslateToMLIRRegistration registration(
      "onnx-to-mlir", "import an ONNX model in the binary format",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        llvm::MemoryBufferRef buffer =
            sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef();
        StringRef name = buffer.getBufferIdentifier();
        bool isFile = llvm::sys::fs::is_regular_file(name);
        return importONNXModel(buffer, context,
                               isFile ? getDirectory(name) : "");
      },
      registerImportONNXDialects);
}
