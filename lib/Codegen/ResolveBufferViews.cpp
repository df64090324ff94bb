//===- ResolveBufferViews.cpp - Views and copies that upstream lowers -----===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_RESOLVEBUFFERVIEWSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Copies between buffers that are not contiguous would become calls of MLIR's
/// run-time library. The others become memcpy.
struct GeneralizeStridedCopy final : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const final {
    auto isStrided = [](Value value) {
      auto type = dyn_cast<MemRefType>(value.getType());
      return type && !type.getLayout().isIdentity();
    };
    if (!isStrided(op.getSource()) && !isStrided(op.getTarget()))
      return rewriter.notifyMatchFailure(op, "is contiguous");
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, op.getSource(),
                                                op.getTarget());
    return success();
  }
};

/// Expansions into several sizes known at run time only. The pattern of
/// expand-strided-metadata accepts one in each group and crashes on more.
struct ResolveExpandShape final : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    MemRefType type = op.getResultType();
    SmallVector<int64_t> staticStrides;
    int64_t staticOffset;
    if (failed(type.getStridesAndOffset(staticStrides, staticOffset)))
      return rewriter.notifyMatchFailure(op, "has no strided layout");

    auto metadata =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    // A buffer of rank 0 has no groups; it expands to unit dimensions.
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    for (auto [group, stride] :
         llvm::zip_equal(op.getReassociationIndices(),
                         metadata.getConstifiedMixedStrides())) {
      Value current = getValueOrCreateConstantIndexOp(rewriter, loc, stride);
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = ShapedType::isDynamic(staticStrides[dim])
                           ? OpFoldResult(current)
                           : rewriter.getIndexAttr(staticStrides[dim]);
        current = rewriter.createOrFold<arith::MulIOp>(
            loc, current,
            getValueOrCreateConstantIndexOp(rewriter, loc, sizes[dim]));
      }
    }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, metadata.getBaseBuffer(), metadata.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }
};

struct ResolveBufferViewsPass final
    : meanvar::impl::ResolveBufferViewsPassBase<ResolveBufferViewsPass> {
  using ResolveBufferViewsPassBase::ResolveBufferViewsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<GeneralizeStridedCopy, ResolveExpandShape>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
