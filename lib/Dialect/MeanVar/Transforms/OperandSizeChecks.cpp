//===- OperandSizeChecks.cpp - Sizes that have to agree -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Checks that operand `operand` of `op` has in dimension `dim` the size that
/// `other` has in dimension `otherDim`, unless that is known.
static void requireSameSize(CheckBuilder &check, OpOperand &operand,
                            int64_t dim, OpOperand &other, int64_t otherDim) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  auto otherType = cast<RankedTensorType>(other.get().getType());
  bool isKnown = !type.isDynamicDim(dim) && !otherType.isDynamicDim(otherDim);
  if (isKnown ||
      check.isKnown({operand.get(), dim}, ValueBoundsConstraintSet::EQ,
                    {other.get(), otherDim}))
    return;
  check.require(check.equal(check.size(operand.get(), dim),
                            check.size(other.get(), otherDim)),
                llvm::formatv("'{0}' operand {1} has size {{0} in dimension "
                              "{2}, which differs from size {{1} of "
                              "operand {3}",
                              check.getCheckedOp(), operand.getOperandNumber(),
                              dim, other.getOperandNumber())
                    .str());
}

void meanvar::insertElementwiseChecks(Operation *op) {
  CheckBuilder check(op);
  OpOperand *first = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    if (!first) {
      first = &operand;
      continue;
    }
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      requireSameSize(check, operand, dim, *first, dim);
  }
}

//===----------------------------------------------------------------------===//
// Linalg operations
//===----------------------------------------------------------------------===//

/// Returns true if `expr` grows with each of its dimensions or stays: its
/// largest value is then the one at the end of all loops.
static bool isNonDecreasing(AffineExpr expr) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isNonDecreasing(binary.getLHS()))
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return isNonDecreasing(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return constant && constant.getValue() >= 0 &&
         binary.getKind() != AffineExprKind::Mod;
}

/// Checks that a subscript which is not a single loop stays in its operand: in
/// a convolution, say, that the input is as large as output and kernel ask.
static LogicalResult insertSubscriptCheck(linalg::LinalgOp op,
                                          CheckBuilder &check,
                                          OpOperand &operand, int64_t dim,
                                          AffineExpr expr) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<int64_t> loops = op.getStaticLoopRanges();
  bool isDynamic = type.isDynamicDim(dim);
  expr.walk([&](AffineExpr part) {
    if (auto loop = dyn_cast<AffineDimExpr>(part))
      isDynamic |= ShapedType::isDynamic(loops[loop.getPosition()]);
  });
  if (!isDynamic)
    return success();
  std::string subscript;
  llvm::raw_string_ostream(subscript) << expr;
  if (!isNonDecreasing(expr))
    return op.emitOpError("operand ")
           << operand.getOperandNumber() << " has the subscript '" << subscript
           << "' in dimension " << dim
           << ", whose bounds are not known (allowed where sizes are known at "
              "run time only: sums of loops with factors that are not "
              "negative)";
  Value one = check.constant(1), zero = check.constant(0);
  Value isEmpty;
  SmallVector<Value> last;
  for (Range range : op.createLoopRanges(check.getBuilder(), check.getLoc())) {
    Value size = check.index(range.size);
    Value isZero = check.equal(size, zero);
    isEmpty = isEmpty ? check.either(isEmpty, isZero) : isZero;
    last.push_back(check.subtract(size, one));
  }
  Value reached = affine::expandAffineExpr(check.getBuilder(), check.getLoc(),
                                           expr, last, {});
  Value isInBounds = check.compare(arith::CmpIPredicate::ult, reached,
                                   check.size(operand.get(), dim));
  check.require(check.either(isInBounds, isEmpty),
                llvm::formatv("'{0}' reaches index {{0} in dimension {1} of "
                              "operand {2}, which has size {{1}",
                              check.getCheckedOp(), dim,
                              operand.getOperandNumber())
                    .str());
  return success();
}

LogicalResult meanvar::insertLinalgChecks(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return success();
  CheckBuilder check(op);
  // The operand and dimension that gave each loop its size.
  SmallVector<std::optional<std::pair<OpOperand *, int64_t>>> first(
      op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        if (failed(insertSubscriptCheck(op, check, operand, dim, expr)))
          return failure();
        continue;
      }
      auto &definition = first[loop.getPosition()];
      if (definition)
        requireSameSize(check, operand, dim, *definition->first,
                        definition->second);
      else
        definition = {&operand, dim};
    }
  }
  return success();
}

void meanvar::insertSoftmaxChecks(linalg::SoftmaxOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  CheckBuilder check(op);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    requireSameSize(check, op->getOpOperand(1), dim, op->getOpOperand(0), dim);
}

//===----------------------------------------------------------------------===//
// Concatenations
//===----------------------------------------------------------------------===//

void meanvar::insertConcatChecks(tensor::ConcatOp op) {
  CheckBuilder check(op);
  auto type = cast<RankedTensorType>(op.getType());
  auto axis = static_cast<int64_t>(op.getDim());
  OpOperand &first = op->getOpOperand(0);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = check.size(first.get(), dim);
    for (OpOperand &operand : llvm::drop_begin(op->getOpOperands())) {
      if (dim == axis)
        size = check.add(size, check.size(operand.get(), dim));
      else
        requireSameSize(check, operand, dim, first, dim);
    }
    sizes.push_back(size);
    bool isDynamic = llvm::any_of(op.getInputs().getTypes(), [&](Type input) {
      return cast<RankedTensorType>(input).isDynamicDim(dim);
    });
    if (isDynamic && !type.isDynamicDim(dim))
      check.requireDeclaredSize(size, type, dim);
  }
  if (!type.hasStaticShape())
    insertByteCountCheck(check, type, sizes);
}
