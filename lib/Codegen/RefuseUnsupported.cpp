//===- RefuseUnsupported.cpp - What cannot be compiled, by name -----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_REFUSEUNSUPPORTEDTENSOROPSPASS
#define GEN_PASS_DEF_REFUSEUNLOWEREDOPSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct RefuseUnsupportedTensorOpsPass final
    : meanvar::impl::RefuseUnsupportedTensorOpsPassBase<
          RefuseUnsupportedTensorOpsPass> {
  using RefuseUnsupportedTensorOpsPassBase::RefuseUnsupportedTensorOpsPassBase;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      auto isTensor = [](Type type) { return isa<TensorType>(type); };
      bool usesTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                         llvm::any_of(op->getResultTypes(), isTensor);
      if (!usesTensors || isa<bufferization::BufferizableOpInterface>(op))
        return WalkResult::advance();
      op->emitOpError("is not supported on tensors");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

struct RefuseUnloweredOpsPass final
    : meanvar::impl::RefuseUnloweredOpsPassBase<RefuseUnloweredOpsPass> {
  using RefuseUnloweredOpsPassBase::RefuseUnloweredOpsPassBase;

  void runOnOperation() override {
    // A cast that is left stands between what was lowered and what was not: the
    // operation to name is on its other side.
    Operation *first = nullptr;
    getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      if (!first || isa<UnrealizedConversionCastOp>(first))
        first = op;
      return isa<UnrealizedConversionCastOp>(op) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
    });
    if (!first)
      return;
    first->emitOpError("cannot be lowered to the LLVM dialect");
    signalPassFailure();
  }
};

} // namespace
