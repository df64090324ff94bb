//===- LaneAnalysisUniform.cpp - Constants and sizes ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that are the same at every index: constants, also where operations
// compute them from others, and products of sizes.
//
//===----------------------------------------------------------------------===//

#include "LaneAnalysis.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the value of a number, or of a tensor of equal ones.
OptionalLaneExpression LaneAnalysis::getConstant(Attribute attribute) {
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  double value = 0.0;
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    value = number.getValueAsDouble();
  } else if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    if (integer.getValue().getSignificantBits() > 53)
      return std::nullopt;
    value = integer.getType().isInteger(1)
                ? static_cast<double>(integer.getValue().getZExtValue())
                : static_cast<double>(integer.getValue().getSExtValue());
  } else {
    return std::nullopt;
  }
  if (!std::isfinite(value))
    return std::nullopt;
  return LaneExpression(MomentPolynomial::constant(type.getRank(), value));
}

/// Returns the value of `value` if it is made of constants and sizes.
OptionalLaneExpression LaneAnalysis::getUniform(Value value) {
  constexpr unsigned maxDepth = 32;
  if (auto found = uniform.find(value); found != uniform.end())
    return found->second;
  if (uniformDepth == maxDepth)
    return std::nullopt;
  ++uniformDepth;
  OptionalLaneExpression expression = evaluateUniform(value);
  --uniformDepth;
  if (expression && !expression->isUniform())
    expression.reset();
  uniform.insert({value, expression});
  return expression;
}

OptionalLaneExpression LaneAnalysis::evaluateUniform(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  Attribute attribute;
  if (matchPattern(value, m_Constant(&attribute)))
    return getConstant(attribute);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return evaluateUniformLinalg(linalgOp,
                                 cast<OpResult>(value).getResultNumber());
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractOp>(op))
    return getUniform(op->getOperand(0));
  return evaluateScalar(op);
}

/// Returns the value of a result whose elements are computed from uniform
/// values alone.
OptionalLaneExpression LaneAnalysis::evaluateUniformLinalg(linalg::LinalgOp op,
                                                           unsigned index) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() != 0 ||
      op.getBlock()->getNumArguments() != op->getNumOperands())
    return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (OptionalLaneExpression expression = getUniform(operand->get()))
      uniform.insert({op.getMatchingBlockArgument(operand), expression});
  return getUniform(op.getBlock()->getTerminator()->getOperand(index));
}
