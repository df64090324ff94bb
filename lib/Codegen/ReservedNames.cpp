//===- ReservedNames.cpp - Names that functions cannot have ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true for the functions that compiled code may call without a trace
/// in the module: those that LLVM takes for the C library's, and those that it
/// lowers operations to.
static bool isLibraryFunction(StringRef name) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple("x86_64-unknown-linux-gnu")};
  llvm::LibFunc function;
  return library.getLibFunc(name, function) ||
         !llvm::RTLIB::RuntimeLibcallsInfo::lookupLibcallImplName(name).empty();
}

/// Returns true for what the lowering brings its own declaration of: what
/// buffers are allocated with, and the run-time library of OpenMP.
static bool isDeclaredByLowering(StringRef name) {
  return name == "malloc" || name == "free" || name.starts_with("__kmpc_");
}

LogicalResult meanvar::verifyFunctionNames(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = function.getName();
    bool isDefined = !function.isExternal();
    if (isDeclaredByLowering(name) || (isDefined && isLibraryFunction(name)))
      return function.emitError("function '")
             << name << "' has the name of a library function that compiled "
             << "code may call (allowed: other names)";
    if (isDefined && name.starts_with("_mlir_"))
      return function.emitError("function '")
             << name << "' has a name that starts with '_mlir_', as those of C "
             << "interfaces do (allowed: other names)";
  }
  return success();
}
