//===- TilingInterfaceImpl.cpp - Tiling of meanvar operations -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of meanvar operations are smaller meanvar operations: a meanvar.mvn on
// whole lanes, so that the operation stays one unit until after tiling, as
// linalg.softmax does, and a meanvar.mean of those parts of its operands that
// the tile is made of.
//
// Methods by which a producer's loop takes in its consumer are left out:
// upstream's driver does so for operations in destination style only.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the iteration domain of an operation with a loop of each size.
static SmallVector<Range> getDomain(OpBuilder &builder,
                                    ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    return Range{builder.getIndexAttr(0), size, builder.getIndexAttr(1)};
  });
}

/// Emits the part of `tensor` that is given by an offset and a size of each
/// dimension.
static tensor::ExtractSliceOp createSlice(OpBuilder &builder, Location loc,
                                          Value tensor,
                                          ArrayRef<OpFoldResult> offsets,
                                          ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, offsets, sizes,
                                        strides);
}

namespace {

/// What both operations share. A tile of the result is where its tile of the
/// iteration domain is, unless a model says otherwise.
template <typename Model, typename ConcreteOp>
class MeanVarTiling : public TilingInterface::ExternalModel<Model, ConcreteOp> {
public:
  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &builder,
                        unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &builder, unsigned resultNumber,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &tileOffsets,
      SmallVectorImpl<OpFoldResult> &tileSizes) const {
    tileOffsets.assign(offsets.begin(), offsets.end());
    tileSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  /// Generates the tile of the iteration domain that gives the tile of the
  /// result.
  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder,
                          unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    auto *model = static_cast<const Model *>(this);
    SmallVector<OpFoldResult> tileOffsets, tileSizes;
    if (failed(model->getIterationDomainTileFromResultTile(
            op, builder, resultNumber, offsets, sizes, tileOffsets, tileSizes)))
      return failure();
    FailureOr<TilingResult> tile =
        model->getTiledImplementation(op, builder, tileOffsets, tileSizes);
    if (succeeded(tile))
      tile->tiledValues = {tile->tiledValues[resultNumber]};
    return tile;
  }

private:
  MeanVarTiling() = default;
  friend Model;
};

/// Kept dimensions tile. Reduced ones do not: a part of a lane has other
/// statistics.
struct MvnTiling final : MeanVarTiling<MvnTiling, MvnOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return llvm::map_to_vector(cast<MvnOp>(op).getReducedDims(),
                               [](bool reduced) {
                                 return reduced ? utils::IteratorType::reduction
                                                : utils::IteratorType::parallel;
                               });
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    return getDomain(builder, tensor::getMixedSizes(builder, op->getLoc(),
                                                    op->getOperand(0)));
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto mvn = cast<MvnOp>(op);
    if (std::optional<unsigned> dim = getDividedDim(mvn, offsets, sizes))
      return mvn.emitOpError("dimension ")
             << *dim << " is reduced and not known to be whole in a tile "
             << "(allowed: tiles of kept dimensions)";
    auto slice =
        createSlice(builder, mvn.getLoc(), mvn.getInput(), offsets, sizes);
    auto tile = MvnOp::create(builder, mvn.getLoc(), slice, mvn.getAxes(),
                              mvn.getEpsilon(), mvn.getInsideSqrt(),
                              mvn.getCenterOnly(), mvn.getStatistics());
    tile->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return TilingResult{
        {tile}, SmallVector<Value>(tile->getResults()), {slice}};
  }

  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &builder,
                        unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    if (failed(MeanVarTiling::getResultTilePosition(
            op, builder, resultNumber, offsets, sizes, resultOffsets,
            resultSizes)))
      return failure();
    if (resultNumber == 0)
      return success();
    // The statistics have size 1 in the reduced dimensions.
    for (auto [dim, reduced] :
         llvm::enumerate(cast<MvnOp>(op).getReducedDims()))
      if (reduced) {
        resultOffsets[dim] = builder.getIndexAttr(0);
        resultSizes[dim] = builder.getIndexAttr(1);
      }
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &builder, unsigned resultNumber,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &tileOffsets,
      SmallVectorImpl<OpFoldResult> &tileSizes) const {
    auto mvn = cast<MvnOp>(op);
    if (failed(MeanVarTiling::getIterationDomainTileFromResultTile(
            op, builder, resultNumber, offsets, sizes, tileOffsets, tileSizes)))
      return failure();
    if (resultNumber == 0)
      return success(!getDividedDim(mvn, offsets, sizes));
    // An element of the statistics is made of a whole lane.
    for (auto [dim, reduced] : llvm::enumerate(mvn.getReducedDims()))
      if (reduced) {
        tileOffsets[dim] = builder.getIndexAttr(0);
        tileSizes[dim] =
            tensor::getMixedSize(builder, mvn.getLoc(), mvn.getInput(), dim);
      }
    return success();
  }

private:
  /// Returns a reduced dimension that is not known to be whole in a tile.
  static std::optional<unsigned> getDividedDim(MvnOp mvn,
                                               ArrayRef<OpFoldResult> offsets,
                                               ArrayRef<OpFoldResult> sizes) {
    using Variable = ValueBoundsConstraintSet::Variable;
    for (auto [dim, reduced] : llvm::enumerate(mvn.getReducedDims())) {
      if (!reduced)
        continue;
      FailureOr<bool> hasAll = ValueBoundsConstraintSet::areEqual(
          Variable(sizes[dim]), Variable(mvn.getInput(), dim));
      if (!isZeroInteger(offsets[dim]) || failed(hasAll) || !*hasAll)
        return dim;
    }
    return std::nullopt;
  }
};

/// All dimensions tile. Sizes are taken to broadcast, as they are where the
/// operation is lowered: `meanvar-insert-shape-checks` checks them (M3).
struct MeanTiling final : MeanVarTiling<MeanTiling, MeanOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(
        cast<RankedTensorType>(op->getResult(0).getType()).getRank(),
        utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    ReifiedRankedShapedTypeDims sizes;
    if (failed(cast<MeanOp>(op).reifyResultShapes(builder, sizes)))
      return {};
    return getDomain(builder, sizes.front());
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto mean = cast<MeanOp>(op);
    TilingResult result;
    SmallVector<Value> slices;
    for (unsigned index = 0; index < mean.getInputs().size(); ++index) {
      auto slice = createOperandTile(builder, mean, index, offsets, sizes);
      slices.push_back(slice);
      result.generatedSlices.push_back(slice);
    }
    // What the sizes say is more than what follows from those of the operands,
    // where these may be stretched.
    auto type = tensor::ExtractSliceOp::inferResultType(
        cast<RankedTensorType>(mean.getResult().getType()), sizes);
    auto tile = MeanOp::create(builder, mean.getLoc(), type, slices);
    tile->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    result.tiledOps = {tile};
    result.tiledValues = {tile.getResult()};
    return result;
  }

private:
  /// Emits what operand number `index` has of a tile of the result: in
  /// dimensions that are stretched, its only element.
  static tensor::ExtractSliceOp
  createOperandTile(OpBuilder &builder, MeanOp mean, unsigned index,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
    Location loc = mean.getLoc();
    Value input = mean.getInputs()[index];
    auto type = cast<RankedTensorType>(input.getType());
    SmallVector<OpFoldResult> inputOffsets(offsets.take_back(type.getRank())),
        inputSizes(sizes.take_back(type.getRank()));
    OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (type.getDimSize(dim) == 1) {
        inputOffsets[dim] = zero;
        inputSizes[dim] = one;
      } else if (mean.mayBeStretched(index, dim)) {
        Value size = getValueOrCreateConstantIndexOp(
            builder, loc, tensor::getMixedSize(builder, loc, input, dim));
        auto oneValue = arith::ConstantIndexOp::create(builder, loc, 1);
        Value isOne = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, size, oneValue);
        auto select = [&](OpFoldResult unit, OpFoldResult tile) {
          return builder.createOrFold<arith::SelectOp>(
              loc, isOne, getValueOrCreateConstantIndexOp(builder, loc, unit),
              getValueOrCreateConstantIndexOp(builder, loc, tile));
        };
        inputOffsets[dim] = select(zero, inputOffsets[dim]);
        inputSizes[dim] = select(one, inputSizes[dim]);
      }
    }
    return createSlice(builder, loc, input, inputOffsets, inputSizes);
  }
};

} // namespace

void meanvar::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MeanVarDialect *) {
    MeanOp::attachInterface<MeanTiling>(*context);
    MvnOp::attachInterface<MvnTiling>(*context);
  });
}
