//===- CompileSource.h - From bytes to functions in memory ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CAPI_EMBEDDING_COMPILESOURCE_H
#define MEANVAR_LIB_CAPI_EMBEDDING_COMPILESOURCE_H

#include "meanvar-c/Embedding.h"
#include "meanvar/Execution/CompiledModule.h"

namespace mlir::meanvar {

enum class SourceFormat {
  /// Text or bytecode.
  MLIR,
  /// A model in the binary format.
  ONNX
};

/// What is to be compiled.
struct Source {
  SourceFormat format;
  llvm::StringRef bytes;
  /// The name that diagnostics give the source.
  std::string name;
  /// Where external data of a model is; empty to refuse it.
  std::string directory;
};

/// A diagnostic or a note of one, kept beyond the context it came from.
struct SourceDiagnostic {
  MeanVarSeverity severity = MEANVAR_ERROR;
  std::string message;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

struct Compilation {
  /// Returns the errors with their notes, a line each.
  std::string getErrorMessage() const;

  /// Whether what was asked for has been done.
  bool isComplete = false;
  /// Null where no functions in memory were asked for.
  std::unique_ptr<CompiledModule> module;
  /// How many operations of a model that was checked combine elements.
  size_t numReductions = 0;
  /// In order, notes behind what they are of. There is an error where the
  /// compilation failed.
  std::vector<SourceDiagnostic> diagnostics;
};

/// Compiles `source` on a stack that bounded recursion cannot overflow,
/// whatever that of the caller is.
Compilation compileSource(const Source &source, const CompileOptions &options);

/// Parses or imports `source` on such a stack, and does not compile it.
Compilation checkSource(const Source &source);

/// What is written ahead of time, and where.
struct CodeFiles {
  /// The target; empty for this host.
  std::string triple;
  /// What symbols start with.
  std::string prefix;
  /// A shared library where it ends in ".so", an object otherwise.
  std::string path;
  /// The C header; empty for none.
  std::string headerPath;
};

/// Compiles `source` on such a stack to files: both or none.
Compilation writeSource(const Source &source, const CompileOptions &options,
                        const CodeFiles &files);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CAPI_EMBEDDING_COMPILESOURCE_H
