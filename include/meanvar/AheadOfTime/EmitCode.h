//===- EmitCode.h - Object code, assembly and LLVM IR -----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_AHEADOFTIME_EMITCODE_H
#define MEANVAR_AHEADOFTIME_EMITCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir {
class ModuleOp;

namespace meanvar {

/// What code is emitted as.
enum class CodeForm { Object, Assembly, LLVMIR };

/// Translates `module`, in the LLVM dialect, to LLVM IR, optimizes it at level
/// `optLevel`, 0 to 3, and returns the code for `machine`, the same bytes for
/// the same input. Fails, with diagnostics through the context of `module`,
/// where it cannot be translated.
llvm::Expected<llvm::SmallVector<char, 0>>
emitCode(ModuleOp module, llvm::TargetMachine &machine, unsigned optLevel,
         CodeForm form);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_AHEADOFTIME_EMITCODE_H
