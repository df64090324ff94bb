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
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::meanvar {

class MvnOp;

/// The size of a result from which on it bypasses the caches, unless options
/// say otherwise; measured, see docs/Performance.md.
constexpr int64_t defaultStreamingBytes = int64_t(8) * 1024 * 1024;

/// Bytes of the largest tensor of an operation from which on more than one
/// thread pays; docs/Performance.md has the measurements.
inline constexpr int64_t defaultParallelBytes = int64_t(512) * 1024;

/// Bytes that move between memory and caches at once.
constexpr int64_t cacheLineBytes = 64;

/// Temporaries of at most so many bytes are on the stack.
constexpr int64_t maxStackBytes = int64_t(64) * 1024;

/// The largest number of threads of a call.
constexpr unsigned maxNumThreads = 1024;

/// What schedules depend on besides the operation. The passes have an option
/// for each, for experiments; docs/Performance.md says how the defaults were
/// found.
struct ScheduleLimits {
  /// Width of a vector register of the target.
  unsigned vectorBits = 512;
  /// Tiles of lanes whose elements follow each other take at most this many
  /// bytes, if they hold more than one lane, and this many lanes: half of a
  /// first-level cache, which they share with the results.
  int64_t tileBytes = int64_t(24) * 1024;
  int64_t tileLanes = 32;
  /// Lanes of a panel: a page of each row in f32, which is read from one end to
  /// the other.
  int64_t panelLanes = 1024;
  /// Elements of the longest lane that is transposed in registers: longer ones
  /// take more registers than there are.
  int64_t transposedElements = 19;
};

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

/// Succeeds if `limits` are those of some target: vector-bits is a power of two
/// of at least 128, and the others are positive. Else emits an error at `op`
/// that names the option.
llvm::LogicalResult verifyLimits(Operation *op, const ScheduleLimits &limits);

/// Returns how many elements of `elementBits` bits a vector register holds;
/// shorter ones than f32 are computed in 32 bits.
int64_t getVectorSize(unsigned vectorBits, unsigned elementBits);

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

/// Widens `schedule` for loops that read many streams of memory, of elements of
/// `elementBits`, to as many vectors as read four cache lines of a stream
/// before the next one has its turn.
VectorSchedule getStreamSchedule(VectorSchedule schedule, unsigned vectorBits,
                                 unsigned elementBits);

/// Chooses the vectors for loops of `numRows` rows (or `ShapedType::kDynamic`)
/// of `period` elements each that follow each other without gaps, where rows
/// are too short to fill vectors of their own. Returns nothing where rows had
/// better be walked one by one.
std::optional<VectorSchedule>
getPeriodicVectorSchedule(unsigned vectorBits, unsigned elementBits,
                          int64_t numRows, int64_t period, bool forSize);

/// Returns how many of `numRows` rows (or `ShapedType::kDynamic`), each of
/// which has a vector of sums, are folded together: as many as that has
/// elements, or all where they are fewer, rounded up to a power of two.
int64_t getRowGroup(int64_t numRows, int64_t vectorSize);

/// Returns how many terms rows have at most whose sums are of the type of the
/// terms to the end, vectors and what these are folded to. Where an accumulator
/// may have `maxPartialSum` terms (0 is any number) it has half as many: then a
/// term takes part in no more additions than in the sums of longer rows.
int64_t getMaxTermsOfFold(const VectorSchedule &schedule,
                          int64_t maxPartialSum);

/// Sizes of an innermost dimension for which kernels are made beside those for
/// any, where it is known at run time only: usual sizes of short lanes, and
/// usual numbers of channels.
constexpr int64_t shortReducedSizes[] = {3, 4};
constexpr int64_t shortKeptSizes[] = {3, 4};

/// How the kernels of a mean-variance normalization find their vectors.
enum class KernelShape {
  /// Along lanes whose elements follow each other.
  Lanes,
  /// Across short lanes, which are transposed in registers.
  TransposedLanes,
  /// Across lanes that are neighbours in memory.
  Panels,
  /// Along whole rows of a few such lanes.
  Periods,
};

/// How a mean-variance normalization is computed; what code generation follows.
struct MvnSchedule {
  KernelShape shape;
  /// One for each dimension: 0 means not tiled, `ShapedType::kDynamic` as many
  /// lanes as the limits allow for the run-time size of a lane. Kept dimensions
  /// are tiled by 1, but for the last of them: by as many lanes as are
  /// transposed at once, by a few lanes where lanes are contiguous, by a panel
  /// of neighbouring lanes where it is the innermost dimension.
  llvm::SmallVector<int64_t> tileSizes;
  /// The loop over the elements that sums.
  VectorSchedule vectors;
};

/// Returns the schedule for a tensor of `shape` whose dimensions are reduced or
/// kept as given, neighbours of one kind merged.
MvnSchedule getMvnSchedule(llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<bool> reduced, unsigned elementBits,
                           const ScheduleLimits &limits);

/// Returns the schedule of `op`.
MvnSchedule getMvnSchedule(MvnOp op, const ScheduleLimits &limits);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                              const MvnSchedule &schedule);

} // namespace mlir::meanvar

#endif // MEANVAR_CODEGEN_SCHEDULE_H
