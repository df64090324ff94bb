//===- FoldEmptyReshapes.cpp - Reshapes without elements ------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;

namespace {

/// Replaces a reshape of a tensor with a static size of 0 by a `tensor.empty`.
/// A group of 0 and `?` is `?` as a tensor; bufferization (LLVM 22) makes it a
/// static 0, which the verifier of buffers then refuses.
template <typename OpTy>
struct FoldEmptyReshape final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    if (!llvm::is_contained(op.getSrcType().getShape(), 0))
      return rewriter.notifyMatchFailure(op, "there may be elements");
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, op, shapes)))
      return rewriter.notifyMatchFailure(op, "the sizes are not known");
    RankedTensorType type = op.getResultType();
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shapes.front(),
                                          type.getElementType());
    if (empty.getType() != type)
      empty = tensor::CastOp::create(rewriter, op.getLoc(), type, empty);
    rewriter.replaceOp(op, empty);
    return success();
  }
};

} // namespace

void meanvar::populateFoldEmptyReshapesPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldEmptyReshape<tensor::CollapseShapeOp>,
               FoldEmptyReshape<tensor::ExpandShapeOp>>(patterns.getContext());
}
