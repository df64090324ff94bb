//===- Schedule.cpp - Shapes of the generated kernels ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Schedule.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::meanvar;

/// Vectors in flight: additions have a latency of about 4 cycles.
static constexpr int64_t independentVectors = 4;

LogicalResult meanvar::verifyVectorBits(Operation *op, unsigned vectorBits) {
  if (vectorBits >= 128 && llvm::isPowerOf2_32(vectorBits))
    return success();
  return op->emitError("vector-bits is ")
         << vectorBits << " (allowed: powers of two of at least 128)";
}

/// Returns how many elements a vector register holds; shorter ones are computed
/// in 32 bits.
static int64_t getVectorSize(unsigned vectorBits, unsigned elementBits) {
  return vectorBits / std::clamp(elementBits, 32u, 64u);
}

VectorSchedule meanvar::getVectorSchedule(unsigned vectorBits,
                                          unsigned elementBits, int64_t size,
                                          bool forSize) {
  int64_t vectorSize = getVectorSize(vectorBits, elementBits);
  if (ShapedType::isDynamic(size))
    return {vectorSize, forSize ? 1 : independentVectors};
  // No wider than what there is to compute, and no more vectors.
  vectorSize = std::min<int64_t>(
      vectorSize, llvm::PowerOf2Ceil(std::max<int64_t>(size, 1)));
  int64_t unroll =
      std::clamp<int64_t>(size / vectorSize, 1, independentVectors);
  return {vectorSize, forSize ? 1 : unroll};
}

VectorSchedule meanvar::getPanelSchedule(VectorSchedule schedule,
                                         unsigned vectorBits, int64_t size) {
  // Two sums and a shift for each vector; x86 has 32 registers of 512 bits, and
  // 16 narrower ones.
  if (vectorBits < 512 || schedule.unroll < independentVectors)
    return schedule;
  int64_t unroll = 2 * independentVectors;
  if (ShapedType::isDynamic(size) || size >= unroll * schedule.vectorSize)
    schedule.unroll = unroll;
  return schedule;
}

std::optional<VectorSchedule>
meanvar::getPeriodicVectorSchedule(unsigned vectorBits, unsigned elementBits,
                                   int64_t numRows, int64_t period,
                                   bool forSize) {
  // Each vector of a period has sums and parameters in registers.
  constexpr int64_t maxPeriodVectors = 8;
  int64_t vectorSize = getVectorSize(vectorBits, elementBits);
  if (ShapedType::isDynamic(period) || period <= 1 || period > vectorSize)
    return std::nullopt;
  int64_t periodVectors = period / std::gcd(period, vectorSize);
  if (periodVectors > maxPeriodVectors ||
      (!ShapedType::isDynamic(numRows) &&
       numRows * period < periodVectors * vectorSize))
    return std::nullopt;
  if (forSize)
    return VectorSchedule{vectorSize, periodVectors, periodVectors};
  int64_t periods = std::max<int64_t>(independentVectors / periodVectors, 1);
  if (!ShapedType::isDynamic(numRows)) {
    // What registers hold needs no loop.
    int64_t all = numRows * period / (periodVectors * vectorSize);
    bool fitsRegisters = all * periodVectors <= maxPeriodVectors;
    periods = fitsRegisters ? all : std::min(periods, all);
  }
  return VectorSchedule{vectorSize, periods * periodVectors, periodVectors};
}

std::optional<int64_t> meanvar::getTransposedTile(ArrayRef<int64_t> shape,
                                                  ArrayRef<bool> reduced,
                                                  unsigned vectorBits,
                                                  unsigned elementBits) {
  // Longer rows take more registers than there are.
  constexpr int64_t maxRow = 19;
  if (shape.size() != 2 || reduced[0] || !reduced[1])
    return std::nullopt;
  auto [numLanes, laneSize] = std::pair(shape[0], shape[1]);
  if (ShapedType::isDynamic(laneSize) || laneSize < 2 || laneSize > maxRow)
    return std::nullopt;
  int64_t vectorSize = getVectorSize(vectorBits, elementBits);
  if (!ShapedType::isDynamic(numLanes) && numLanes < vectorSize)
    return std::nullopt;
  // Rows that fill vectors of their own need no shuffles. Of one vector the
  // sums do, though.
  if (laneSize > vectorSize && laneSize % vectorSize == 0)
    return std::nullopt;
  return vectorSize;
}

/// Returns the number of bytes of a lane, or nothing where it is not static.
static std::optional<int64_t> getLaneBytes(ArrayRef<int64_t> shape,
                                           ArrayRef<bool> reduced,
                                           unsigned elementBits) {
  int64_t bytes = elementBits / 8;
  for (auto [size, isReduced] : llvm::zip_equal(shape, reduced)) {
    if (!isReduced)
      continue;
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    bytes *= size;
  }
  return bytes;
}

/// Returns how many lanes whose elements follow each other in memory make a
/// tile: so many that the horizontal sums, the divisions and the roots of one
/// lane overlap with the passes over another, while their elements share the
/// first-level cache with the results; a power of two, to fill vectors.
static int64_t getLanesOfTile(std::optional<int64_t> laneBytes) {
  if (!laneBytes)
    return ShapedType::kDynamic;
  int64_t lanes = laneTileBytes / std::max<int64_t>(*laneBytes, 1);
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp<int64_t>(lanes, 1, maxLanesOfTile)));
}

/// Returns how many lanes that are neighbours in memory make a tile: a page of
/// each row, which is read from one end to the other. Sums of f64 stay in
/// registers through all rows, so their panels are as wide as the main loop.
static int64_t getPanelWidth(unsigned vectorBits, unsigned elementBits) {
  constexpr int64_t widePanel = 1024;
  if (elementBits < 64)
    return widePanel;
  VectorSchedule schedule = getVectorSchedule(
      vectorBits, elementBits, ShapedType::kDynamic, /*forSize=*/false);
  return schedule.vectorSize * schedule.unroll;
}

SmallVector<int64_t> meanvar::getLaneTileSizes(ArrayRef<int64_t> shape,
                                               ArrayRef<bool> reduced,
                                               unsigned vectorBits,
                                               unsigned elementBits) {
  SmallVector<int64_t> tileSizes(shape.size(), 0);
  std::optional<size_t> lastKept;
  for (auto [dim, isReduced] : llvm::enumerate(reduced)) {
    if (isReduced)
      continue;
    tileSizes[dim] = 1;
    lastKept = dim;
  }
  if (!lastKept)
    return tileSizes;
  int64_t tile = getLanesOfTile(getLaneBytes(shape, reduced, elementBits));
  if (*lastKept + 1 == shape.size())
    tile = getPanelWidth(vectorBits, elementBits);
  int64_t size = shape[*lastKept];
  bool fitsTile = !ShapedType::isDynamic(size) &&
                  !ShapedType::isDynamic(tile) && size <= tile;
  tileSizes[*lastKept] = fitsTile ? 0 : tile;
  return tileSizes;
}
