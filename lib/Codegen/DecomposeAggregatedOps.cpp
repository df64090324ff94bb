//===- DecomposeAggregatedOps.cpp - linalg.softmax and its like -----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATEDOPSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct DecomposeAggregatedOp final
    : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const final {
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "does not decompose");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

struct DecomposeAggregatedOpsPass final
    : meanvar::impl::DecomposeAggregatedOpsPassBase<
          DecomposeAggregatedOpsPass> {
  using DecomposeAggregatedOpsPassBase::DecomposeAggregatedOpsPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeAggregatedOp>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
