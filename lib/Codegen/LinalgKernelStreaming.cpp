//===- LinalgKernelStreaming.cpp - Stores past the caches -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "LinalgKernelEmitter.h"
#include "StreamingStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace mlir::meanvar;

/// Returns x with `factor` * x = 1 modulo `modulus`, which have no common
/// divisor.
static int64_t invert(int64_t factor, int64_t modulus) {
  int64_t inverse = 0;
  while (factor * inverse % modulus != 1 % modulus)
    ++inverse;
  return inverse;
}

/// Rows of fewer cache lines do not repay finding the first one: what is before
/// it and behind the last one goes through the caches.
static constexpr int64_t minStreamingLines = 8;

/// Emits whether all rows of `output` are whole vectors, of `size` elements,
/// and aligned: then all strides are those of vectors, too.
Value LinalgKernelEmitter::emitFillsAlignedVectors(Value output, Value size) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, output);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  strides.pop_back();
  SmallVector<Value> distances{size};
  for (OpFoldResult stride : strides)
    distances.push_back(getValueOrCreateConstantIndexOp(builder, loc, stride));
  Value result = emitIsAligned(builder, loc, output, vectorSize);
  for (Value distance : distances) {
    Value rest =
        builder.createOrFold<arith::RemUIOp>(loc, distance, index(vectorSize));
    Value isWhole = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, rest, index(0));
    result = builder.createOrFold<arith::AndIOp>(loc, result, isWhole);
  }
  return result;
}

/// Emits whether the output bypasses the caches: whether it is large enough,
/// and has rows that are all aligned, or long enough to find where they are.
void LinalgKernelEmitter::prepareStreaming() {
  if (!kernel.streamingBytes || !kernel.reductions.empty() ||
      kernel.schedule.vectorSize == 1)
    return;
  Value output = op.getDpsInits().front();
  Value size = sizes[*kernel.vectorDim];
  Value isLarge = emitIsStreaming(builder, loc, getViewedBuffer(output),
                                  *kernel.streamingBytes);
  Value isLong = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::uge, size,
      index(minStreamingLines * (cacheLineBytes / getElementBytes(output))));
  if (!kernel.period && op.getNumLoops() > 1) {
    Value fillsVectors = emitFillsAlignedVectors(output, size);
    if (!isConstantIntValue(fillsVectors, 0))
      areRowsAligned =
          builder.createOrFold<arith::AndIOp>(loc, isLarge, fillsVectors);
  }
  if (areRowsAligned || !isConstantIntValue(isLong, 0))
    isStreaming = builder.createOrFold<arith::AndIOp>(loc, isLarge, isLong);
}

/// Emits how many elements the start of the current row of the output is past
/// an address that is aligned for `unit` elements.
Value LinalgKernelEmitter::emitMisalignment(int64_t unit) {
  OpOperand &output = op.getDpsInitsMutable()[0];
  Value buffer = accesses[output.getOperandNumber()].buffer;
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value element = getValueOrCreateConstantIndexOp(
      builder, loc, metadata.getConstifiedMixedOffset());
  Chunk start{index(0), 1, {}};
  SmallVector<Value> position = getIndices(output, &start, 0);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  position.pop_back();
  strides.pop_back();
  for (auto [place, stride] : llvm::zip_equal(position, strides)) {
    Value step = getValueOrCreateConstantIndexOp(builder, loc, stride);
    Value distance = builder.createOrFold<arith::MulIOp>(loc, place, step);
    element = builder.createOrFold<arith::AddIOp>(loc, element, distance);
  }
  return meanvar::emitMisalignment(builder, loc, buffer, element, unit);
}

/// Returns how many elements of rows bypass the caches at once: whole lines,
/// since those of which a part goes through the caches take many times as long;
/// of short rows taken as one, which have two ends in all, a vector.
int64_t LinalgKernelEmitter::getStreamedElements() {
  const VectorSchedule &schedule = kernel.schedule;
  int64_t line = cacheLineBytes / getElementBytes(op.getDpsInits().front());
  int64_t chunk = schedule.vectorSize * schedule.unroll;
  bool isLine = !kernel.period && chunk % line == 0;
  return isLine ? std::max(line, schedule.vectorSize) : schedule.vectorSize;
}

/// Emits whether a row bypasses the caches, and from which element on if it
/// does, so that this is aligned for `unit` elements; else from 0.
std::pair<Value, Value> LinalgKernelEmitter::emitStreamedBegin(int64_t unit) {
  int64_t period = kernel.period.value_or(1);
  // n rows of `period` elements are to fill up a unit: n * period = missing
  // modulo the unit. Both may have a common divisor, then `missing` needs it.
  int64_t divisor = std::gcd(period, unit);
  int64_t modulus = unit / divisor;
  auto mul = [&](Value lhs, Value rhs) -> Value {
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  };
  auto rem = [&](Value lhs, Value rhs) -> Value {
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  };
  Value missing =
      arith::SubIOp::create(builder, loc, index(unit), emitMisalignment(unit));
  Value shares = arith::DivUIOp::create(builder, loc, missing, index(divisor));
  Value factor = index(invert(period / divisor, modulus));
  Value numRows = rem(mul(shares, factor), index(modulus));
  Value head = arith::MinUIOp::create(builder, loc, mul(numRows, index(period)),
                                      sizes[*kernel.vectorDim]);
  Value remainder = rem(missing, index(divisor));
  Value isAlignable = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, remainder, index(0));
  Value streams =
      builder.createOrFold<arith::AndIOp>(loc, isStreaming, isAlignable);
  Value begin = arith::SelectOp::create(builder, loc, streams, head, index(0));
  return {streams, begin};
}

/// Emits a row of an elementwise operation whose main loop bypasses the caches
/// where that pays. Before it come so many elements, or so many short rows,
/// that it is aligned.
void LinalgKernelEmitter::emitStreamingRow(
    function_ref<void(const Chunk &)> body) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  int64_t unit = getStreamedElements();
  bool isVector = unit == vectorSize;
  Value streams, begin;
  std::tie(streams, begin) = emitStreamedBegin(unit);

  // Elements up to the first aligned vector, and vectors up to the first unit.
  Value firstVector = begin;
  if (!isVector)
    firstVector =
        arith::RemUIOp::create(builder, loc, begin, index(vectorSize));
  Value hasHead = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        firstVector, index(0));
  emitIf(hasHead, [&] { body(createMaskedChunk(index(0), firstVector)); });
  if (!isVector)
    emitChunkLoop(firstVector, begin, 1, body);

  Value mainEnd = getMainEnd(begin);
  auto emitMain = [&] {
    emitChunkLoop(begin, mainEnd, kernel.schedule.unroll, body);
    if (isVector)
      emitRest(begin, mainEnd, body);
  };
  auto emitStreamedMain = [&] {
    storesStream = true;
    emitMain();
    storesStream = false;
  };
  emitIf(streams, emitStreamedMain, emitMain);
  if (!isVector)
    emitRest(begin, mainEnd, body);
  emitTail(begin, body);
}

/// Returns true for floats that may be a NaN of which sign and payload depend
/// on the order in which instructions have their operands.
static bool mayMakeNaN(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isa<FloatType>(value.getType()) &&
         (isa<math::MathDialect>(op->getDialect()) ||
          isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
              arith::RemFOp, arith::MaximumFOp, arith::MinimumFOp>(op));
}

/// Emits whether `number`, the result of `op`, is a NaN. LLVM takes the
/// selection of a NaN where the operand of a square root is below zero for what
/// the root does by itself, and drops it, although it is another NaN; so that
/// is asked of the bits.
static Value emitIsNaN(OpBuilder &builder, Location loc, Operation *op,
                       Value number) {
  if (!isa<math::SqrtOp>(op))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                 number, number);
  auto type = cast<FloatType>(getElementTypeOrSelf(number));
  auto constant = [&](const APInt &bits) {
    Type bitsType = builder.getIntegerType(type.getWidth());
    TypedAttr attr = builder.getIntegerAttr(bitsType, bits);
    if (auto vectorType = dyn_cast<VectorType>(number.getType()))
      attr = DenseElementsAttr::get(vectorType.clone(bitsType), attr);
    return arith::ConstantOp::create(builder, loc, attr);
  };
  Value mask = constant(APInt::getSignedMaxValue(type.getWidth()));
  Value infinity =
      constant(APFloat::getInf(type.getFloatSemantics()).bitcastToAPInt());
  Value bits = arith::BitcastOp::create(builder, loc, mask.getType(), number);
  Value magnitude = arith::AndIOp::create(builder, loc, bits, mask);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                               magnitude, infinity);
}

/// Emits `value` of the body as it is stored. Which of the loops of a streamed
/// row an element is in depends on addresses, and bits do not (V9): a NaN that
/// was computed is the same one in all of them. Truncations to bf16 are
/// expanded to what makes it that.
Value LinalgKernelEmitter::evaluateStored(Value value, Point &point) {
  Value computed = value;
  if (auto truncation = value.getDefiningOp<arith::TruncFOp>())
    computed = truncation.getIn();
  if (!isStreaming || !mayMakeNaN(computed) ||
      (computed != value && value.getType().isBF16()))
    return evaluate(value, point);
  Value number = evaluate(computed, point);
  auto type = cast<FloatType>(computed.getType());
  Value nan = arith::ConstantOp::create(
      builder, loc,
      FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics())));
  Value isNaN = emitIsNaN(builder, loc, computed.getDefiningOp(), number);
  if (isa<VectorType>(number.getType()))
    nan = broadcast(nan);
  point.values[computed] =
      arith::SelectOp::create(builder, loc, isNaN, nan, number);
  return evaluate(value, point);
}
