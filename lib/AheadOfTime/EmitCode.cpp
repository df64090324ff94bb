//===- EmitCode.cpp - Object code, assembly and LLVM IR -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/AheadOfTime/EmitCode.h"
#include "meanvar/Execution/LLVMTranslation.h"
#include "meanvar/Execution/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Expected;

static std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                               llvm::LLVMContext &context,
                                               llvm::TargetMachine &machine) {
  registerLLVMTranslations(module.getContext());
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "meanvar");
  if (result) {
    result->setDataLayout(machine.createDataLayout());
    result->setTargetTriple(machine.getTargetTriple());
  }
  return result;
}

Expected<llvm::SmallVector<char, 0>>
mlir::meanvar::emitCode(ModuleOp module, llvm::TargetMachine &machine,
                        unsigned optLevel, CodeForm form) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translate(module, context, machine);
  if (!code)
    return createStringError("the module cannot be translated to LLVM IR");
  optimizeModule(*code, machine, optLevel);
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream stream(result);
  if (form == CodeForm::LLVMIR) {
    stream << *code;
    return result;
  }
  llvm::legacy::PassManager passes;
  auto fileType = form == CodeForm::Object
                      ? llvm::CodeGenFileType::ObjectFile
                      : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, fileType))
    return createStringError("no such code can be emitted for " +
                             machine.getTargetTriple().str());
  passes.run(*code);
  return result;
}
