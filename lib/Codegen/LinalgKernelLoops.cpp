//===- LinalgKernelLoops.cpp - Loops and chunks ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::meanvar;

Value meanvar::createStackBuffer(OpBuilder &builder, Operation *op,
                                 int64_t numVectors, VectorType type) {
  Operation *scope = op->getParentOp();
  while (!scope->hasTrait<OpTrait::AutomaticAllocationScope>() ||
         isa<scf::ForOp>(scope))
    scope = scope->getParentOp();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&scope->getRegion(0).front());
  constexpr int64_t alignment = 64;
  return memref::AllocaOp::create(
      builder, op->getLoc(),
      MemRefType::get({numVectors, type.getNumElements()},
                      type.getElementType()),
      builder.getI64IntegerAttr(alignment));
}

/// Emits a loop that carries values, or its body alone where it is known to run
/// once, or nothing where it is known not to run.
SmallVector<Value> LinalgKernelEmitter::emitLoop(Value begin, Value end,
                                                 int64_t step, ValueRange inits,
                                                 LoopBody body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last)
    return SmallVector<Value>(inits);
  if (first && last && *first + step >= *last)
    return body(begin, inits);
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, index(step), inits,
      [&](OpBuilder &bodyBuilder, Location, Value iv, ValueRange args) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(bodyBuilder.getInsertionBlock(),
                                  bodyBuilder.getInsertionPoint());
        SmallVector<Value> results = body(iv, args);
        scf::YieldOp::create(builder, loc, results);
      });
  loop->setAttr("llvm.loop_annotation", getLoopAnnotation());
  return SmallVector<Value>(loop.getResults());
}

/// Emits a loop over rows, or the body for each of them where they are known to
/// be few: then what is read again in the next pass may stay in registers.
SmallVector<Value> LinalgKernelEmitter::emitRows(Value begin, Value end,
                                                 ValueRange inits,
                                                 LoopBody body) {
  constexpr int64_t fewRows = 16;
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (op->hasAttr(coldAttrName) || !first || !last || *last - *first > fewRows)
    return emitLoop(begin, end, 1, inits, body);
  SmallVector<Value> results(inits);
  for (int64_t row = *first; row < *last; ++row)
    results = body(index(row), results);
  return results;
}

/// The loops are unrolled and vectorized as the schedule says. LLVM would
/// unroll those with a constant number of iterations altogether.
LLVM::LoopAnnotationAttr LinalgKernelEmitter::getLoopAnnotation() {
  MLIRContext *context = builder.getContext();
  auto disable = BoolAttr::get(context, true);
  LLVM::LoopUnrollAttr unroll =
      LLVM::LoopUnrollAttr::get(context, disable, {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

/// Emits `body` where the index of dimension `dim` is `place`.
void LinalgKernelEmitter::emitAt(unsigned dim, Value place,
                                 function_ref<void()> body) {
  auto outer = preloaded;
  indices[dim] = place;
  bound[dim] = true;
  body();
  bound[dim] = false;
  preloaded = std::move(outer);
}

/// Emits the loop of dimension `dim`, one index at a time.
SmallVector<Value> LinalgKernelEmitter::emitDimLoop(unsigned dim,
                                                    ValueRange inits,
                                                    LoopBody body) {
  return emitLoop(index(0), sizes[dim], 1, inits,
                  [&](Value iv, ValueRange args) {
                    SmallVector<Value> results;
                    emitAt(dim, iv, [&] { results = body(iv, args); });
                    return results;
                  });
}

/// Emits loops of the dimensions `dims` around `innermost`.
void LinalgKernelEmitter::emitLoops(ArrayRef<unsigned> dims,
                                    function_ref<void()> innermost) {
  preload(nullptr);
  if (dims.empty())
    return innermost();
  emitDimLoop(dims.front(), {}, [&](Value, ValueRange) {
    emitLoops(dims.drop_front(), innermost);
    return SmallVector<Value>();
  });
}

/// Emits loops of reduced dimensions around `innermost`.
SmallVector<Value>
LinalgKernelEmitter::emitReductionLoops(ArrayRef<unsigned> dims,
                                        ValueRange sums, LoopBody innermost) {
  preload(nullptr);
  if (dims.empty())
    return innermost(Value(), sums);
  return emitDimLoop(dims.front(), sums, [&](Value, ValueRange args) {
    return emitReductionLoops(dims.drop_front(), args, innermost);
  });
}

Value LinalgKernelEmitter::roundDown(int64_t step, Value begin) {
  Value size = sizes[*kernel.vectorDim];
  if (step == 1)
    return size;
  Value range =
      begin ? builder.createOrFold<arith::SubIOp>(loc, size, begin) : size;
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, range, index(step));
  return builder.createOrFold<arith::SubIOp>(loc, size, rest);
}

/// Emits the mask of the first `count` elements of a vector; all of them where
/// there are fewer, and none where it is negative.
Value LinalgKernelEmitter::createMask(Value count) {
  return vector::CreateMaskOp::create(
      builder, loc, cast<VectorType>(getVectorType(builder.getI1Type())),
      count);
}

/// Returns the `count` elements from `begin` on, at most a period of vectors.
Chunk LinalgKernelEmitter::createMaskedChunk(Value begin, Value count) {
  Chunk chunk{begin, kernel.schedule.periodVectors, {}};
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
    chunk.masks.push_back(createMask(builder.createOrFold<arith::SubIOp>(
        loc, count, index(vector * kernel.schedule.vectorSize))));
  return chunk;
}

/// Returns a short row, which fills the start of one vector.
Chunk LinalgKernelEmitter::createRowChunk() {
  return {index(0), 1, {createMask(index(*kernel.period))}};
}

/// Emits `thenBody` where `condition` holds, else `elseBody` if there is one.
void LinalgKernelEmitter::emitIf(Value condition, function_ref<void()> thenBody,
                                 function_ref<void()> elseBody) {
  auto ifOp = scf::IfOp::create(builder, loc, condition,
                                /*withElseRegion=*/bool(elseBody));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  thenBody();
  if (!elseBody)
    return;
  builder.setInsertionPointToStart(ifOp.elseBlock());
  elseBody();
}

/// Emits the masked rest of the vectorized dimension from `begin` on, or from
/// 0, a period of vectors unless it is known that there is none.
SmallVector<Value> LinalgKernelEmitter::emitTail(ValueRange inits,
                                                 ChunkBody body, Value begin) {
  if (kernel.schedule.vectorSize == 1)
    return SmallVector<Value>(inits);
  Value size = sizes[*kernel.vectorDim];
  begin = roundDown(kernel.schedule.vectorSize * kernel.schedule.periodVectors,
                    begin);
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(size);
  if (first && last && *first == *last)
    return SmallVector<Value>(inits);
  auto emitBody = [&] {
    Value rest = builder.createOrFold<arith::SubIOp>(loc, size, begin);
    return body(createMaskedChunk(begin, rest), inits);
  };
  if (first && last)
    return emitBody();
  Value hasTail = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        begin, size);
  auto ifOp = scf::IfOp::create(builder, loc, inits.getTypes(), hasTail,
                                /*addThenBlock=*/true,
                                /*addElseBlock=*/!inits.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> results = emitBody();
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, results);
  if (!inits.empty()) {
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, inits);
  }
  return SmallVector<Value>(ifOp.getResults());
}

/// Emits `body` for chunks that cover the vectorized dimension from `begin` on,
/// or from 0.
void LinalgKernelEmitter::emitChunks(function_ref<void(const Chunk &)> body,
                                     Value begin) {
  if (!kernel.vectorDim)
    return body({Value(), 1, {}});
  if (!begin)
    begin = index(0);
  Value mainEnd = getMainEnd(begin);
  emitChunkLoop(begin, mainEnd, kernel.schedule.unroll, body);
  emitRest(begin, mainEnd, body);
  emitTail(begin, body);
}

/// Emits `body` for chunks of `numVectors` vectors.
void LinalgKernelEmitter::emitChunkLoop(
    Value begin, Value end, int64_t numVectors,
    function_ref<void(const Chunk &)> body) {
  emitLoop(begin, end, numVectors * kernel.schedule.vectorSize, {},
           [&](Value iv, ValueRange) {
             body({iv, numVectors, {}});
             return SmallVector<Value>();
           });
}

/// Returns the end of the main loop from `begin` on.
Value LinalgKernelEmitter::getMainEnd(Value begin) {
  return roundDown(kernel.schedule.vectorSize * kernel.schedule.unroll, begin);
}

/// Emits `body` for the whole vectors that the main loop from `begin` to
/// `mainEnd` leaves.
void LinalgKernelEmitter::emitRest(Value begin, Value mainEnd,
                                   function_ref<void(const Chunk &)> body) {
  int64_t period = kernel.schedule.periodVectors;
  if (kernel.schedule.unroll > period)
    emitChunkLoop(mainEnd,
                  roundDown(kernel.schedule.vectorSize * period, begin), period,
                  body);
}

/// Emits `body` for the rest from `begin` on that fills no vectors.
void LinalgKernelEmitter::emitTail(Value begin,
                                   function_ref<void(const Chunk &)> body) {
  emitTail(
      {},
      [&](const Chunk &chunk, ValueRange) {
        body(chunk);
        return SmallVector<Value>();
      },
      begin);
}
