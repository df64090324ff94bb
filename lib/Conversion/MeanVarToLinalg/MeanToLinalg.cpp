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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

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

/// Returns true if some operand other than `operand` may give result dimension
/// `dim` a size other than 1.
static bool othersMayStretch(MeanOp op, unsigned operand, int64_t dim,
                             int64_t resultRank) {
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    int64_t operandDim = alignToOperand(dim, resultRank, type.getRank());
    if (index != operand && operandDim >= 0 && type.getDimSize(operandDim) != 1)
      return true;
  }
  return false;
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
    mayStretch.push_back(type.isDynamicDim(dim) &&
                         othersMayStretch(op, index, offset + dim, resultRank));
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
};

} // namespace

static Summation getSummation(FloatType elementType, size_t numValues) {
  Builder builder(elementType.getContext());
  FloatType type = elementType.getWidth() == 16 ? builder.getF32Type()
                                                : builder.getF64Type();
  double scale = elementType.isBF16()
                     ? std::ldexp(1.0, -int(llvm::Log2_64_Ceil(numValues)))
                     : 1.0;
  return {type, scale, 1.0 / (scale * double(numValues))};
}

/// Emits the sum of f64 values, added in order, with the rounding errors of the
/// additions (TwoSum; Knuth, The Art of Computer Programming 2, 4.2.2) added at
/// the end: there is no wider type, and the mean of 2^k equal values is to be
/// that value. Where the sum is not finite the errors are not numbers.
static Value emitCompensatedSum(Arithmetic &math, ValueRange values) {
  Value sum = values.front();
  Value zero = math.constant(sum.getType(), 0.0);
  Value errors = zero;
  for (Value value : values.drop_front()) {
    Value total = math.add(sum, value);
    Value valuePart = math.sub(total, sum);
    Value sumPart = math.sub(total, valuePart);
    Value error = math.add(math.sub(sum, sumPart), math.sub(value, valuePart));
    errors = math.add(errors, error);
    sum = total;
  }
  Value isNumber = math.compare(arith::CmpFPredicate::ORD, errors, errors);
  return math.add(sum, math.select(isNumber, errors, zero));
}

/// Emits the sum of `values`, which have the type of the summation once
/// converted, added in order.
static Value emitSum(Arithmetic &math, ValueRange values,
                     const Summation &summation, FloatType elementType) {
  // The sum of two f64 values is rounded once whatever is done.
  if (elementType.isF64() && values.size() > 2)
    return emitCompensatedSum(math, values);
  Value sum;
  for (Value value : values) {
    Value term = math.convert(value, summation.type);
    if (summation.scale == 1.0) {
      sum = sum ? math.add(sum, term) : term;
      continue;
    }
    // The product with a power of two is exact, so it may be contracted.
    term = math.mulContracted(term,
                              math.constant(summation.type, summation.scale));
    sum = sum ? math.addContracted(sum, term) : term;
  }
  return sum;
}

/// Emits the mean of `values`.
static Value emitMean(Arithmetic &math, ValueRange values,
                      FloatType elementType) {
  Summation summation = getSummation(elementType, values.size());
  Value sum = emitSum(math, values, summation, elementType);
  Value factor = math.constant(summation.type, summation.factor);
  return math.convert(math.mul(sum, factor), elementType);
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
    ReifiedRankedShapedTypeDims sizes;
    if (failed(op.reifyResultShapes(rewriter, sizes)))
      return failure();

    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (unsigned index = 0; index < op.getInputs().size(); ++index) {
      Operand operand = getOperand(rewriter, op, index, sizes.front());
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
          math.yield(emitMean(math, args.drop_back(), elementType));
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
