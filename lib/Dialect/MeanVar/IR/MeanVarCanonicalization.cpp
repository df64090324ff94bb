//===- MeanVarCanonicalization.cpp - Folds and patterns -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds and canonicalization patterns of the meanvar operations.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::meanvar;

static bool isStaticallyEmpty(Type type) {
  return llvm::is_contained(cast<RankedTensorType>(type).getShape(), 0);
}

namespace {

/// Replaces an op whose first result is known to hold no element by
/// `tensor.empty` (V8): there is nothing to compute. Statistics of lanes
/// without elements, which may be asked for all the same, are NaN, as 0 / 0 is.
template <typename OpTy>
struct FoldEmptyResults final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const final {
    if (!isStaticallyEmpty(op.getResult().getType()))
      return rewriter.notifyMatchFailure(op, "the result may hold elements");
    ReifiedRankedShapedTypeDims shapes;
    if (failed(op.reifyResultShapes(rewriter, shapes)))
      return failure();
    SmallVector<Value> results;
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), shapes))
      results.push_back(createTensor(rewriter, op.getLoc(),
                                     cast<RankedTensorType>(type), shape));
    rewriter.replaceOp(op, results);
    return success();
  }

  static Value createTensor(PatternRewriter &rewriter, Location loc,
                            RankedTensorType type,
                            ArrayRef<OpFoldResult> shape) {
    Value tensor;
    if (isStaticallyEmpty(type)) {
      tensor =
          tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    } else {
      auto elementType = cast<FloatType>(type.getElementType());
      Value nan = arith::ConstantOp::create(
          rewriter, loc,
          FloatAttr::get(elementType,
                         APFloat::getNaN(elementType.getFloatSemantics())));
      tensor = tensor::SplatOp::create(rewriter, loc, nan, shape);
    }
    if (tensor.getType() != type)
      tensor = tensor::CastOp::create(rewriter, loc, type, tensor);
    return tensor;
  }
};

/// Replaces a mean of one operand, whose declared type differs, by a cast (M1).
struct FoldSingleOperandMean final : OpRewritePattern<MeanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MeanOp op,
                                PatternRewriter &rewriter) const final {
    if (op.getInputs().size() != 1)
      return rewriter.notifyMatchFailure(op, "has several operands");
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getResult().getType(),
                                                op.getInputs().front());
    return success();
  }
};

/// Takes operands and results of a mean out of casts that make them less
/// static, and declares what is known of the result (M4).
struct RefineMeanTypes final : OpRewritePattern<MeanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MeanOp op,
                                PatternRewriter &rewriter) const final {
    if (op.getInputs().size() < 2)
      return rewriter.notifyMatchFailure(op, "folds to its operand");
    SmallVector<Value> inputs =
        llvm::map_to_vector(op.getInputs(), [](Value input) -> Value {
          auto castOp = input.getDefiningOp<tensor::CastOp>();
          return castOp && tensor::canFoldIntoConsumerOp(castOp)
                     ? castOp.getSource()
                     : input;
        });
    auto declared = cast<RankedTensorType>(op.getResult().getType());
    SmallVector<ArrayRef<int64_t>> shapes =
        llvm::map_to_vector(inputs, [](Value input) {
          return cast<RankedTensorType>(input.getType()).getShape();
        });
    FailureOr<SmallVector<int64_t>> inferred = inferMeanShape(shapes);
    if (failed(inferred) ||
        failed(verifyCompatibleShape(*inferred, declared.getShape())))
      return rewriter.notifyMatchFailure(op, "casts do not hold");
    for (auto [size, declaredSize] :
         llvm::zip_equal(*inferred, declared.getShape()))
      if (ShapedType::isDynamic(size))
        size = declaredSize;
    RankedTensorType type = declared.clone(*inferred);
    if (type == declared && llvm::equal(inputs, op.getInputs()))
      return rewriter.notifyMatchFailure(op, "types are as static as can be");
    Value mean = MeanOp::create(rewriter, op.getLoc(), type, inputs);
    if (type != declared)
      mean = tensor::CastOp::create(rewriter, op.getLoc(), declared, mean);
    rewriter.replaceOp(op, mean);
    return success();
  }
};

/// Takes the operand of an mvn out of a cast that makes it less static.
struct RefineMvnType final : OpRewritePattern<MvnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MvnOp op,
                                PatternRewriter &rewriter) const final {
    auto castOp = op.getInput().getDefiningOp<tensor::CastOp>();
    if (!castOp || !tensor::canFoldIntoConsumerOp(castOp))
      return rewriter.notifyMatchFailure(op, "no cast to a less static type");
    auto refined =
        MvnOp::create(rewriter, op.getLoc(), castOp.getSource(), op.getAxes(),
                      op.getEpsilon(), op.getInsideSqrt(), op.getCenterOnly(),
                      op.getStatistics());
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip_equal(refined->getResults(), op->getResultTypes()))
      results.push_back(
          value.getType() == type
              ? Value(value)
              : tensor::CastOp::create(rewriter, op.getLoc(), type, value));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Sorts the axes, makes them non-negative, and lists all axes where the list
/// is empty (V2).
struct CanonicalizeAxes final : OpRewritePattern<MvnOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MvnOp op,
                                PatternRewriter &rewriter) const final {
    SmallVector<int64_t> axes;
    for (auto [dim, reduced] : llvm::enumerate(op.getReducedDims()))
      if (reduced)
        axes.push_back(dim);
    if (op.getAxes() == ArrayRef(axes))
      return rewriter.notifyMatchFailure(op, "axes are canonical");
    rewriter.modifyOpInPlace(op, [&] { op.setAxes(axes); });
    return success();
  }
};

} // namespace

/// Returns the number of equal operands up to which the sum of M5, and with it
/// the mean, is exact. f64 has no wider type to sum in: there the sum may round
/// or overflow, and that must show.
static size_t getMaxExactOperands(Type elementType) {
  // Significand of the accumulator less that of the element: f32 (24 bits) for
  // f16 (11) and bf16 (8), f64 (53) for f32 (24).
  if (elementType.isF16())
    return size_t(1) << (24 - 11);
  if (elementType.isBF16())
    return size_t(1) << (24 - 8);
  if (elementType.isF32())
    return size_t(1) << (53 - 24);
  return 1;
}

OpFoldResult MeanOp::fold(FoldAdaptor) {
  OperandRange inputs = getInputs();
  if (inputs.empty() || inputs.front().getType() != getResult().getType())
    return {};
  Type elementType = getElementTypeOrSelf(getResult().getType());
  if (llvm::all_equal(inputs) &&
      inputs.size() <= getMaxExactOperands(elementType))
    return inputs.front(); // M1, M5
  return {};
}

void MeanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns
      .add<FoldEmptyResults<MeanOp>, FoldSingleOperandMean, RefineMeanTypes>(
          context);
}

void MvnOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *context) {
  patterns.add<CanonicalizeAxes, FoldEmptyResults<MvnOp>, RefineMvnType>(
      context);
}
