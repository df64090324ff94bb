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
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_TILELANESPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct TileLanesPass final : meanvar::impl::TileLanesPassBase<TileLanesPass> {
  using TileLanesPassBase::TileLanesPassBase;

  void runOnOperation() override {
    if (failed(verifyVectorBits(getOperation(), vectorBits)))
      return signalPassFailure();
    SmallVector<MvnOp> ops;
    getOperation()->walk([&](MvnOp op) { ops.push_back(op); });
    for (MvnOp op : ops)
      if (failed(tile(op)))
        return signalPassFailure();
  }

  LogicalResult tile(MvnOp op) {
    RankedTensorType type = op.getInput().getType();
    SmallVector<int64_t> tileSizes =
        getLaneTileSizes(type.getShape(), op.getReducedDims(), vectorBits,
                         type.getElementTypeBitWidth());
    if (llvm::all_of(tileSizes, [](int64_t size) { return size == 0; }))
      return success();

    IRRewriter rewriter(op);
    scf::SCFTilingOptions options;
    options.setTileSizes(getAsIndexOpFoldResult(op.getContext(), tileSizes));
    options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
    FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()), options);
    if (failed(tiled))
      return op.emitError("failed to tile");
    rewriter.replaceOp(op, tiled->replacements);
    return success();
  }
};

} // namespace
