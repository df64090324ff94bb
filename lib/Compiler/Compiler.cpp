//===- Compiler.cpp - From modules to functions in memory -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Compiler/Compiler.h"
#include "meanvar/Execution/TargetMachine.h"
#include "meanvar/InitAll.h"
#include "meanvar/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

void mlir::meanvar::registerCompilerDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  meanvar::registerAllDialects(registry);
  meanvar::registerAllExtensions(registry);
}

/// Returns true if `module` has been lowered already.
static bool isLowered(ModuleOp module) {
  return module.getOps<func::FuncOp>().empty();
}

Error mlir::meanvar::lowerModule(
    ModuleOp module, const CompileOptions &options,
    llvm::function_ref<LogicalResult(PassManager &)> configure) {
  auto machine = createJITTargetMachine(options.targetCPU, options.optLevel);
  if (!machine)
    return machine.takeError();
  return lowerModule(module, options, **machine, configure);
}

Error mlir::meanvar::lowerModule(
    ModuleOp module, const CompileOptions &options,
    const llvm::TargetMachine &machine,
    llvm::function_ref<LogicalResult(PassManager &)> configure) {
  if (isLowered(module))
    return Error::success();
  MeanVarToLLVMOptions pipelineOptions;
  pipelineOptions.vectorBits = getVectorBits(machine);
  pipelineOptions.expandFloat16 = !convertsFloat16(machine);
  if (options.streamingBytes)
    pipelineOptions.streamingBytes = *options.streamingBytes;
  pipelineOptions.threads = options.threads;
  if (options.parallelBytes)
    pipelineOptions.parallelBytes = *options.parallelBytes;
  PassManager passes(module.getContext());
  if (configure && failed(configure(passes)))
    return createStringError("invalid options for passes");
  buildMeanVarToLLVMPipeline(passes, pipelineOptions);
  if (failed(passes.run(module)))
    return createStringError("the module cannot be compiled");
  return Error::success();
}

Expected<std::unique_ptr<CompiledModule>> mlir::meanvar::compileModule(
    ModuleOp module, const CompileOptions &options,
    llvm::function_ref<LogicalResult(PassManager &)> configure) {
  // Without a machine for what needs none.
  if (!isLowered(module))
    if (Error error = lowerModule(module, options, configure))
      return std::move(error);
  return CompiledModule::create(module, options);
}
