//===- CompileSource.cpp - From bytes to functions in memory --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileSource.h"
#include "LargeStack.h"
#include "meanvar/Compiler/Compiler.h"
#include "meanvar/Compiler/ParseModule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Target/ONNX/ImportONNX.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::meanvar;

static MeanVarSeverity toSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return MEANVAR_NOTE;
  case DiagnosticSeverity::Warning:
    return MEANVAR_WARNING;
  case DiagnosticSeverity::Error:
    return MEANVAR_ERROR;
  case DiagnosticSeverity::Remark:
    return MEANVAR_REMARK;
  }
  llvm_unreachable("unknown severity");
}

/// Adds `diagnostic` and its notes. `sourceName` may be empty, which MLIR's
/// locations cannot express.
static void append(Diagnostic &diagnostic, StringRef sourceName,
                   std::vector<SourceDiagnostic> &diagnostics) {
  SourceDiagnostic kept;
  kept.severity = toSeverity(diagnostic.getSeverity());
  kept.message = StringRef(diagnostic.str()).rtrim().str();
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    kept.file = sourceName.empty() && place.getFilename().getValue() == "-"
                    ? ""
                    : place.getFilename().str();
    kept.line = place.getLine();
    kept.column = place.getLine() == 0 ? 0 : place.getColumn();
  }
  diagnostics.push_back(std::move(kept));
  for (Diagnostic &note : diagnostic.getNotes())
    append(note, sourceName, diagnostics);
}

static void appendError(StringRef message,
                        std::vector<SourceDiagnostic> &diagnostics) {
  SourceDiagnostic error;
  error.message = message.str();
  diagnostics.push_back(std::move(error));
}

static bool hasError(ArrayRef<SourceDiagnostic> diagnostics) {
  return llvm::any_of(diagnostics, [](const SourceDiagnostic &diagnostic) {
    return diagnostic.severity == MEANVAR_ERROR;
  });
}

std::string Compilation::getErrorMessage() const {
  std::string text;
  // Whether the notes that follow are of an error.
  bool isOfError = false;
  for (const SourceDiagnostic &diagnostic : diagnostics) {
    if (diagnostic.severity != MEANVAR_NOTE)
      isOfError = diagnostic.severity == MEANVAR_ERROR;
    if (!isOfError)
      continue;
    if (!text.empty())
      text += "\n";
    if (!diagnostic.file.empty())
      text += diagnostic.file + ":";
    if (diagnostic.line != 0)
      text += std::to_string(diagnostic.line) + ":" +
              std::to_string(diagnostic.column) + ":";
    if (!text.empty() && text.back() == ':')
      text += " ";
    text += diagnostic.message;
  }
  return text;
}

/// Copies `bytes`, aligned as sections of bytecode may ask for and with a null
/// behind them, which the lexer of text needs.
static std::unique_ptr<llvm::MemoryBuffer> copyBytes(StringRef bytes,
                                                     StringRef name) {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytes.size(), name, llvm::Align(4096));
  if (buffer)
    llvm::copy(bytes, buffer->getBufferStart());
  return buffer;
}

static OwningOpRef<ModuleOp> parse(const Source &source, MLIRContext *context) {
  if (source.format == SourceFormat::ONNX)
    return importONNXModel(llvm::MemoryBufferRef(source.bytes, source.name),
                           context, source.directory);
  if (source.bytes.size() > maxModuleBytes) {
    emitError(UnknownLoc::get(context))
        << "the module has " << source.bytes.size()
        << " bytes (allowed: at most " << maxModuleBytes << ")";
    return {};
  }
  auto buffer = copyBytes(source.bytes, source.name);
  if (!buffer) {
    emitError(UnknownLoc::get(context))
        << "not enough memory for a copy of the module's "
        << source.bytes.size() << " bytes";
    return {};
  }
  return parseModule(std::move(buffer), context);
}

static size_t countReductions(ModuleOp module) {
  size_t count = 0;
  module.walk([&](Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (isa<MeanOp, MvnOp>(op) ||
        (linalgOp && linalgOp.getNumReductionLoops() != 0))
      ++count;
  });
  return count;
}

/// Parses `source` and calls `action` on the module, whose context does not
/// outlive the call.
static void parseAndRun(const Source &source, Compilation &result,
                        llvm::function_ref<void(ModuleOp)> action) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    append(diagnostic, source.name, result.diagnostics);
  });
  OwningOpRef<ModuleOp> module = parse(source, &context);
  if (!module)
    return;
  action(*module);
}

static Compilation parseAndRunOnLargeStack(
    const Source &source,
    llvm::function_ref<void(ModuleOp, Compilation &)> action) {
  Compilation result;
  if (llvm::Error error = runOnLargeStack(recursionStackBytes, [&] {
        parseAndRun(source, result,
                    [&](ModuleOp module) { action(module, result); });
      }))
    appendError(llvm::toString(std::move(error)), result.diagnostics);
  return result;
}

Compilation mlir::meanvar::compileSource(const Source &source,
                                         const CompileOptions &options) {
  return parseAndRunOnLargeStack(
      source, [&](ModuleOp module, Compilation &result) {
        auto compiled = compileModule(module, options);
        if (compiled) {
          result.module = std::move(*compiled);
          return;
        }
        // What was diagnosed says more.
        std::string message = llvm::toString(compiled.takeError());
        if (!hasError(result.diagnostics))
          appendError(message, result.diagnostics);
      });
}

Compilation mlir::meanvar::checkSource(const Source &source) {
  return parseAndRunOnLargeStack(
      source, [](ModuleOp module, Compilation &result) {
        result.numReductions = countReductions(module);
      });
}
