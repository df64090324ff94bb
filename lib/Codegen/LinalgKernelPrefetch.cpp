//===- LinalgKernelPrefetch.cpp - Reading the next tile early -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over a tile read memory in the first one only, and hardware has
// nothing to prefetch in the others. So the last one asks for the next tile,
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
static constexpr int64_t cacheLineBytes = 64;

/// Emits the distance of the next tile.
void LinalgKernelEmitter::preparePrefetches() {
  if (!op->hasAttr(hasNextTileAttrName) || !kernel.vectorDim || !isStreaming ||
      kernel.period)
    return;
  OpOperand &input = *op.getDpsInputOperand(0);
  Value bytes = emitBytes(builder, loc, input.get());
  Value fits = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ule, bytes, index(maxPrefetchedBytes));
  Value pays = builder.createOrFold<arith::AndIOp>(loc, isStreaming, fits);
  prefetchDistance = builder.createOrFold<arith::SelectOp>(
      loc, pays, sizes[*kernel.vectorDim - 1], index(0));
}

/// Emits prefetches of what the next tile has at the place of `chunk`. Behind
/// the last tile they have no effect.
void LinalgKernelEmitter::emitPrefetches(const Chunk &chunk) {
  if (!prefetchDistance || !chunk.masks.empty())
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
