//===- ImportONNX.h - ONNX models to the meanvar dialect --------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ONNX models, binary or as text. docs/ONNX.md says what is supported.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TARGET_ONNX_IMPORTONNX_H
#define MEANVAR_TARGET_ONNX_IMPORTONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstdint>

namespace mlir {
class DialectRegistry;
class MLIRContext;

namespace meanvar {

/// The newest version of the operator set `ai.onnx` that is imported. No
/// version up to it changes an imported operator in a way that is not in the
/// tables of lib/Target/ONNX.
constexpr int64_t maxONNXOpset = 28;

/// The newest version of the ONNX file format that is imported.
constexpr int64_t maxONNXIRVersion = 14;

/// Imports the ONNX model in the file `path`: a module with one public function
/// of tensors, named after the graph, whose attributes `meanvar.input_names`
/// and `meanvar.output_names` hold the names in the model, and
/// `meanvar.input_dimension_names` and `meanvar.output_dimension_names` the
/// symbols of sizes, if there are any. Inputs and outputs of uint8 are i8;
/// `meanvar.unsigned_inputs` and `meanvar.unsigned_outputs` have their indices.
/// External data is read from files below the directory of `path`. On failure
/// returns null after one diagnostic at the location of the file.
OwningOpRef<ModuleOp> importONNXModel(llvm::StringRef path,
                                      MLIRContext *context);

/// Imports the ONNX model in `buffer`, whose identifier serves as file name in
/// diagnostics. External data is read from files below `directory`; where it is
/// empty, external data is refused.
OwningOpRef<ModuleOp> importONNXModel(llvm::MemoryBufferRef buffer,
                                      MLIRContext *context,
                                      llvm::StringRef directory = "");

/// Registers the dialects of imported modules.
void registerImportONNXDialects(DialectRegistry &registry);

/// Registers the translation `--onnx-to-mlir`.
void registerONNXToMLIRTranslation();

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_TARGET_ONNX_IMPORTONNX_H
