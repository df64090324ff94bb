//===- Measurements.h - Errors of meanvar and of other algorithms *- C++
//-*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_ACCURACY_MEASUREMENTS_H
#define MEANVAR_TEST_ACCURACY_MEASUREMENTS_H

#include "ErrorStatistics.h"
#include "OperationCompiler.h"

namespace mlir::meanvar {

/// Returns normally distributed lanes, [numLanes, size], with a sigma of 1.
/// They are those of the documented generator, and the seed is `size`.
llvm::Expected<HostTensor> makeLanes(ElementKind kind, int64_t numLanes,
                                     int64_t size, double mean);

/// Returns tensors of 4096 numbers of the same kind; the seed is `numOperands`.
llvm::Expected<std::vector<HostTensor>>
makeOperands(ElementKind kind, int64_t numOperands, double mean);

/// Returns the kind in which libraries compute with elements of a kind.
ElementKind getUsualKind(ElementKind kind);

/// Of the lanes of a tensor, by algorithm.
struct NormalizationErrors {
  explicit NormalizationErrors(ElementKind kind);

  /// meanvar on the lanes as rows, and as columns where there are several.
  ErrorStatistics rows, columns;
  /// The textbook algorithms in the usual kind, rounded once.
  ErrorStatistics onePass, twoPasses, welford;
};

/// Normalizes the rows of a matrix, with the default epsilon.
llvm::Expected<NormalizationErrors>
measureNormalization(OperationCompiler &compiler, HostTensor &lanes);

/// Of the elementwise mean of several tensors, by algorithm.
struct MeanErrors {
  explicit MeanErrors(ElementKind kind);

  ErrorStatistics compiled;
  /// Sums in the operands' order, in the element type and in the usual kind.
  ErrorStatistics inElementKind, inUsualKind;
};

llvm::Expected<MeanErrors>
measureMean(OperationCompiler &compiler,
            llvm::MutableArrayRef<HostTensor> inputs);

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_ACCURACY_MEASUREMENTS_H
