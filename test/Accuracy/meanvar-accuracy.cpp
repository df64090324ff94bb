//===- meanvar-accuracy.cpp - Tables of measured errors -------------------===//
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

#include "Measurements.h"
#include "meanvar/Execution/TargetMachine.h"
#include "meanvar/TensorIO/Random.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <cmath>

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::format;
using llvm::outs;

static llvm::cl::opt<bool>
    quick("quick", llvm::cl::desc("Measure short lanes only, for a test"));

constexpr ElementKind floats[] = {ElementKind::F16, ElementKind::BF16,
                                  ElementKind::F32, ElementKind::F64};

namespace {
struct LaneSet {
  int64_t numLanes;
  int64_t size;
};

/// Prints the tables and keeps what decides over success.
class AccuracyReport {
public:
  Error printNormalization(ElementKind kind, ArrayRef<LaneSet> laneSets);
  Error printConstantLanes();
  Error printMeans();

  long double getWorstShare() const { return worstShare; }

private:
  /// Prints errors as a cell of a table.
  void printCell(const ErrorStatistics &errors, bool hasThreshold);
  /// Prints how much of the contract's bound meanvar used.
  void printShare(long double share);

  OperationCompiler compiler;
  long double worstShare = 0;
};
} // namespace

void AccuracyReport::printCell(const ErrorStatistics &errors,
                               bool hasThreshold) {
  double special = 100 * errors.getShareOfSpecial();
  if (special == 100) {
    outs() << " NaN |";
    return;
  }
  outs() << format(" %.3Lg (%.2Lg)", errors.getLargestUlps(),
                   errors.getMeanUlps());
  if (hasThreshold)
    outs() << format(", %.1Le", errors.getLargestAbsolute());
  if (special > 0)
    outs() << format(", %.3g %% NaN", special);
  outs() << " |";
}

void AccuracyReport::printShare(long double share) {
  worstShare = std::max(worstShare, share);
  outs() << format(" %.1Lf %% |", 100 * share);
}

Error AccuracyReport::printNormalization(ElementKind kind,
                                         ArrayRef<LaneSet> laneSets) {
  outs() << "\n### " << getElementName(kind) << "\n\n"
         << "| n | mean / sigma | meanvar, rows | meanvar, columns | of V5 | "
            "one pass | two passes | Welford |\n"
         << "|---|---|---|---|---|---|---|---|\n";
  for (const LaneSet &set : laneSets)
    for (double mean : {0.0, 1.0, 1e2, 1e4, 1e6}) {
      // Where neighbouring numbers are more than a sigma apart, there is no
      // normal distribution left.
      if (getUlp(kind, mean) > 1)
        continue;
      // Two ends are enough for the longest lanes, which take long.
      if (set.numLanes == 1 && mean != 0 && mean != 1e4)
        continue;
      auto lanes = makeLanes(kind, set.numLanes, set.size, mean);
      if (!lanes)
        return lanes.takeError();
      auto errors = measureNormalization(compiler, *lanes);
      if (!errors)
        return errors.takeError();
      outs() << "| " << set.size << " | " << format("%g", mean) << " |";
      printCell(errors->rows, true);
      printCell(errors->columns, true);
      printShare(std::max(errors->rows.getShareOfBound(),
                          errors->columns.getShareOfBound()));
      printCell(errors->onePass, true);
      printCell(errors->twoPasses, true);
      printCell(errors->welford, true);
      outs() << "\n";
    }
  return Error::success();
}

Error AccuracyReport::printConstantLanes() {
  struct Constant {
    ElementKind kind;
    double value;
  };
  constexpr Constant constants[] = {
      {ElementKind::F16, 0.1},   {ElementKind::F16, 6e4},
      {ElementKind::BF16, 0.1},  {ElementKind::BF16, 1e30},
      {ElementKind::F32, 0.1},   {ElementKind::F32, 1e4 + 0.1},
      {ElementKind::F32, 1e30},  {ElementKind::F64, 0.1},
      {ElementKind::F64, 1e300},
  };
  outs()
      << "\n## Constant lanes\n\n"
      << "| type | value | n | meanvar, rows | meanvar, columns | one pass | "
         "two passes | Welford |\n"
      << "|---|---|---|---|---|---|---|---|\n";
  for (const Constant &constant : constants)
    for (int64_t size : {1000, 65537}) {
      auto lanes = HostTensor::create(constant.kind, {2, size});
      if (!lanes)
        return lanes.takeError();
      for (int64_t i = 0; i < lanes->getNumElements(); ++i)
        lanes->setFloat(i, constant.value);
      auto errors = measureNormalization(compiler, *lanes);
      if (!errors)
        return errors.takeError();
      outs() << "| " << getElementName(constant.kind) << " | "
             << format("%g", constant.value) << " | " << size << " |";
      for (const ErrorStatistics *statistics :
           {&errors->rows, &errors->columns, &errors->onePass,
            &errors->twoPasses, &errors->welford})
        if (statistics->getShareOfSpecial() > 0)
          outs() << " NaN |";
        else
          outs() << format(" %.3Lg |", statistics->getLargestAbsolute());
      outs() << "\n";
      worstShare = std::max({worstShare, errors->rows.getShareOfBound(),
                             errors->columns.getShareOfBound()});
    }
  return Error::success();
}

Error AccuracyReport::printMeans() {
  outs()
      << "\n## Mean of several operands\n\n"
      << "| type | operands | mean | meanvar | of M5 | in the element type | "
         "in f32 (f64) |\n"
      << "|---|---|---|---|---|---|---|\n";
  for (ElementKind kind : floats)
    for (int64_t numOperands : {2, 3, 8, 64})
      for (double mean : {0.0, 1.0, 1e2}) {
        constexpr int64_t numElements = 4096;
        std::vector<HostTensor> inputs;
        NormalGenerator generator(numOperands);
        for (int64_t number = 0; number < numOperands; ++number) {
          auto input = HostTensor::create(kind, numElements);
          if (!input)
            return input.takeError();
          for (int64_t i = 0; i < numElements; ++i)
            input->setFloat(i, mean + generator.next());
          inputs.push_back(std::move(*input));
        }
        auto errors = measureMean(compiler, inputs);
        if (!errors)
          return errors.takeError();
        outs() << "| " << getElementName(kind) << " | " << numOperands << " | "
               << format("%g", mean) << " |";
        printCell(errors->compiled, false);
        printShare(errors->compiled.getShareOfBound());
        printCell(errors->inElementKind, false);
        printCell(errors->inUsualKind, false);
        outs() << "\n";
      }
  return Error::success();
}

static Error printReport(AccuracyReport &report) {
  outs() << "## Normalization\n";
  for (ElementKind kind : floats) {
    llvm::SmallVector<LaneSet> laneSets = {{64, 16}, {16, 1024}};
    if (!quick) {
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
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Measures the errors of meanvar\n");
  // Status 77 is that of a skipped test.
  if (auto machine = createJITTargetMachine(accuracyTarget, /*optLevel=*/3);
      !machine) {
    llvm::errs() << "skipped: " << llvm::toString(machine.takeError()) << "\n";
    return 77;
  }
  AccuracyReport report;
  if (Error error = printReport(report)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  if (report.getWorstShare() <= 1)
    return 0;
  llvm::errs()
      << "error: a result of meanvar is further from the exact one than "
         "docs/Spec.md allows: "
      << format("%.3Lg", report.getWorstShare()) << " times the bound\n";
  return 1;
}
