//===- OperationCompiler.cpp - Operations of meanvar, compiled ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperationCompiler.h"
#include "meanvar/Compiler/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Expected;

static DialectRegistry getRegistry() {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  return registry;
}

OperationCompiler::OperationCompiler() : context(getRegistry()) {}

static Expected<std::unique_ptr<CompiledModule>>
compile(const std::string &source, MLIRContext &context) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, ParserConfig(&context));
  if (!module)
    return createStringError("cannot parse:\n" + source);
  CompileOptions options;
  options.targetCPU = accuracyTarget;
  return compileModule(*module, options);
}

Expected<HostTensor>
OperationCompiler::run(StringRef operation,
                       llvm::MutableArrayRef<HostTensor> inputs) {
  std::string type = "tensor<" + inputs.front().getTypeString() + ">";
  std::string arguments;
  for (size_t number = 0; number < inputs.size(); ++number)
    arguments +=
        llvm::formatv("{0}%x{1}: {2}", number == 0 ? "" : ", ", number, type);
  std::string source = "func.func @f(" + arguments + ") -> " + type + " {\n" +
                       operation.str() + "\nreturn %y : " + type + "\n}\n";
  std::unique_ptr<CompiledModule> &module = modules[source];
  if (!module) {
    auto compiled = compile(source, context);
    if (!compiled)
      return compiled.takeError();
    module = std::move(*compiled);
  }
  auto outputs = module->getFunctions().front().run(makeViews(inputs));
  if (!outputs)
    return outputs.takeError();
  return std::move(outputs->front());
}

Expected<HostTensor> OperationCompiler::runMvn(HostTensor &input,
                                               int64_t axis) {
  return run(llvm::formatv("%y = meanvar.mvn %x0 axes = [{0}] : tensor<{1}>",
                           axis, input.getTypeString())
                 .str(),
             input);
}

Expected<HostTensor>
OperationCompiler::runMean(llvm::MutableArrayRef<HostTensor> inputs) {
  std::string operands;
  std::string types;
  std::string type = "tensor<" + inputs.front().getTypeString() + ">";
  for (size_t number = 0; number < inputs.size(); ++number) {
    StringRef separator = number == 0 ? "" : ", ";
    operands += llvm::formatv("{0}%x{1}", separator, number);
    types += llvm::formatv("{0}{1}", separator, type);
  }
  return run("%y = meanvar.mean " + operands + " : (" + types + ") -> " + type,
             inputs);
}
