//===- RunFunction.h - The steps of meanvar-runner --------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_RUNNER_RUNFUNCTION_H
#define MEANVAR_TOOLS_MEANVAR_RUNNER_RUNFUNCTION_H

#include "Options.h"
#include "meanvar/Execution/GuardedTensors.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace mlir::meanvar {

/// What a crash leaves behind for its report.
struct RunProgress {
  /// The function whose compiled code runs, or empty.
  std::string runningFunction;
  /// The tensors that it runs on, where they are guarded.
  std::optional<GuardedTensors> guardedTensors;
};

/// Loads, compiles and runs what the options name, writes the results and
/// compares them. Every failure has been reported on standard error, as lines
/// `error: ...`, when this returns. Where it crashes instead, `progress` says
/// what was being done.
LogicalResult runFunction(const RunnerOptions &options, MLIRContext &context,
                          RunProgress &progress);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_RUNNER_RUNFUNCTION_H
