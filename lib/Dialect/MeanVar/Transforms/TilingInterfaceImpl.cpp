//===- TilingInterfaceImpl.cpp - Tiling of meanvar.mvn --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of meanvar.mvn are smaller meanvar.mvn operations on whole lanes, so
// the operation stays one unit until after tiling, as linalg.softmax does.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct MvnTiling final : TilingInterface::ExternalModel<MvnTiling, MvnOp> {
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return llvm::map_to_vector(cast<MvnOp>(op).getReducedDims(),
                               [](bool reduced) {
                                 return reduced ? utils::IteratorType::reduction
                                                : utils::IteratorType::parallel;
                               });
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    auto mvn = cast<MvnOp>(op);
    SmallVector<Range> domain;
    for (OpFoldResult size :
         tensor::getMixedSizes(builder, mvn.getLoc(), mvn.getInput()))
      domain.push_back(
          {builder.getIndexAttr(0), size, builder.getIndexAttr(1)});
    return domain;
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    auto mvn = cast<MvnOp>(op);
    SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(
        builder, mvn.getLoc(), mvn.getInput(), offsets, sizes, strides);
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
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
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

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder,
                          unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    // A consumer may ask for a part of a lane, or know the sizes of the
    // statistics only; a tile needs whole lanes.
    auto mvn = cast<MvnOp>(op);
    SmallVector<OpFoldResult> tileOffsets(offsets), tileSizes(sizes);
    SmallVector<OpFoldResult> whole =
        tensor::getMixedSizes(builder, mvn.getLoc(), mvn.getInput());
    for (auto [dim, reduced] : llvm::enumerate(mvn.getReducedDims())) {
      if (!reduced)
        continue;
      bool isWhole = isConstantIntValue(offsets[dim], 0) &&
                     isEqualConstantIntOrValue(sizes[dim], whole[dim]);
      if (resultNumber == 0 && !isWhole)
        return failure();
      tileOffsets[dim] = builder.getIndexAttr(0);
      tileSizes[dim] = whole[dim];
    }
    FailureOr<TilingResult> tile =
        getTiledImplementation(op, builder, tileOffsets, tileSizes);
    if (succeeded(tile))
      tile->tiledValues = {tile->tiledValues[resultNumber]};
    return tile;
  }
};

} // namespace

void meanvar::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MeanVarDialect *) {
    MvnOp::attachInterface<MvnTiling>(*context);
  });
}
