//===- ShapeChecks.cpp - Emission of run-time checks ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::meanvar;

/// Returns where checks of `op` go: the terminator of a parallel loop holds
/// nothing but insertions.
static Operation *getInsertionPoint(Operation *op) {
  return isa_and_nonnull<InParallelOpInterface>(op->getParentOp())
             ? op->getParentOp()
             : op;
}

/// Returns true if ValueBoundsOpInterface can be asked about operands of `op`.
/// In the bodies of operations that implement it for their results only, such
/// as tensor.pad, the indices are unreachable code to it.
static bool isOutsideOfBodies(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa_and_nonnull<scf::ForOp, scf::IfOp, scf::ForallOp>(parent))
    parent = parent->getParentOp();
  return isa_and_nonnull<FunctionOpInterface>(parent);
}

CheckBuilder::CheckBuilder(Operation *op)
    : builder(getInsertionPoint(op)), loc(op->getLoc()),
      checkedOp(op->getName().getStringRef()),
      canAnalyzeBounds(isOutsideOfBodies(getInsertionPoint(op))) {}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

using Bounds = ValueBoundsConstraintSet;

bool CheckBuilder::isKnown(const Bounds::Variable &lhs,
                           Bounds::ComparisonOperator comparison,
                           const Bounds::Variable &rhs) const {
  return canAnalyzeBounds && Bounds::compare(lhs, comparison, rhs);
}

bool CheckBuilder::isKnownAtLeast(OpFoldResult value, int64_t bound,
                                  unsigned depth) const {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= bound;
  auto isAtLeast = [&](Value operand) {
    return isKnownAtLeast(getAsOpFoldResult(operand), bound, depth - 1);
  };
  Operation *producer =
      depth > 0 ? cast<Value>(value).getDefiningOp() : nullptr;
  if (auto op = dyn_cast_or_null<arith::MaxSIOp>(producer))
    return isAtLeast(op.getLhs()) || isAtLeast(op.getRhs());
  if (auto op = dyn_cast_or_null<arith::MinSIOp>(producer))
    return isAtLeast(op.getLhs()) && isAtLeast(op.getRhs());
  Builder attributes(value.getContext());
  return isKnown(value, Bounds::GE,
                 OpFoldResult(attributes.getIndexAttr(bound)));
}

bool CheckBuilder::isKnownBelowSize(OpFoldResult value, Value tensor,
                                    int64_t dim, unsigned depth) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  std::optional<int64_t> constant = getConstantIntValue(value);
  if (constant && !type.isDynamicDim(dim))
    return *constant < type.getDimSize(dim);
  if (!constant) {
    auto isBelow = [&](Value operand) {
      return isKnownBelowSize(getAsOpFoldResult(operand), tensor, dim,
                              depth - 1);
    };
    Operation *producer =
        depth > 0 ? cast<Value>(value).getDefiningOp() : nullptr;
    if (auto op = dyn_cast_or_null<arith::MinSIOp>(producer))
      return isBelow(op.getLhs()) || isBelow(op.getRhs());
    if (auto op = dyn_cast_or_null<arith::MaxSIOp>(producer))
      return isBelow(op.getLhs()) && isBelow(op.getRhs());
  }
  return isKnown(value, Bounds::LT, Bounds::Variable(tensor, dim));
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Value CheckBuilder::size(Value tensor, int64_t dim) {
  return index(tensor::getMixedSize(builder, loc, tensor, dim));
}

Value CheckBuilder::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value CheckBuilder::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

Value CheckBuilder::compare(arith::CmpIPredicate predicate, Value lhs,
                            Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

Value CheckBuilder::either(Value lhs, Value rhs) {
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}

Value CheckBuilder::both(Value lhs, Value rhs) {
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

Value CheckBuilder::select(Value condition, Value lhs, Value rhs) {
  return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
}

Value CheckBuilder::add(Value lhs, Value rhs) {
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value CheckBuilder::subtract(Value lhs, Value rhs) {
  return arith::SubIOp::create(builder, loc, lhs, rhs);
}

Value CheckBuilder::addSaturating(Value lhs, Value rhs) {
  Value most = constant(std::numeric_limits<int64_t>::max());
  return arith::MinUIOp::create(builder, loc, add(lhs, rhs), most);
}

CheckBuilder::Product CheckBuilder::multiply(Value lhs, Value rhs) {
  auto product = arith::MulUIExtendedOp::create(builder, loc, lhs, rhs);
  return {product.getLow(), equal(product.getHigh(), constant(0))};
}

void CheckBuilder::require(Value condition, const Twine &message) {
  auto check = cf::AssertOp::create(builder, loc, condition,
                                    builder.getStringAttr(message));
  check->setDiscardableAttr(checkedOpAttrName,
                            builder.getStringAttr(checkedOp));
}

void CheckBuilder::requireAtLeast(OpFoldResult value, int64_t bound,
                                  StringRef what, int64_t dim) {
  if (isKnownAtLeast(value, bound))
    return;
  require(compare(arith::CmpIPredicate::sge, index(value), constant(bound)),
          llvm::formatv("'{0}' {1} {{0} in dimension {2} (allowed: at least "
                        "{{1})",
                        checkedOp, what, dim)
              .str());
}

void CheckBuilder::requireDeclaredSize(Value size, RankedTensorType type,
                                       int64_t dim, StringRef what) {
  require(equal(size, constant(type.getDimSize(dim))),
          llvm::formatv("'{0}' {1} has size {{0} in dimension {2}, but its "
                        "declared size is {{1}",
                        checkedOp, what, dim)
              .str());
}
