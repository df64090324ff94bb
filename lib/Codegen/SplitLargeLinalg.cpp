//===- SplitLargeLinalg.cpp - Parallel loops of large operations ----------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "Threads.h"

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

#include <algorithm>

namespace mlir::meanvar {
#define GEN_PASS_DEF_SPLITLARGELINALGPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if an operand may hold `minBytes` bytes or more.
static bool mayBeLarge(linalg::LinalgOp op, int64_t minBytes) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return false;
    int64_t bytes = getElementBytes(type);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, {operand, dim},
          /*stopCondition=*/nullptr, /*closedUB=*/true);
      if (failed(bound))
        return true;
      bytes *= *bound;
    }
    return bytes >= minBytes;
  });
}

/// Returns true for an operation that writes each element of its outputs in one
/// iteration, and in any order of them.
static bool isElementwise(linalg::LinalgOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &output) {
           return op.getMatchingIndexingMap(&output).isPermutation();
         });
}

/// Returns true for sums whose order is free, the first loop of which is
/// reduced and the others are of static size if they are not.
static bool isSplittableSum(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op->hasAttr(partialSumsAttrName) ||
      op->hasAttr(coldAttrName) ||
      op.getIteratorTypesArray().front() != utils::IteratorType::reduction)
    return false;
  // Parts of what is accumulated otherwise, such as a maximum, do not add up.
  for (unsigned index = 0; index < generic.getNumDpsInits(); ++index) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(generic.getRegionOutputArgs(), index, combiners) ||
        combiners.size() != 1 || !isa<arith::AddFOp>(combiners.front()))
      return false;
  }
  return llvm::all_of(op.getDpsInits(), [](Value output) {
    return cast<MemRefType>(output.getType()).hasStaticShape();
  });
}

namespace {

/// Splits one operation on buffers into a scf.forall of smaller ones.
class LinalgSplit {
public:
  LinalgSplit(RewriterBase &builder, linalg::LinalgOp op)
      : builder(builder), op(op), loc(op.getLoc()) {
    builder.setInsertionPoint(op);
    tiling = cast<TilingInterface>(op.getOperation());
    for (Range range : tiling.getIterationDomain(builder))
      sizes.push_back(range.size);
  }

  /// Into pieces of about a tile of bytes.
  void splitElementwise();

  /// Into sums over blocks of the first loop, which are then added in order.
  /// How many there are depends on sizes only (V9).
  void splitSum();

private:
  SmallVector<OpFoldResult> getPieceSizes();
  OpFoldResult getBlockSize(int64_t numBlocks, int64_t multiple);
  linalg::LinalgOp emitPieces(ArrayRef<OpFoldResult> pieces);
  Value createPartialSums(Value sum, int64_t numBlocks);
  Value getPartialSum(Value partials, Value block);
  void addPartialSums(ArrayRef<Value> partials);

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(builder, loc, expr, operands);
  }
  OpFoldResult min(AffineExpr lhs, AffineExpr rhs,
                   ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineMin(
        builder, loc,
        AffineMap::get(0, operands.size(), {lhs, rhs}, builder.getContext()),
        operands);
  }

  RewriterBase &builder;
  linalg::LinalgOp op;
  TilingInterface tiling;
  Location loc;
  /// Of the loops of the operation.
  SmallVector<OpFoldResult> sizes;
};

} // namespace

/// Returns the sizes of pieces that are as long as possible in the innermost
/// loops.
SmallVector<OpFoldResult> LinalgSplit::getPieceSizes() {
  constexpr int64_t pieceBytes = int64_t(64) * 1024;
  int64_t elementBytes = 1;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()))
      elementBytes = std::max(elementBytes, getElementBytes(type));
  AffineExpr size = builder.getAffineSymbolExpr(0);
  AffineExpr left = builder.getAffineSymbolExpr(1);
  AffineExpr one = builder.getAffineConstantExpr(1);
  SmallVector<OpFoldResult> pieces(sizes.size());
  // The elements that fit a piece, divided by those of the inner loops.
  OpFoldResult rest = builder.getIndexAttr(pieceBytes / elementBytes);
  for (size_t dim = sizes.size(); dim-- > 0;) {
    pieces[dim] = min(size, left, {sizes[dim], rest});
    auto atLeastOne = [&](OpFoldResult value) {
      return affine::makeComposedFoldedAffineMax(
          builder, loc,
          AffineMap::get(0, 1, {builder.getAffineSymbolExpr(0), one},
                         builder.getContext()),
          {value});
    };
    pieces[dim] = atLeastOne(pieces[dim]);
    rest =
        atLeastOne(apply(left.floorDiv(size), {atLeastOne(sizes[dim]), rest}));
  }
  return pieces;
}

/// Emits a scf.forall over pieces of the given sizes, which holds the operation
/// on one piece; returns that. The induction variables are those of the loops
/// that are divided.
linalg::LinalgOp LinalgSplit::emitPieces(ArrayRef<OpFoldResult> pieces) {
  SmallVector<OpFoldResult> begins, ends, steps;
  for (auto [size, piece] : llvm::zip_equal(sizes, pieces)) {
    if (isEqualConstantIntOrValue(size, piece))
      continue;
    begins.push_back(builder.getIndexAttr(0));
    ends.push_back(size);
    steps.push_back(piece);
  }
  auto loop = scf::ForallOp::create(builder, loc, begins, ends, steps,
                                    ValueRange(), std::nullopt);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getTerminator());
  SmallVector<OpFoldResult> offsets, pieceSizes;
  SmallVector<Value> indices =
      llvm::to_vector_of<Value>(loop.getInductionVars());
  ArrayRef<Value> unused = indices;
  for (auto [size, piece] : llvm::zip_equal(sizes, pieces)) {
    if (isEqualConstantIntOrValue(size, piece)) {
      offsets.push_back(builder.getIndexAttr(0));
      pieceSizes.push_back(size);
      continue;
    }
    offsets.push_back(unused.front());
    unused = unused.drop_front();
    std::optional<int64_t> whole = getConstantIntValue(size);
    std::optional<int64_t> part = getConstantIntValue(piece);
    bool isDivisible = whole && part && *whole % *part == 0;
    AffineExpr rest =
        builder.getAffineSymbolExpr(1) - builder.getAffineSymbolExpr(2);
    pieceSizes.push_back(isDivisible ? piece
                                     : min(builder.getAffineSymbolExpr(0), rest,
                                           {piece, size, offsets.back()}));
  }
  FailureOr<TilingResult> tiled =
      tiling.getTiledImplementation(builder, offsets, pieceSizes);
  assert(succeeded(tiled) && "buffers have no results to be tiled for");
  return cast<linalg::LinalgOp>(tiled->tiledOps.front());
}

void LinalgSplit::splitElementwise() {
  SmallVector<OpFoldResult> pieces = getPieceSizes();
  if (pieces == sizes)
    return;
  emitPieces(pieces);
  builder.eraseOp(op);
}

/// Returns the size of `numBlocks` blocks, or fewer, of the first loop.
OpFoldResult LinalgSplit::getBlockSize(int64_t numBlocks, int64_t multiple) {
  AffineExpr size = builder.getAffineSymbolExpr(0);
  AffineExpr block = size.ceilDiv(numBlocks).ceilDiv(multiple) * multiple;
  // Steps are not 0.
  return affine::makeComposedFoldedAffineMax(
      builder, loc,
      AffineMap::get(0, 1, {block, builder.getAffineConstantExpr(multiple)},
                     builder.getContext()),
      {sizes.front()});
}

/// Creates a buffer for a sum of each block, all of them 0. It is aligned to
/// cache lines, as those that bufferization makes are.
Value LinalgSplit::createPartialSums(Value sum, int64_t numBlocks) {
  auto type = cast<MemRefType>(sum.getType());
  SmallVector<int64_t> shape{numBlocks};
  llvm::append_range(shape, type.getShape());
  auto partials = memref::AllocOp::create(
      builder, loc, MemRefType::get(shape, type.getElementType()), ValueRange(),
      builder.getI64IntegerAttr(64));
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  linalg::FillOp::create(builder, loc, zero, partials.getResult());
  return partials;
}

Value LinalgSplit::getPartialSum(Value partials, Value block) {
  auto type = cast<MemRefType>(partials.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> shape =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets.front() = block;
  shape.front() = builder.getIndexAttr(1);
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(), type, offsets, shape, strides);
  return memref::SubViewOp::create(builder, loc, reduced, partials, offsets,
                                   shape, strides);
}

/// Adds the sums of the blocks to the outputs.
void LinalgSplit::addPartialSums(ArrayRef<Value> partials) {
  int64_t rank = cast<MemRefType>(partials.front().getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(partials.size(), identity);
  maps.append(partials.size(), identity.dropResult(0));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.front() = utils::IteratorType::reduction;
  auto generic = linalg::GenericOp::create(
      builder, loc, ValueRange(partials), op.getDpsInits(), maps, iterators,
      [](OpBuilder &body, Location bodyLoc, ValueRange args) {
        SmallVector<Value> sums;
        for (auto [partial, sum] :
             llvm::zip_equal(args.take_front(args.size() / 2),
                             args.drop_front(args.size() / 2)))
          sums.push_back(arith::AddFOp::create(body, bodyLoc, sum, partial));
        linalg::YieldOp::create(body, bodyLoc, sums);
      });
  generic->setAttr(partialSumsAttrName, op->getAttr(partialSumsAttrName));
}

void LinalgSplit::splitSum() {
  // As many sums as fit 64 KB, on the stack.
  constexpr int64_t maxPartials = 8192, minBlocks = 8, maxBlocks = 64;
  constexpr int64_t minBlockElements = 4096;
  int64_t lanes = std::max<int64_t>(
      cast<MemRefType>(op.getDpsInits().front().getType()).getNumElements(), 1);
  int64_t numBlocks = std::clamp(maxPartials / lanes, minBlocks, maxBlocks);
  OpFoldResult block =
      getBlockSize(numBlocks, std::max<int64_t>(minBlockElements / lanes, 1));
  std::optional<int64_t> whole = getConstantIntValue(sizes.front());
  if (whole && *whole <= getConstantIntValue(block))
    return;

  SmallVector<Value> partials;
  for (Value sum : op.getDpsInits())
    partials.push_back(createPartialSums(sum, numBlocks));
  SmallVector<OpFoldResult> pieces = sizes;
  pieces.front() = block;
  linalg::LinalgOp piece = emitPieces(pieces);
  builder.setInsertionPoint(piece);
  auto loop = piece->getParentOfType<scf::ForallOp>();
  OpFoldResult number = apply(
      builder.getAffineSymbolExpr(0).floorDiv(builder.getAffineSymbolExpr(1)),
      {Value(loop.getInductionVar(0)), block});
  for (auto [index, partial] : llvm::enumerate(partials))
    piece.setDpsInitOperand(
        index, getPartialSum(partial, getValueOrCreateConstantIndexOp(
                                          builder, loc, number)));
  builder.setInsertionPointAfter(loop);
  addPartialSums(partials);
  builder.eraseOp(op);
}

namespace {

struct SplitLargeLinalgPass final
    : meanvar::impl::SplitLargeLinalgPassBase<SplitLargeLinalgPass> {
  using SplitLargeLinalgPassBase::SplitLargeLinalgPassBase;

  void runOnOperation() override {
    if (failed(verifyNumThreads(getOperation(), threads)))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics() && op.getNumLoops() > 0 &&
          !op->getParentOfType<scf::ForallOp>() &&
          !op->getParentOfType<scf::ParallelOp>() && mayBeLarge(op, minBytes))
        ops.push_back(op);
    });
    IRRewriter builder(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (isSplittableSum(op))
        LinalgSplit(builder, op).splitSum();
      else if (threads > 1 && isElementwise(op))
        LinalgSplit(builder, op).splitElementwise();
    }
  }
};

} // namespace
