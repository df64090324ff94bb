//===- TileLanes.cpp - Tiling of meanvar.mvn ------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_TILELANESPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Emits how many lanes make a tile where their size is known at run time only.
static OpFoldResult emitNumLanes(OpBuilder &builder, MvnOp op,
                                 const ScheduleLimits &limits) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getInput().getType();
  Value bytes = arith::ConstantIndexOp::create(
      builder, loc, type.getElementTypeBitWidth() / 8);
  for (auto [dim, isReduced] : llvm::enumerate(op.getReducedDims()))
    if (isReduced)
      bytes = builder.createOrFold<arith::MulIOp>(
          loc, bytes,
          builder.createOrFold<tensor::DimOp>(loc, op.getInput(), dim));
  // Lanes may be empty, and a tile is not.
  auto addOne = [&](Value value) -> Value {
    return arith::AddIOp::create(
        builder, loc, value, arith::ConstantIndexOp::create(builder, loc, 1));
  };
  Value lanes = addOne(arith::DivUIOp::create(
      builder, loc,
      arith::ConstantIndexOp::create(builder, loc, limits.tileBytes),
      addOne(bytes)));
  // As an affine minimum it bounds the size of temporaries.
  AffineExpr size = builder.getAffineSymbolExpr(0);
  AffineExpr most = builder.getAffineConstantExpr(limits.tileLanes);
  return affine::makeComposedFoldedAffineMin(
      builder, loc, AffineMap::get(0, 1, {size, most}, builder.getContext()),
      {OpFoldResult(lanes)});
}

/// Returns the elementwise operation that is to be tiled along with `op`, after
/// bringing what it needs before `op`; null where there is none.
static linalg::GenericOp prepareConsumer(RewriterBase &rewriter, MvnOp op) {
  linalg::GenericOp consumer = getElementwiseConsumer(op->getResult(0));
  if (!consumer)
    return nullptr;
  SmallVector<Value> others(consumer->getOperands());
  llvm::erase(others, op->getResult(0));
  return succeeded(moveValueDefinitions(rewriter, others, op)) ? consumer
                                                               : nullptr;
}

/// Moves `consumer` into the loop over tiles of what it consumes.
static LogicalResult fuseConsumer(RewriterBase &rewriter,
                                  linalg::GenericOp consumer,
                                  LoopLikeOpInterface loop) {
  SmallVector<LoopLikeOpInterface> loops{loop};
  if (failed(scf::tileAndFuseConsumer(rewriter, consumer, loops)))
    return failure();
  rewriter.eraseOp(consumer);
  return success();
}

/// Drops results of loops that fusion has left without a use.
static LogicalResult dropUnusedResults(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  scf::ForallOp::getCanonicalizationPatterns(patterns, root->getContext());
  return applyPatternsGreedily(root, std::move(patterns));
}

namespace {

struct TileLanesPass final : meanvar::impl::TileLanesPassBase<TileLanesPass> {
  using TileLanesPassBase::TileLanesPassBase;

  void runOnOperation() override {
    ScheduleLimits limits;
    limits.vectorBits = vectorBits;
    limits.tileBytes = tileBytes;
    limits.tileLanes = tileLanes;
    limits.panelLanes = panelLanes;
    limits.transposedElements = 1; // those that are, have been
    if (failed(verifyLimits(getOperation(), limits)))
      return signalPassFailure();
    SmallVector<MvnOp> ops;
    getOperation()->walk([&](MvnOp op) { ops.push_back(op); });
    for (MvnOp op : ops)
      if (failed(tile(op, limits)))
        return signalPassFailure();
    if (failed(dropUnusedResults(getOperation())))
      return signalPassFailure();
  }

  LogicalResult tile(MvnOp op, const ScheduleLimits &limits) {
    SmallVector<int64_t> tileSizes = getMvnSchedule(op, limits).tileSizes;
    if (llvm::all_of(tileSizes, [](int64_t size) { return size == 0; }))
      return success();

    IRRewriter rewriter(op);
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : tileSizes)
      sizes.push_back(ShapedType::isDynamic(size)
                          ? emitNumLanes(rewriter, op, limits)
                          : OpFoldResult(rewriter.getIndexAttr(size)));
    scf::SCFTilingOptions options;
    options.setTileSizes(sizes);
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    linalg::GenericOp consumer = prepareConsumer(rewriter, op);
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitError("failed to tile");
    rewriter.replaceOp(op, tiled->replacements);
    if (consumer &&
        failed(fuseConsumer(rewriter, consumer, tiled->loops.front())))
      return consumer.emitError("failed to fuse with a normalization");
    return success();
  }
};

} // namespace
