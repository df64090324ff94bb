//===- consumer-opt.cpp - A tool of another project -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has a pass that normalizes the rows of every matrix that a function returns,
// tiles what it has made by upstream's tiling, and leaves the rest to meanvar's
// pipeline.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {

struct NormalizeResultsPass
    : PassWrapper<NormalizeResultsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NormalizeResultsPass)

  StringRef getArgument() const override { return "normalize-results"; }
  StringRef getDescription() const override {
    return "Normalize the rows of returned matrices";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<meanvar::MeanVarDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([&](func::ReturnOp op) {
      for (OpOperand &operand : op->getOpOperands())
        if (failed(normalize(op, operand)))
          signalPassFailure();
    });
  }

  static LogicalResult normalize(func::ReturnOp op, OpOperand &operand) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type || type.getRank() != 2)
      return success();
    IRRewriter rewriter(op);
    auto mvn = meanvar::MvnOp::create(
        rewriter, op.getLoc(), operand.get(), ArrayRef<int64_t>{1},
        APFloat(1e-5), /*insideSqrt=*/true, /*centerOnly=*/false,
        /*statistics=*/false);
    operand.set(mvn->getResult(0));
    scf::SCFTilingOptions options;
    options.setTileSizes({rewriter.getIndexAttr(4)});
    rewriter.setInsertionPoint(mvn);
    auto tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(mvn.getOperation()), options);
    if (failed(tiled))
      return failure();
    rewriter.replaceOp(mvn, tiled->replacements);
    return success();
  }
};

} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  meanvar::registerAllDialects(registry);
  meanvar::registerAllExtensions(registry);
  meanvar::registerAllPasses();
  meanvar::registerAllPipelines();
  PassRegistration<NormalizeResultsPass>();
  return failed(MlirOptMain(argc, argv, "consumer of meanvar\n", registry));
}
