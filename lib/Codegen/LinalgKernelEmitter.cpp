//===- LinalgKernelEmitter.cpp - Kinds of kernels -------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Rows of a panel that are read side by side.
static constexpr int64_t maxRowsOfBlock = 16;

/// Returns the dimensions other than the vectorized one that `isWanted`
/// selects.
SmallVector<unsigned>
LinalgKernelEmitter::getDims(function_ref<bool(unsigned)> isWanted) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (!kernel.isAlongVectors(dim) && isWanted(dim))
      dims.push_back(dim);
  return dims;
}

/// Nothing is reduced: each vector of the outputs is computed and stored, row
/// by row. What the rows share is read again for each of them: from a cache,
/// while a block of rows at a time would be as many streams to write.
void LinalgKernelEmitter::emitElementwise() {
  auto emitChunk = [&](const Chunk &chunk) { emitElementwiseChunk(chunk); };
  auto emitRows = [&](bool alignsRow) {
    auto outer = preloaded;
    emitLoops(getDims([](unsigned) { return true; }), [&] {
      preloadPeriods();
      if (alignsRow)
        emitStreamingRow(emitChunk);
      else
        emitChunks(emitChunk);
    });
    preloaded = std::move(outer);
  };
  // Rows that are never long enough do not look for their aligned vectors.
  bool alignsRows = isStreaming && !isConstantIntValue(isStreaming, 0);
  if (!areRowsAligned)
    return emitRows(alignsRows);
  auto emitAlignedRows = [&] {
    storesStream = true;
    emitRows(/*alignsRow=*/false);
    storesStream = false;
  };
  emitIf(areRowsAligned, emitAlignedRows, [&] { emitRows(alignsRows); });
}

void LinalgKernelEmitter::emitElementwiseChunk(const Chunk &chunk) {
  auto outer = preloaded;
  emitPrefetches(chunk);
  preload(&chunk);
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  SmallVector<Point> points;
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
    points.push_back({chunk, vector, DenseMap<Value, Value>()});
  // Operation by operation, so that an input is read for all vectors at once:
  // whole pieces of one stream of memory after the other.
  for (Operation &bodyOp : op.getBody()->without_terminator())
    if (!llvm::is_contained(bodyOp.getUsers(), yield))
      for (Point &point : points)
        evaluate(bodyOp.getResult(0), point);
  SmallVector<SmallVector<Value>> results(chunk.numVectors);
  for (Point &point : points)
    for (Value value : yield.getValues())
      results[point.vector].push_back(evaluateStored(value, point));
  for (auto [index, operand] : llvm::enumerate(op.getDpsInitsMutable()))
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      if (!isPaired(chunk))
        store(results[vector][index], operand, &chunk, vector);
      else if (vector % 2)
        storePair(results[vector - 1][index], results[vector][index], operand,
                  chunk, vector - 1);
  preloaded = std::move(outer);
}

/// The vectorized dimension is kept, others are reduced: blocks of rows along
/// the innermost of those.
void LinalgKernelEmitter::emitPanels() {
  unsigned rowDim =
      getDims([&](unsigned dim) { return kernel.isReduced(dim); }).back();
  // As many streams as a cache takes; and no more terms than a partial sum may
  // have.
  int64_t block = kernel.maxPartialSum > 0
                      ? std::min(maxRowsOfBlock, kernel.maxPartialSum)
                      : maxRowsOfBlock;
  emitLoops(getDims([&](unsigned dim) { return dim != rowDim; }),
            [&] { emitRowBlocks(rowDim, block, nullptr); });
}

/// Emits blocks of `block` rows, each of them chunk by chunk, all chunks or
/// those of a strip.
void LinalgKernelEmitter::emitRowBlocks(unsigned rowDim, int64_t block,
                                        const Strip *strip) {
  emitLoop(index(0), sizes[rowDim], block, {}, [&](Value begin, ValueRange) {
    Value end = getBlockEnd(begin, block, sizes[rowDim]);
    emitChunks(
        [&](const Chunk &chunk) {
          emitPanelReduction(chunk, rowDim, begin, end, strip);
        },
        strip ? strip->begin : Value());
    return SmallVector<Value>();
  });
}

/// Emits the sums of rows of a chunk, each vector of which is a vector of sums,
/// and adds them to those in memory.
void LinalgKernelEmitter::emitPanelReduction(const Chunk &chunk,
                                             unsigned rowDim, Value begin,
                                             Value end, const Strip *strip) {
  auto outer = preloaded;
  preload(&chunk);
  SmallVector<Value> partials = accumulateRows(chunk, rowDim, begin, end);
  preloaded = std::move(outer);
  SmallVector<Value> sums =
      flush(loadSums(chunk, strip), partials, chunk.numVectors);
  storeSums(chunk, sums, strip);
}

/// What vectors run along is reduced: vectors of sums, one for each place of
/// the period, are carried through all reduction loops, to be folded after
/// them.
SmallVector<Value> LinalgKernelEmitter::emitLaneSums() {
  SmallVector<unsigned> reducedDims;
  op.getReductionDims(reducedDims);
  reducedDims.pop_back(); // the vectorized one

  preloadPeriods();
  SmallVector<Value> sums;
  for (const Reduction &reduction : kernel.reductions)
    sums.append((reduction.isCompensated ? 2 : 1) *
                    kernel.schedule.periodVectors,
                broadcast(createNeutral(reduction.kind, reduction.laneType)));
  return emitReductionLoops(reducedDims, sums, [&](Value, ValueRange args) {
    return emitLaneBlocks(args);
  });
}

/// Folds the sums of a lane, or of the lanes of short rows, and combines them
/// with those in memory.
void LinalgKernelEmitter::storeLaneSums(ValueRange sums) {
  // What the sums of short rows fill of a vector.
  std::optional<Chunk> row;
  if (kernel.period)
    row = createRowChunk();
  const Chunk *chunk = row ? &*row : nullptr;
  int64_t numVectors = kernel.schedule.periodVectors;
  ValueRange rest = sums;
  for (auto [reduction, operand] :
       llvm::zip_equal(kernel.reductions, op.getDpsInitsMutable())) {
    auto foldNext = [&, kind = reduction.kind] {
      ValueRange vectors = rest.take_front(numVectors);
      rest = rest.drop_front(numVectors);
      return fold(kind, vectors);
    };
    Value total = completeSum(reduction, foldNext);
    Value init = load(operand, chunk, 0);
    store(combine(reduction.kind, init, total), operand, chunk, 0);
  }
}

/// Returns the folded sums, their rounding errors added if these are kept, in
/// the type of the output.
Value LinalgKernelEmitter::completeSum(const Reduction &reduction,
                                       function_ref<Value()> foldNext) {
  Value total = foldNext();
  if (reduction.isCompensated)
    total = arith::AddFOp::create(builder, loc, total, foldNext());
  if (reduction.laneType == reduction.sumType)
    return total;
  Type type = reduction.sumType;
  if (auto vectorType = dyn_cast<VectorType>(total.getType()))
    type = vectorType.clone(type);
  return arith::ExtFOp::create(builder, loc, type, total);
}

/// Returns the combined elements of a vector, or where there are periods, a
/// vector of the combined elements of each place, which begins with them.
Value LinalgKernelEmitter::fold(vector::CombiningKind kind, ValueRange sums) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  if (vectorSize == 1)
    return sums.front();
  if (!kernel.period) {
    // A tree of shuffles in a fixed order, instead of a chain.
    auto flags = isa<FloatType>(getElementTypeOrSelf(sums.front()))
                     ? arith::FastMathFlags::reassoc
                     : arith::FastMathFlags::none;
    return vector::ReductionOp::create(builder, loc, kind, sums.front(), flags);
  }
  SmallVector<Value> rows;
  int64_t numElements = static_cast<int64_t>(sums.size()) * vectorSize;
  for (int64_t begin = 0; begin < numElements; begin += *kernel.period) {
    // A row lies in one vector, or in two.
    int64_t first = begin / vectorSize;
    int64_t second = (begin + *kernel.period - 1) / vectorSize;
    SmallVector<int64_t> places(vectorSize, vector::ShuffleOp::kPoisonIndex);
    for (int64_t place = 0; place < *kernel.period; ++place)
      places[place] = begin % vectorSize + place;
    rows.push_back(vector::ShuffleOp::create(builder, loc, sums[first],
                                             sums[second], places));
  }
  return combinePairwise(kind, std::move(rows));
}

/// Emits the vectorized loop of a lane: blocks of bounded partial sums in
/// several vectors, then the vectors that are left.
SmallVector<Value> LinalgKernelEmitter::emitLaneBlocks(ValueRange initialSums) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  int64_t unroll = kernel.schedule.unroll;
  int64_t step = vectorSize * unroll;
  Value mainEnd = roundDown(step);
  auto emitBlock = [&](Value begin, Value end, ValueRange blockSums) {
    SmallVector<Value> partials =
        emitLoop(begin, end, step, createNeutralTerms(unroll),
                 [&](Value iv, ValueRange args) {
                   return accumulate({iv, unroll, {}}, args);
                 });
    return flushMerged(blockSums, partials, unroll);
  };

  SmallVector<Value> sums;
  int64_t block = kernel.maxPartialSum * step;
  if (block == 0) {
    sums = emitBlock(index(0), mainEnd, initialSums);
  } else {
    sums = emitLoop(index(0), mainEnd, block, initialSums,
                    [&](Value begin, ValueRange blockSums) {
                      Value end = getBlockEnd(begin, block, mainEnd);
                      emitBlockPrefetches(begin, block);
                      return emitBlock(begin, end, blockSums);
                    });
  }
  if (vectorSize == 1 && unroll == 1)
    return sums;

  int64_t period = kernel.schedule.periodVectors;
  SmallVector<Value> partials = createNeutralTerms(period);
  if (unroll > period)
    partials =
        emitLoop(mainEnd, roundDown(vectorSize * period), vectorSize * period,
                 partials, [&](Value iv, ValueRange args) {
                   return accumulate({iv, period, {}}, args);
                 });
  partials = emitTail(partials, [&](const Chunk &chunk, ValueRange args) {
    return accumulate(chunk, args);
  });
  return flush(sums, partials, period);
}

void LinalgKernelEmitter::emit() {
  for (Range range :
       cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(builder, loc))
    sizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, range.size));
  if (kernel.period) {
    Value &size = sizes[*kernel.vectorDim];
    size = builder.createOrFold<arith::MulIOp>(
        loc, sizes[*kernel.vectorDim - 1], size);
  }
  prepareAccesses();
  prepareStreaming();
  preparePrefetches();
  if (kernel.reductions.empty())
    return emitElementwise();
  if (kernel.vectorDim && kernel.reducesAlongVectors()) {
    if (kernel.rowGroup > 1)
      return emitRowGroups();
    return emitLoops(
        getDims([&](unsigned dim) { return !kernel.isReduced(dim); }),
        [&] { storeLaneSums(emitLaneSums()); });
  }
  if (llvm::any_of(kernel.reductions, [](const Reduction &reduction) {
        return reduction.isCompensated;
      }))
    return emitCompensatedPanels();
  emitPanels();
}

void meanvar::emitLinalgKernel(RewriterBase &rewriter,
                               const LinalgKernel &kernel) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(kernel.op);
  LinalgKernelEmitter(rewriter, kernel).emit();
  rewriter.eraseOp(kernel.op);
}
