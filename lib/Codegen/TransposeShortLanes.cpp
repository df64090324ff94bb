//===- TransposeShortLanes.cpp - Short lanes side by side -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeKernel.h"
#include "meanvar/Codegen/Passes.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_TRANSPOSESHORTLANESPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Rewrites one meanvar.mvn on the rows of a matrix.
class LaneTransposition {
public:
  LaneTransposition(RewriterBase &rewriter, MvnOp op,
                    const MvnSchedule &schedule)
      : rewriter(rewriter), op(op), loc(op.getLoc()), input(op.getInput()),
        elementType(op.getInput().getType().getElementType()),
        tile(schedule.tileSizes.front()),
        laneSize(op.getInput().getType().getDimSize(1)),
        vectorSize(schedule.vectors.vectorSize) {}

  void apply();

private:
  /// A slice of whole lanes.
  struct Lanes {
    OpFoldResult begin, count;
  };

  SmallVector<OpFoldResult> getOffsets(const Lanes &lanes) {
    return {lanes.begin, rewriter.getIndexAttr(0)};
  }
  SmallVector<OpFoldResult> getSizes(const Lanes &lanes) {
    return {lanes.count, rewriter.getIndexAttr(laneSize)};
  }
  SmallVector<OpFoldResult> getStrides() {
    return {rewriter.getIndexAttr(1), rewriter.getIndexAttr(1)};
  }
  Value slice(Value tensor, const Lanes &lanes) {
    return tensor::ExtractSliceOp::create(rewriter, loc, tensor,
                                          getOffsets(lanes), getSizes(lanes),
                                          getStrides());
  }

  Value createMvn(Value lanes, int64_t axis) {
    return MvnOp::create(rewriter, loc, lanes, ArrayRef<int64_t>{axis},
                         op.getEpsilon(), op.getInsideSqrt(),
                         op.getCenterOnly(), /*statistics=*/false)
        ->getResult(0);
  }
  linalg::TransposeOp transpose(Value value, Value destination) {
    return linalg::TransposeOp::create(rewriter, loc, value, destination,
                                       ArrayRef<int64_t>{1, 0});
  }
  Value emitTiles(Value result, OpFoldResult end);
  void emitTile(Value result, const Lanes &lanes);
  Value emitRest(Value result, OpFoldResult begin);

  RewriterBase &rewriter;
  MvnOp op;
  Location loc;
  Value input;
  Type elementType;
  int64_t tile, laneSize, vectorSize;
  OpFoldResult numLanes;
};

} // namespace

/// Emits the lanes before `end`, a multiple of the tile.
Value LaneTransposition::emitTiles(Value result, OpFoldResult end) {
  SmallVector<OpFoldResult> begin{rewriter.getIndexAttr(0)},
      step{rewriter.getIndexAttr(tile)};
  auto forall = scf::ForallOp::create(rewriter, loc, begin, {end}, step, result,
                                      /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(forall.getBody());
  emitTile(forall.getRegionIterArgs().front(),
           {forall.getInductionVar(0), rewriter.getIndexAttr(tile)});
  return forall.getResult(0);
}

/// Emits one tile, at the start of the loop over them.
void LaneTransposition::emitTile(Value result, const Lanes &lanes) {
  Value columns = tensor::EmptyOp::create(
      rewriter, loc, ArrayRef<int64_t>{laneSize, tile}, elementType);
  columns = transpose(slice(input, lanes), columns)->getResult(0);
  linalg::TransposeOp rows =
      transpose(createMvn(columns, 0), slice(result, lanes));
  if (laneSize % vectorSize == 0)
    rows->setAttr(fuseIntoProducerAttrName, rewriter.getUnitAttr());
  auto terminator =
      cast<scf::InParallelOp>(rewriter.getInsertionBlock()->getTerminator());
  rewriter.setInsertionPointToStart(terminator.getBody());
  tensor::ParallelInsertSliceOp::create(rewriter, loc, rows->getResult(0),
                                        result, getOffsets(lanes),
                                        getSizes(lanes), getStrides());
}

/// Emits the lanes from `begin` on, which are fewer than a tile, as they are.
Value LaneTransposition::emitRest(Value result, OpFoldResult begin) {
  AffineExpr first, second;
  bindSymbols(rewriter.getContext(), first, second);
  OpFoldResult count = affine::makeComposedFoldedAffineApply(
      rewriter, loc, first - second, {numLanes, begin});
  if (isZeroInteger(count))
    return result;
  Lanes lanes{begin, count};
  Value rest = createMvn(slice(input, lanes), 1);
  return tensor::InsertSliceOp::create(rewriter, loc, rest, result,
                                       getOffsets(lanes), getSizes(lanes),
                                       getStrides());
}

void LaneTransposition::apply() {
  rewriter.setInsertionPoint(op);
  numLanes = tensor::getMixedSize(rewriter, loc, input, 0);
  AffineExpr size = rewriter.getAffineSymbolExpr(0);
  OpFoldResult end = affine::makeComposedFoldedAffineApply(
      rewriter, loc, size.floorDiv(tile) * tile, {numLanes});
  Value result = tensor::EmptyOp::create(
      rewriter, loc, {numLanes, rewriter.getIndexAttr(laneSize)}, elementType);
  result = emitTiles(result, end);
  rewriter.replaceOp(op, emitRest(result, end));
}

namespace {

struct TransposeShortLanesPass final
    : meanvar::impl::TransposeShortLanesPassBase<TransposeShortLanesPass> {
  using TransposeShortLanesPassBase::TransposeShortLanesPassBase;

  void runOnOperation() override {
    ScheduleLimits limits;
    limits.vectorBits = vectorBits;
    limits.transposedElements = transposedElements;
    if (failed(verifyLimits(getOperation(), limits)))
      return signalPassFailure();
    SmallVector<std::pair<MvnOp, MvnSchedule>> ops;
    getOperation()->walk([&](MvnOp op) {
      MvnSchedule schedule = getMvnSchedule(op, limits);
      // Statistics would have to be put together from two parts, too.
      if (schedule.shape == KernelShape::TransposedLanes && !op.getStatistics())
        ops.emplace_back(op, schedule);
    });
    IRRewriter rewriter(&getContext());
    for (const auto &[op, schedule] : ops)
      LaneTransposition(rewriter, op, schedule).apply();
  }
};

} // namespace
