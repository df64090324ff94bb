//===- Options.h - The command line of meanvar-runner -----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_RUNNER_OPTIONS_H
#define MEANVAR_TOOLS_MEANVAR_RUNNER_OPTIONS_H

#include "meanvar/Execution/CompiledModule.h"
#include "meanvar/Execution/GuardedBuffer.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::meanvar {

/// What the command line asks for, checked as far as it can be by itself.
struct RunnerOptions {
  std::string inputFile;
  /// The function to run; empty: the only one.
  std::string functionName;
  /// Tensor specifications, one for each argument and result.
  std::vector<std::string> inputs;
  std::vector<std::string> expectedOutputs;
  /// A `.npy` file for each result, or an empty string for standard output.
  std::vector<std::string> outputFiles;
  std::optional<double> absoluteTolerance;
  std::optional<double> relativeTolerance;
  bool isBenchmark = false;
  /// Evaluate by the reference instead of compiled code.
  bool usesReference = false;
  /// The number of timed runs; unset: as many as fill a fixed time.
  std::optional<unsigned> benchmarkRuns;
  /// Where memory is guarded; unset: nowhere.
  std::optional<GuardedSide> guardedSide;
  CompileOptions compileOptions;
};

/// Parses the command line, MLIR's own options included. `--help` and
/// `--version` end the process.
llvm::Expected<RunnerOptions> parseCommandLine(int argc, char **argv);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_RUNNER_OPTIONS_H
