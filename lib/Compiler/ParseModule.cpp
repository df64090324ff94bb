//===- ParseModule.cpp - Modules from text and bytecode -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Compiler/ParseModule.h"
#include "meanvar/Compiler/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::meanvar;

OwningOpRef<ModuleOp>
mlir::meanvar::parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                           MLIRContext *context) {
  StringRef content = buffer->getBuffer();
  assert(content.size() <= maxModuleBytes && "the caller's to check");
  if (!isBytecode(*buffer))
    if (auto nesting = checkNesting(content, maxNesting)) {
      emitError(FileLineColLoc::get(context, buffer->getBufferIdentifier(),
                                    nesting->line, nesting->column))
          << "nesting of brackets exceeds " << maxNesting << " levels";
      return {};
    }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}
