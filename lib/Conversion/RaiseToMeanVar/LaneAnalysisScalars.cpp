//===- LaneAnalysisScalars.cpp - Arithmetic on scalars --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalars in bodies of linalg operations, and elementwise operations on
// tensors, which are the same at each index.
//
//===----------------------------------------------------------------------===//

#include "LaneAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if `type` has every element of the tensor: it is their type, or
/// a wider one.
bool LaneAnalysis::hasTakenType(Type valueType) const {
  Type element = getElementTypeOrSelf(valueType);
  return isa<FloatType>(element) &&
         (element == type.getElementType() ||
          element.getIntOrFloatBitWidth() > type.getElementTypeBitWidth());
}

/// Returns the value of a scalar, or of the element of a tensor.
OptionalLaneExpression LaneAnalysis::getScalar(Value value) {
  if (auto found = expressions.find(value); found != expressions.end())
    return found->second;
  if (OptionalLaneExpression expression = getUniform(value))
    return expression;
  auto tensorType = dyn_cast<RankedTensorType>(value.getType());
  if (!tensorType || !isa<FloatType>(tensorType.getElementType()))
    return std::nullopt;
  LaneExpression other(MomentPolynomial::constant(type.getRank(), 1.0));
  other.cofactors.push_back(
      {value, llvm::to_vector(llvm::seq<int64_t>(0, tensorType.getRank()))});
  return other;
}

/// Notes the value of `op`, and whether it is normalized. Then what follows is
/// of interest only where it rounds to the type of the elements.
void LaneAnalysis::visitScalar(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return;
  for (Value operand : op->getOperands()) {
    auto found = expressions.find(operand);
    if (found != expressions.end() && found->second.isNormalized(type) &&
        !isa<arith::TruncFOp>(op))
      return;
  }
  OptionalLaneExpression expression = evaluateScalar(op);
  if (!expression)
    return;
  Value result = op->getResult(0);
  if (!expression->isIndependent() && !hasTakenType(result.getType()))
    return;
  bool isNormalized = expression->isNormalized(type);
  bool isCentered = matchesCentered && expression->isCentered(type);
  if (isNormalized || isCentered)
    matches.push_back({input, result, *expression, isCentered});
  bool isRounded =
      getElementTypeOrSelf(result.getType()) == type.getElementType();
  if (!isNormalized || (!isRounded && expression->cofactors.empty()))
    expressions.insert({result, *expression});
}

OptionalLaneExpression LaneAnalysis::evaluateScalar(Operation *op) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp, math::SqrtOp, math::RsqrtOp, arith::MaximumFOp,
          arith::MaxNumFOp>(op))
    return evaluateArithmetic(op);
  if (isa<math::FPowIOp, math::PowFOp>(op))
    return evaluatePower(op);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return evaluateConversion(op);
  if (auto dimOp = dyn_cast<tensor::DimOp>(op))
    return evaluateSize(dimOp);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::SIToFPOp,
          arith::UIToFPOp, arith::MulIOp>(op))
    return evaluateInteger(op);
  if (isa<arith::SelectOp, arith::CmpFOp>(op))
    return evaluateSelection(op);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static LaneExpression getNumber(RankedTensorType type, double value) {
  return LaneExpression(MomentPolynomial::constant(type.getRank(), value));
}

OptionalLaneExpression LaneAnalysis::evaluateArithmetic(Operation *op) {
  OptionalLaneExpression lhs = getScalar(op->getOperand(0));
  OptionalLaneExpression rhs = getScalar(op->getOperands().back());
  if (!lhs || !rhs)
    return std::nullopt;
  auto floatType = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  return llvm::TypeSwitch<Operation *, OptionalLaneExpression>(op)
      .Case<arith::AddFOp>(
          [&](auto) { return addLaneExpressions(*lhs, *rhs, 1.0); })
      .Case<arith::SubFOp>(
          [&](auto) { return addLaneExpressions(*lhs, *rhs, -1.0); })
      .Case<arith::MulFOp>([&](auto) {
        return multiplyLaneExpressions(*lhs, *rhs, type, floatType);
      })
      .Case<arith::DivFOp>([&](auto) {
        return divideLaneExpressions(*lhs, *rhs, type, floatType);
      })
      .Case<arith::NegFOp>([&](auto) {
        return multiplyLaneExpressions(*lhs, getNumber(type, -1.0), type,
                                       floatType);
      })
      .Case<math::SqrtOp>([&](auto) { return takeSquareRoot(*lhs); })
      .Case<math::RsqrtOp>([&](auto) {
        OptionalLaneExpression root = takeSquareRoot(*lhs);
        return root ? divideLaneExpressions(getNumber(type, 1.0), *root, type,
                                            floatType)
                    : std::nullopt;
      })
      .Default([&](auto) { return takeMaximum(*lhs, *rhs); });
}

/// Squares, square roots and their reciprocals are also written as powers.
OptionalLaneExpression LaneAnalysis::evaluatePower(Operation *op) {
  OptionalLaneExpression base = getScalar(op->getOperand(0));
  OptionalLaneExpression exponent = getScalar(op->getOperand(1));
  if (!base || !exponent)
    return std::nullopt;
  auto floatType = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  std::optional<double> power = exponent->getConstant();
  if (power == 2.0)
    return multiplyLaneExpressions(*base, *base, type, floatType);
  if (power != 0.5 && power != -0.5)
    return std::nullopt;
  OptionalLaneExpression root = takeSquareRoot(*base);
  if (!root || power == 0.5)
    return root;
  return divideLaneExpressions(getNumber(type, 1.0), *root, type, floatType);
}

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

/// Conversions change the type on the way. A constant is rounded; another
/// tensor would be, and is not what it was.
OptionalLaneExpression LaneAnalysis::evaluateConversion(Operation *op) {
  OptionalLaneExpression operand = getScalar(op->getOperand(0));
  if (!operand || isa<arith::ExtFOp>(op) || !operand->isIndependent())
    return operand;
  if (!operand->cofactors.empty())
    return std::nullopt;
  std::optional<double> constant = operand->getConstant();
  if (!constant)
    return operand;
  auto floatType = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
  APFloat rounded(*constant);
  bool losesInfo = false;
  rounded.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  rounded.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return getNumber(type, rounded.convertToDouble());
}

/// Returns the size of a dimension of the tensor.
OptionalLaneExpression LaneAnalysis::evaluateSize(tensor::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!index || !source || *index < 0 || *index >= source.getRank())
    return std::nullopt;
  if (!source.isDynamicDim(*index))
    return getNumber(type, static_cast<double>(source.getDimSize(*index)));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    FailureOr<bool> areEqual = ValueBoundsConstraintSet::areEqual(
        {input, dim}, {op.getSource(), *index});
    if (succeeded(areEqual) && *areEqual)
      return LaneExpression(
          MomentPolynomial::term(getCount(type.getRank(), uint64_t(1) << dim)));
  }
  return std::nullopt;
}

/// Returns true if numbers of elements fit `type`.
static bool holdsCounts(Type type) {
  constexpr unsigned minBits = 32;
  return !type.isInteger() || type.getIntOrFloatBitWidth() >= minBits;
}

/// Returns the value of a conversion of integers, or of their product, that
/// neither overflow nor are taken for others by their sign.
OptionalLaneExpression LaneAnalysis::evaluateInteger(Operation *op) {
  constexpr double maxInteger = 0x1p31;
  OptionalLaneExpression lhs = getScalar(op->getOperand(0));
  OptionalLaneExpression rhs = getScalar(op->getOperands().back());
  if (!lhs || !rhs || !holdsCounts(getElementTypeOrSelf(op->getOperand(0))) ||
      !holdsCounts(getElementTypeOrSelf(op->getResult(0))))
    return std::nullopt;
  OptionalLaneExpression result = lhs;
  if (isa<arith::MulIOp>(op))
    result = multiplyLaneExpressions(*lhs, *rhs, type,
                                     Float64Type::get(op->getContext()));
  if (!result)
    return std::nullopt;
  std::optional<double> constant = result->getConstant();
  if (constant && !(*constant >= 0 && *constant < maxInteger))
    return std::nullopt;
  return result;
}

/// Returns what is selected by a condition on constants.
OptionalLaneExpression LaneAnalysis::evaluateSelection(Operation *op) {
  OptionalLaneExpression first = getScalar(op->getOperand(0));
  if (!first || !first->getConstant())
    return std::nullopt;
  if (isa<arith::SelectOp>(op))
    return getScalar(op->getOperand(*first->getConstant() != 0 ? 1 : 2));
  OptionalLaneExpression second = getScalar(op->getOperand(1));
  if (!second || !second->getConstant())
    return std::nullopt;
  bool isTrue = arith::applyCmpPredicate(cast<arith::CmpFOp>(op).getPredicate(),
                                         APFloat(*first->getConstant()),
                                         APFloat(*second->getConstant()));
  return getNumber(type, isTrue ? 1.0 : 0.0);
}
