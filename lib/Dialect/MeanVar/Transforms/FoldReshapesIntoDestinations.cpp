//===- FoldReshapesIntoDestinations.cpp - Outputs in their own shape ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::meanvar;
using bufferization::MaterializeInDestinationOp;

/// Returns true if `op` writes to a dense buffer. One without elements needs no
/// care, and its sizes do not collapse like those of tensors.
static bool hasDenseDestination(MaterializeInDestinationOp op) {
  auto type = dyn_cast<MemRefType>(op.getDest().getType());
  return type && type.getLayout().isIdentity() &&
         !llvm::is_contained(type.getShape(), 0);
}

/// Returns the buffer that `op` writes to with the sizes of `type`, which may
/// know more of them or fewer.
static Value getDestination(PatternRewriter &rewriter,
                            MaterializeInDestinationOp op,
                            RankedTensorType type) {
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
  if (op.getDest().getType() == bufferType)
    return op.getDest();
  return memref::CastOp::create(rewriter, op.getLoc(), bufferType,
                                op.getDest());
}

/// Makes `op` write `source`, a view of which it has written, to `destination`.
static void replaceDestination(PatternRewriter &rewriter,
                               MaterializeInDestinationOp op, Value source,
                               Value destination) {
  rewriter.modifyOpInPlace(op, [&] {
    op.getSourceMutable().assign(source);
    op.getDestMutable().assign(destination);
  });
}

namespace {

/// An expanded tensor fits a buffer if the tensor fits the collapsed buffer.
/// Without this the tensor is computed into a temporary and copied.
struct FoldExpandShape final : OpRewritePattern<MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaterializeInDestinationOp op,
                                PatternRewriter &rewriter) const final {
    auto expand = op.getSource().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !hasDenseDestination(op))
      return rewriter.notifyMatchFailure(op, "no expanded tensor");
    Value collapsed = memref::CollapseShapeOp::create(
        rewriter, op.getLoc(),
        getDestination(rewriter, op, expand.getResultType()),
        expand.getReassociationIndices());
    replaceDestination(rewriter, op, expand.getSrc(), collapsed);
    return success();
  }
};

/// The same for a collapsed tensor and the expanded buffer.
struct FoldCollapseShape final : OpRewritePattern<MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaterializeInDestinationOp op,
                                PatternRewriter &rewriter) const final {
    auto collapse = op.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !hasDenseDestination(op))
      return rewriter.notifyMatchFailure(op, "no collapsed tensor");
    auto type = collapse.getSrcType();
    Value expanded = memref::ExpandShapeOp::create(
        rewriter, op.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        getDestination(rewriter, op, collapse.getResultType()),
        collapse.getReassociationIndices(),
        tensor::getMixedSizes(rewriter, op.getLoc(), collapse.getSrc()));
    replaceDestination(rewriter, op, collapse.getSrc(), expanded);
    return success();
  }
};

/// The same for a cast.
struct FoldCast final : OpRewritePattern<MaterializeInDestinationOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MaterializeInDestinationOp op,
                                PatternRewriter &rewriter) const final {
    auto castOp = op.getSource().getDefiningOp<tensor::CastOp>();
    auto type = castOp
                    ? dyn_cast<RankedTensorType>(castOp.getSource().getType())
                    : RankedTensorType();
    if (!type || !hasDenseDestination(op))
      return rewriter.notifyMatchFailure(op, "no cast of a ranked tensor");
    replaceDestination(rewriter, op, castOp.getSource(),
                       getDestination(rewriter, op, type));
    return success();
  }
};

} // namespace

void meanvar::populateFoldReshapesIntoDestinationsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FoldExpandShape, FoldCollapseShape, FoldCast>(
      patterns.getContext());
}
