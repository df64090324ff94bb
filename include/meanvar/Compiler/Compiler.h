//===- Compiler.h - From modules to functions in memory ---------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_COMPILER_COMPILER_H
#define MEANVAR_COMPILER_COMPILER_H

#include "meanvar/Execution/CompiledModule.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir {
class DialectRegistry;
class PassManager;

namespace meanvar {

/// Registers everything that a module to be compiled may hold: the dialects and
/// extensions of meanvar and of upstream MLIR.
void registerCompilerDialects(DialectRegistry &registry);

/// Lowers `module` by `meanvar-to-llvm` for the target of `options`, unless it
/// has been lowered already and holds no function of the func dialect.
/// `configure` sees the pass manager before the passes are added. Fails for a
/// target that this host cannot run, and where a pass fails, which reports
/// through the context of `module`.
llvm::Error
lowerModule(ModuleOp module, const CompileOptions &options,
            llvm::function_ref<LogicalResult(PassManager &)> configure = {});

/// The same for the target `machine`, whatever the CPU of `options` is.
llvm::Error
lowerModule(ModuleOp module, const CompileOptions &options,
            const llvm::TargetMachine &machine,
            llvm::function_ref<LogicalResult(PassManager &)> configure = {});

/// Lowers `module` where that is to be done, and compiles it.
llvm::Expected<std::unique_ptr<CompiledModule>>
compileModule(ModuleOp module, const CompileOptions &options,
              llvm::function_ref<LogicalResult(PassManager &)> configure = {});

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_COMPILER_COMPILER_H
