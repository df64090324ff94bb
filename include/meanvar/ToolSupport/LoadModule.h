//===- LoadModule.h - Modules from files ------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_LOADMODULE_H
#define MEANVAR_TOOLSUPPORT_LOADMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::meanvar {

/// Reads MLIR text, MLIR bytecode or an ONNX model, told apart by what the file
/// starts with and, where that leaves a choice, by its name. Size and depth of
/// nesting are checked before anything is parsed. Returns null after
/// diagnostics through `context`.
OwningOpRef<ModuleOp> loadModule(llvm::StringRef path, MLIRContext *context);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLSUPPORT_LOADMODULE_H
