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
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace mlir::meanvar {

/// Loads, compiles and runs what the options name, writes the results and
/// compares them. Every failure has been reported on standard error, as lines
/// `error: ...`, when this returns. Where it crashes instead, `runningFunction`
/// names the function whose compiled code ran, or is empty.
LogicalResult runFunction(const RunnerOptions &options, MLIRContext &context,
                          std::string &runningFunction);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_RUNNER_RUNFUNCTION_H
