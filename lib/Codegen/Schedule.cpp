//===- Schedule.cpp - Shapes of the generated kernels ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Schedule.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::meanvar;

/// Vectors in flight: additions have a latency of about 4 cycles.
static constexpr int64_t independentVectors = 4;

VectorSchedule meanvar::getVectorSchedule(unsigned vectorBits,
                                          unsigned elementBits, int64_t size,
                                          bool forSize) {
  int64_t vectorSize = vectorBits / std::clamp(elementBits, 32u, 64u);
  if (ShapedType::isDynamic(size))
    return {vectorSize, forSize ? 1 : independentVectors};
  // No wider than what there is to compute, and no more vectors.
  vectorSize = std::min<int64_t>(vectorSize,
                                 llvm::PowerOf2Ceil(std::max<int64_t>(size, 1)));
  int64_t unroll = std::clamp<int64_t>(size / vectorSize, 1, independentVectors);
  return {vectorSize, forSize ? 1 : unroll};
}

SmallVector<int64_t> meanvar::getLaneTileSizes(ArrayRef<int64_t> shape,
                                               ArrayRef<bool> reduced,
                                               unsigned vectorBits,
                                               unsigned elementBits) {
  SmallVector<int64_t> tileSizes;
  for (bool isReduced : reduced)
    tileSizes.push_back(isReduced ? 0 : 1);
  if (reduced.empty() || reduced.back())
    return tileSizes;
  VectorSchedule schedule = getVectorSchedule(
      vectorBits, elementBits, ShapedType::kDynamic, /*forSize=*/false);
  int64_t panel = schedule.vectorSize * schedule.unroll;
  bool fitsPanel = !ShapedType::isDynamic(shape.back()) && shape.back() <= panel;
  tileSizes.back() = fitsPanel ? 0 : panel;
  return tileSizes;
}
