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

using namespace mlir;
using namespace mlir::meanvar;

/// The largest tile that is still in a cache when its turn comes.
static constexpr int64_t maxPrefetchedBytes = int64_t(256) * 1024;
/// What is to come sooner is late: a tile of 8 KB is done before the first lines
/// of the next one have arrived from memory (measured).
static constexpr int64_t minDistanceBytes = int64_t(16) * 1024;
static constexpr int64_t cacheLineBytes = 64;

/// Emits how many rows are ahead of a place what is to be read early: those of
/// as many tiles as are far enough.
void LinalgKernelEmitter::preparePrefetches() {
  if (!op->hasAttr(hasNextTileAttrName) || !kernel.vectorDim || !isStreaming ||
      kernel.period)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  Value bytes = emitBytes(builder, loc, input.get());
  Value fits = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ule, bytes, index(maxPrefetchedBytes));
  bytes = builder.createOrFold<arith::MaxUIOp>(loc, bytes, index(1));
  Value numTiles = builder.createOrFold<arith::CeilDivUIOp>(
      loc, index(minDistanceBytes), bytes);
  Value numRows = builder.createOrFold<arith::MulIOp>(
      loc, sizes[*kernel.vectorDim - 1], numTiles);
  prefetchDistance =
      builder.createOrFold<arith::SelectOp>(loc, fits, numRows, index(0));
}

/// Emits prefetches of what a later tile has at the place of `chunk`, where
/// stores bypass the caches. Behind the last tile they have no effect.
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
    Value &row = position[position.size() - 2];
    row = builder.createOrFold<arith::AddIOp>(loc, row, prefetchDistance);
    memref::PrefetchOp::create(builder, loc, input.get(), position,
                               /*isWrite=*/false, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}
