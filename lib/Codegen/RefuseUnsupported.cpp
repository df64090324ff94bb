//===- RefuseUnsupported.cpp - What cannot be compiled, by name -----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <limits>

namespace mlir::meanvar {
#define GEN_PASS_DEF_REFUSEOVERSIZEDTENSORSPASS
#define GEN_PASS_DEF_REFUSEUNSUPPORTEDTENSOROPSPASS
#define GEN_PASS_DEF_REFUSEUNLOWEREDOPSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// A larger constant would take as much memory to compile as to run.
static constexpr uint64_t maxConstantBytes = uint64_t(1) << 30;

/// Returns the bytes of a tensor type, of which sizes `?` count as 1, or
/// nothing for 2^63 and more.
static std::optional<uint64_t> countBytes(RankedTensorType type) {
  Type element = type.getElementType();
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  uint64_t bytes = element.isIntOrFloat()
                       ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
                       : sizeof(int64_t);
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      continue;
    bytes = llvm::SaturatingMultiply(bytes, static_cast<uint64_t>(size));
    if (bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      return std::nullopt;
  }
  return bytes;
}

/// Refuses the first of `types` that is a tensor whose bytes cannot be counted.
static LogicalResult verifySizes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        tensor && !countBytes(tensor))
      return op->emitError("tensor type ")
             << type << " has too many bytes (allowed: at most "
             << std::numeric_limits<int64_t>::max() << ")";
  return success();
}

/// Refuses a constant that is too large to be part of the code.
static LogicalResult verifyConstantSize(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  std::optional<uint64_t> bytes = type ? countBytes(type) : 0;
  if (bytes && *bytes <= maxConstantBytes)
    return success();
  return op.emitOpError("of type ")
         << type << " is too large for a constant (allowed: at most "
         << maxConstantBytes << " bytes; linalg.fill makes more)";
}

namespace {

struct RefuseOversizedTensorsPass final
    : meanvar::impl::RefuseOversizedTensorsPassBase<
          RefuseOversizedTensorsPass> {
  using RefuseOversizedTensorsPassBase::RefuseOversizedTensorsPassBase;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk<WalkOrder::PreOrder>(
        [](Operation *op) -> WalkResult {
          if (auto function = dyn_cast<func::FuncOp>(op))
            if (failed(verifySizes(op, function.getArgumentTypes())) ||
                failed(verifySizes(op, function.getResultTypes())))
              return WalkResult::interrupt();
          return verifySizes(op, op->getResultTypes());
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

struct RefuseUnsupportedTensorOpsPass final
    : meanvar::impl::RefuseUnsupportedTensorOpsPassBase<
          RefuseUnsupportedTensorOpsPass> {
  using RefuseUnsupportedTensorOpsPassBase::RefuseUnsupportedTensorOpsPassBase;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) -> WalkResult {
      auto isTensor = [](Type type) { return isa<TensorType>(type); };
      bool usesTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                         llvm::any_of(op->getResultTypes(), isTensor);
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        return verifyConstantSize(constant);
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
      if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()) ||
          (allowOpenMP && isa<omp::OpenMPDialect>(op->getDialect())))
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
