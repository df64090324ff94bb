//===- FuseElementwise.cpp - Scale and bias in the last pass --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeKernel.h"
#include "meanvar/Codegen/Passes.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the operation that computes `operand` of `consumer`, if that is the
/// loop to compute it in.
static linalg::GenericOp getFusableProducer(linalg::GenericOp consumer,
                                            OpOperand &operand) {
  // More streams of memory than hardware prefetches.
  constexpr int64_t maxInputs = 16;
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  bool isFusable =
      producer && producer.isAllParallelLoops() && producer->hasOneUse() &&
      !producer->hasAttr(hasStreamsAttrName) &&
      producer.getNumDpsInputs() + consumer.getNumDpsInputs() <= maxInputs &&
      getElementwiseConsumer(operand.get()) == consumer &&
      linalg::areElementwiseOpsFusable(&operand);
  return isFusable ? producer : nullptr;
}

/// Gives `op` the attributes of the operations that it replaces.
static void addDiscardableAttrs(Operation *op,
                                ArrayRef<linalg::GenericOp> replaced) {
  for (linalg::GenericOp part : replaced)
    for (NamedAttribute attr : part->getDiscardableAttrs())
      op->setDiscardableAttr(attr.getName(), attr.getValue());
}

namespace {

struct FuseProducer final : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const final {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      linalg::GenericOp producer = getFusableProducer(op, *operand);
      if (!producer)
        continue;
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        continue;
      addDiscardableAttrs(fused->fusedOp, {producer, op});
      SmallVector<Value> results =
          llvm::map_to_vector(op->getResults(), [&](Value result) {
            return fused->replacements.lookup(result);
          });
      rewriter.replaceOp(op, results);
      rewriter.eraseOp(producer);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "consumes no elementwise result");
  }
};

/// Computes the elements of a transposed matrix at their places in the result,
/// and reads the matrix that they were transposed from: rows of whole vectors
/// are read and written as they are, and shuffled for their sums alone.
struct FuseTransposeIntoProducer final : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const final {
    if (!op->hasAttr(fuseIntoProducerAttrName))
      return rewriter.notifyMatchFailure(op, "is to stay");
    auto producer = op.getInput().getDefiningOp<linalg::GenericOp>();
    if (!producer || !isElementwiseMatrix(producer))
      return rewriter.notifyMatchFailure(op, "not of an elementwise result");
    auto swapped =
        AffineMap::getPermutationMap(op.getPermutation(), op.getContext());
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : producer.getDpsInputOperands()) {
      AffineMap map = producer.getMatchingIndexingMap(input).compose(swapped);
      auto transposed = input->get().getDefiningOp<linalg::TransposeOp>();
      if (transposed && transposed.getPermutation() != op.getPermutation())
        transposed = nullptr;
      inputs.push_back(transposed ? transposed.getInput() : input->get());
      maps.push_back(transposed ? swapped.compose(map) : map);
    }
    maps.push_back(AffineMap::getMultiDimIdentityMap(2, op.getContext()));
    auto fused = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getInit(), maps,
        producer.getIteratorTypesArray());
    rewriter.cloneRegionBefore(producer.getRegion(), fused.getRegion(),
                               fused.getRegion().begin());
    addDiscardableAttrs(fused, producer);
    rewriter.replaceOp(op, fused);
    return success();
  }

private:
  /// Returns true if `op` computes the elements of one matrix in place.
  static bool isElementwiseMatrix(linalg::GenericOp op) {
    return op.getNumResults() == 1 && op->hasOneUse() &&
           op.getNumLoops() == 2 && op.isAllParallelLoops() &&
           op.getIndexingMapsArray().back().isIdentity() &&
           !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
           !op.hasIndexSemantics();
  }
};

struct FuseElementwisePass final
    : meanvar::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using FuseElementwisePassBase::FuseElementwisePassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    if (broadcasts)
      populateUpstreamPatterns(patterns);
    else
      patterns.add<FuseProducer, FuseTransposeIntoProducer>(&getContext());
    if (failed(applyPatternsGreedily(
            getOperation(), std::move(patterns),
            GreedyRewriteConfig().setUseTopDownTraversal())))
      signalPassFailure();
  }

private:
  /// Adds the patterns of linalg-fuse-elementwise-ops.
  static void populateUpstreamPatterns(RewritePatternSet &patterns) {
    MLIRContext *context = patterns.getContext();
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, mayFuse);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    linalg::populateConstantFoldLinalgOperations(patterns, mayFuse);
  }

  /// Returns true if the patterns may make one of the operations on both sides
  /// of `operand`. What is new has no attributes; a sum without the permission
  /// for partial sums would be an ordered one.
  static bool mayFuse(OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    return producer && producer->hasOneUse() &&
           !producer->hasAttr(partialSumsAttrName) &&
           !operand->getOwner()->hasAttr(partialSumsAttrName);
  }
};

} // namespace
