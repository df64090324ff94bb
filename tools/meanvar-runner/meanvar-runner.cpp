//===- meanvar-runner.cpp - Compiles and runs one function ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RunFunction.h"
#include "meanvar/Compiler/Compiler.h"
#include "meanvar/InitAll.h"
#include "meanvar/ToolSupport/CrashRecovery.h"
#include "meanvar/ToolSupport/Diagnostics.h"
#include "meanvar/ToolSupport/StandardStreams.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;

static LogicalResult run(const meanvar::RunnerOptions &options,
                         meanvar::RunProgress &progress) {
  DialectRegistry registry;
  meanvar::registerCompilerDialects(registry);
  // One thread: a crash on another could not be recovered from, and diagnostics
  // keep their order.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  return meanvar::runFunction(options, context, progress);
}

/// Says what crashed, and on what if that can be told.
static std::string describeCrash(const meanvar::RunnerOptions &options,
                                 const meanvar::RunProgress &progress) {
  if (progress.runningFunction.empty())
    return "the compiler crashed on '" + options.inputFile + "'";
  std::string fault;
  if (progress.guardedTensors)
    fault = progress.guardedTensors->describeFault(meanvar::getFaultAddress());
  return "function '" + progress.runningFunction + "' " +
         (fault.empty() ? "crashed while it ran" : fault);
}

int main(int argc, char **argv) {
  meanvar::checkStandardOutputAtExit();
  // The options that print IR name passes.
  registerAllPasses();
  meanvar::registerAllPasses();
  auto options = meanvar::parseCommandLine(argc, argv);
  if (!options) {
    meanvar::printError(options.takeError());
    return EXIT_FAILURE;
  }
  LogicalResult result = failure();
  meanvar::RunProgress progress;
  if (meanvar::runWithCrashRecovery([&] { result = run(*options, progress); }))
    return succeeded(result) ? EXIT_SUCCESS : EXIT_FAILURE;
  meanvar::printError(describeCrash(*options, progress));
  // What a crash leaves locked or damaged must not be torn down.
  std::_Exit(EXIT_FAILURE);
}
