//===- LinalgKernelPrefetch.cpp - Reading the next tile early -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over a tile read memory in the first one only, and hardware has
// nothing to prefetch in the others. So the last one asks for a later tile,
// where the tensors are large enough to come from memory. What no tile holds is
// read from memory in every pass, and hardware keeps fewer lines on their way
// than a core can have: prefetches a page ahead add to them.
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "LinalgKernelEmitter.h"
#include "StreamingStores.h"

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::meanvar;

/// The largest tile beside which the start of the next one has room in a cache.
static constexpr int64_t maxTileBytes = int64_t(640) * 1024;
/// What is to come sooner is late: a tile of 8 KB is done before the first
/// lines of the next one have arrived from memory. And what is farther ahead
/// pushes the rest of a large tile out of the cache (measured from 256 to 512
/// KB).
static constexpr int64_t minDistanceBytes = int64_t(16) * 1024;
static constexpr int64_t maxDistanceBytes = int64_t(448) * 1024;
/// How far ahead rows are read that come from memory in every pass, and how
/// long they are at least: behind the end of a row may be what nothing reads.
static constexpr int64_t aheadBytes = 4096;
static constexpr int64_t minRowBytes = int64_t(64) * 1024;

/// Returns true if one input alone has an element for each point. Prefetches of
/// several streams of memory get in the way of one another.
static bool readsOneTensor(linalg::GenericOp op) {
  return llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).getNumResults() ==
                  op.getNumLoops();
         }) == 1;
}

/// Emits how many elements ahead of a place is what is to be read early.
void LinalgKernelEmitter::preparePrefetches() {
  if (!kernel.streamingBytes || !kernel.vectorDim || op.getNumDpsInputs() == 0)
    return;
  bool isSum = kernel.reducesAlongVectors();
  if (!isSum && !isStreaming)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  if (!kernel.variesAlongVectors(input))
    return;
  Value distance = readsOneTensor(op) ? emitDistanceInRow(input) : index(0);
  if (op->hasAttr(hasNextTileAttrName)) {
    Value bytes = emitBytes(builder, loc, input.get());
    Value fits = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ule, bytes, index(maxTileBytes));
    // The last pass over the tile before has read what the sums need.
    Value next = isSum ? index(0) : emitDistanceOfTile(input, bytes);
    distance = builder.createOrFold<arith::SelectOp>(loc, fits, next, distance);
  }
  if (!isConstantIntValue(distance, 0))
    prefetchDistance = distance;
}

/// Emits the distance of what is to come in a row that is read from memory; 0
/// in others.
Value LinalgKernelEmitter::emitDistanceInRow(OpOperand &input) {
  int64_t elementBytes = getElementBytes(input.get());
  Value isAhead = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::uge, sizes[*kernel.vectorDim],
      index(minRowBytes / elementBytes));
  // An output that bypasses the caches is as large as the input.
  if (!isStreaming) {
    Value isLarge = emitIsStreaming(builder, loc, getViewedBuffer(input.get()),
                                    *kernel.streamingBytes);
    isAhead = builder.createOrFold<arith::AndIOp>(loc, isAhead, isLarge);
  }
  return builder.createOrFold<arith::SelectOp>(
      loc, isAhead, index(aheadBytes / elementBytes), index(0));
}

/// Emits the distance of what is to come after a tile of `bytes` bytes: as many
/// tiles as are far enough, or a part of a large tile.
Value LinalgKernelEmitter::emitDistanceOfTile(OpOperand &input, Value bytes) {
  bytes = builder.createOrFold<arith::MaxUIOp>(loc, bytes, index(1));
  Value numTiles = builder.createOrFold<arith::CeilDivUIOp>(
      loc, index(minDistanceBytes), bytes);
  Value distance = builder.createOrFold<arith::MulIOp>(loc, bytes, numTiles);
  distance = builder.createOrFold<arith::MinUIOp>(loc, distance,
                                                  index(maxDistanceBytes));
  return builder.createOrFold<arith::DivUIOp>(
      loc, distance, index(getElementBytes(input.get())));
}

/// Emits prefetches of what follows `chunk` at that distance, where stores
/// bypass the caches. Behind the last tile they have no effect.
void LinalgKernelEmitter::emitPrefetches(const Chunk &chunk) {
  if (!prefetchDistance || !storesStream || !chunk.masks.empty())
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  int64_t vectorBytes =
      kernel.schedule.vectorSize * getElementBytes(input.get());
  int64_t vectorsOfLine = std::max<int64_t>(cacheLineBytes / vectorBytes, 1);
  for (int64_t vector = 0; vector < chunk.numVectors; vector += vectorsOfLine) {
    Value begin = addIndex(chunk.begin, vector * kernel.schedule.vectorSize);
    emitPrefetch(input, builder.createOrFold<arith::AddIOp>(loc, begin,
                                                            prefetchDistance));
  }
}

/// Emits prefetches for sums, of as many elements as the block that begins at
/// `begin`. In a loop of their own, so that what is in a cache has one branch
/// for each block.
void LinalgKernelEmitter::emitBlockPrefetches(Value begin, int64_t block) {
  if (!prefetchDistance)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  int64_t lineElements = cacheLineBytes / getElementBytes(input.get());
  Value isAhead = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ne, prefetchDistance, index(0));
  emitIf(isAhead, [&] {
    Value first =
        builder.createOrFold<arith::AddIOp>(loc, begin, prefetchDistance);
    emitLoop(first, addIndex(first, block), lineElements, {},
             [&](Value iv, ValueRange) {
               emitPrefetch(input, iv);
               return SmallVector<Value>();
             });
  });
}

/// Emits the prefetch of what `input` has at `place` of the vectorized
/// dimension.
void LinalgKernelEmitter::emitPrefetch(OpOperand &input, Value place) {
  Chunk chunk{place, 1, {}};
  memref::PrefetchOp::create(builder, loc,
                             accesses[input.getOperandNumber()].buffer,
                             getIndices(input, &chunk, 0), /*isWrite=*/false,
                             /*localityHint=*/3, /*isDataCache=*/true);
}
