//===- Options.h - The command line of meanvar-compile ----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_COMPILE_OPTIONS_H
#define MEANVAR_TOOLS_MEANVAR_COMPILE_OPTIONS_H

#include "meanvar/Execution/CompiledModule.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::meanvar {

/// What is written.
enum class OutputKind { Object, Shared, Assembly, LLVMIR, MLIR };

/// What the command line asks for, checked as far as it can be by itself.
struct CompileToolOptions {
  std::string inputFile;
  /// "-" for standard output.
  std::string outputFile;
  /// Empty for none.
  std::string headerFile;
  OutputKind kind = OutputKind::Object;
  /// What symbols start with, an identifier in C.
  std::string prefix;
  /// Empty for this host.
  std::string targetTriple;
  /// With an empty CPU for the least that the triple stands for.
  CompileOptions compileOptions;
};

/// Parses the command line, MLIR's own options included. `--help` and
/// `--version` end the process.
llvm::Expected<CompileToolOptions> parseCommandLine(int argc, char **argv);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_COMPILE_OPTIONS_H
