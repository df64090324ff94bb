//===- VectorizeLinalg.cpp - Linalg on buffers to loops over vectors ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernel.h"
#include "TransposeKernel.h"
#include "meanvar/Codegen/Passes.h"
#include "meanvar/Codegen/Schedule.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_VECTORIZELINALGPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct VectorizeLinalgPass final
    : meanvar::impl::VectorizeLinalgPassBase<VectorizeLinalgPass> {
  using VectorizeLinalgPassBase::VectorizeLinalgPassBase;

  void runOnOperation() override {
    ScheduleLimits limits;
    limits.vectorBits = vectorBits;
    if (failed(verifyLimits(getOperation(), limits)))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op.getOperation())) {
        FailureOr<TransposeKernel> kernel =
            TransposeKernel::analyze(rewriter, transpose, vectorBits);
        if (succeeded(kernel)) {
          emitTransposeKernel(rewriter, *kernel);
          continue;
        }
      }
      // Named operations and linalg.generic are one from here on. Where there
      // is no generic form, convert-linalg-to-loops may still know the
      // operation.
      DictionaryAttr attributes = op->getDiscardableAttrDictionary();
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic)) {
        auto asGeneric = dyn_cast<linalg::GenericOp>(op.getOperation());
        if (!asGeneric)
          continue;
        generic = asGeneric;
      }
      // Upstream drops them.
      (*generic)->setDiscardableAttrs(attributes);
      FailureOr<LinalgKernel> kernel =
          LinalgKernel::analyze(rewriter, *generic, vectorBits);
      if (succeeded(kernel))
        emitLinalgKernel(rewriter, *kernel);
    }
  }
};

} // namespace
