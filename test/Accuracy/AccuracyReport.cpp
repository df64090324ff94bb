//===- AccuracyReport.cpp - Tables of measured errors ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyReport.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::Error;
using llvm::format;
using llvm::outs;

/// Prints errors as a cell of a table; those below a threshold are absolute.
static void printCell(const ErrorStatistics &errors, bool hasThreshold) {
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
  outs()
      << "\n## Constant lanes\n\n"
      << "| type | value | n | meanvar, rows | meanvar, columns | one pass | "
         "two passes | Welford |\n"
      << "|---|---|---|---|---|---|---|---|\n";
  constexpr std::pair<ElementKind, double> constants[] = {
      {ElementKind::F16, 0.1},   {ElementKind::F16, 6e4},
      {ElementKind::BF16, 0.1},  {ElementKind::BF16, 1e30},
      {ElementKind::F32, 0.1},   {ElementKind::F32, 1e4 + 0.1},
      {ElementKind::F32, 1e30},  {ElementKind::F64, 0.1},
      {ElementKind::F64, 1e300},
  };
  for (auto [kind, value] : constants)
    for (int64_t size : {1000, 65537})
      if (Error error = printConstantLane(kind, value, size))
        return error;
  return Error::success();
}

Error AccuracyReport::printConstantLane(ElementKind kind, double value,
                                        int64_t size) {
  auto lanes = HostTensor::create(kind, {2, size});
  if (!lanes)
    return lanes.takeError();
  for (int64_t i = 0; i < lanes->getNumElements(); ++i)
    lanes->setFloat(i, value);
  auto errors = measureNormalization(compiler, *lanes);
  if (!errors)
    return errors.takeError();
  outs() << "| " << getElementName(kind) << " | " << format("%g", value)
         << " | " << size << " |";
  // Results are wrong by what they are.
  for (const ErrorStatistics *statistics :
       {&errors->rows, &errors->columns, &errors->onePass, &errors->twoPasses,
        &errors->welford})
    if (statistics->getShareOfSpecial() > 0)
      outs() << " NaN |";
    else
      outs() << format(" %.3Lg |", statistics->getLargestAbsolute());
  outs() << "\n";
  worstShare = std::max({worstShare, errors->rows.getShareOfBound(),
                         errors->columns.getShareOfBound()});
  return Error::success();
}

Error AccuracyReport::printMeans() {
  outs()
      << "\n## Mean of several operands\n\n"
      << "| type | operands | mean | meanvar | of M5 | in the element type | "
         "in f32 (f64) |\n"
      << "|---|---|---|---|---|---|---|\n";
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16,
                           ElementKind::F32, ElementKind::F64})
    for (int64_t numOperands : {2, 3, 8, 64})
      for (double mean : {0.0, 1.0, 1e2})
        if (Error error = printMean(kind, numOperands, mean))
          return error;
  return Error::success();
}

Error AccuracyReport::printMean(ElementKind kind, int64_t numOperands,
                                double mean) {
  auto operands = makeOperands(kind, numOperands, mean);
  if (!operands)
    return operands.takeError();
  auto errors = measureMean(compiler, *operands);
  if (!errors)
    return errors.takeError();
  outs() << "| " << getElementName(kind) << " | " << numOperands << " | "
         << format("%g", mean) << " |";
  printCell(errors->compiled, false);
  printShare(errors->compiled.getShareOfBound());
  printCell(errors->inElementKind, false);
  printCell(errors->inUsualKind, false);
  outs() << "\n";
  return Error::success();
}
