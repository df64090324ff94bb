//===- PipelineTesting.h - Compilation of sources for tests -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_UNIT_PIPELINES_PIPELINETESTING_H
#define MEANVAR_TEST_UNIT_PIPELINES_PIPELINETESTING_H

#include "meanvar/Compiler/Compiler.h"
#include "meanvar/TensorIO/Compare.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::meanvar {

/// Compiles sources for this host, as meanvar-runner does.
class PipelineTest : public ::testing::Test {
protected:
  PipelineTest() : context(getRegistry()) {}

  /// Returns the module in the LLVM dialect, or null.
  OwningOpRef<ModuleOp> lower(const std::string &source,
                              const CompileOptions &options = {}) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, ParserConfig(&context));
    if (!module)
      return nullptr;
    if (llvm::Error error = lowerModule(*module, options)) {
      llvm::consumeError(std::move(error));
      return nullptr;
    }
    return module;
  }

  /// `change` sees the module in the LLVM dialect.
  std::unique_ptr<CompiledModule> compile(
      const std::string &source,
      llvm::function_ref<void(ModuleOp)> change = [](ModuleOp) {},
      const CompileOptions &options = {}) {
    OwningOpRef<ModuleOp> module = lower(source, options);
    if (!module)
      return nullptr;
    change(*module);
    return llvm::cantFail(CompiledModule::create(*module, options));
  }

  MLIRContext context;

private:
  static DialectRegistry getRegistry() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }
};

inline HostTensor makeRandom(ElementKind kind, llvm::ArrayRef<int64_t> shape,
                             int seed) {
  return llvm::cantFail(parseTensorSpec(
      getTypeString(kind, shape) + "=random(" + std::to_string(seed) + ")"));
}

/// Returns how `actual` differs from `expected`, or an empty string.
inline std::string describeDifference(const HostTensor &actual,
                                      const HostTensor &expected) {
  Comparison comparison = llvm::cantFail(
      compareTensors(actual, expected, getDefaultTolerance(actual.getKind())));
  return comparison.numWrong ? describeMismatch(comparison, actual, expected)
                             : "";
}

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_UNIT_PIPELINES_PIPELINETESTING_H
