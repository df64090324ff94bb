//===- FloatRuntime.h - Conversions that compiled code calls ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the target lacks instructions for f16 and bf16, LLVM calls functions of
// the compiler's run-time library. A process need not have them, so the JIT
// brings its own.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_EXECUTION_FLOATRUNTIME_H
#define MEANVAR_LIB_EXECUTION_FLOATRUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace mlir::meanvar {

/// Returns the names of the functions.
llvm::ArrayRef<llvm::StringRef> getFloatRuntimeNames();

/// Returns the functions under their mangled names.
llvm::orc::SymbolMap
getFloatRuntimeSymbols(llvm::orc::MangleAndInterner mangle);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_EXECUTION_FLOATRUNTIME_H
