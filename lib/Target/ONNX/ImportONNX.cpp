//===- ImportONNX.cpp - ONNX models to the meanvar dialect ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points of the importer. ReadModelFile.cpp reads the file,
// GraphImporter.cpp the graph, and the tables in OperatorTable.h lead to what
// imports the nodes.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ImportONNX.h"

#include "GraphImporter.h"
#include "ReadModelFile.h"
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
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Imports the model of `file`, which may be missing.
static OwningOpRef<ModuleOp> importModel(const FailureOr<ModelFile> &file) {
  if (failed(file))
    return {};
  OwningOpRef<ModuleOp> module =
      GraphImporter(*file->model, file->directory, file->loc).run();
  if (!module || failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> meanvar::importONNXModel(llvm::MemoryBufferRef buffer,
                                               MLIRContext *context,
                                               StringRef directory) {
  return importModel(readModelBuffer(buffer, directory, context));
}

OwningOpRef<ModuleOp> meanvar::importONNXModel(StringRef path,
                                               MLIRContext *context) {
  return importModel(readModelFile(path, context));
}

void meanvar::registerImportONNXDialects(DialectRegistry &registry) {
  registry.insert<MeanVarDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
}

void meanvar::registerONNXToMLIRTranslation() {
  TranslateToMLIRRegistration registration(
      "onnx-to-mlir", "import an ONNX model, binary or as text",
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
