//===- MvnToLinalg.cpp - meanvar.mvn to linalg ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shifted algorithm of Chan, Golub and LeVeque ("Algorithms for computing
// the sample variance", The American Statistician 37, 1983): the statistics
// take one pass over the elements, as deviations from a shift close to the
// mean. Where the shift turns out not to be close, or a sum leaves the range of
// its type, the corrected two-pass algorithm of the same authors follows, in
// f64 and scaled.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Terms that may be added in their own type before they are added to the f64
/// sum, and how far the shift may be from the mean, in standard deviations.
/// Sixteen equal f32 terms may be rounded to one side by 2.3e-7 of their sum,
/// times the distance in the mean and times about (1 + 3 distance^2) / 2 in the
/// standard deviation, and V5 allows 1e-6.
constexpr int64_t maxPartialSum = 16;
constexpr double maxDistance = 1.0;

/// The sums over a lane: tensors of the kept shape.
struct LaneSums {
  /// What the deviations are taken from.
  Value shift;
  /// The sum of the deviations, and that of their squares.
  Value deviations, squares;
};

/// What normalization needs to know of each lane, tensors of the kept shape:
/// y = ((x * scale - shift) - correction) * factor.
struct LaneParameters {
  Value shift;
  Value correction;
  Value factor;
  Value scale;
  /// The results of `statistics`, or null.
  Value mean;
  Value inverse;

  SmallVector<Value *> getPresent() {
    SmallVector<Value *> present;
    for (Value *value : {&shift, &correction, &factor, &scale, &mean, &inverse})
      if (*value)
        present.push_back(value);
    return present;
  }
};

/// Emits the decomposition of one meanvar.mvn.
class MvnDecomposition {
public:
  MvnDecomposition(RewriterBase &builder, MvnOp op);

  /// Emits everything; returns the results that replace those of the op.
  SmallVector<Value> emit();

private:
  // Tensors and operations on them.
  Value createLaneTensor(Type elementType);
  Value fill(Value tensor, Value scalar);
  Value createFilledLaneTensor(Type elementType, double value);
  linalg::GenericOp
  createGeneric(ValueRange inputs, ValueRange inits, ArrayRef<AffineMap> maps,
                ArrayRef<utils::IteratorType> iteratorTypes,
                function_ref<void(Arithmetic &, ValueRange)> body);
  linalg::GenericOp
  createReduction(ValueRange inputs, ValueRange inits,
                  function_ref<void(Arithmetic &, ValueRange)> body,
                  bool sumsTerms);
  linalg::GenericOp
  createPerLane(ValueRange inputs, ValueRange inits,
                function_ref<void(Arithmetic &, ValueRange)> body);
  Value emitCount(Value tensor, int64_t factor);
  Value emitScaled(Arithmetic &math, Value element, Value scale, Type type);

  // The steps of the algorithm.
  Value emitSampleSlice(int64_t quarter);
  Value emitSampleMean();
  Value emitMeanOfShortLanes();
  Value emitRoundedMean(Value scale);
  LaneSums emitSums(FloatType type, FloatType totalType, Value shift,
                    Value scale);
  LaneParameters emitParameters(const LaneSums &sums);
  Value emitIsUnreliable(Arithmetic &math, Value deviations, Value squares);
  Value emitAnyIsUnreliable(const LaneSums &sums);
  Value emitScale();
  SmallVector<Value> emitScaledLane(Arithmetic &math, Value shift, Value scale,
                                    Value deviations, Value squares);
  void emitScaledParameters(const LaneSums &usualSums,
                            LaneParameters &parameters);
  void emitUnreliableBranch(const LaneSums &sums, LaneParameters &parameters);
  Value emitNormalization(const LaneParameters &parameters);
  Value expandStatistics(Value lanes);

  Value emitVariance(Arithmetic &math, Value squares, Value correction);
  Value emitSpread(Arithmetic &math, Value variance, Value scale);
  Value emitUnscaledSpread(Arithmetic &math, Value variance, Value scale);

  bool mayLoseSmallSquares();
  bool hasShortLanes();
  bool isFollowedByNextTile();
  void markTilePass(linalg::GenericOp pass);
  /// The number of elements of a lane as a value of `type`.
  Value getCount(Type type) { return type == sumType ? count : shortCount; }

  RewriterBase &builder;
  MvnOp op;
  Location loc;
  Value input;
  /// Types of the elements, of the terms of the sums, of the sums of usual
  /// lanes, and of those of others and of long ones.
  FloatType elementType, computeType, usualSumType, sumType;
  AffineMap elementMap, laneMap;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<OpFoldResult> laneSizes;
  /// Constant bounds of laneSizes where known.
  SmallVector<OpFoldResult> laneBounds;
  /// The number of elements of a lane: f64, and computeType where lanes are
  /// short.
  Value count, shortCount;
  /// Set while operations for exceptional lanes are emitted: the branch that
  /// holds them.
  Operation *coldBranch = nullptr;
};

} // namespace

MvnDecomposition::MvnDecomposition(RewriterBase &builder, MvnOp op)
    : builder(builder), op(op), loc(op.getLoc()), input(op.getInput()),
      elementType(cast<FloatType>(op.getInput().getType().getElementType())),
      computeType(MvnOp::getStatisticsElementType(elementType)),
      usualSumType(builder.getF64Type()), sumType(builder.getF64Type()) {
  SmallVector<AffineExpr> lane;
  int64_t rank = op.getInput().getType().getRank();
  for (auto [dim, reduced] : llvm::enumerate(op.getReducedDims())) {
    iterators.push_back(reduced ? utils::IteratorType::reduction
                                : utils::IteratorType::parallel);
    if (reduced)
      continue;
    lane.push_back(builder.getAffineDimExpr(dim));
    OpFoldResult size = tensor::getMixedSize(builder, loc, input, dim);
    laneSizes.push_back(size);
    // A tile of lanes has a size that depends on its position, but is bounded.
    // Buffers of the bound's size need no heap.
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, {input, static_cast<int64_t>(dim)},
        /*stopCondition=*/nullptr, /*closedUB=*/true);
    constexpr int64_t maxBound = 4096;
    laneBounds.push_back(succeeded(bound) && *bound <= maxBound
                             ? OpFoldResult(builder.getIndexAttr(*bound))
                             : size);
  }
  elementMap = builder.getMultiDimIdentityMap(rank);
  laneMap = AffineMap::get(rank, 0, lane, builder.getContext());
}

//===----------------------------------------------------------------------===//
// Tensors and operations on them
//===----------------------------------------------------------------------===//

Value MvnDecomposition::createLaneTensor(Type type) {
  // Temporaries come before the branch that uses them, so that their buffers
  // can leave the loop around it.
  OpBuilder::InsertionGuard guard(builder);
  if (coldBranch)
    builder.setInsertionPoint(coldBranch);
  Value bounded = tensor::EmptyOp::create(builder, loc, laneBounds, type);
  if (laneBounds == laneSizes)
    return bounded;
  SmallVector<OpFoldResult> zeros(laneSizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(laneSizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, bounded, zeros, laneSizes,
                                        ones);
}

Value MvnDecomposition::fill(Value tensor, Value scalar) {
  auto op = linalg::FillOp::create(builder, loc, scalar, tensor);
  if (coldBranch)
    op->setAttr(coldAttrName, builder.getUnitAttr());
  return op.getResult(0);
}

Value MvnDecomposition::createFilledLaneTensor(Type type, double value) {
  Value tensor = createLaneTensor(type);
  return fill(tensor, Arithmetic(builder, loc).constant(type, value));
}

/// Creates a linalg.generic with the body that `body` emits.
linalg::GenericOp MvnDecomposition::createGeneric(
    ValueRange inputs, ValueRange inits, ArrayRef<AffineMap> maps,
    ArrayRef<utils::IteratorType> iteratorTypes,
    function_ref<void(Arithmetic &, ValueRange)> body) {
  auto generic = linalg::GenericOp::create(
      builder, loc, inits.getTypes(), inputs, inits, maps, iteratorTypes,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        body(math, args);
      });
  if (coldBranch)
    generic->setAttr(coldAttrName, builder.getUnitAttr());
  return generic;
}

/// Creates an operation on all elements that reduces over each lane: `inputs`
/// are the operand, or slices of it, and tensors of the kept shape. With
/// `sumsTerms` the body adds terms to f64 sums.
linalg::GenericOp MvnDecomposition::createReduction(
    ValueRange inputs, ValueRange inits,
    function_ref<void(Arithmetic &, ValueRange)> body, bool sumsTerms) {
  SmallVector<AffineMap> maps;
  auto elementRank = static_cast<int64_t>(iterators.size());
  for (Value value : inputs)
    maps.push_back(cast<RankedTensorType>(value.getType()).getRank() ==
                           elementRank
                       ? elementMap
                       : laneMap);
  maps.append(inits.size(), laneMap);
  linalg::GenericOp generic =
      createGeneric(inputs, inits, maps, iterators, body);
  if (sumsTerms)
    generic->setAttr(partialSumsAttrName,
                     builder.getI64IntegerAttr(maxPartialSum));
  return generic;
}

/// Creates an elementwise operation on tensors of the kept shape.
linalg::GenericOp MvnDecomposition::createPerLane(
    ValueRange inputs, ValueRange inits,
    function_ref<void(Arithmetic &, ValueRange)> body) {
  SmallVector<AffineMap> maps(inputs.size() + inits.size(),
                              builder.getMultiDimIdentityMap(laneSizes.size()));
  SmallVector<utils::IteratorType> parallel(laneSizes.size(),
                                            utils::IteratorType::parallel);
  return createGeneric(inputs, inits, maps, parallel, body);
}

/// Emits `factor` times the number of elements of a lane of `tensor`, the
/// operand or a slice of it, as an f64.
Value MvnDecomposition::emitCount(Value tensor, int64_t factor) {
  int64_t staticCount = factor;
  Value dynamicCount;
  for (auto [dim, iterator] : llvm::enumerate(iterators)) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    OpFoldResult size = tensor::getMixedSize(builder, loc, tensor, dim);
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      staticCount *= *constant;
      continue;
    }
    Value value = cast<Value>(size);
    dynamicCount =
        dynamicCount ? arith::MulIOp::create(builder, loc, dynamicCount, value)
                           .getResult()
                     : value;
  }
  if (!dynamicCount)
    return Arithmetic(builder, loc).constant(sumType, double(staticCount));
  Value total = arith::MulIOp::create(
      builder, loc, dynamicCount,
      arith::ConstantIndexOp::create(builder, loc, staticCount));
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), total);
  return arith::SIToFPOp::create(builder, loc, sumType, integer);
}

/// Emits the element as a value of `type`, times `scale` unless that is null.
/// The scale is a power of two, so contracting the product changes nothing.
Value MvnDecomposition::emitScaled(Arithmetic &math, Value element, Value scale,
                                   Type type) {
  Value value = math.convert(element, type);
  return scale ? math.mulContracted(value, scale) : value;
}

//===----------------------------------------------------------------------===//
// The steps of the algorithm
//===----------------------------------------------------------------------===//

/// Returns the map from one symbol to `expr` and `constant`, for a minimum or a
/// maximum of the two.
static AffineMap pairWith(AffineExpr expr, int64_t constant) {
  MLIRContext *context = expr.getContext();
  return AffineMap::get(0, 1, {expr, getAffineConstantExpr(constant, context)},
                        context);
}

/// Emits a slice of the operand that holds, of each lane, up to 16 elements
/// that follow each other (a power of two of them where the size is static),
/// from `quarter` quarters of the lane on, if the innermost dimension is
/// reduced; and up to `maxRows` evenly spread indices of each other reduced
/// dimension. It may be all of a short lane, and none of an empty one.
Value MvnDecomposition::emitSampleSlice(int64_t quarter) {
  constexpr int64_t maxPiece = 16, maxRows = 32;
  AffineExpr size = builder.getAffineSymbolExpr(0);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (auto [dim, iterator] : llvm::enumerate(iterators)) {
    OpFoldResult whole = tensor::getMixedSize(builder, loc, input, dim);
    bool isReduced = iterator == utils::IteratorType::reduction;
    bool isInnermost = dim + 1 == iterators.size();
    OpFoldResult offset = zero, piece = whole, stride = one;
    if (isReduced && isInnermost) {
      // For any size, the last piece ends with the lane.
      offset = affine::makeComposedFoldedAffineApply(
          builder, loc, (size * quarter).floorDiv(4), {whole});
      piece = affine::makeComposedFoldedAffineMin(
          builder, loc, pairWith(size.ceilDiv(4), maxPiece), {whole});
      // A whole vector: the first loads of a tile miss the caches, and some
      // processors are slow where those are masked.
      if (std::optional<int64_t> known = getConstantIntValue(piece))
        piece = builder.getIndexAttr(static_cast<int64_t>(
            llvm::bit_floor(static_cast<uint64_t>(*known))));
    } else if (isReduced) {
      piece = affine::makeComposedFoldedAffineMin(
          builder, loc, pairWith(size, maxRows), {whole});
      stride = affine::makeComposedFoldedAffineMax(
          builder, loc, pairWith(size.floorDiv(maxRows), 1), {whole});
    }
    offsets.push_back(offset);
    sizes.push_back(piece);
    strides.push_back(stride);
  }
  return tensor::ExtractSliceOp::create(builder, loc, input, offsets, sizes,
                                        strides);
}

/// Emits a shift for each lane: the mean of a sample, which lies closer to the
/// mean than the standard deviation in all but odd cases. Those are found
/// later.
Value MvnDecomposition::emitSampleMean() {
  SmallVector<Value> slices;
  bool isInnermostReduced = iterators.back() == utils::IteratorType::reduction;
  for (int64_t quarter = 0; quarter < (isInnermostReduced ? 4 : 1); ++quarter)
    slices.push_back(emitSampleSlice(quarter));
  auto total = createReduction(
      slices, createFilledLaneTensor(sumType, 0.0),
      [&](Arithmetic &math, ValueRange args) {
        Value term = math.convert(args.front(), computeType);
        for (Value element : args.drop_front().drop_back())
          term = math.add(term, math.convert(element, computeType));
        math.yield(math.add(args.back(), math.convert(term, sumType)));
      },
      /*sumsTerms=*/true);
  Value sampleCount =
      emitCount(slices.front(), static_cast<int64_t>(slices.size()));
  return createPerLane(total.getResult(0), createLaneTensor(computeType),
                       [&](Arithmetic &math, ValueRange args) {
                         Value mean = math.div(args[0], sampleCount);
                         math.yield(math.convert(mean, computeType));
                       })
      .getResult(0);
}

/// Returns true where sums of usual lanes need no type wider than that of their
/// terms, because they are known to have few; it pays where lanes are elements
/// of vectors. The terms of f64 have none.
bool MvnDecomposition::hasShortLanes() {
  bool isInnermostReduced = iterators.back() == utils::IteratorType::reduction;
  if (computeType.isF64() || isInnermostReduced)
    return false;
  int64_t numElements = 1;
  for (auto [size, iterator] :
       llvm::zip_equal(op.getInput().getType().getShape(), iterators)) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(size) || size > maxPartialSum)
      return false;
    numElements *= size;
  }
  // Epsilon is to be added in that type.
  double epsilon = op.getEpsilon().convertToDouble();
  bool hasUsualEpsilon =
      epsilon == 0 || (epsilon >= 0x1p-100 && epsilon <= 0x1p+100);
  return numElements <= maxPartialSum && hasUsualEpsilon;
}

/// Emits the mean of each short lane, but for rounding, and for a constant lane
/// its value to the bit (V4): the first element and the mean distance from it.
Value MvnDecomposition::emitMeanOfShortLanes() {
  SmallVector<OpFoldResult> zeros(iterators.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(iterators.size(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> laneShape;
  ArrayRef<OpFoldResult> laneSize = laneSizes;
  for (auto [size, iterator] :
       llvm::zip_equal(op.getInput().getType().getShape(), iterators)) {
    if (iterator == utils::IteratorType::reduction) {
      sizes.push_back(builder.getIndexAttr(1));
      continue;
    }
    laneShape.push_back(size);
    sizes.push_back(laneSize.front());
    laneSize = laneSize.drop_front();
  }
  Value first = tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(laneShape, elementType), input, zeros,
      sizes, ones);
  auto total = createReduction(
      {input, first}, createFilledLaneTensor(computeType, 0.0),
      [&](Arithmetic &math, ValueRange args) {
        Value distance = math.sub(math.convert(args[0], computeType),
                                  math.convert(args[1], computeType));
        math.yield(math.add(args[2], distance));
      },
      /*sumsTerms=*/true);
  return createPerLane({first, total.getResult(0)},
                       createLaneTensor(computeType),
                       [&](Arithmetic &math, ValueRange args) {
                         Value distance = math.div(args[1], shortCount);
                         math.yield(math.add(math.convert(args[0], computeType),
                                             distance));
                       })
      .getResult(0);
}

/// Emits the rounded mean of each lane times `scale`, as f64.
Value MvnDecomposition::emitRoundedMean(Value scale) {
  auto total = createReduction(
      {input, scale}, createFilledLaneTensor(sumType, 0.0),
      [&](Arithmetic &math, ValueRange args) {
        Value term = emitScaled(math, args[0], args[1], sumType);
        math.yield(math.add(args.back(), term));
      },
      /*sumsTerms=*/true);
  return createPerLane(total.getResult(0), createLaneTensor(sumType),
                       [&](Arithmetic &math, ValueRange args) {
                         math.yield(math.div(args[0], count));
                       })
      .getResult(0);
}

/// Emits a pass over the elements, in `type` and times `scale` unless that is
/// null: the sums of their deviations from `shift` and of the squares of those.
LaneSums MvnDecomposition::emitSums(FloatType type, FloatType totalType,
                                    Value shift, Value scale) {
  SmallVector<Value> inputs{input, shift};
  if (scale)
    inputs.push_back(scale);
  auto moments = createReduction(
      inputs,
      {createFilledLaneTensor(totalType, 0.0),
       createFilledLaneTensor(totalType, 0.0)},
      [&](Arithmetic &math, ValueRange args) {
        ValueRange sums = args.take_back(2);
        Value element =
            emitScaled(math, args[0], scale ? args[2] : Value(), type);
        Value deviation = math.subContracted(element, args[1]);
        Value square = math.mulContracted(deviation, deviation);
        math.yield(
            {math.add(sums[0], math.convert(deviation, totalType)),
             math.addContracted(sums[1], math.convert(square, totalType))});
      },
      /*sumsTerms=*/true);
  markTilePass(moments);
  return {shift, moments.getResult(0), moments.getResult(1)};
}

/// The variance from the sum of squares about the shift. The maximum keeps NaN.
Value MvnDecomposition::emitVariance(Arithmetic &math, Value squares,
                                     Value correction) {
  Type type = squares.getType();
  Value variance = math.sub(math.div(squares, getCount(type)),
                            math.mul(correction, correction));
  return math.max(variance, math.constant(type, 0.0));
}

/// The divisor: sqrt(variance) + epsilon or sqrt(variance + epsilon) (V3), of
/// inputs times `scale` unless that is null.
Value MvnDecomposition::emitSpread(Arithmetic &math, Value variance,
                                   Value scale) {
  Value epsilon =
      math.constant(variance.getType(), op.getEpsilon().convertToDouble());
  if (scale)
    epsilon = math.mul(epsilon, scale);
  if (!op.getInsideSqrt())
    return math.add(math.sqrt(variance), epsilon);
  if (scale)
    epsilon = math.mul(epsilon, scale);
  return math.sqrt(math.add(variance, epsilon));
}

/// The divisor of inputs of which `variance` is that times `scale`: what the
/// factor of the statistics inverts, also where epsilon times the scale is too
/// small a number.
Value MvnDecomposition::emitUnscaledSpread(Arithmetic &math, Value variance,
                                           Value scale) {
  Value epsilon = math.constant(sumType, op.getEpsilon().convertToDouble());
  if (op.getInsideSqrt() && !op.getEpsilon().isZero())
    return math.sqrt(
        math.add(math.div(math.div(variance, scale), scale), epsilon));
  return math.add(math.div(math.sqrt(variance), scale), epsilon);
}

/// V4: where the inverse of the divisor is infinite, or too large for `type`,
/// every deviation is 0. A finite factor keeps the product from being NaN.
static Value emitFactor(Arithmetic &math, Value inverse, FloatType type) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  return math.min(inverse,
                  math.constant(inverse.getType(), largest.convertToDouble()));
}

/// Emits what normalization needs from the sums, one operation on the lanes.
LaneParameters MvnDecomposition::emitParameters(const LaneSums &sums) {
  LaneParameters parameters;
  parameters.shift = sums.shift;
  parameters.correction = createLaneTensor(computeType);
  parameters.factor = createLaneTensor(computeType);
  parameters.scale = createLaneTensor(computeType);
  if (op.getStatistics()) {
    parameters.mean = createLaneTensor(computeType);
    parameters.inverse = createLaneTensor(computeType);
  }

  SmallVector<Value *> outputs = parameters.getPresent();
  outputs.erase(outputs.begin()); // the shift is given
  SmallVector<Value> inits =
      llvm::map_to_vector(outputs, [](Value *value) { return *value; });
  auto generic = createPerLane(
      {sums.shift, sums.deviations, sums.squares}, inits,
      [&](Arithmetic &math, ValueRange args) {
        Value one = math.constant(usualSumType, 1.0);
        Value correction = math.div(args[1], getCount(usualSumType));
        Value variance = emitVariance(math, args[2], correction);
        Value spread = emitSpread(math, variance, /*scale=*/Value());
        Value inverse = math.div(one, spread);
        Value factor =
            op.getCenterOnly() ? one : emitFactor(math, inverse, computeType);
        SmallVector<Value> results{correction, factor, one};
        if (op.getStatistics()) {
          results.push_back(
              math.add(math.convert(args[0], usualSumType), correction));
          results.push_back(inverse);
        }
        for (Value &result : results)
          result = math.convert(result, computeType);
        math.yield(results);
      });
  for (auto [output, result] : llvm::zip_equal(outputs, generic->getResults()))
    *output = result;
  return parameters;
}

/// Returns true if squares may underflow so that it shows in the result. In
/// `var` below 2^-110 (f32) or 2^-960 (f64) lost bits may matter, unless
/// epsilon is larger by more than the precision of the result.
bool MvnDecomposition::mayLoseSmallSquares() {
  if (op.getCenterOnly() && !op.getStatistics())
    return false;
  double epsilon = op.getEpsilon().convertToDouble();
  bool isDouble = computeType.isF64();
  int varianceLimit = isDouble ? -960 : -110;
  int precision = isDouble ? 53 : 24;
  int epsilonLimit = op.getInsideSqrt() ? varianceLimit + precision
                                        : varianceLimit / 2 + precision;
  return epsilon < std::ldexp(1.0, epsilonLimit);
}

/// Emits, as an i1, whether the sums of a lane cannot be trusted: they are not
/// finite (V6), the shift is further than `maxDistance` from the mean, so that
/// errors of the sums show (V5), or squares have underflowed.
Value MvnDecomposition::emitIsUnreliable(Arithmetic &math, Value deviations,
                                         Value squares) {
  Value infinity =
      math.constant(usualSumType, std::numeric_limits<double>::infinity());
  Value laneCount = getCount(usualSumType);
  Value correction = math.div(deviations, laneCount);
  Value distance = math.mul(correction, correction);
  Value variance = math.sub(math.div(squares, laneCount), distance);
  // Both are true where an operand is NaN.
  Value isInfinite = math.compare(arith::CmpFPredicate::UGE, squares, infinity);
  Value isFar = math.compare(
      arith::CmpFPredicate::UGT, distance,
      math.mul(variance,
               math.constant(usualSumType, maxDistance * maxDistance)));
  Value isUnreliable = math.either(isInfinite, isFar);
  if (!mayLoseSmallSquares())
    return isUnreliable;
  Value limit = math.constant(
      usualSumType, std::ldexp(1.0, computeType.isF64() ? -960 : -110));
  return math.either(isUnreliable,
                     math.compare(arith::CmpFPredicate::OLT, variance, limit));
}

/// Emits, as an i1, whether some lane is unreliable.
Value MvnDecomposition::emitAnyIsUnreliable(const LaneSums &sums) {
  Value init = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{},
                                       builder.getI1Type());
  Value isFalse = arith::ConstantIntOp::create(builder, loc, 0, 1);
  Value none = linalg::FillOp::create(builder, loc, isFalse, init).getResult(0);

  int64_t rank = laneSizes.size();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap scalar = AffineMap::get(rank, 0, builder.getContext());
  SmallVector<utils::IteratorType> reductions(rank,
                                              utils::IteratorType::reduction);
  auto generic = createGeneric(
      {sums.deviations, sums.squares}, none, {identity, identity, scalar},
      reductions, [&](Arithmetic &math, ValueRange args) {
        math.yield(
            math.either(args[2], emitIsUnreliable(math, args[0], args[1])));
      });
  return tensor::ExtractOp::create(builder, loc, generic.getResult(0),
                                   ValueRange());
}

/// Emits for each lane the power of two that brings its largest magnitude close
/// to 1, limited to those that computeType and its reciprocal represent.
Value MvnDecomposition::emitScale() {
  auto largest = createReduction(
      input, createFilledLaneTensor(sumType, 0.0),
      [&](Arithmetic &math, ValueRange args) {
        Value magnitude = math.abs(math.convert(args[0], sumType));
        math.yield(math.max(args[1], magnitude));
      },
      /*sumsTerms=*/false);
  return createPerLane(
             largest.getResult(0), createLaneTensor(sumType),
             [&](Arithmetic &math, ValueRange args) {
               OpBuilder &b = math.builder;
               Location l = math.loc;
               // f64: 52 bits of fraction, exponent bias 1023; the exponent of
               // 1/2^e is 2 * 1023 - e. NaN and infinity, whose outputs are NaN
               // whatever the scale, take the limit.
               int64_t bias = 1023;
               int64_t range = computeType.isF64() ? 1022 : 126;
               Value bits =
                   arith::BitcastOp::create(b, l, b.getI64Type(), args[0]);
               Value exponent =
                   arith::ShRUIOp::create(b, l, bits, math.integer(52));
               exponent = arith::MaxSIOp::create(b, l, exponent,
                                                 math.integer(bias - range));
               exponent = arith::MinSIOp::create(b, l, exponent,
                                                 math.integer(bias + range));
               Value inverse = arith::SubIOp::create(
                   b, l, math.integer(2 * bias), exponent);
               Value scale =
                   arith::ShLIOp::create(b, l, inverse, math.integer(52));
               math.yield(
                   arith::BitcastOp::create(b, l, sumType, scale).getResult());
             })
      .getResult(0);
}

/// Emits the parameters of a lane from its sums in f64 on scaled inputs, as
/// f64.
SmallVector<Value> MvnDecomposition::emitScaledLane(Arithmetic &math,
                                                    Value shift, Value scale,
                                                    Value deviations,
                                                    Value squares) {
  Value one = math.constant(sumType, 1.0);
  Value correction = math.div(deviations, count);
  // What rounding the shift to computeType loses goes to the correction.
  Value rounded = math.convert(math.convert(shift, computeType), sumType);
  Value rest = math.add(math.sub(shift, rounded), correction);
  Value variance = emitVariance(math, squares, correction);
  Value factor =
      op.getCenterOnly()
          ? math.div(one, scale)
          : emitFactor(math, math.div(one, emitSpread(math, variance, scale)),
                       computeType);
  SmallVector<Value> results{rounded, rest, factor, scale};
  if (op.getStatistics()) {
    results.push_back(math.div(math.add(shift, correction), scale));
    results.push_back(math.div(one, emitUnscaledSpread(math, variance, scale)));
  }
  return results;
}

/// Computes the parameters of unreliable lanes again, in f64 on scaled inputs
/// and from the rounded mean, into the same tensors. Other lanes of the tile
/// keep theirs, to the bit (V7).
void MvnDecomposition::emitScaledParameters(const LaneSums &usualSums,
                                            LaneParameters &parameters) {
  Value scale = emitScale();
  LaneSums sums = emitSums(sumType, sumType, emitRoundedMean(scale), scale);
  SmallVector<Value *> outputs = parameters.getPresent();
  SmallVector<Value> inits =
      llvm::map_to_vector(outputs, [](Value *value) { return *value; });
  auto generic = createPerLane(
      {sums.shift, scale, sums.deviations, sums.squares, usualSums.deviations,
       usualSums.squares},
      inits, [&](Arithmetic &math, ValueRange args) {
        SmallVector<Value> results =
            emitScaledLane(math, args[0], args[1], args[2], args[3]);
        Value isUnreliable = emitIsUnreliable(math, args[4], args[5]);
        for (auto [result, usual] :
             llvm::zip_equal(results, args.drop_front(6)))
          result = math.select(isUnreliable, math.convert(result, computeType),
                               usual);
        math.yield(results);
      });
  for (auto [output, result] : llvm::zip_equal(outputs, generic->getResults()))
    *output = result;
}

/// Returns true if the operation is a tile of whole rows, as
/// meanvar-tile-lanes makes them: of whole lanes, or of all lanes that are
/// neighbours.
bool MvnDecomposition::isFollowedByNextTile() {
  size_t rank = iterators.size();
  if (!isa<scf::ForallOp>(op->getParentOp()) || rank < 2)
    return false;
  if (iterators[rank - 1] == utils::IteratorType::reduction)
    return iterators[rank - 2] == utils::IteratorType::parallel;
  auto slice = input.getDefiningOp<tensor::ExtractSliceOp>();
  int64_t width = cast<RankedTensorType>(input.getType()).getShape().back();
  return slice && !ShapedType::isDynamic(width) &&
         width == slice.getSourceType().getShape().back();
}

/// Says of a pass over the elements if another tile follows.
void MvnDecomposition::markTilePass(linalg::GenericOp pass) {
  if (!coldBranch && isFollowedByNextTile())
    pass->setAttr(hasNextTileAttrName, builder.getUnitAttr());
}

/// Emits the last pass over the elements.
Value MvnDecomposition::emitNormalization(const LaneParameters &parameters) {
  SmallVector<Value> inputs{input, parameters.shift, parameters.correction,
                            parameters.factor, parameters.scale};
  SmallVector<AffineMap> maps(inputs.size(), laneMap);
  maps.front() = elementMap;
  maps.push_back(elementMap);
  SmallVector<utils::IteratorType> parallel(iterators.size(),
                                            utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, input), elementType);
  auto generic = createGeneric(
      inputs, init, maps, parallel, [&](Arithmetic &math, ValueRange args) {
        Value element = emitScaled(math, args[0], args[4], computeType);
        Value deviation = math.subContracted(element, args[1]);
        Value result = math.mul(math.sub(deviation, args[2]), args[3]);
        math.yield(math.convert(result, elementType));
      });
  markTilePass(generic);
  return generic.getResult(0);
}

/// Brings a tensor of the kept shape to that of the statistics, with 1 in place
/// of the reduced sizes.
Value MvnDecomposition::expandStatistics(Value lanes) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  const OpFoldResult *lane = laneSizes.begin();
  for (auto [dim, reduced] : llvm::enumerate(op.getReducedDims())) {
    sizes.push_back(reduced ? OpFoldResult(builder.getIndexAttr(1)) : *lane++);
    shape.push_back(reduced ? 1 : op.getInput().getType().getDimSize(dim));
    if (!reduced) {
      groups.push_back(std::exchange(leading, {}));
      groups.back().push_back(dim);
    } else if (groups.empty()) {
      leading.push_back(dim);
    } else {
      groups.back().push_back(dim);
    }
  }
  auto type = RankedTensorType::get(shape, computeType);
  if (lanes.getType() == type)
    return lanes;
  return tensor::ExpandShapeOp::create(builder, loc, type, lanes, groups,
                                       sizes);
}

/// Emits the branch that replaces `parameters` where they cannot be trusted.
void MvnDecomposition::emitUnreliableBranch(const LaneSums &sums,
                                            LaneParameters &parameters) {
  Value isUnreliable = emitAnyIsUnreliable(sums);
  SmallVector<Value *> present = parameters.getPresent();
  auto getValues = [&] {
    return llvm::map_to_vector(present, [](Value *value) { return *value; });
  };
  SmallVector<Value> usual = getValues();
  auto ifOp = scf::IfOp::create(builder, loc, ValueRange(usual).getTypes(),
                                isUnreliable, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  coldBranch = ifOp;
  emitScaledParameters(sums, parameters);
  coldBranch = nullptr;
  scf::YieldOp::create(builder, loc, getValues());
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, usual);
  for (auto [value, result] : llvm::zip_equal(present, ifOp.getResults()))
    *value = result;
}

SmallVector<Value> MvnDecomposition::emit() {
  count = emitCount(input, /*factor=*/1);
  Value shift;
  if (hasShortLanes()) {
    usualSumType = computeType;
    shortCount = Arithmetic(builder, loc).convert(count, computeType);
    shift = emitMeanOfShortLanes();
  } else {
    shift = emitSampleMean();
  }
  LaneSums sums = emitSums(computeType, usualSumType, shift, /*scale=*/Value());
  LaneParameters parameters = emitParameters(sums);
  emitUnreliableBranch(sums, parameters);
  SmallVector<Value> results{emitNormalization(parameters)};
  if (op.getStatistics()) {
    results.push_back(expandStatistics(parameters.mean));
    results.push_back(expandStatistics(parameters.inverse));
  }
  return results;
}

namespace {

struct MvnToLinalg final : OpRewritePattern<MvnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MvnOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType type = op.getInput().getType();
    if (llvm::is_contained(type.getShape(), 0))
      return rewriter.notifyMatchFailure(op, "holds no element");
    if (type.getRank() == 0)
      return rewriter.notifyMatchFailure(
          op, "has rank 0, for which meanvar-collapse-dims finds another form");
    MvnDecomposition decomposition(rewriter, op);
    rewriter.replaceOp(op, decomposition.emit());
    return success();
  }
};

} // namespace

void meanvar::populateMvnToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MvnToLinalg>(patterns.getContext());
}
