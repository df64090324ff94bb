//===- CompileSource.cpp - From bytes to functions in memory --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileSource.h"
#include "LargeStack.h"
#include "meanvar/AheadOfTime/CInterface.h"
#include "meanvar/AheadOfTime/EmitCode.h"
#include "meanvar/AheadOfTime/SharedLibrary.h"
#include "meanvar/Compiler/Compiler.h"
#include "meanvar/Compiler/ParseModule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Execution/TargetMachine.h"
#include "meanvar/Target/ONNX/ImportONNX.h"
#include "meanvar/TensorIO/Files.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;

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
                        llvm::function_ref<Error(ModuleOp)> action) {
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
  Error error = action(*module);
  result.isComplete = !error;
  std::string message = llvm::toString(std::move(error));
  // What was diagnosed says more.
  if (!result.isComplete && !hasError(result.diagnostics))
    appendError(message, result.diagnostics);
}

/// The same on a large stack, where `action` adds to the result.
static Compilation parseAndRunOnLargeStack(
    const Source &source,
    llvm::function_ref<Error(ModuleOp, Compilation &)> action) {
  Compilation result;
  if (Error error = runOnLargeStack(recursionStackBytes, [&] {
        parseAndRun(source, result,
                    [&](ModuleOp module) { return action(module, result); });
      }))
    appendError(llvm::toString(std::move(error)), result.diagnostics);
  return result;
}

Compilation mlir::meanvar::compileSource(const Source &source,
                                         const CompileOptions &options) {
  return parseAndRunOnLargeStack(
      source, [&](ModuleOp module, Compilation &result) -> Error {
        auto compiled = compileModule(module, options);
        if (!compiled)
          return compiled.takeError();
        result.module = std::move(*compiled);
        return Error::success();
      });
}

Compilation mlir::meanvar::checkSource(const Source &source) {
  return parseAndRunOnLargeStack(
      source, [](ModuleOp module, Compilation &result) {
        result.numReductions = countReductions(module);
        return Error::success();
      });
}

//===----------------------------------------------------------------------===//
// Ahead of time
//===----------------------------------------------------------------------===//

/// Returns the code of `module`, which is lowered and has its C interface.
static Expected<SmallVector<char, 0>> emitFile(ModuleOp module,
                                               const CompileOptions &options,
                                               llvm::TargetMachine &machine,
                                               StringRef path) {
  auto object = emitCode(module, machine, options.optLevel, CodeForm::Object);
  if (!object || !path.ends_with(".so"))
    return object;
  return linkSharedLibrary(*object, machine.getTargetTriple(),
                           options.threads > 1);
}

static Error write(ModuleOp module, const Source &source,
                   const CompileOptions &options, const CodeFiles &files) {
  auto machine =
      createTargetMachine(files.triple, options.targetCPU, options.optLevel);
  if (!machine)
    return machine.takeError();
  if (Error error = lowerModule(module, options, **machine))
    return error;
  auto functions = describeCFunctions(module, files.prefix);
  if (!functions)
    return functions.takeError();
  if (functions->empty())
    return llvm::createStringError(
        "the module has no public function with tensor results");
  emitCInterface(module, *functions);
  auto code = emitFile(module, options, **machine, files.path);
  if (!code)
    return code.takeError();
  StringRef sourceName =
      source.name.empty() ? StringRef("memory") : StringRef(source.name);
  std::string origin = ("Generated by meanvar " MEANVAR_VERSION " from " +
                        llvm::sys::path::filename(sourceName) + ".")
                           .str();
  return writeWithCHeader(
      files.headerPath, *functions, files.prefix, origin, [&] {
        return writeFileAtomically(files.path, [&](llvm::raw_ostream &stream) {
          stream.write(code->data(), code->size());
        });
      });
}

Compilation mlir::meanvar::writeSource(const Source &source,
                                       const CompileOptions &options,
                                       const CodeFiles &files) {
  return parseAndRunOnLargeStack(source, [&](ModuleOp module, Compilation &) {
    return write(module, source, options, files);
  });
}
