//===- StreamingStores.cpp - Results that bypass the caches ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamingStores.h"
#include "BufferSizes.h"

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_CHOOSESTREAMINGSTORESPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

Value meanvar::getViewedBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

Value meanvar::emitIsStreaming(OpBuilder &builder, Location loc, Value buffer,
                               int64_t streamingBytes) {
  return builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::uge, emitBytes(builder, loc, buffer),
      arith::ConstantIndexOp::create(builder, loc, streamingBytes));
}

Value meanvar::emitMisalignment(OpBuilder &builder, Location loc, Value buffer,
                                Value element, int64_t vectorSize) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value pointer =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value bytes = index(getElementBytes(buffer));
  Value first = arith::DivUIOp::create(builder, loc, pointer, bytes);
  element = arith::AddIOp::create(builder, loc, first, element);
  return arith::RemUIOp::create(builder, loc, element, index(vectorSize));
}

Value meanvar::emitIsAligned(OpBuilder &builder, Location loc, Value buffer,
                             int64_t vectorSize) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value offset = getValueOrCreateConstantIndexOp(
      builder, loc, metadata.getConstifiedMixedOffset());
  Value misalignment =
      emitMisalignment(builder, loc, buffer, offset, vectorSize);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                               misalignment,
                               arith::ConstantIndexOp::create(builder, loc, 0));
}

/// Returns true if `use` of a buffer only writes it, or asks for its sizes.
static bool isWrite(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<memref::DimOp>(user))
    return true;
  // Bufferization leaves copies of results to themselves.
  if (auto copy = dyn_cast<memref::CopyOp>(user))
    return copy.getTarget() == use.get() ||
           getViewedBuffer(copy.getSource()) ==
               getViewedBuffer(copy.getTarget());
  auto op = dyn_cast<linalg::LinalgOp>(user);
  return op && op.isDpsInit(&use) && !op.payloadUsesValueFromOperand(&use);
}

bool meanvar::isOnlyWritten(Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner()))
      return llvm::all_of(view->getResults(), meanvar::isOnlyWritten);
    return isWrite(use);
  });
}

/// Where less is read than written, there is room in the caches for results so
/// many times as large.
static constexpr int64_t roomOfResult = 4;

/// Returns true if `op` reads an element for each that it writes.
static bool readsAsMuchAsItWrites(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input).getNumResults() == op.getNumLoops();
  });
}

/// Returns true for usual sums, whose additions are in blocks.
static bool isBlockedSum(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0 && op->hasAttr(partialSumsAttrName) &&
         !op->hasAttr(coldAttrName);
}

namespace {

struct ChooseStreamingStoresPass final
    : meanvar::impl::ChooseStreamingStoresPassBase<ChooseStreamingStoresPass> {
  using ChooseStreamingStoresPassBase::ChooseStreamingStoresPassBase;

  void runOnOperation() override {
    if (streamingBytes <= 0 || getOperation().isExternal())
      return;
    for (BlockArgument argument : getOperation().getArguments()) {
      auto type = dyn_cast<MemRefType>(argument.getType());
      if (!type || !mayHaveBytes(type, streamingBytes))
        continue;
      bool isRead = getOperation().getArgAttr(argument.getArgNumber(),
                                              isReadAttrName) != nullptr;
      if (!isRead && isOnlyWritten(argument))
        choose(argument);
      else
        markSums(argument);
    }
  }

  void mark(linalg::LinalgOp op, int64_t bytes) {
    op->setAttr(streamingBytesAttrName,
                Builder(&getContext()).getI64IntegerAttr(bytes));
  }

  /// Returns how large the result of `op` is at least to bypass the caches.
  int64_t getStreamingBytes(linalg::LinalgOp op) {
    if (readsAsMuchAsItWrites(op))
      return streamingBytes;
    constexpr int64_t max = std::numeric_limits<int64_t>::max() / roomOfResult;
    return std::min<int64_t>(streamingBytes, max) * roomOfResult;
  }

  /// Marks the sums of elements of `argument`.
  void markSums(BlockArgument argument) {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isBlockedSum(op) &&
          getViewedBuffer(op.getDpsInputOperand(0)->get()) == argument)
        mark(op, streamingBytes);
    });
  }

  /// Marks the elementwise operations that write `argument`.
  void choose(BlockArgument argument) {
    auto type = cast<MemRefType>(argument.getType());
    std::optional<int64_t> leastBytes;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() > 0 || op.getNumDpsInits() != 1 ||
          getViewedBuffer(op.getDpsInits().front()) != argument)
        return;
      int64_t bytes = getStreamingBytes(op);
      if (!mayHaveBytes(type, bytes))
        return;
      mark(op, bytes);
      leastBytes = std::min(bytes, leastBytes.value_or(bytes));
    });
    if (leastBytes)
      emitFence(argument, *leastBytes);
  }

  /// Makes what was stored past the caches visible to other threads before the
  /// function returns.
  void emitFence(BlockArgument argument, int64_t bytes) {
    Operation *terminator = getOperation().getBody().back().getTerminator();
    OpBuilder builder(terminator);
    Location loc = getOperation().getLoc();
    Value isStreaming = emitIsStreaming(builder, loc, argument, bytes);
    auto ifOp = scf::IfOp::create(builder, loc, isStreaming,
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::seq_cst,
                          /*syncscope=*/"");
  }
};

} // namespace
