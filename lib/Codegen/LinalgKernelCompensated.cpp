//===- LinalgKernelCompensated.cpp - Panels with rounding errors ----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vectorized dimension is kept and some sum keeps its rounding errors: a
// chunk adds blocks of rows, and what each block makes inexact. The errors have
// no place in memory, so those of one chunk stay in registers through all rows.
// Several chunks would read the rows in pieces, each at the distance of a row
// from the next. They take turns for each block of rows instead, with their
// errors on the stack; in the same order, so the sums have the same bits.
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Vectors of a strip, the errors of which are on the stack at a time: 4 KB for
/// each sum where a vector has 64 bytes.
static constexpr int64_t vectorsOfStrip = 64;

/// Returns true unless one chunk has all that vectors run along. Exceptional
/// cases are small code, chunk after chunk.
static bool hasSeveralChunks(const LinalgKernel &kernel) {
  int64_t chunkSize = kernel.schedule.vectorSize * kernel.schedule.unroll;
  int64_t size = kernel.loopSizes[*kernel.vectorDim];
  return kernel.schedule.vectorSize > 1 && !kernel.op->hasAttr(coldAttrName) &&
         (ShapedType::isDynamic(size) || size > chunkSize);
}

void LinalgKernelEmitter::emitCompensatedPanels() {
  SmallVector<unsigned> keptDims =
      getDims([&](unsigned dim) { return !kernel.isReduced(dim); });
  if (!hasSeveralChunks(kernel))
    return emitLoops(keptDims, [&] {
      emitChunks([&](const Chunk &chunk) { emitCompensatedChunk(chunk); });
    });
  SmallVector<Value> errors;
  for (const Reduction &reduction : kernel.reductions)
    errors.push_back(reduction.isCompensated
                         ? createStackBuffer(builder, op, vectorsOfStrip,
                                             cast<VectorType>(getVectorType(
                                                 reduction.sumType)))
                         : Value());
  emitLoops(keptDims, [&] { emitCompensatedStrips(errors); });
}

/// Emits the sums of a chunk over all rows.
void LinalgKernelEmitter::emitCompensatedChunk(const Chunk &chunk) {
  auto outer = preloaded;
  preload(&chunk);
  SmallVector<unsigned> reducedDims;
  op.getReductionDims(reducedDims);
  unsigned rowDim = reducedDims.pop_back_val();
  SmallVector<Value> sums = emitReductionLoops(
      reducedDims, loadSums(chunk, nullptr), [&](Value, ValueRange outerSums) {
        return emitLoop(index(0), sizes[rowDim], kernel.maxPartialSum,
                        outerSums, [&](Value begin, ValueRange blockSums) {
                          Value end = getBlockEnd(begin, kernel.maxPartialSum,
                                                  sizes[rowDim]);
                          SmallVector<Value> partials =
                              accumulateRows(chunk, rowDim, begin, end);
                          return flush(blockSums, partials, chunk.numVectors);
                        });
      });
  storeSums(chunk, sums, nullptr);
  preloaded = std::move(outer);
}

/// Emits the sums of all chunks over all rows, strip by strip; `errors` has a
/// buffer for each output, null where no rounding errors are kept.
void LinalgKernelEmitter::emitCompensatedStrips(ArrayRef<Value> errors) {
  Value size = sizes[*kernel.vectorDim];
  int64_t stripSize = vectorsOfStrip * kernel.schedule.vectorSize;
  emitLoop(index(0), size, stripSize, {}, [&](Value begin, ValueRange) {
    // Chunks end with the strip as they do with the dimension.
    sizes[*kernel.vectorDim] = getBlockEnd(begin, stripSize, size);
    emitCompensatedStrip({errors, begin});
    return SmallVector<Value>();
  });
  sizes[*kernel.vectorDim] = size;
}

void LinalgKernelEmitter::emitCompensatedStrip(const Strip &strip) {
  // The errors are 0 at first.
  emitChunks(
      [&](const Chunk &chunk) {
        storeSums(chunk, loadSums(chunk, nullptr), &strip);
      },
      strip.begin);

  SmallVector<unsigned> reducedDims;
  op.getReductionDims(reducedDims);
  unsigned rowDim = reducedDims.pop_back_val();
  emitLoops(reducedDims,
            [&] { emitRowBlocks(rowDim, kernel.maxPartialSum, &strip); });

  emitChunks(
      [&](const Chunk &chunk) {
        storeSums(chunk, loadSums(chunk, &strip), nullptr);
      },
      strip.begin);
}

/// Reads the sums of a chunk: one output after the other, and for each all
/// vectors, then their rounding errors: those of a strip, or 0.
SmallVector<Value> LinalgKernelEmitter::loadSums(const Chunk &chunk,
                                                 const Strip *strip) {
  SmallVector<Value> sums;
  for (auto [index, operand] : llvm::enumerate(op.getDpsInitsMutable())) {
    const Reduction &reduction = kernel.reductions[index];
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      sums.push_back(load(operand, &chunk, vector));
    if (!reduction.isCompensated)
      continue;
    Value noError =
        broadcast(createNeutral(vector::CombiningKind::ADD, reduction.sumType));
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      sums.push_back(
          strip ? vector::LoadOp::create(builder, loc,
                                         cast<VectorType>(noError.getType()),
                                         strip->errors[index],
                                         getPlaceInStrip(chunk, vector, *strip))
                      .getResult()
                : noError);
  }
  return sums;
}

/// Stores sums in the order of loadSums. The errors are added to
/// them, or where there is a strip, kept there.
void LinalgKernelEmitter::storeSums(const Chunk &chunk, ValueRange sums,
                                    const Strip *strip) {
  for (auto [index, operand] : llvm::enumerate(op.getDpsInitsMutable())) {
    ValueRange values = sums.take_front(chunk.numVectors);
    sums = sums.drop_front(chunk.numVectors);
    ValueRange errors;
    if (kernel.reductions[index].isCompensated) {
      errors = sums.take_front(chunk.numVectors);
      sums = sums.drop_front(chunk.numVectors);
    }
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector) {
      Value value = values[vector];
      if (!errors.empty() && strip)
        vector::StoreOp::create(builder, loc, errors[vector],
                                strip->errors[index],
                                getPlaceInStrip(chunk, vector, *strip));
      else if (!errors.empty())
        value = arith::AddFOp::create(builder, loc, value, errors[vector]);
      store(value, operand, &chunk, vector);
    }
  }
}

/// Returns where the buffers of a strip have the errors of a vector.
SmallVector<Value> LinalgKernelEmitter::getPlaceInStrip(const Chunk &chunk,
                                                        int64_t vector,
                                                        const Strip &strip) {
  Value element =
      builder.createOrFold<arith::SubIOp>(loc, chunk.begin, strip.begin);
  Value number = builder.createOrFold<arith::DivUIOp>(
      loc, element, index(kernel.schedule.vectorSize));
  return {addIndex(number, vector), index(0)};
}
