//===- BodyChecks.cpp - Checks in bodies of other operations --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg operation, say, may read an element of a tensor at an index that it
// computes from its own. Whether that is in bounds is checked before, by loops
// over all of its indices that do nothing else.
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the indices that the body of `op` runs for, or nothing if it is not
/// of the operations whose indices are known before.
static std::optional<SmallVector<Range>> getIndexSpace(CheckBuilder &check,
                                                       Operation *op) {
  OpBuilder &builder = check.getBuilder();
  auto ofSizes = [&](ArrayRef<OpFoldResult> sizes) {
    OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    return llvm::map_to_vector(
        sizes, [&](OpFoldResult size) { return Range{zero, size, one}; });
  };
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!linalgOp.hasPureTensorSemantics())
      return std::nullopt;
    return SmallVector<Range>(
        linalgOp.createLoopRanges(builder, check.getLoc()));
  }
  if (auto generate = dyn_cast<tensor::GenerateOp>(op)) {
    auto type = cast<RankedTensorType>(generate.getType());
    return ofSizes(
        getMixedValues(type.getShape(), generate.getDynamicExtents(), builder));
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(builder, pad, sizes)))
      return std::nullopt;
    return ofSizes(sizes.front());
  }
  if (!isa<scf::ForallOp, scf::ParallelOp>(op))
    return std::nullopt;
  auto loop = cast<LoopLikeOpInterface>(op);
  SmallVector<Range> ranges;
  for (auto [lower, upper, step] :
       llvm::zip_equal(*loop.getLoopLowerBounds(), *loop.getLoopUpperBounds(),
                       *loop.getLoopSteps()))
    ranges.push_back({lower, upper, step});
  return ranges;
}

/// Returns the index that `value`, of the body of `op`, stands for.
static std::optional<int64_t> getIndexOfBody(Operation *op, Value value) {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    return static_cast<int64_t>(index.getDim());
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || isa<linalg::LinalgOp>(op))
    return std::nullopt;
  auto forall = dyn_cast<scf::ForallOp>(op);
  int64_t number = argument.getArgNumber();
  return forall && number >= forall.getRank() ? std::nullopt
                                              : std::optional(number);
}

/// Collects in `slice`, in order, the operations of the body of `op` that
/// `value` is computed from. Fails where that takes more than its indices.
static LogicalResult collectSlice(Operation *op, Value value,
                                  SetVector<Operation *> &slice) {
  if (!op->getRegion(0).isAncestor(value.getParentRegion()) ||
      getIndexOfBody(op, value))
    return success();
  Operation *producer = value.getDefiningOp();
  if (slice.contains(producer))
    return success();
  if (!producer || producer->getNumRegions() > 0 || !isPure(producer) ||
      producer->getBlock() != &op->getRegion(0).front())
    return failure();
  for (Value operand : producer->getOperands())
    if (failed(collectSlice(op, operand, slice)))
      return failure();
  slice.insert(producer);
  return success();
}

/// Emits loops over the index space and returns their indices, with the builder
/// in the innermost one.
static SmallVector<Value> emitLoops(CheckBuilder &check,
                                    ArrayRef<Range> indexSpace) {
  SmallVector<Value> indices;
  for (const Range &range : indexSpace) {
    auto loop = scf::ForOp::create(
        check.getBuilder(), check.getLoc(), check.index(range.offset),
        check.index(range.size), check.index(range.stride));
    check.getBuilder().setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  return indices;
}

void meanvar::moveChecksOutOfBody(Operation *op) {
  if (!isa<linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp, scf::ForallOp,
           scf::ParallelOp>(op))
    return;
  SmallVector<cf::AssertOp> checks;
  SetVector<Operation *> slice;
  for (auto check : op->getRegion(0).getOps<cf::AssertOp>())
    if (check->hasAttr(checkedOpAttrName) &&
        succeeded(collectSlice(op, check.getArg(), slice)))
      checks.push_back(check);
  if (checks.empty())
    return;
  CheckBuilder check(op);
  std::optional<SmallVector<Range>> indexSpace = getIndexSpace(check, op);
  if (!indexSpace)
    return;
  SmallVector<Value> indices = emitLoops(check, *indexSpace);
  IRMapping mapping;
  op->getRegion(0).walk([&](linalg::IndexOp index) {
    mapping.map(index.getResult(), indices[index.getDim()]);
  });
  for (BlockArgument argument : op->getRegion(0).getArguments())
    if (std::optional<int64_t> number = getIndexOfBody(op, argument))
      mapping.map(argument, indices[*number]);
  for (Operation *part : slice)
    check.getBuilder().clone(*part, mapping);
  for (cf::AssertOp moved : checks) {
    check.getBuilder().clone(*moved, mapping);
    moved.erase();
  }
}
