//===- Schedule.h - Shapes of the generated kernels -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions that code generation follows, as plain values computed by pure
// functions: how many lanes a vector has, how many vectors are in flight, how
// large a tile is.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_CODEGEN_SCHEDULE_H
#define MEANVAR_CODEGEN_SCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::meanvar {

/// The size of a result from which on it bypasses the caches, unless options
/// say otherwise; measured, see docs/Performance.md.
constexpr int64_t defaultStreamingBytes = int64_t(8) * 1024 * 1024;

/// Bytes of the largest tensor of an operation from which on more than one
/// thread pays; docs/Performance.md has the measurements.
inline constexpr int64_t defaultParallelBytes = int64_t(512) * 1024;

/// The largest number of threads of a call.
constexpr unsigned maxNumThreads = 1024;

/// How a loop over contiguous elements is vectorized.
struct VectorSchedule {
  /// Elements of a vector; 1 means scalars.
  int64_t vectorSize;
  /// Independent vectors in the main loop; a multiple of `periodVectors`.
  int64_t unroll;
  /// Where vectors run along two dimensions taken as one, the number of vectors
  /// after which an element of the inner dimension comes back to the same place
  /// in a vector; else 1.
  int64_t periodVectors = 1;
};

/// Succeeds if `vectorBits` may be the width of a vector register: a power of
/// two of at least 128. Else emits an error at `op` that names the option
/// vector-bits.
llvm::LogicalResult verifyVectorBits(Operation *op, unsigned vectorBits);

/// Chooses the vectors for a loop of `size` elements (`ShapedType::kDynamic`
/// where it is known at run time only), of which the widest read or written has
/// `elementBits` bits. Elements of less than 32 bits are computed in 32, so
/// they fill half a register or less. With `forSize` code size goes first.
VectorSchedule getVectorSchedule(unsigned vectorBits, unsigned elementBits,
                                 int64_t size, bool forSize);

/// Widens the main loop over a panel, the sums of which move between registers
/// and memory for each block of rows, to as many vectors as registers hold the
/// sums of.
VectorSchedule getPanelSchedule(VectorSchedule schedule, unsigned vectorBits,
                                int64_t size);

/// Chooses the vectors for loops of `numRows` rows (or `ShapedType::kDynamic`)
/// of `period` elements each that follow each other without gaps, where rows
/// are too short to fill vectors of their own. Returns nothing where rows had
/// better be walked one by one.
std::optional<VectorSchedule>
getPeriodicVectorSchedule(unsigned vectorBits, unsigned elementBits,
                          int64_t numRows, int64_t period, bool forSize);

/// Sizes of an innermost dimension for which kernels are made beside those for
/// any, where it is known at run time only: usual sizes of short lanes, and
/// usual numbers of channels.
constexpr int64_t shortReducedSizes[] = {3, 4};
constexpr int64_t shortKeptSizes[] = {3, 4};

/// Returns how many lanes are transposed at once, so that each fills a place of
/// vectors rather than a part of one: as many as a vector has elements, if
/// there are as many lanes and they are rows of a matrix that are short enough.
/// Else returns nothing.
std::optional<int64_t> getTransposedTile(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<bool> reduced,
                                         unsigned vectorBits,
                                         unsigned elementBits);

/// Tiles of lanes whose elements follow each other take at most this many
/// bytes, if they hold more than one lane, and this many lanes.
constexpr int64_t laneTileBytes = int64_t(24) * 1024;
constexpr int64_t maxLanesOfTile = 32;

/// Returns the tile sizes of a mean-variance normalization whose dimensions are
/// reduced or kept as given; 0 means not tiled, `ShapedType::kDynamic` as many
/// lanes as the constants above allow for the run-time size of a lane. Kept
/// dimensions are tiled by 1, but for the last of them: by a few lanes where
/// lanes are contiguous, by a panel of neighbouring lanes where it is the
/// innermost dimension.
llvm::SmallVector<int64_t> getLaneTileSizes(llvm::ArrayRef<int64_t> shape,
                                            llvm::ArrayRef<bool> reduced,
                                            unsigned vectorBits,
                                            unsigned elementBits);

} // namespace mlir::meanvar

#endif // MEANVAR_CODEGEN_SCHEDULE_H
