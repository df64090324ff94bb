//===- ResolveSizesOfControlFlow.cpp - Sizes of loops and branches --------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"
#include "IntegerDivision.h"

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns an operand of the operation that makes `value` which has the same
/// sizes, or null if none is known.
static Value getOperandOfSameSizes(OpResult value) {
  Operation *op = value.getOwner();
  if (auto mvn = dyn_cast<MvnOp>(op))
    return value.getResultNumber() == 0 ? mvn.getInput() : Value();
  if (auto castOp = dyn_cast<tensor::CastOp>(op))
    return castOp.getSource();
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return forall.getTiedOpOperand(value)->get();
  if (auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(op))
    return destinationStyle.getTiedOpOperand(value)->get();
  return Value();
}

/// Returns true if `value` has the sizes of `origin`, from which it is
/// computed.
static bool keepsSizes(Value value, Value origin) {
  if (value == origin)
    return true;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return false;
  unsigned number = result.getResultNumber();
  if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    return keepsSizes(branch.thenYield().getOperand(number), origin) &&
           keepsSizes(branch.elseYield().getOperand(number), origin);
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    return keepsSizes(loop.getInitArgs()[number], origin) &&
           keepsSizes(loop.getYieldedValues()[number],
                      loop.getRegionIterArgs()[number]);
  Value operand = getOperandOfSameSizes(result);
  return operand && keepsSizes(operand, origin);
}

/// Returns the loop and the number of the value it carries whose size `op` asks
/// for, inside the loop or of its result; null if it asks for another.
static std::pair<scf::ForOp, unsigned> getCarriedValue(tensor::DimOp op) {
  if (auto result = dyn_cast<OpResult>(op.getSource()))
    return {dyn_cast<scf::ForOp>(result.getOwner()), result.getResultNumber()};
  auto argument = cast<BlockArgument>(op.getSource());
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return {nullptr, 0};
  return {loop, argument.getArgNumber() - loop.getNumInductionVars()};
}

namespace {

/// The sizes of a value that a loop carries are those it starts with, if no
/// iteration changes them.
struct DimOfLoop final : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    auto [loop, number] = getCarriedValue(op);
    if (!loop)
      return rewriter.notifyMatchFailure(op, "not a value that a loop carries");
    if (!keepsSizes(loop.getYieldedValues()[number],
                    loop.getRegionIterArgs()[number]))
      return rewriter.notifyMatchFailure(op, "the loop may change sizes");
    Value start = loop.getInitArgs()[number];
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(start); });
    return success();
  }
};

/// The size of a branch's result is chosen by the branch. Results that nobody
/// uses any more are removed by the canonicalization of scf.if.
struct DimOfBranch final : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    auto result = dyn_cast<OpResult>(op.getSource());
    auto branch = result ? dyn_cast<scf::IfOp>(result.getOwner()) : nullptr;
    if (!branch || !op.getConstantIndex())
      return rewriter.notifyMatchFailure(op, "not a known size of a branch");
    SmallVector<Type> types(branch.getResultTypes());
    types.push_back(rewriter.getIndexType());
    rewriter.setInsertionPoint(branch);
    auto extended = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                      branch.getCondition(),
                                      /*withElseRegion=*/true);
    for (auto [from, to] :
         {std::pair(&branch.getThenRegion(), &extended.getThenRegion()),
          std::pair(&branch.getElseRegion(), &extended.getElseRegion())}) {
      rewriter.eraseBlock(&to->front());
      rewriter.inlineRegionBefore(*from, *to, to->end());
      Operation *yield = to->front().getTerminator();
      rewriter.setInsertionPoint(yield);
      Value size = tensor::DimOp::create(
          rewriter, op.getLoc(), yield->getOperand(result.getResultNumber()),
          *op.getConstantIndex());
      SmallVector<Value> yielded(yield->getOperands());
      yielded.push_back(size);
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    }
    rewriter.replaceOp(op, extended->getResults().back());
    rewriter.replaceOp(branch, extended->getResults().drop_back());
    return success();
  }
};

/// A check in a loop whose condition no iteration changes is a check before it,
/// which holds as well if there is no iteration.
struct HoistCheck final : OpRewritePattern<cf::AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(cf::AssertOp op,
                                PatternRewriter &rewriter) const final {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!loop || !loop.isDefinedOutsideOfLoop(op.getArg()))
      return rewriter.notifyMatchFailure(op, "depends on an iteration");
    rewriter.setInsertionPoint(loop);
    Value isSkipped =
        arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::sge,
                              loop.getLowerBound(), loop.getUpperBound());
    Value holds =
        arith::OrIOp::create(rewriter, op.getLoc(), op.getArg(), isSkipped);
    rewriter.modifyOpInPlace(op, [&] { op.getArgMutable().assign(holds); });
    rewriter.moveOpBefore(op, loop);
    return success();
  }
};

/// What the condition of a check is computed from leaves a loop with it.
struct HoistScalar final : RewritePattern {
  HoistScalar(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp());
    bool isScalar =
        op->getNumResults() == 1 && op->getResult(0).getType().isIntOrIndex();
    if (!loop || !isScalar || op->getNumRegions() > 0 || !isPure(op) ||
        isIntegerDivision(op) ||
        !llvm::all_of(op->getOperands(), [&](Value value) {
          return loop.isDefinedOutsideOfLoop(value);
        }))
      return rewriter.notifyMatchFailure(op, "has to stay in its loop");
    rewriter.moveOpBefore(op, loop);
    return success();
  }
};

/// The size of a selected tensor is the selected size.
struct DimOfSelect final : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const final {
    auto select = op.getSource().getDefiningOp<arith::SelectOp>();
    if (!select || !select.getCondition().getType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "no tensor is selected");
    auto getSize = [&](Value tensor) -> Value {
      return tensor::DimOp::create(rewriter, op.getLoc(), tensor,
                                   op.getIndex());
    };
    Value trueSize = getSize(select.getTrueValue());
    Value falseSize = getSize(select.getFalseValue());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, select.getCondition(),
                                                 trueSize, falseSize);
    return success();
  }
};

} // namespace

LogicalResult meanvar::verifyLoopsKeepSizes(func::FuncOp function) {
  WalkResult result = function.walk([](scf::ForOp loop) {
    for (auto [argument, yielded] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type || type.hasStaticShape() || keepsSizes(yielded, argument))
        continue;
      loop.emitOpError("may change the sizes of the tensor of type ")
          << type << " that it carries (allowed: sizes that all iterations "
          << "keep)";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void meanvar::populateResolveSizesOfControlFlowPatterns(
    RewritePatternSet &patterns) {
  patterns.add<DimOfLoop, DimOfBranch, DimOfSelect, HoistCheck, HoistScalar>(
      patterns.getContext());
}
