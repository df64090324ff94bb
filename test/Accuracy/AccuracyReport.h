//===- AccuracyReport.h - Tables of measured errors -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_ACCURACY_ACCURACYREPORT_H
#define MEANVAR_TEST_ACCURACY_ACCURACYREPORT_H

#include "Measurements.h"

namespace mlir::meanvar {

/// Prints tables in Markdown to standard output, and keeps what decides over
/// success.
class AccuracyReport {
public:
  struct LaneSet {
    int64_t numLanes;
    int64_t size;
  };

  llvm::Error printNormalization(ElementKind kind,
                                 llvm::ArrayRef<LaneSet> laneSets);
  llvm::Error printConstantLanes();
  llvm::Error printMeans();

  /// The largest error of meanvar as a part of what the contract allows.
  long double getWorstShare() const { return worstShare; }

private:
  llvm::Error printConstantLane(ElementKind kind, double value, int64_t size);
  llvm::Error printMean(ElementKind kind, int64_t numOperands, double mean);
  /// Prints how much of the contract's bound meanvar used.
  void printShare(long double share);

  OperationCompiler compiler;
  long double worstShare = 0;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_ACCURACY_ACCURACYREPORT_H
