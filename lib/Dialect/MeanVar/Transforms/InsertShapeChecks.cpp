//===- InsertShapeChecks.cpp - Run-time shape checks ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_INSERTSHAPECHECKSPASS
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

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

/// Returns true if an operand is known not to be stretched: the result then has
/// as many elements as a tensor that exists.
static bool hasOperandOfResultSize(MeanOp op) {
  auto rank = cast<RankedTensorType>(op.getType()).getRank();
  auto isOnlySize = [&](Value input, int64_t dim) {
    return llvm::all_of(op.getInputs(), [&](Value other) {
      auto type = cast<RankedTensorType>(other.getType());
      int64_t otherDim = alignToOperand(dim, rank, type.getRank());
      return other == input || otherDim < 0 || type.getDimSize(otherDim) == 1;
    });
  };
  return llvm::any_of(op.getInputs(), [&](Value input) {
    auto type = cast<RankedTensorType>(input.getType());
    return type.getRank() == rank &&
           llvm::all_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
             bool isStatic =
                 !type.isDynamicDim(dim) && type.getDimSize(dim) != 1;
             return isStatic || isOnlySize(input, dim);
           });
  });
}

/// M3: each size `?` of an operand is 1 or equals the broadcast size of those
/// before it. Returns the size of the result, null where it is known to be 1.
static Value insertBroadcastChecks(CheckBuilder &check, MeanOp op, int64_t dim,
                                   int64_t rank) {
  Value one = check.constant(1);
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
        allowed,
        llvm::formatv("'meanvar.mean' operand {0} has size {{0} in result "
                      "dimension {1}, which does not broadcast with size {{1} "
                      "of the other operands",
                      index, dim)
            .str());
    if (!staticSize)
      size = check.select(check.equal(size, one), operandSize, size);
  }
  return size;
}

/// M3, M4: sizes broadcast, and the size that is declared holds.
static void insertMeanChecks(MeanOp op) {
  CheckBuilder check(op);
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = resultType.getRank();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Value size = insertBroadcastChecks(check, op, dim, rank);
    sizes.push_back(size ? size : check.constant(1));
    // What the declared type adds to the inferred one (M4).
    if (resultType.isDynamicDim(dim) || !size ||
        getStaticMeanSize(op, dim, rank))
      continue;
    check.requireDeclaredSize(size, resultType, dim);
  }
  if (rank > 1 && !resultType.hasStaticShape() && !hasOperandOfResultSize(op))
    insertByteCountCheck(check, resultType, sizes);
}

/// What a cast asserts about its operand is the compiler's to check, too. Fails
/// for tensors without a rank, of which nothing can be checked.
static LogicalResult insertCastChecks(tensor::CastOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to)
    return op.emitOpError("from ")
           << op.getSource().getType() << " to " << op.getType()
           << " is not supported (allowed: ranked tensors)";
  CheckBuilder check(op);
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
      check.requireDeclaredSize(check.size(op.getSource(), dim), to, dim,
                                "operand");
  return success();
}

/// A loop whose step is not positive would not end.
static void insertLoopChecks(scf::ForOp op) {
  if (std::optional<int64_t> step = getConstantIntValue(op.getStep());
      step && *step > 0)
    return;
  CheckBuilder check(op);
  Value zero = arith::ConstantOp::create(
      check.getBuilder(), check.getLoc(),
      check.getBuilder().getIntegerAttr(op.getStep().getType(), 0));
  check.require(check.compare(arith::CmpIPredicate::sgt, op.getStep(), zero),
                "'scf.for' has the step {0} (allowed: greater than {1})");
}

/// Inserts the checks of `op`, which cannot fail.
static void insertOtherChecks(Operation *op) {
  using namespace tensor;
  llvm::TypeSwitch<Operation *>(op)
      .Case([](MeanOp op) { insertMeanChecks(op); })
      .Case([](ConcatOp op) { insertConcatChecks(op); })
      .Case([](linalg::SoftmaxOp op) { insertSoftmaxChecks(op); })
      .Case([](ExtractSliceOp op) { insertSliceChecks(op, op.getSource()); })
      .Case<InsertSliceOp, ParallelInsertSliceOp>([](auto op) {
        insertInsertedSizeChecks(op, op.getSource(), op.getDroppedDims());
        insertSliceChecks(op, op.getDest());
      })
      .Case([](ExtractOp op) {
        insertElementChecks(op, op.getTensor(), op.getIndices());
      })
      .Case([](InsertOp op) {
        insertElementChecks(op, op.getDest(), op.getIndices());
      })
      .Case([](DimOp op) { insertDimChecks(op); })
      .Case<EmptyOp, SplatOp>(
          [](auto op) { insertGivenSizeChecks(op, op.getDynamicSizes()); })
      .Case([](GenerateOp op) {
        insertGivenSizeChecks(op, op.getDynamicExtents());
      })
      .Case([](ExpandShapeOp op) { insertExpandShapeChecks(op); })
      .Case([](ReshapeOp op) { insertReshapeChecks(op); })
      .Case([](scf::ForOp op) { insertLoopChecks(op); });
}

/// Inserts the checks of `op`. Fails for what cannot be checked, or holds
/// never.
static LogicalResult insertChecks(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return insertLinalgChecks(linalgOp);
  if (auto castOp = dyn_cast<tensor::CastOp>(op))
    return insertCastChecks(castOp);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return insertPadChecks(pad);
  // An arith.select of whole tensors, by one condition, is elementwise here,
  // too: that is what convert-elementwise-to-linalg makes of it.
  if (OpTrait::hasElementwiseMappableTraits(op))
    insertElementwiseChecks(op);
  else
    insertOtherChecks(op);
  return success();
}

namespace {

struct InsertShapeChecksPass final
    : meanvar::impl::InsertShapeChecksPassBase<InsertShapeChecksPass> {
  using InsertShapeChecksPassBase::InsertShapeChecksPassBase;

  void runOnOperation() override {
    // Inner operations first, so that checks of a body can leave it.
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (failed(insertChecks(op)))
        return signalPassFailure();
      moveChecksOutOfBody(op);
    }
  }
};

} // namespace
