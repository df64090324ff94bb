//===- Compilation.h - Compiling beside the interpreter ---------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_COMPILATION_H
#define MEANVAR_PYTHON_COMPILATION_H

#include "meanvar-c/Embedding.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meanvar::python {

using ModulePointer = std::shared_ptr<MeanVarModule>;

enum class Goal {
  Functions,
  /// Only whether a model can be imported.
  Check,
  /// Code ahead of time.
  Files
};

enum class SourceFormat {
  /// Text or bytecode.
  MLIR,
  /// A model in the binary format.
  ONNX
};

/// What is to be compiled, and how.
struct CompilationRequest {
  Goal goal = Goal::Functions;
  SourceFormat format = SourceFormat::MLIR;
  std::string source;
  /// What diagnostics call the source; empty for none.
  std::string name;
  /// Where external data of a model is, if anywhere.
  std::optional<std::string> directory;
  std::string target = "host";
  unsigned optLevel = 3;
  unsigned threads = 1;
  /// For files: the triple and the prefix of symbols, each of which may be
  /// empty, where code goes, and where its header goes, if anywhere.
  std::string triple, prefix, path;
  std::optional<std::string> headerPath;
};

struct CompilerDiagnostic {
  MeanVarSeverity severity;
  std::string message;
  std::string file;
  unsigned line;
  unsigned column;
};

/// How a compilation ended: with what was asked for or with an error.
struct CompilationOutcome {
  bool isComplete = false;
  ModulePointer module;
  /// What meanvarCheckONNX counts.
  size_t numReductions = 0;
  std::string message;
  std::vector<CompilerDiagnostic> diagnostics;
};

/// A compilation on a thread of its own, which no caller has to wait for: one
/// that was interrupted leaves it running.
class Compilation {
public:
  /// Starts to compile. Raises ValueError for options that are out of range.
  static std::shared_ptr<Compilation> start(CompilationRequest request);

  /// Waits with the GIL released, and raises what a signal handler raises, such
  /// as KeyboardInterrupt.
  const CompilationOutcome &wait();

private:
  void run(const CompilationRequest &request,
           const MeanVarCompileOptions *options);

  CompilationOutcome outcome;
  bool isDone = false;
};

/// Raises meanvar.CompilationError for a failure.
[[noreturn]] void raiseCompilationError(const CompilationOutcome &outcome);

/// Waits for the compilations that still run: they may not outlive the process.
void waitForAllCompilations();

/// Has `fork` wait for the compilations that run: the child would have their
/// locks, and not their threads.
void registerForkHandlers();

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_COMPILATION_H
