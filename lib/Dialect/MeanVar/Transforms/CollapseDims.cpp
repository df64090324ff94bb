//===- CollapseDims.cpp - Short patterns of dimensions --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_COLLAPSEDIMSPASS
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

using Groups = SmallVector<ReassociationIndices>;

} // namespace

/// Returns true if `consumer`, which may be null, reads or writes something
/// along one of the neighbours `dim - 1` and `dim` and not along the other, so
/// that it has no form in which they are merged.
static bool separates(linalg::GenericOp consumer, int64_t dim) {
  if (!consumer)
    return false;
  return llvm::any_of(consumer.getIndexingMapsArray(), [&](AffineMap map) {
    AffineExpr first = getAffineDimExpr(dim - 1, map.getContext());
    AffineExpr second = getAffineDimExpr(dim, map.getContext());
    std::optional<unsigned> position = map.getResultPosition(first);
    std::optional<unsigned> next = map.getResultPosition(second);
    if (!position || !next)
      return position.has_value() != next.has_value();
    return *position + 1 != *next;
  });
}

/// Returns true if the elementwise operation that uses `result`, once it has
/// been expanded, is to be collapsed to the shape of `result` first.
static bool isBeforeFolding(Value result) {
  auto reshape = result.hasOneUse()
                     ? dyn_cast<tensor::ExpandShapeOp>(*result.user_begin())
                     : nullptr;
  if (!reshape)
    return false;
  linalg::GenericOp consumer = getElementwiseConsumer(reshape.getResult());
  return consumer &&
         llvm::none_of(
             reshape.getReassociationIndices(), [&](ArrayRef<int64_t> group) {
               return llvm::any_of(group.drop_front(), [&](int64_t dim) {
                 return separates(consumer, dim);
               });
             });
}

/// Groups neighbouring dimensions for which `canMerge(first, second)` holds and
/// adds each unit dimension to a neighbour's group, but for neighbours that
/// `consumer` separates. Without a dimension that is not a unit there is one
/// group, or none at rank 0.
static Groups groupDims(ArrayRef<int64_t> shape,
                        function_ref<bool(int64_t, int64_t)> canMerge,
                        linalg::GenericOp consumer = nullptr) {
  Groups groups;
  std::optional<int64_t> previous;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim) {
    bool isUnit = shape[dim] == 1;
    bool startsGroup = groups.empty() ||
                       (!isUnit && previous && !canMerge(*previous, dim)) ||
                       separates(consumer, dim);
    if (startsGroup)
      groups.emplace_back();
    groups.back().push_back(dim);
    if (!isUnit)
      previous = dim;
  }
  return groups;
}

/// Returns `type` with each group of dimensions merged into one.
static RankedTensorType collapseType(RankedTensorType type,
                                     const Groups &groups) {
  return cast<RankedTensorType>(
      tensor::CollapseShapeOp::inferCollapsedType(type, groups));
}

static Value collapse(OpBuilder &builder, Location loc, Value value,
                      const Groups &groups) {
  auto type = cast<RankedTensorType>(value.getType());
  if (static_cast<int64_t>(groups.size()) == type.getRank())
    return value;
  return tensor::CollapseShapeOp::create(
      builder, loc, collapseType(type, groups), value, groups);
}

/// The inverse of `collapse`, for a value of type `type` and sizes `sizes`.
static Value expand(OpBuilder &builder, Location loc, Value value,
                    RankedTensorType type, ArrayRef<OpFoldResult> sizes,
                    const Groups &groups) {
  if (value.getType() == type)
    return value;
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups,
                                       sizes);
}

namespace {

//===----------------------------------------------------------------------===//
// meanvar.mvn
//===----------------------------------------------------------------------===//

} // namespace

/// Replaces `op` by one on `input` over `axes`; `restore` brings a result back
/// to the shape of the original result of the same number.
static void replaceMvn(
    PatternRewriter &rewriter, MvnOp op, Value input, ArrayRef<int64_t> axes,
    function_ref<Value(Value, OpResult, ArrayRef<OpFoldResult>)> restore) {
  // The sizes are known from the operand, so this cannot fail.
  ReifiedRankedShapedTypeDims sizes;
  (void)op.reifyResultShapes(rewriter, sizes);
  auto collapsed =
      MvnOp::create(rewriter, op.getLoc(), input, axes, op.getEpsilon(),
                    op.getInsideSqrt(), op.getCenterOnly(), op.getStatistics());
  SmallVector<Value> results;
  for (OpResult result : op->getResults())
    results.push_back(restore(collapsed->getResult(result.getResultNumber()),
                              result, sizes[result.getResultNumber()]));
  rewriter.replaceOp(op, results);
}

namespace {

/// Merges neighbouring dimensions of one kind, kept or reduced.
struct CollapseMvn final : OpRewritePattern<MvnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MvnOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType type = op.getInput().getType();
    SmallVector<bool> reduced = op.getReducedDims();
    if (!hasReducedElements(type, reduced))
      return rewriter.notifyMatchFailure(op, "each lane holds one element");
    if (isBeforeFolding(op->getResult(0)))
      return rewriter.notifyMatchFailure(op, "its consumer is collapsed first");
    auto canMerge = [&](int64_t first, int64_t second) {
      return reduced[first] == reduced[second];
    };
    // What follows is to be computed along with the normalization.
    Groups groups = groupDims(type.getShape(), canMerge,
                              getElementwiseConsumer(op->getResult(0)));
    if (static_cast<int64_t>(groups.size()) == type.getRank())
      return rewriter.notifyMatchFailure(op, "kept and reduced dims alternate");

    SmallVector<int64_t> axes;
    for (auto [index, group] : llvm::enumerate(groups))
      if (llvm::any_of(group, [&](int64_t dim) {
            return reduced[dim] && type.getDimSize(dim) != 1;
          }))
        axes.push_back(index);
    Value input = collapse(rewriter, op.getLoc(), op.getInput(), groups);
    replaceMvn(rewriter, op, input, axes,
               [&](Value value, OpResult result, ArrayRef<OpFoldResult> sizes) {
                 return expand(rewriter, op.getLoc(), value,
                               cast<RankedTensorType>(result.getType()), sizes,
                               groups);
               });
    return success();
  }

  /// Returns true if some reduced dimension is not known to be 1.
  static bool hasReducedElements(RankedTensorType type,
                                 ArrayRef<bool> reduced) {
    for (auto [dim, isReduced] : llvm::enumerate(reduced))
      if (isReduced && type.getDimSize(dim) != 1)
        return true;
    return false;
  }
};

/// Brings lanes of one element each to the shape [1, n] with the first
/// dimension reduced: the elements are then neighbours that a vector holds.
struct CollapseUnitLanes final : OpRewritePattern<MvnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MvnOp op,
                                PatternRewriter &rewriter) const final {
    RankedTensorType type = op.getInput().getType();
    if (CollapseMvn::hasReducedElements(type, op.getReducedDims()))
      return rewriter.notifyMatchFailure(op, "lanes may hold more elements");
    if (type.getRank() == 2 && type.getDimSize(0) == 1 &&
        op.getAxes() == ArrayRef<int64_t>{0})
      return rewriter.notifyMatchFailure(op, "has the shape [1, n] already");

    Location loc = op.getLoc();
    Groups all =
        groupDims(type.getShape(), [](int64_t, int64_t) { return true; });
    Groups unit;
    if (type.getRank() > 0)
      unit.push_back({0, 1});
    Value flat = collapse(rewriter, loc, op.getInput(), all);
    auto flatType = cast<RankedTensorType>(flat.getType());
    SmallVector<OpFoldResult> laneSizes{rewriter.getIndexAttr(1)};
    llvm::append_range(laneSizes, tensor::getMixedSizes(rewriter, loc, flat));
    laneSizes.resize(2, rewriter.getIndexAttr(1));
    auto laneType = RankedTensorType::get(
        {1, flatType.getRank() ? flatType.getDimSize(0) : 1},
        type.getElementType());
    Value lanes = expand(rewriter, loc, flat, laneType, laneSizes, unit);
    replaceMvn(rewriter, op, lanes, {0},
               [&](Value value, OpResult result, ArrayRef<OpFoldResult> sizes) {
                 auto resultType = cast<RankedTensorType>(result.getType());
                 Value line = collapse(rewriter, loc, value, unit);
                 return expand(rewriter, loc, line, resultType, sizes, all);
               });
    return success();
  }
};

//===----------------------------------------------------------------------===//
// meanvar.mean
//===----------------------------------------------------------------------===//

/// How an operand of a mean covers a dimension of the result.
enum class Coverage { Whole, Stretched, DecidedAtRunTime };

} // namespace

static Coverage getCoverage(RankedTensorType operand, RankedTensorType result,
                            int64_t dim) {
  int64_t operandDim = alignToOperand(dim, result.getRank(), operand.getRank());
  int64_t size = operandDim < 0 ? 1 : operand.getDimSize(operandDim);
  if (ShapedType::isDynamic(size) || result.isDynamicDim(dim))
    return size == 1 ? Coverage::Stretched : Coverage::DecidedAtRunTime;
  return size == result.getDimSize(dim) ? Coverage::Whole : Coverage::Stretched;
}

/// Restricts groups of the result's dimensions to those of an operand.
static Groups getOperandGroups(const Groups &groups, int64_t resultRank,
                               int64_t operandRank) {
  Groups operandGroups;
  for (const ReassociationIndices &group : groups) {
    ReassociationIndices operandGroup;
    for (int64_t dim : group)
      if (int64_t operandDim = alignToOperand(dim, resultRank, operandRank);
          operandDim >= 0)
        operandGroup.push_back(operandDim);
    if (!operandGroup.empty())
      operandGroups.push_back(std::move(operandGroup));
  }
  return operandGroups;
}

namespace {

/// Merges neighbouring dimensions that every operand covers in the same way.
struct CollapseMean final : OpRewritePattern<MeanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MeanOp op,
                                PatternRewriter &rewriter) const final {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    if (type.getNumElements() == 0 && type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "is empty");
    if (isBeforeFolding(op))
      return rewriter.notifyMatchFailure(op, "its consumer is collapsed first");
    auto canMerge = [&](int64_t first, int64_t second) {
      return llvm::all_of(op.getInputs().getTypes(), [&](Type operand) {
        auto operandType = cast<RankedTensorType>(operand);
        Coverage coverage = getCoverage(operandType, type, first);
        return coverage != Coverage::DecidedAtRunTime &&
               coverage == getCoverage(operandType, type, second);
      });
    };
    Groups groups =
        groupDims(type.getShape(), canMerge, getElementwiseConsumer(op));
    if (static_cast<int64_t>(groups.size()) == type.getRank())
      return rewriter.notifyMatchFailure(op, "no dimensions to merge");

    Location loc = op.getLoc();
    ReifiedRankedShapedTypeDims sizes;
    if (failed(op.reifyResultShapes(rewriter, sizes)))
      return failure();
    SmallVector<Value> inputs;
    for (Value input : op.getInputs()) {
      int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
      inputs.push_back(
          collapse(rewriter, loc, input,
                   getOperandGroups(groups, type.getRank(), rank)));
    }
    Value mean =
        MeanOp::create(rewriter, loc, collapseType(type, groups), inputs);
    rewriter.replaceOp(
        op, expand(rewriter, loc, mean, type, sizes.front(), groups));
    return success();
  }
};

struct CollapseDimsPass final
    : meanvar::impl::CollapseDimsPassBase<CollapseDimsPass> {
  using CollapseDimsPassBase::CollapseDimsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateCollapseDimsPatterns(patterns);
    populateFoldReshapesIntoDestinationsPatterns(patterns);
    populateFoldEmptyReshapesPatterns(patterns);
    // Elementwise operations take the shape of what they consume.
    linalg::populateFoldReshapeOpsByCollapsingPatterns(
        patterns, [](OpOperand *operand) {
          auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
          return reshape && isa_and_present<MvnOp, MeanOp>(
                                reshape.getSrc().getDefiningOp());
        });
    // Which may leave them asking for sizes of the old one, and with
    // destinations that bufferization would not recognize as such.
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    // The patterns expect sorted axes and no empty tensors.
    MvnOp::getCanonicalizationPatterns(patterns, &getContext());
    MeanOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void meanvar::populateCollapseDimsPatterns(RewritePatternSet &patterns) {
  patterns.add<CollapseMvn, CollapseUnitLanes, CollapseMean>(
      patterns.getContext());
}
