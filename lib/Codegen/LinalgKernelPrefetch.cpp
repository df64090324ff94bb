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
// where the tensors are large enough to come from memory.
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "LinalgKernelEmitter.h"

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
static constexpr int64_t cacheLineBytes = 64;

/// Emits how many elements are ahead of a place what is to be read early: those
/// of as many tiles as are far enough, or of a part of a large tile.
void LinalgKernelEmitter::preparePrefetches() {
  if (!op->hasAttr(hasNextTileAttrName) || !kernel.vectorDim || !isStreaming)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  auto elementBytes = getElementBytes(cast<MemRefType>(input.get().getType()));
  Value bytes = emitBytes(builder, loc, input.get());
  Value fits = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ule, bytes, index(maxTileBytes));
  bytes = builder.createOrFold<arith::MaxUIOp>(loc, bytes, index(1));
  Value numTiles = builder.createOrFold<arith::CeilDivUIOp>(
      loc, index(minDistanceBytes), bytes);
  Value distance = builder.createOrFold<arith::MulIOp>(loc, bytes, numTiles);
  distance = builder.createOrFold<arith::MinUIOp>(loc, distance,
                                                  index(maxDistanceBytes));
  distance =
      builder.createOrFold<arith::DivUIOp>(loc, distance, index(elementBytes));
  distance =
      builder.createOrFold<arith::SelectOp>(loc, fits, distance, index(0));
  if (!isConstantIntValue(distance, 0))
    prefetchDistance = distance;
}

/// Emits prefetches of what follows `chunk` at that distance, where stores
/// bypass the caches. Behind the last tile they have no effect.
void LinalgKernelEmitter::emitPrefetches(const Chunk &chunk) {
  if (!prefetchDistance || !storesStream || !chunk.masks.empty())
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  int64_t vectorBytes =
      kernel.schedule.vectorSize *
      getElementBytes(cast<MemRefType>(input.get().getType()));
  int64_t vectorsOfLine = std::max<int64_t>(cacheLineBytes / vectorBytes, 1);
  for (int64_t vector = 0; vector < chunk.numVectors; vector += vectorsOfLine) {
    SmallVector<Value> position = getIndices(input, &chunk, vector);
    Value &place = position.back();
    place = builder.createOrFold<arith::AddIOp>(loc, place, prefetchDistance);
    memref::PrefetchOp::create(
        builder, loc, accesses[input.getOperandNumber()].buffer, position,
        /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }
}
