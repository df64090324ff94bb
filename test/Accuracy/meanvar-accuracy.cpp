//===- meanvar-accuracy.cpp - Measures the errors of meanvar --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the tables of docs/Accuracy.md, in Markdown. Fails when a result of
// meanvar is further from the exact one than docs/Spec.md allows.
//
//===----------------------------------------------------------------------===//

#include "AccuracyReport.h"
#include "meanvar/Execution/TargetMachine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir::meanvar;
using llvm::Error;

/// Prints all tables, or only those of short lanes.
static Error printReport(AccuracyReport &report, bool isQuick) {
  llvm::outs() << "## Normalization\n";
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16,
                           ElementKind::F32, ElementKind::F64}) {
    llvm::SmallVector<AccuracyReport::LaneSet> laneSets = {{64, 16},
                                                           {16, 1024}};
    if (!isQuick) {
      laneSets.append({{4, 65536}, {2, int64_t(1) << 20}});
      if (kind == ElementKind::F32)
        laneSets.push_back({1, int64_t(1) << 24});
    }
    if (Error error = report.printNormalization(kind, laneSets))
      return error;
  }
  if (Error error = report.printConstantLanes())
    return error;
  return report.printMeans();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::opt<bool> isQuick(
      "quick", llvm::cl::desc("Measure short lanes only, for a test"));
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Measures the errors of meanvar\n");
  // Status 77 is that of a skipped test.
  if (auto machine = createJITTargetMachine(accuracyTarget, /*optLevel=*/3);
      !machine) {
    llvm::errs() << "skipped: " << llvm::toString(machine.takeError()) << "\n";
    return 77;
  }
  AccuracyReport report;
  if (Error error = printReport(report, isQuick)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  if (report.getWorstShare() <= 1)
    return 0;
  llvm::errs()
      << "error: a result of meanvar is further from the exact one than "
         "docs/Spec.md allows: "
      << llvm::format("%.3Lg", report.getWorstShare()) << " times the bound\n";
  return 1;
}
