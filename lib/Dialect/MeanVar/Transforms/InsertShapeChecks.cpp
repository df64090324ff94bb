//===- InsertShapeChecks.cpp - Run-time shape checks ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_INSERTSHAPECHECKSPASS
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Emits checks of sizes at the location of one operation.
class CheckBuilder {
public:
  CheckBuilder(Operation *op)
      : builder(op), loc(op->getLoc()),
        checkedOp(op->getName().getStringRef()) {}

  Value size(Value tensor, int64_t dim) {
    return getValueOrCreateConstantIndexOp(
        builder, loc, tensor::getMixedSize(builder, loc, tensor, dim));
  }

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value equal(Value lhs, Value rhs) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs,
                                 rhs);
  }

  Value either(Value lhs, Value rhs) {
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  }

  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

  void require(Value condition, const Twine &message) {
    auto check = cf::AssertOp::create(builder, loc, condition,
                                      builder.getStringAttr(message));
    check->setDiscardableAttr(checkedOpAttrName,
                              builder.getStringAttr(checkedOp));
  }

private:
  OpBuilder builder;
  Location loc;
  StringRef checkedOp;
};

} // namespace

/// Returns the size that the operands of `op` have in result dimension `dim`
/// where it is static and not 1, which is what all others must broadcast with.
static std::optional<int64_t> getStaticMeanSize(MeanOp op, int64_t dim,
                                                int64_t resultRank) {
  for (Type type : op.getInputs().getTypes()) {
    auto operand = cast<RankedTensorType>(type);
    int64_t operandDim = alignToOperand(dim, resultRank, operand.getRank());
    if (operandDim < 0 || operand.isDynamicDim(operandDim))
      continue;
    if (operand.getDimSize(operandDim) != 1)
      return operand.getDimSize(operandDim);
  }
  return std::nullopt;
}

/// M3: each size `?` of an operand is 1 or equals the broadcast size of those
/// before it. M4: the size that is declared holds.
static void insertMeanChecks(MeanOp op) {
  CheckBuilder check(op);
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = resultType.getRank();
  Value one = check.constant(1);
  for (int64_t dim = 0; dim < rank; ++dim) {
    // The broadcast size so far, null while it is known to be 1.
    std::optional<int64_t> staticSize = getStaticMeanSize(op, dim, rank);
    Value size = staticSize ? check.constant(*staticSize) : Value();
    for (auto [index, input] : llvm::enumerate(op.getInputs())) {
      auto type = cast<RankedTensorType>(input.getType());
      int64_t operandDim = alignToOperand(dim, rank, type.getRank());
      if (operandDim < 0 || !type.isDynamicDim(operandDim))
        continue;
      Value operandSize = check.size(input, operandDim);
      if (!size) {
        size = operandSize;
        continue;
      }
      Value allowed = check.either(check.equal(operandSize, size),
                                   check.equal(operandSize, one));
      if (!staticSize)
        allowed = check.either(allowed, check.equal(size, one));
      check.require(
          allowed, llvm::formatv(
                       "'meanvar.mean' operand {0} has size {{0} in result "
                       "dimension {1}, which does not broadcast with size {{1} "
                       "of the other operands",
                       index, dim)
                       .str());
      if (!staticSize)
        size = check.select(check.equal(size, one), operandSize, size);
    }
    // What the declared type adds to the inferred one (M4).
    if (resultType.isDynamicDim(dim) || staticSize || !size)
      continue;
    check.require(
        check.equal(size, check.constant(resultType.getDimSize(dim))),
        llvm::formatv("'meanvar.mean' result has size {{0} in dimension {0}, "
                      "but its declared size is {{1}",
                      dim)
            .str());
  }
}

/// What a cast asserts about its operand is the compiler's to check, too.
static void insertCastChecks(tensor::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return;
  CheckBuilder check(op);
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
      check.require(
          check.equal(check.size(op.getSource(), dim),
                      check.constant(to.getDimSize(dim))),
          llvm::formatv("'tensor.cast' operand has size {{0} in dimension {0}, "
                        "but its declared size is {{1}",
                        dim)
              .str());
}

/// Returns true if the two sizes are known to be equal.
static bool haveSameSizes(Value lhs, int64_t lhsDim, Value rhs,
                          int64_t rhsDim) {
  FailureOr<bool> result =
      ValueBoundsConstraintSet::areEqual({lhs, lhsDim}, {rhs, rhsDim});
  return succeeded(result) && *result;
}

/// Sizes of operands that one loop of a linalg operation runs over are equal.
static void insertLinalgChecks(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return;
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
      if (!loop)
        continue;
      auto &definition = first[loop.getPosition()];
      if (!definition) {
        definition = {&operand, dim};
        continue;
      }
      auto [other, otherDim] = *definition;
      auto otherType = cast<RankedTensorType>(other->get().getType());
      bool isKnown =
          !type.isDynamicDim(dim) && !otherType.isDynamicDim(otherDim);
      if (isKnown || haveSameSizes(operand.get(), dim, other->get(), otherDim))
        continue;
      check.require(
          check.equal(check.size(operand.get(), dim),
                      check.size(other->get(), otherDim)),
          llvm::formatv("'{0}' operand {1} has size {{0} in dimension "
                        "{2}, which differs from size {{1} of "
                        "operand {3}",
                        op->getName(), operand.getOperandNumber(), dim,
                        other->getOperandNumber())
              .str());
    }
  }
}

/// Inputs of a concatenation have the same sizes in the other dimensions.
static void insertConcatChecks(tensor::ConcatOp op) {
  CheckBuilder check(op);
  Value first = op.getInputs().front();
  auto firstType = cast<RankedTensorType>(first.getType());
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      bool isKnown = !type.isDynamicDim(dim) && !firstType.isDynamicDim(dim);
      if (index == 0 || dim == static_cast<int64_t>(op.getDim()) || isKnown)
        continue;
      check.require(
          check.equal(check.size(input, dim), check.size(first, dim)),
          llvm::formatv(
              "'tensor.concat' operand {0} has size {{0} in dimension "
              "{1}, which differs from size {{1} of operand 0",
              index, dim)
              .str());
    }
  }
}

namespace {

struct InsertShapeChecksPass final
    : meanvar::impl::InsertShapeChecksPassBase<InsertShapeChecksPass> {
  using InsertShapeChecksPassBase::InsertShapeChecksPassBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto mean = dyn_cast<MeanOp>(op))
        insertMeanChecks(mean);
      else if (auto cast = dyn_cast<tensor::CastOp>(op))
        insertCastChecks(cast);
      else if (auto concat = dyn_cast<tensor::ConcatOp>(op))
        insertConcatChecks(concat);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        insertLinalgChecks(linalgOp);
    });
  }
};

} // namespace
