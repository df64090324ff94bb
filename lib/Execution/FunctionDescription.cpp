//===- FunctionDescription.cpp - What a module says of itself -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/FunctionDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Expected;

static Expected<FunctionDescription> describe(LLVM::LLVMFuncOp function) {
  FunctionDescription description;
  Expected<FunctionSignature> signature = FunctionSignature::get(function);
  if (!signature)
    return signature.takeError();
  description.signature = std::move(*signature);
  auto shapeFunction =
      function->getAttrOfType<FlatSymbolRefAttr>("meanvar.shape_function");
  if (!shapeFunction)
    return createStringError("function '" + function.getName() +
                             "' lacks the attribute 'meanvar.shape_function'");
  description.shapeFunction = shapeFunction.getValue().str();
  if (auto messages = function->getAttrOfType<ArrayAttr>("meanvar.messages"))
    for (auto message : messages.getAsRange<StringAttr>())
      description.messages.push_back(message.str());
  return description;
}

Expected<std::vector<FunctionDescription>>
mlir::meanvar::describeFunctions(ModuleOp module) {
  std::vector<FunctionDescription> descriptions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!isCompiledFunction(function))
      continue;
    Expected<FunctionDescription> description = describe(function);
    if (!description)
      return description.takeError();
    descriptions.push_back(std::move(*description));
  }
  return descriptions;
}
