//===- ElementwiseConsumer.cpp - What follows a normalization -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if what is read through `map` lies side by side along the
/// innermost loop, or does not change along it.
static bool followsInnermostLoop(AffineMap map) {
  unsigned innermost = map.getNumDims() - 1;
  return map.getNumDims() == 0 || !map.isFunctionOfDim(innermost) ||
         map.getResults().back() ==
             getAffineDimExpr(innermost, map.getContext());
}

/// Returns true if `op` walks its results in the order of its loops, all of
/// which are parallel, and is a loop over vectors as well as what it consumes.
static bool isElementwise(linalg::GenericOp op) {
  auto isIdentity = [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isIdentity();
  };
  return op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
         !op.hasIndexSemantics() &&
         llvm::all_of(op.getDpsInitsMutable(), isIdentity) &&
         llvm::all_of(op.getIndexingMapsArray(), followsInnermostLoop);
}

/// Returns true if `op` asks for a size of its operand, perhaps in another
/// shape.
static bool isSizeQuery(Operation *op) {
  return isa<tensor::DimOp>(op) ||
         (isa<tensor::ExpandShapeOp>(op) &&
          llvm::all_of(op->getUsers(), llvm::IsaPred<tensor::DimOp>));
}

/// Returns the only use of the elements of `value`, or null.
static OpOperand *getOnlyUse(Value value) {
  OpOperand *only = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (isSizeQuery(use.getOwner()))
      continue;
    if (only)
      return nullptr;
    only = &use;
  }
  return only;
}

linalg::GenericOp meanvar::getElementwiseConsumer(Value value) {
  OpOperand *use = getOnlyUse(value);
  auto consumer = use ? dyn_cast<linalg::GenericOp>(use->getOwner()) : nullptr;
  bool isFound = consumer && isElementwise(consumer) &&
                 consumer.isDpsInput(use) &&
                 consumer->getBlock() == value.getParentBlock() &&
                 consumer.getMatchingIndexingMap(use).isIdentity();
  return isFound ? consumer : nullptr;
}
