//===- MvnToLinalg.cpp - meanvar.mvn to linalg ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The corrected two-pass algorithm of Chan, Golub and LeVeque ("Algorithms for
// computing the sample variance", The American Statistician 37, 1983), with the
// correction applied to the mean as well, and a second computation of the
// statistics, scaled, for lanes that leave the range of the type.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
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

/// Terms that may be added in their own type before they are added to the f64 sum.
/// More of them miss the bound of V5 (docs/Performance.md).
constexpr int64_t maxPartialSum = 32;

/// Floating-point expressions on scalars, for the bodies of linalg operations.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(Type type, double value) {
    return arith::ConstantOp::create(
        builder, loc, type, cast<TypedAttr>(builder.getFloatAttr(type, value)));
  }
  Value integer(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  }
  /// An addition whose operand, a product, need not be rounded.
  Value addContracted(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  }
  Value subContracted(Value lhs, Value rhs) {
    return arith::SubFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value mul(Value lhs, Value rhs) {
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  }
  Value mulContracted(Value lhs, Value rhs) {
    return arith::MulFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value div(Value lhs, Value rhs) {
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  }
  Value sqrt(Value value) { return math::SqrtOp::create(builder, loc, value); }
  Value abs(Value value) { return math::AbsFOp::create(builder, loc, value); }
  /// The maximum, or NaN where an operand is NaN.
  Value max(Value lhs, Value rhs) {
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  }
  /// The minimum, or NaN where an operand is NaN.
  Value min(Value lhs, Value rhs) {
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value either(Value lhs, Value rhs) {
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  }
  /// Converts between float types.
  Value convert(Value value, Type type) {
    unsigned from = value.getType().getIntOrFloatBitWidth();
    unsigned to = type.getIntOrFloatBitWidth();
    if (from < to)
      return arith::ExtFOp::create(builder, loc, type, value);
    if (from > to)
      return arith::TruncFOp::create(builder, loc, type, value);
    return value;
  }
  void yield(ValueRange values) {
    linalg::YieldOp::create(builder, loc, values);
  }

  OpBuilder &builder;
  Location loc;
};

/// The sums over a lane: tensors of the kept shape.
struct LaneSums {
  /// The rounded mean that the deviations are taken from.
  Value shift;
  /// The sum of the deviations (f64).
  Value deviations;
  /// The sum of their squares (f64), null where no variance is asked for.
  Value squares;
};

/// What normalization needs to know of each lane, tensors of the kept shape:
/// y = ((x * scale - shift) - correction) * factor. Optional ones are null.
struct LaneParameters {
  Value shift;
  Value correction;
  Value factor;
  Value scale;
  /// The results of `statistics`.
  Value mean;
  Value inverse;

  SmallVector<Value *> getPresent() {
    SmallVector<Value *> present;
    for (Value *value :
         {&shift, &correction, &factor, &scale, &mean, &inverse})
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
  linalg::GenericOp createReduction(ValueRange inputs, ValueRange inits,
                                    function_ref<void(Arithmetic &, ValueRange)>
                                        body,
                                    bool sumsTerms);
  linalg::GenericOp createPerLane(ValueRange inputs, ValueRange inits,
                                  function_ref<void(Arithmetic &, ValueRange)>
                                      body);
  Value emitCount();
  Value emitScaled(Arithmetic &math, Value element, Value scale, Type type);

  // The steps of the algorithm.
  LaneSums emitSums(Type type, Value scale);
  LaneParameters emitParameters(const LaneSums &sums);
  Value emitNeedsScaling(const LaneSums &sums);
  Value emitScale();
  void emitScaledParameters(LaneParameters &parameters);
  Value emitNormalization(const LaneParameters &parameters);
  Value expandStatistics(Value lanes);

  Value emitVariance(Arithmetic &math, Value squares, Value correction);
  Value emitSpread(Arithmetic &math, Value variance, Value scale);

  bool needsVariance() {
    return !op.getCenterOnly() || op.getStatistics();
  }
  /// Only the range of f16 is so small that nothing can leave that of f32.
  bool mayLeaveRange() const { return !elementType.isF16(); }
  bool mayLoseSmallSquares();

  RewriterBase &builder;
  MvnOp op;
  Location loc;
  Value input;
  /// Types of the elements, of the terms of the sums, and of the sums.
  FloatType elementType, computeType, sumType;
  AffineMap elementMap, laneMap;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<OpFoldResult> laneSizes;
  /// Constant bounds of laneSizes where known.
  SmallVector<OpFoldResult> laneBounds;
  /// The number of elements of a lane (f64).
  Value count;
  /// Set while operations for exceptional lanes are emitted: the branch that holds
  /// them.
  Operation *coldBranch = nullptr;
};

} // namespace

MvnDecomposition::MvnDecomposition(RewriterBase &builder, MvnOp op)
    : builder(builder), op(op), loc(op.getLoc()), input(op.getInput()),
      elementType(cast<FloatType>(op.getInput().getType().getElementType())),
      computeType(MvnOp::getStatisticsElementType(elementType)),
      sumType(builder.getF64Type()) {
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
  // Temporaries come before the branch that uses them, so that their buffers can
  // leave the loop around it.
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

/// Creates an operation on all elements that reduces over each lane: `inputs`
/// are the operand and tensors of the kept shape. With `sumsTerms` the body adds
/// terms to f64 sums.
linalg::GenericOp MvnDecomposition::createReduction(
    ValueRange inputs, ValueRange inits,
    function_ref<void(Arithmetic &, ValueRange)> body, bool sumsTerms) {
  SmallVector<AffineMap> maps;
  for (Value value : inputs)
    maps.push_back(value == input ? elementMap : laneMap);
  maps.append(inits.size(), laneMap);
  auto generic = linalg::GenericOp::create(
      builder, loc, inits.getTypes(), inputs, inits, maps, iterators,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        body(math, args);
      });
  if (sumsTerms)
    generic->setAttr(partialSumsAttrName,
                     builder.getI64IntegerAttr(maxPartialSum));
  if (coldBranch)
    generic->setAttr(coldAttrName, builder.getUnitAttr());
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
  auto generic = linalg::GenericOp::create(
      builder, loc, inits.getTypes(), inputs, inits, maps, parallel,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        body(math, args);
      });
  if (coldBranch)
    generic->setAttr(coldAttrName, builder.getUnitAttr());
  return generic;
}

/// Emits the number of elements of a lane as an f64.
Value MvnDecomposition::emitCount() {
  int64_t staticCount = 1;
  Value dynamicCount;
  for (auto [dim, reduced] : llvm::enumerate(op.getReducedDims())) {
    if (!reduced)
      continue;
    OpFoldResult size = tensor::getMixedSize(builder, loc, input, dim);
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      staticCount *= *constant;
      continue;
    }
    Value value = cast<Value>(size);
    dynamicCount = dynamicCount ? arith::MulIOp::create(builder, loc,
                                                        dynamicCount, value)
                                      .getResult()
                                : value;
  }
  if (!dynamicCount)
    return Arithmetic(builder, loc).constant(sumType, double(staticCount));
  Value factor = arith::ConstantIndexOp::create(builder, loc, staticCount);
  Value total = arith::MulIOp::create(builder, loc, dynamicCount, factor);
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             total);
  return arith::SIToFPOp::create(builder, loc, sumType, integer);
}

/// Emits the element as a value of `type`, times `scale` unless that is null. The
/// scale is a power of two, so contracting the product changes nothing.
Value MvnDecomposition::emitScaled(Arithmetic &math, Value element, Value scale,
                                   Type type) {
  Value value = math.convert(element, type);
  return scale ? math.mulContracted(value, scale) : value;
}

//===----------------------------------------------------------------------===//
// The steps of the algorithm
//===----------------------------------------------------------------------===//

/// Emits the two passes over the elements, in `type`, times `scale` unless that
/// is null.
LaneSums MvnDecomposition::emitSums(Type type, Value scale) {
  SmallVector<Value> inputs{input};
  if (scale)
    inputs.push_back(scale);
  auto getScale = [&](ValueRange args) { return scale ? args[1] : Value(); };

  auto total = createReduction(
      inputs, createFilledLaneTensor(sumType, 0.0),
      [&](Arithmetic &math, ValueRange args) {
        Value term = emitScaled(math, args[0], getScale(args), type);
        math.yield(math.add(args.back(), math.convert(term, sumType)));
      },
      /*sumsTerms=*/true);

  LaneSums sums;
  sums.shift = createPerLane(total.getResult(0), createLaneTensor(type),
                             [&](Arithmetic &math, ValueRange args) {
                               Value mean = math.div(args[0], count);
                               math.yield(math.convert(mean, type));
                             })
                   .getResult(0);

  inputs.push_back(sums.shift);
  SmallVector<Value> inits{createFilledLaneTensor(sumType, 0.0)};
  if (needsVariance())
    inits.push_back(createFilledLaneTensor(sumType, 0.0));
  auto moments = createReduction(
      inputs, inits,
      [&](Arithmetic &math, ValueRange args) {
        size_t firstInit = inputs.size();
        Value element = emitScaled(math, args[0], getScale(args), type);
        Value deviation = math.subContracted(element, args[firstInit - 1]);
        SmallVector<Value> results{
            math.add(args[firstInit], math.convert(deviation, sumType))};
        if (needsVariance()) {
          Value square = math.mulContracted(deviation, deviation);
          results.push_back(math.addContracted(args[firstInit + 1],
                                               math.convert(square, sumType)));
        }
        math.yield(results);
      },
      /*sumsTerms=*/true);
  sums.deviations = moments.getResult(0);
  if (needsVariance())
    sums.squares = moments.getResult(1);
  return sums;
}

/// The variance from the sum of squares about the shift. The maximum keeps NaN.
Value MvnDecomposition::emitVariance(Arithmetic &math, Value squares,
                                     Value correction) {
  Value variance = math.sub(math.div(squares, count),
                            math.mul(correction, correction));
  return math.max(variance, math.constant(sumType, 0.0));
}

/// The divisor: sqrt(variance) + epsilon or sqrt(variance + epsilon) (V3), of
/// inputs times `scale` unless that is null.
Value MvnDecomposition::emitSpread(Arithmetic &math, Value variance,
                                   Value scale) {
  Value epsilon = math.constant(sumType, op.getEpsilon().convertToDouble());
  if (scale)
    epsilon = math.mul(epsilon, scale);
  if (!op.getInsideSqrt())
    return math.add(math.sqrt(variance), epsilon);
  if (scale)
    epsilon = math.mul(epsilon, scale);
  return math.sqrt(math.add(variance, epsilon));
}

/// V4: where the inverse of the divisor is infinite, or too large for `type`, every
/// deviation is 0. A finite factor keeps the product from being NaN.
static Value emitFactor(Arithmetic &math, Value inverse, FloatType type) {
  APFloat largest = APFloat::getLargest(type.getFloatSemantics());
  return math.min(inverse, math.constant(inverse.getType(),
                                         largest.convertToDouble()));
}

/// Emits what normalization needs from the sums, one operation on the lanes.
LaneParameters MvnDecomposition::emitParameters(const LaneSums &sums) {
  LaneParameters parameters;
  parameters.shift = sums.shift;
  parameters.correction = createLaneTensor(computeType);
  if (!op.getCenterOnly() || mayLeaveRange())
    parameters.factor = createLaneTensor(computeType);
  if (mayLeaveRange())
    parameters.scale = createLaneTensor(computeType);
  if (op.getStatistics()) {
    parameters.mean = createLaneTensor(computeType);
    parameters.inverse = createLaneTensor(computeType);
  }

  SmallVector<Value> inputs{sums.shift, sums.deviations};
  if (sums.squares)
    inputs.push_back(sums.squares);
  SmallVector<Value *> outputs = parameters.getPresent();
  outputs.erase(outputs.begin()); // the shift is given
  SmallVector<Value> inits =
      llvm::map_to_vector(outputs, [](Value *value) { return *value; });
  auto generic = createPerLane(
      inputs, inits, [&](Arithmetic &math, ValueRange args) {
        Value one = math.constant(sumType, 1.0);
        Value correction = math.div(args[1], count);
        SmallVector<Value> results{correction};
        Value factor = one, inverse;
        if (sums.squares) {
          Value variance = emitVariance(math, args[2], correction);
          Value spread = emitSpread(math, variance, /*scale=*/Value());
          inverse = math.div(one, spread);
          if (!op.getCenterOnly())
            factor = emitFactor(math, inverse, computeType);
        }
        if (parameters.factor)
          results.push_back(factor);
        if (parameters.scale)
          results.push_back(one);
        if (op.getStatistics()) {
          results.push_back(
              math.add(math.convert(args[0], sumType), correction));
          results.push_back(inverse);
        }
        for (Value &result : results)
          result = math.convert(result, computeType);
        math.yield(results);
      });
  for (auto [output, result] :
       llvm::zip_equal(outputs, generic->getResults()))
    *output = result;
  return parameters;
}

/// Returns true if squares may underflow so that it shows in the result. In `var`
/// below 2^-110 (f32) or 2^-960 (f64) lost bits may matter, unless epsilon is
/// larger by more than the precision of the result.
bool MvnDecomposition::mayLoseSmallSquares() {
  if (!needsVariance())
    return false;
  double epsilon = op.getEpsilon().convertToDouble();
  bool isDouble = computeType.isF64();
  int varianceLimit = isDouble ? -960 : -110;
  int precision = isDouble ? 53 : 24;
  int epsilonLimit = op.getInsideSqrt() ? varianceLimit + precision
                                        : varianceLimit / 2 + precision;
  return epsilon < std::ldexp(1.0, epsilonLimit);
}

/// Emits, as an i1, whether the sums of some lane cannot be trusted (V6).
Value MvnDecomposition::emitNeedsScaling(const LaneSums &sums) {
  Value sum = sums.squares ? sums.squares : sums.deviations;
  auto boolType = builder.getI1Type();
  Value init = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{},
                                       boolType);
  Value isFalse = arith::ConstantIntOp::create(builder, loc, 0, 1);
  Value none = linalg::FillOp::create(builder, loc, isFalse, init).getResult(0);

  int64_t rank = laneSizes.size();
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(rank),
                              AffineMap::get(rank, 0, builder.getContext())};
  SmallVector<utils::IteratorType> reductions(rank,
                                              utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, loc, none.getType(), sum, none, maps, reductions,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        Value infinity = math.constant(
            sumType, std::numeric_limits<double>::infinity());
        // True also where the sum is NaN.
        Value isBad = math.compare(arith::CmpFPredicate::UGE,
                                   math.abs(args[0]), infinity);
        if (mayLoseSmallSquares()) {
          Value limit = math.constant(
              sumType, std::ldexp(1.0, computeType.isF64() ? -960 : -110));
          isBad = math.either(isBad,
                              math.compare(arith::CmpFPredicate::OLT, args[0],
                                           math.mul(count, limit)));
        }
        math.yield(math.either(args[1], isBad));
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
               Value bits = arith::BitcastOp::create(b, l, b.getI64Type(),
                                                     args[0]);
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
               math.yield(arith::BitcastOp::create(b, l, sumType, scale)
                              .getResult());
             })
      .getResult(0);
}

/// Computes `parameters` again, in f64 on scaled inputs, into the same tensors.
void MvnDecomposition::emitScaledParameters(LaneParameters &parameters) {
  Value scale = emitScale();
  LaneSums sums = emitSums(sumType, scale);
  SmallVector<Value> inputs{sums.shift, scale, sums.deviations};
  if (sums.squares)
    inputs.push_back(sums.squares);
  SmallVector<Value *> outputs = parameters.getPresent();
  SmallVector<Value> inits =
      llvm::map_to_vector(outputs, [](Value *value) { return *value; });
  auto generic = createPerLane(
      inputs, inits, [&](Arithmetic &math, ValueRange args) {
        Value one = math.constant(sumType, 1.0);
        Value correction = math.div(args[2], count);
        Value mean = math.add(args[0], correction);
        // What rounding the shift to computeType loses goes to the correction.
        Value shift = math.convert(math.convert(args[0], computeType), sumType);
        Value rest = math.add(math.sub(args[0], shift), correction);
        Value factor, inverse;
        if (sums.squares) {
          Value variance = emitVariance(math, args[3], correction);
          Value spread = emitSpread(math, variance, args[1]);
          inverse = math.div(one, spread);
          factor = emitFactor(math, inverse, computeType);
        }
        if (op.getCenterOnly())
          factor = math.div(one, args[1]);
        SmallVector<Value> results{shift, rest, factor, args[1]};
        if (op.getStatistics()) {
          results.push_back(math.div(mean, args[1]));
          results.push_back(math.mul(inverse, args[1]));
        }
        for (Value &result : results)
          result = math.convert(result, computeType);
        math.yield(results);
      });
  for (auto [output, result] :
       llvm::zip_equal(outputs, generic->getResults()))
    *output = result;
}

/// Emits the last pass over the elements.
Value MvnDecomposition::emitNormalization(const LaneParameters &parameters) {
  SmallVector<Value> inputs{input, parameters.shift, parameters.correction};
  if (parameters.factor)
    inputs.push_back(parameters.factor);
  if (parameters.scale)
    inputs.push_back(parameters.scale);
  SmallVector<AffineMap> maps(inputs.size(), laneMap);
  maps.front() = elementMap;
  maps.push_back(elementMap);
  SmallVector<utils::IteratorType> parallel(iterators.size(),
                                            utils::IteratorType::parallel);
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, input), elementType);
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init, maps, parallel,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        Arithmetic math(bodyBuilder, bodyLoc);
        Value scale = parameters.scale ? args[4] : Value();
        Value element = emitScaled(math, args[0], scale, computeType);
        Value deviation = math.subContracted(element, args[1]);
        Value result = math.sub(deviation, args[2]);
        if (parameters.factor)
          result = math.mul(result, args[3]);
        math.yield(math.convert(result, elementType));
      });
  return generic.getResult(0);
}

/// Brings a tensor of the kept shape to that of the statistics, with 1 in place of
/// the reduced sizes.
Value MvnDecomposition::expandStatistics(Value lanes) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  auto lane = laneSizes.begin();
  for (auto [dim, reduced] : llvm::enumerate(op.getReducedDims())) {
    sizes.push_back(reduced ? OpFoldResult(builder.getIndexAttr(1)) : *lane++);
    shape.push_back(reduced ? 1 : op.getInput().getType().getDimSize(dim));
    if (!reduced) {
      groups.push_back(std::move(leading));
      leading.clear();
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

SmallVector<Value> MvnDecomposition::emit() {
  count = emitCount();
  LaneSums sums = emitSums(computeType, /*scale=*/Value());
  LaneParameters parameters = emitParameters(sums);
  if (mayLeaveRange()) {
    Value needsScaling = emitNeedsScaling(sums);
    SmallVector<Value *> present = parameters.getPresent();
    SmallVector<Value> usual =
        llvm::map_to_vector(present, [](Value *value) { return *value; });
    auto ifOp = scf::IfOp::create(builder, loc, ValueRange(usual).getTypes(),
                                  needsScaling, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    coldBranch = ifOp;
    emitScaledParameters(parameters);
    coldBranch = nullptr;
    SmallVector<Value> scaled =
        llvm::map_to_vector(present, [](Value *value) { return *value; });
    scf::YieldOp::create(builder, loc, scaled);
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, usual);
    for (auto [value, result] : llvm::zip_equal(present, ifOp.getResults()))
      *value = result;
  }
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
    MvnDecomposition decomposition(rewriter, op);
    rewriter.replaceOp(op, decomposition.emit());
    return success();
  }
};

} // namespace

void meanvar::populateMvnToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<MvnToLinalg>(patterns.getContext());
}
