//===- Schedule.cpp - Shapes of the generated kernels ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"

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

LogicalResult meanvar::verifyLimits(Operation *op,
                                    const ScheduleLimits &limits) {
  if (limits.vectorBits < 128 || !llvm::isPowerOf2_32(limits.vectorBits))
    return op->emitError("vector-bits is ")
           << limits.vectorBits << " (allowed: powers of two of at least 128)";
  for (auto [name, value] :
       {std::pair("tile-bytes", limits.tileBytes),
        std::pair("tile-lanes", limits.tileLanes),
        std::pair("panel-lanes", limits.panelLanes),
        std::pair("transposed-elements", limits.transposedElements)})
    if (value < 1)
      return op->emitError(name)
             << " is " << value << " (allowed: positive numbers)";
  return success();
}

int64_t meanvar::getVectorSize(unsigned vectorBits, unsigned elementBits) {
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

VectorSchedule meanvar::getStreamSchedule(VectorSchedule schedule,
                                          unsigned vectorBits,
                                          unsigned elementBits) {
  // Narrower vectors have too few registers for the sums of so many.
  constexpr int64_t streamBits = int64_t(4) * 64 * 8;
  if (vectorBits >= 512 && schedule.unroll == independentVectors)
    schedule.unroll = std::max<int64_t>(
        schedule.unroll, streamBits / (schedule.vectorSize * elementBits));
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
    // What registers hold needs no loop. x86 has twice as many of 512 bits, to
    // hold more vectors with the same parameters.
    bool holdsMore = vectorBits >= 512 && periodVectors == 1;
    int64_t maxVectors = maxPeriodVectors * (holdsMore ? 2 : 1);
    int64_t all = numRows * period / (periodVectors * vectorSize);
    bool fitsRegisters = all * periodVectors <= maxVectors;
    periods = fitsRegisters ? all : std::min(periods, all);
  }
  return VectorSchedule{vectorSize, periods * periodVectors, periodVectors};
}

int64_t meanvar::getRowGroup(int64_t numRows, int64_t vectorSize) {
  if (ShapedType::isDynamic(numRows))
    return vectorSize;
  if (vectorSize == 1 || numRows <= 2)
    return 1;
  return std::min<int64_t>(vectorSize, llvm::PowerOf2Ceil(numRows));
}

int64_t meanvar::getMaxTermsOfFold(const VectorSchedule &schedule,
                                   int64_t maxPartialSum) {
  // Folding takes no time beside the passes over longer rows.
  constexpr int64_t usefulTerms = 8;
  int64_t terms = maxPartialSum == 0 ? usefulTerms
                                     : std::min(maxPartialSum / 2, usefulTerms);
  return terms * schedule.unroll * schedule.vectorSize;
}

/// Returns true if lanes are transposed, so that each fills a place of vectors
/// rather than a part of one: rows of a matrix that are short enough, as many
/// as a vector has elements or more.
static bool areTransposed(ArrayRef<int64_t> shape, ArrayRef<bool> reduced,
                          int64_t vectorSize, int64_t maxElements) {
  if (shape.size() != 2 || reduced[0] || !reduced[1])
    return false;
  auto [numLanes, laneSize] = std::pair(shape[0], shape[1]);
  if (ShapedType::isDynamic(laneSize) || laneSize < 2 || laneSize > maxElements)
    return false;
  // Rows that fill several vectors of their own need no shuffles.
  bool fillsVectors = laneSize > vectorSize && laneSize % vectorSize == 0;
  return !fillsVectors &&
         (ShapedType::isDynamic(numLanes) || numLanes >= vectorSize);
}

/// Returns how many vectors of lanes, each with elements of `elementBytes`, are
/// transposed at a time. What is computed of a lane is one chain of dependent
/// operations, so that several are in flight; more elements than these make
/// a processor wait for the first ones of the next tile (measured).
static int64_t getTransposedVectors(int64_t numLanes, int64_t laneSize,
                                    int64_t vectorSize, int64_t elementBytes) {
  constexpr int64_t maxBytes = 2048;
  // Sizes known at run time only have kernels for several sizes of lanes, which
  // take their time to compile. 16-bit types gain too much from all four.
  int64_t maxVectors =
      ShapedType::isDynamic(numLanes) && elementBytes > 2 ? 2 : 4;
  int64_t vectorBytes = vectorSize * elementBytes;
  // Eight columns of 64 bytes leave registers for what is computed, and are
  // quicker alone. So are sixteen, whose results need no columns.
  if (laneSize % 8 == 0 && vectorBytes == 64)
    return 1;
  int64_t vectors = maxVectors;
  while (vectors > 1 && (laneSize * vectorBytes * vectors > maxBytes ||
                         (!ShapedType::isDynamic(numLanes) &&
                          numLanes < vectors * vectorSize)))
    vectors /= 2;
  return vectors;
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
static int64_t getLanesOfTile(std::optional<int64_t> laneBytes,
                              const ScheduleLimits &limits) {
  if (!laneBytes)
    return ShapedType::kDynamic;
  int64_t lanes = limits.tileBytes / std::max<int64_t>(*laneBytes, 1);
  return llvm::bit_floor(
      static_cast<uint64_t>(std::clamp<int64_t>(lanes, 1, limits.tileLanes)));
}

/// Returns the tile sizes where the last kept dimension is tiled by `tile`.
static SmallVector<int64_t> getTileSizes(ArrayRef<int64_t> shape,
                                         ArrayRef<bool> reduced, int64_t tile) {
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
  int64_t size = shape[*lastKept];
  bool fitsTile = !ShapedType::isDynamic(size) &&
                  !ShapedType::isDynamic(tile) && size <= tile;
  tileSizes[*lastKept] = fitsTile ? 0 : tile;
  return tileSizes;
}

/// Returns the schedule of lanes that are neighbours in memory.
static MvnSchedule getPanels(ArrayRef<int64_t> shape, ArrayRef<bool> reduced,
                             unsigned elementBits,
                             const ScheduleLimits &limits) {
  int64_t size = shape.back();
  MvnSchedule schedule;
  schedule.tileSizes = getTileSizes(shape, reduced, limits.panelLanes);
  int64_t numRows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  std::optional<VectorSchedule> periodic = getPeriodicVectorSchedule(
      limits.vectorBits, elementBits, numRows, size, /*forSize=*/false);
  schedule.shape = periodic ? KernelShape::Periods : KernelShape::Panels;
  if (periodic) {
    schedule.vectors = *periodic;
    return schedule;
  }
  int64_t tile = schedule.tileSizes.back();
  int64_t width = tile == 0 ? size : tile;
  schedule.vectors = getVectorSchedule(limits.vectorBits, elementBits, width,
                                       /*forSize=*/false);
  if (elementBits < 64)
    schedule.vectors =
        getPanelSchedule(schedule.vectors, limits.vectorBits, width);
  return schedule;
}

MvnSchedule meanvar::getMvnSchedule(ArrayRef<int64_t> shape,
                                    ArrayRef<bool> reduced,
                                    unsigned elementBits,
                                    const ScheduleLimits &limits) {
  int64_t vectorSize = getVectorSize(limits.vectorBits, elementBits);
  if (areTransposed(shape, reduced, vectorSize, limits.transposedElements)) {
    int64_t vectors =
        getTransposedVectors(shape[0], shape[1], vectorSize, elementBits / 8);
    return {KernelShape::TransposedLanes,
            {vectors * vectorSize, 0},
            {vectorSize, vectors}};
  }
  if (!reduced.empty() && !reduced.back())
    return getPanels(shape, reduced, elementBits, limits);
  int64_t tile =
      getLanesOfTile(getLaneBytes(shape, reduced, elementBits), limits);
  int64_t size = shape.empty() ? 1 : shape.back();
  return {KernelShape::Lanes, getTileSizes(shape, reduced, tile),
          getVectorSchedule(limits.vectorBits, elementBits, size,
                            /*forSize=*/false)};
}

MvnSchedule meanvar::getMvnSchedule(MvnOp op, const ScheduleLimits &limits) {
  RankedTensorType type = op.getInput().getType();
  return getMvnSchedule(type.getShape(), op.getReducedDims(),
                        type.getElementTypeBitWidth(), limits);
}

static StringRef getName(KernelShape shape) {
  switch (shape) {
  case KernelShape::Lanes:
    return "along lanes";
  case KernelShape::TransposedLanes:
    return "across transposed lanes";
  case KernelShape::Panels:
    return "across neighbouring lanes";
  case KernelShape::Periods:
    return "along rows of a few lanes";
  }
  llvm_unreachable("all shapes have a name");
}

llvm::raw_ostream &meanvar::operator<<(llvm::raw_ostream &os,
                                       const MvnSchedule &schedule) {
  os << "vectors " << getName(schedule.shape) << ", " << schedule.vectors.unroll
     << " of " << schedule.vectors.vectorSize
     << " elements in flight; tiles of [";
  llvm::interleaveComma(schedule.tileSizes, os, [&](int64_t size) {
    if (size == 0)
      os << "all";
    else if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  return os << "]";
}
