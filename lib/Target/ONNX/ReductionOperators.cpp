//===- ReductionOperators.cpp - ReduceMean --------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Broadcasting.h"
#include "ConstantValues.h"
#include "OperatorTable.h"
#include "Reshaping.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

#include <limits>

using namespace mlir;
using namespace mlir::meanvar;

static constexpr int64_t axesInputOpset = 18;

/// Returns which dimensions are reduced: all by default, unless
/// `noop_with_empty_axes`.
static FailureOr<SmallVector<bool>> getReducedDims(const OperatorNode &node) {
  int64_t rank = node.getInputType(0).getRank();
  auto axes = getOptionalAxes(node, node.opset < axesInputOpset);
  if (failed(axes))
    return failure();
  FailureOr<bool> isNoop = node.getFlag("noop_with_empty_axes", false);
  if (failed(isNoop))
    return failure();
  if (!*axes || (*axes)->empty())
    return SmallVector<bool>(rank, !*isNoop);
  return checkAxes(node, **axes, rank);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// What is reduced to a mean.
struct Reduction {
  const OperatorNode &node;
  SmallVector<bool> isReduced;
  TensorShape keptShape;
  /// As f64.
  Value numElements;

  Type getElementType() const { return node.getElementType(0); }
};
} // namespace

/// Returns tensors of the kept shape that hold `values`.
static SmallVector<Value> fillTensors(const Reduction &reduction,
                                      ArrayRef<double> values) {
  OpBuilder &builder = reduction.node.getBuilder();
  Location loc = reduction.node.loc;
  Type type = builder.getF64Type();
  SmallVector<Value> tensors;
  for (double value : values) {
    Value empty = tensor::EmptyOp::create(
        builder, loc, materialize(reduction.keptShape, builder, loc), type);
    Value number = arith::ConstantOp::create(builder, loc,
                                             builder.getFloatAttr(type, value));
    tensors.push_back(
        linalg::FillOp::create(builder, loc, number, empty).getResult(0));
  }
  return tensors;
}

/// Reduces the input to f64 values, which start as `neutral`. `emitElement`
/// gets an element and the results so far. The order of sums is free where all
/// that is reduced are sums.
static SmallVector<Value> emitReduction(
    const Reduction &reduction, ArrayRef<double> neutral, bool isSum,
    function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, Value, ValueRange)>
        emitElement) {
  const OperatorNode &node = reduction.node;
  OpBuilder &builder = node.getBuilder();
  unsigned rank = reduction.isReduced.size();
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> iterators;
  for (auto [dim, reduce] : llvm::enumerate(reduction.isReduced)) {
    iterators.push_back(reduce ? utils::IteratorType::reduction
                               : utils::IteratorType::parallel);
    if (!reduce)
      kept.push_back(builder.getAffineDimExpr(dim));
  }
  SmallVector<AffineMap> maps(
      neutral.size(), AffineMap::get(rank, 0, kept, builder.getContext()));
  maps.insert(maps.begin(), builder.getMultiDimIdentityMap(rank));
  SmallVector<Value> tensors = fillTensors(reduction, neutral);
  auto generic = linalg::GenericOp::create(
      builder, node.loc, TypeRange(tensors), node.inputs[0], tensors, maps,
      iterators, [&](OpBuilder &bodyBuilder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder body(loc, bodyBuilder);
        linalg::YieldOp::create(
            body, emitElement(body, args.front(), args.drop_front()));
      });
  if (isSum)
    generic->setAttr(partialSumsAttrName, builder.getI64IntegerAttr(1));
  for (Value result : generic.getResults())
    node.getSizes().set(result, reduction.keptShape);
  return llvm::to_vector(ValueRange(generic.getResults()));
}

/// Emits an elementwise operation on `reduced`, tensors of the kept shape.
static FailureOr<Value> emitFromReduced(
    const Reduction &reduction, ArrayRef<Value> reduced,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement) {
  AffineMap map = reduction.node.getBuilder().getMultiDimIdentityMap(
      reduction.keptShape.size());
  SmallVector<ElementwiseOperand> operands;
  for (Value tensor : reduced)
    operands.push_back({tensor, map, {}});
  return emitElementwise(reduction.node, operands, reduction.keptShape,
                         reduction.getElementType(), emitElement);
}

//===----------------------------------------------------------------------===//
// Means
//===----------------------------------------------------------------------===//

static Value emitConstant(ImplicitLocOpBuilder &builder, Type type,
                          double value) {
  return arith::ConstantOp::create(builder, builder.getFloatAttr(type, value));
}

/// Emits the mean of f16, bf16 or f32 elements (O1) from their sums in f64.
/// Compiled code may add up to `maxMerged` terms in their own type, f32, before
/// it adds to the sum. So that none of these overflows, terms are scaled down
/// by that number, which is exact down to subnormal numbers.
static FailureOr<Value> emitMeanOfShortFloats(const Reduction &reduction) {
  constexpr double maxMerged = 8;
  Type type = reduction.getElementType();
  bool mayOverflow = !type.isF16();
  SmallVector<Value> sums = emitReduction(
      reduction, 0.0, /*isSum=*/true,
      [&](ImplicitLocOpBuilder &body, Value element, ValueRange sums) {
        Type termType = body.getF32Type();
        Value term = emitCast(body, element, termType);
        if (mayOverflow)
          term = arith::MulFOp::create(
              body, term, emitConstant(body, termType, 1 / maxMerged));
        term = arith::ExtFOp::create(body, body.getF64Type(), term);
        return SmallVector<Value>{
            arith::AddFOp::create(body, sums.front(), term)};
      });
  return emitFromReduced(
      reduction, sums, [&](ImplicitLocOpBuilder &body, ValueRange elements) {
        Value sum = elements.front();
        if (mayOverflow)
          sum = arith::MulFOp::create(
              body, sum, emitConstant(body, sum.getType(), maxMerged));
        Value mean = arith::DivFOp::create(body, sum, reduction.numElements);
        return emitCast(body, mean, type);
      });
}

/// Emits the sum from the sum with its rounding errors, which is not a number
/// where it overflowed, and from the largest and the smallest element. Those
/// decide where they are infinities, and also where there are no elements: then
/// they are infinities of both signs.
static Value emitRepairedSum(ImplicitLocOpBuilder &body, Value sum,
                             Value largest, Value smallest) {
  Type type = body.getF64Type();
  double infinity = std::numeric_limits<double>::infinity();
  auto compare = [&](arith::CmpFPredicate predicate, Value lhs,
                     Value rhs) -> Value {
    return arith::CmpFOp::create(body, predicate, lhs, rhs);
  };
  Value positive = emitConstant(body, type, infinity);
  Value negative = emitConstant(body, type, -infinity);
  Value extreme = arith::AddFOp::create(body, largest, smallest);
  Value isPositive = compare(arith::CmpFPredicate::OGE, extreme,
                             emitConstant(body, type, 0.0));
  Value overflowed =
      arith::SelectOp::create(body, isPositive, positive, negative);
  Value isNumber = compare(arith::CmpFPredicate::ORD, sum, sum);
  sum = arith::SelectOp::create(body, isNumber, sum, overflowed);
  Value isBelow = compare(arith::CmpFPredicate::OLT, largest, positive);
  Value isAbove = compare(arith::CmpFPredicate::OGT, smallest, negative);
  Value hasElements = compare(arith::CmpFPredicate::OLE, smallest, largest);
  Value isFinite = arith::AndIOp::create(
      body, hasElements, arith::AndIOp::create(body, isBelow, isAbove));
  return arith::SelectOp::create(body, isFinite, sum, extreme);
}

/// Emits the mean of f64 elements (O1). Compiled code keeps the rounding errors
/// of their sum; these are not numbers next to infinities, so the extremes of
/// the elements are kept, too.
static FailureOr<Value> emitMeanOfDoubles(const Reduction &reduction) {
  double infinity = std::numeric_limits<double>::infinity();
  SmallVector<Value> reduced = emitReduction(
      reduction, 0.0, /*isSum=*/true,
      [&](ImplicitLocOpBuilder &body, Value element, ValueRange sums) {
        return SmallVector<Value>{
            arith::AddFOp::create(body, sums.front(), element)};
      });
  llvm::append_range(
      reduced,
      emitReduction(
          reduction, {-infinity, infinity}, /*isSum=*/false,
          [&](ImplicitLocOpBuilder &body, Value element, ValueRange results) {
            return SmallVector<Value>{
                arith::MaximumFOp::create(body, results[0], element),
                arith::MinimumFOp::create(body, results[1], element)};
          }));
  return emitFromReduced(
      reduction, reduced, [&](ImplicitLocOpBuilder &body, ValueRange elements) {
        Value sum =
            emitRepairedSum(body, elements[0], elements[1], elements[2]);
        return arith::DivFOp::create(body, sum, reduction.numElements);
      });
}

/// Emits a number of elements as f64, which is exact up to 2^53.
static Value emitCount(const OperatorNode &node,
                       const TensorSize &numElements) {
  OpBuilder &builder = node.getBuilder();
  Type type = builder.getF64Type();
  if (std::optional<int64_t> known = numElements.getConstant())
    return arith::ConstantOp::create(
        builder, node.loc,
        builder.getFloatAttr(type, static_cast<double>(*known)));
  Value count = getValueOrCreateConstantIndexOp(
      builder, node.loc, numElements.materialize(builder, node.loc));
  count = arith::IndexCastOp::create(builder, node.loc, builder.getI64Type(),
                                     count);
  return arith::SIToFPOp::create(builder, node.loc, type, count);
}

static FailureOr<SmallVector<Value>>
importReduceMean(const OperatorNode &node) {
  FailureOr<bool> keepsDims = node.getFlag("keepdims", true);
  if (failed(keepsDims))
    return failure();
  FailureOr<SmallVector<bool>> isReduced = getReducedDims(node);
  if (failed(isReduced))
    return failure();
  if (!llvm::is_contained(*isReduced, true))
    return SmallVector<Value>{node.inputs[0]};
  TensorShape kept, reduced, withUnitDims;
  for (auto [size, reduce] :
       llvm::zip_equal(node.getSizes().get(node.inputs[0]), *isReduced)) {
    (reduce ? reduced : kept).push_back(size);
    withUnitDims.push_back(reduce ? TensorSize::constant(1) : size);
  }
  Value count = emitCount(node, multiply(reduced, node.getBuilder(), node.loc));
  Reduction reduction{node, *isReduced, kept, count};
  FailureOr<Value> means = reduction.getElementType().isF64()
                               ? emitMeanOfDoubles(reduction)
                               : emitMeanOfShortFloats(reduction);
  if (failed(means))
    return failure();
  return SmallVector<Value>{*keepsDims ? reshape(node, *means, withUnitDims)
                                       : *means};
}

ArrayRef<OperatorVersion> meanvar::getReductionOperators() {
  static constexpr OperatorVersion operators[] = {
      {"ReduceMean", 1, 1, 1, 1, 1, ieeeTypes, "axes,keepdims",
       importReduceMean},
      {"ReduceMean", 13, 1, 1, 1, 1, floatTypes, "axes,keepdims",
       importReduceMean},
      {"ReduceMean", 18, 1, 2, 1, 1, floatTypes,
       "keepdims,noop_with_empty_axes", importReduceMean},
  };
  return operators;
}
