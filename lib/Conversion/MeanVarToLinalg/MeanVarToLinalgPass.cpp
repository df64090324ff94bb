//===- MeanVarToLinalgPass.cpp - Conversion pass --------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Conversion/Passes.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_CONVERTMEANVARTOLINALGPASS
#include "meanvar/Conversion/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

void meanvar::populateMeanVarToLinalgPatterns(RewritePatternSet &patterns) {
  populateMeanToLinalgPatterns(patterns);
  populateMvnToLinalgPatterns(patterns);
  // The patterns leave empty tensors to these.
  MeanOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  MvnOp::getCanonicalizationPatterns(patterns, patterns.getContext());
}

namespace {

struct ConvertMeanVarToLinalgPass final
    : meanvar::impl::ConvertMeanVarToLinalgPassBase<
          ConvertMeanVarToLinalgPass> {
  using ConvertMeanVarToLinalgPassBase::ConvertMeanVarToLinalgPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMeanVarToLinalgPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
