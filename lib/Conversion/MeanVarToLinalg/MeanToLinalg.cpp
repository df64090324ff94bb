//===- MeanToLinalg.cpp - meanvar.mean to linalg --------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// An operand of the mean as the body of the linalg operation reads it.
struct Operand {
  Value tensor;
  AffineMap map;
};

} // namespace

/// Reads `input` through a slice of the result's sizes, whose stride is 0 where
/// the operand turns out to have size 1 (M3). Dimensions of `input` that are
/// known to be whole or stretched are left alone. A slice with stride 0 is a
/// view like any other, and stays within bounds.
static Value stretchAtRunTime(OpBuilder &builder, Location loc, Value input,
                              ArrayRef<OpFoldResult> resultSizes,
                              ArrayRef<bool> mayStretch) {
  auto type = cast<RankedTensorType>(input.getType());
  int64_t offset = static_cast<int64_t>(resultSizes.size()) - type.getRank();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, input);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!mayStretch[dim])
      continue;
    OpFoldResult resultSize = resultSizes[offset + dim];
    Value isWhole = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(builder, loc, sizes[dim]),
        getValueOrCreateConstantIndexOp(builder, loc, resultSize));
    strides[dim] =
        arith::SelectOp::create(builder, loc, isWhole,
                                arith::ConstantIndexOp::create(builder, loc, 1),
                                arith::ConstantIndexOp::create(builder, loc, 0))
            .getResult();
    sizes[dim] = resultSize;
  }
  return tensor::ExtractSliceOp::create(builder, loc, input, offsets, sizes,
                                        strides);
}

/// Drops from `input` its dimensions of static size 1 that `dropped` marks.
static Value dropDims(OpBuilder &builder, Location loc, Value input,
                      ArrayRef<bool> dropped) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, input);
  SmallVector<OpFoldResult> zeros(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (auto [size, drop] : llvm::zip_equal(type.getShape(), dropped))
    if (!drop)
      shape.push_back(size);
  auto sliceType = RankedTensorType::get(shape, type.getElementType());
  return tensor::ExtractSliceOp::create(builder, loc, sliceType, input, zeros,
                                        sizes, ones);
}

/// Makes operand number `index` of `op` readable in the iteration space of the
/// result: stretched dimensions are dropped, and those that may be are sliced.
static Operand getOperand(OpBuilder &builder, MeanOp op, unsigned index,
                          ArrayRef<OpFoldResult> resultSizes) {
  Location loc = op.getLoc();
  Value input = op.getInputs()[index];
  auto type = cast<RankedTensorType>(input.getType());
  int64_t resultRank = resultSizes.size();
  int64_t offset = resultRank - type.getRank();
  SmallVector<bool> dropped, mayStretch;
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isUnit = type.getDimSize(dim) == 1;
    dropped.push_back(isUnit);
    mayStretch.push_back(op.mayBeStretched(index, dim));
    if (!isUnit)
      exprs.push_back(builder.getAffineDimExpr(offset + dim));
  }
  if (llvm::is_contained(mayStretch, true))
    input = stretchAtRunTime(builder, loc, input, resultSizes, mayStretch);
  if (llvm::is_contained(dropped, true))
    input = dropDims(builder, loc, input, dropped);
  return {input, AffineMap::get(resultRank, 0, exprs, builder.getContext())};
}

namespace {

/// How n values of one type are averaged (M5).
struct Summation {
  FloatType type;
  /// Each value is multiplied by this power of two before it is added, which
  /// keeps the sum of bf16 values, whose range is that of f32, from
  /// overflowing.
  double scale;
  /// The sum is multiplied by this, rounded to `type`.
  double factor;
  /// Whether rounding errors are kept: there is no wider type, and the sum of
  /// two values is rounded once whatever is done.
  bool isCompensated;
};

} // namespace

static Summation getSummation(FloatType elementType, size_t numValues) {
  Builder builder(elementType.getContext());
  FloatType type = elementType.getWidth() == 16 ? builder.getF32Type()
                                                : builder.getF64Type();
  double scale = elementType.isBF16()
                     ? std::ldexp(1.0, -int(llvm::Log2_64_Ceil(numValues)))
                     : 1.0;
  return {type, scale, 1.0 / (scale * double(numValues)),
          elementType.isF64() && numValues > 2};
}

namespace {

/// A sum on its way.
struct Sum {
  Value value;
  /// The rounding errors of the additions, if they are kept.
  Value errors;

  SmallVector<Value> getPresent() const {
    return errors ? SmallVector<Value>{value, errors}
                  : SmallVector<Value>{value};
  }
};

} // namespace

/// Emits the addition of `value` with its rounding error (TwoSum; Knuth, The
/// Art of Computer Programming 2, 4.2.2).
static Sum emitCompensatedAddition(Arithmetic &math, const Sum &sum,
                                   Value value) {
  Value total = math.add(sum.value, value);
  Value valuePart = math.sub(total, sum.value);
  Value sumPart = math.sub(total, valuePart);
  Value error =
      math.add(math.sub(sum.value, sumPart), math.sub(value, valuePart));
  return {total, math.add(sum.errors, error)};
}

/// Emits the addition of `values` in order to `sum`, which has no value at
/// first. f64 has no wider type, and the mean of 2^k equal values is to be that
/// value, so there rounding errors are kept.
static Sum emitAdditions(Arithmetic &math, Sum sum, ValueRange values,
                         const Summation &summation) {
  for (Value value : values) {
    if (summation.isCompensated) {
      sum = sum.value ? emitCompensatedAddition(math, sum, value)
                      : Sum{value, math.constant(value.getType(), 0.0)};
      continue;
    }
    Value term = math.convert(value, summation.type);
    if (summation.scale == 1.0) {
      sum.value = sum.value ? math.add(sum.value, term) : term;
      continue;
    }
    // The product with a power of two is exact, so it may be contracted.
    term = math.mulContracted(term,
                              math.constant(summation.type, summation.scale));
    sum.value = sum.value ? math.addContracted(sum.value, term) : term;
  }
  return sum;
}

/// Emits the mean from the sum of all values.
static Value emitMean(Arithmetic &math, const Sum &sum,
                      const Summation &summation, FloatType elementType) {
  Value total = sum.value;
  if (sum.errors) {
    // Where the sum is not finite the errors are not numbers.
    Value isNumber =
        math.compare(arith::CmpFPredicate::ORD, sum.errors, sum.errors);
    Value zero = math.constant(summation.type, 0.0);
    total = math.add(total, math.select(isNumber, sum.errors, zero));
  }
  Value factor = math.constant(summation.type, summation.factor);
  return math.convert(math.mul(total, factor), elementType);
}

/// Emits the mean of two f32 values without a wider type, with the bits of a
/// mean in unlimited precision that is rounded once: a sum that is not in the
/// normal range of a mean is exact, and where it overflows halves are exact.
static Value emitMeanOfTwo(Arithmetic &math, Value lhs, Value rhs) {
  FloatType type = math.builder.getF32Type();
  Value half = math.constant(type, 0.5);
  Value sum = math.add(lhs, rhs);
  Value sumOfHalves = math.addContracted(math.mulContracted(lhs, half),
                                         math.mulContracted(rhs, half));
  Value isInfinite =
      math.compare(arith::CmpFPredicate::OEQ, math.abs(sum),
                   math.constant(type, std::numeric_limits<float>::infinity()));
  return math.select(isInfinite, sumOfHalves, math.mul(sum, half));
}

/// Emits the mean of `values`, the whole of it, in `elementType`.
static Value emitWholeMean(Arithmetic &math, ValueRange values,
                           FloatType elementType) {
  if (elementType.isF32() && values.size() == 2)
    return emitMeanOfTwo(math, values[0], values[1]);
  Summation summation = getSummation(elementType, values.size());
  return emitMean(math, emitAdditions(math, Sum(), values, summation),
                  summation, elementType);
}

/// Returns true if `operand` is a short row that many rows of the result, of
/// type `type`, share.
static bool isSharedRow(const Operand &operand, RankedTensorType type) {
  constexpr int64_t maxElements = 4096, minRows = 8;
  auto rowType = cast<RankedTensorType>(operand.tensor.getType());
  if (rowType.getRank() == 0 || !rowType.hasStaticShape() ||
      rowType.getNumElements() > maxElements ||
      rowType.getRank() == type.getRank() ||
      !operand.map.isFunctionOfDim(type.getRank() - 1))
    return false;
  return !type.hasStaticShape() ||
         type.getNumElements() / rowType.getNumElements() >= minRows;
}

/// Returns `operand` as f64 values times `factor`.
static Operand scale(OpBuilder &builder, Location loc, const Operand &operand,
                     double factor) {
  auto type = cast<RankedTensorType>(operand.tensor.getType());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       builder.getF64Type());
  SmallVector<AffineMap> maps(2,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), operand.tensor, init, maps, iterators,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        Value wide = math.convert(args[0], bodyBuilder.getF64Type());
        math.yield(math.mul(wide, math.constant(wide.getType(), factor)));
      });
  return {generic.getResult(0), operand.map};
}

/// Emits the mean of f32 values some of which, those of type f64, are scaled
/// already. The others are added first and scaled as one.
static Value emitMeanOfScaled(Arithmetic &math, ValueRange values,
                              FloatType elementType) {
  Summation summation = getSummation(elementType, values.size());
  auto isScaled = [](Value value) { return value.getType().isF64(); };
  SmallVector<Value> unscaled;
  llvm::copy_if(values, std::back_inserter(unscaled), std::not_fn(isScaled));
  Value total;
  if (!unscaled.empty()) {
    Value sum = emitAdditions(math, Sum(), unscaled, summation).value;
    total = math.mul(sum, math.constant(summation.type, summation.factor));
  }
  for (Value value : llvm::make_filter_range(values, isScaled))
    total = total ? math.add(total, value) : value;
  return math.convert(total, elementType);
}

namespace {

/// Emits the mean of many lines of one size in tiles that stay in a cache,
/// group by group: hardware prefetches a few streams of memory at a time, and
/// sums on their way are quickly read again.
class MeanOfManyLines {
public:
  MeanOfManyLines(RewriterBase &builder, MeanOp op)
      : builder(builder), loc(op.getLoc()), inputs(op.getInputs()),
        elementType(
            cast<FloatType>(getElementTypeOrSelf(op.getResult().getType()))),
        size(cast<RankedTensorType>(op.getResult().getType()).getDimSize(0)),
        summation(getSummation(elementType, inputs.size())) {}

  static bool isApplicable(MeanOp op);
  Value emit();

private:
  /// Streams that are read side by side in one loop, where that is all there is
  /// to read, and where sums on their way are read and written, too (measured).
  static constexpr size_t maxStreams = 16, maxStreamsBesideSums = 12;
  /// Elements of a tile: so many that the start of a stream does not count, and
  /// that their sums (256 KiB in f64) stay in the second cache.
  static constexpr int64_t tile = 32768;

  Value slice(Value line, OpFoldResult begin, OpFoldResult count) {
    return tensor::ExtractSliceOp::create(
        builder, loc, line, begin, count,
        OpFoldResult(builder.getIndexAttr(1)));
  }
  Value createSumTensor(OpFoldResult count) {
    Value bounded = tensor::EmptyOp::create(
        builder, loc, ArrayRef<int64_t>{tile}, summation.type);
    return slice(bounded, builder.getIndexAttr(0), count);
  }
  Value emitTile(OpFoldResult begin, OpFoldResult count, Value destination);
  SmallVector<Value> emitGroup(ValueRange lines, ValueRange sums,
                               ValueRange destinations, bool isLast);

  RewriterBase &builder;
  Location loc;
  ValueRange inputs;
  FloatType elementType;
  int64_t size;
  Summation summation;
};

} // namespace

/// Returns true for operands of the result's static size.
bool MeanOfManyLines::isApplicable(MeanOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  return op.getInputs().size() > maxStreams && type.getRank() == 1 &&
         type.hasStaticShape() && type.getDimSize(0) > tile &&
         llvm::all_of(op.getInputs().getTypes(),
                      [&](Type input) { return input == type; });
}

/// Emits the addition of `lines` to `sums`, of which there are none at first;
/// the last group gives the mean.
SmallVector<Value> MeanOfManyLines::emitGroup(ValueRange lines, ValueRange sums,
                                              ValueRange destinations,
                                              bool isLast) {
  SmallVector<Value> operands(lines);
  llvm::append_range(operands, sums);
  SmallVector<AffineMap> maps(operands.size() + destinations.size(),
                              builder.getMultiDimIdentityMap(1));
  auto generic = linalg::GenericOp::create(
      builder, loc, destinations.getTypes(), operands, destinations, maps,
      utils::IteratorType::parallel,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        Sum sum;
        if (!sums.empty())
          sum.value = args[lines.size()];
        if (sums.size() > 1)
          sum.errors = args[lines.size() + 1];
        sum =
            emitAdditions(math, sum, args.take_front(lines.size()), summation);
        if (isLast)
          math.yield(emitMean(math, sum, summation, elementType));
        else
          math.yield(sum.getPresent());
      });
  generic->setAttr(hasStreamsAttrName, builder.getUnitAttr());
  return SmallVector<Value>(generic.getResults());
}

Value MeanOfManyLines::emitTile(OpFoldResult begin, OpFoldResult count,
                                Value destination) {
  SmallVector<Value> sums;
  size_t numGroups = llvm::divideCeil(inputs.size(), maxStreamsBesideSums);
  for (size_t group = 0; group < numGroups; ++group) {
    size_t first = inputs.size() * group / numGroups;
    size_t end = inputs.size() * (group + 1) / numGroups;
    SmallVector<Value> lines;
    for (Value input : inputs.slice(first, end - first))
      lines.push_back(slice(input, begin, count));
    bool isLast = group + 1 == numGroups;
    SmallVector<Value> destinations;
    if (isLast)
      destinations = {destination};
    else if (!sums.empty())
      destinations = sums; // in place
    else
      for (int sum = 0; sum < (summation.isCompensated ? 2 : 1); ++sum)
        destinations.push_back(createSumTensor(count));
    sums = emitGroup(lines, sums, destinations, isLast);
  }
  return sums.front();
}

Value MeanOfManyLines::emit() {
  Value result = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{size},
                                         elementType);
  SmallVector<OpFoldResult> begin{builder.getIndexAttr(0)},
      end{builder.getIndexAttr(size)}, step{builder.getIndexAttr(tile)};
  auto forall = scf::ForallOp::create(builder, loc, begin, end, step, result,
                                      /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forall.getBody());
  Value destination = forall.getRegionIterArgs().front();
  OpFoldResult offset = forall.getInductionVar(0);
  AffineExpr index = builder.getAffineDimExpr(0);
  OpFoldResult count = affine::makeComposedFoldedAffineMin(
      builder, loc,
      AffineMap::get(1, 0, {builder.getAffineConstantExpr(tile), size - index},
                     builder.getContext()),
      {offset});
  Value mean = emitTile(offset, count, slice(destination, offset, count));
  builder.setInsertionPointToStart(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(builder, loc, mean, destination, offset,
                                        count,
                                        OpFoldResult(builder.getIndexAttr(1)));
  return forall.getResult(0);
}

namespace {

struct MeanToLinalg final : OpRewritePattern<MeanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MeanOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    auto elementType = cast<FloatType>(type.getElementType());
    if (llvm::is_contained(type.getShape(), 0))
      return rewriter.notifyMatchFailure(op, "holds no element");
    if (MeanOfManyLines::isApplicable(op)) {
      rewriter.replaceOp(op, MeanOfManyLines(rewriter, op).emit());
      return success();
    }
    ReifiedRankedShapedTypeDims sizes;
    if (failed(op.reifyResultShapes(rewriter, sizes)))
      return failure();

    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    // Sums of more than two f32 values are f64. What rows share is converted
    // and scaled once, so that one addition for each element is left of it.
    size_t number = op.getInputs().size();
    bool mayScale = elementType.isF32() && number > 2;
    for (unsigned index = 0; index < number; ++index) {
      Operand operand = getOperand(rewriter, op, index, sizes.front());
      if (mayScale && isSharedRow(operand, type))
        operand = scale(rewriter, loc, operand, 1.0 / double(number));
      inputs.push_back(operand.tensor);
      maps.push_back(operand.map);
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
    Value init =
        tensor::EmptyOp::create(rewriter, loc, sizes.front(), elementType);
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, init.getType(), inputs, init, maps, iterators,
        [&](OpBuilder &builder, Location bodyLoc, ValueRange args) {
          Arithmetic math(builder, bodyLoc);
          ValueRange values = args.drop_back();
          bool hasScaled =
              elementType.isF32() && llvm::any_of(values, [](Value value) {
                return value.getType().isF64();
              });
          math.yield(hasScaled ? emitMeanOfScaled(math, values, elementType)
                               : emitWholeMean(math, values, elementType));
        });
    // The sizes may be known better than declared.
    Value result = generic.getResult(0);
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void meanvar::populateMeanToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MeanToLinalg>(patterns.getContext());
}
