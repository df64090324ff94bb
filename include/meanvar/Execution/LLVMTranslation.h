//===- LLVMTranslation.h - From the LLVM dialect to LLVM IR -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_LLVMTRANSLATION_H
#define MEANVAR_EXECUTION_LLVMTRANSLATION_H

namespace mlir {
class MLIRContext;

namespace meanvar {

/// Makes `translateModuleToLLVMIR` know the dialects of lowered modules.
void registerLLVMTranslations(MLIRContext *context);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_EXECUTION_LLVMTRANSLATION_H
