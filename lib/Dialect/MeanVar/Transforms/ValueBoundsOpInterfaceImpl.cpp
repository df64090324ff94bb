//===- ValueBoundsOpInterfaceImpl.cpp - Bounds of result sizes ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Results have the sizes of the operand, but for reduced dimensions of
/// statistics, which are static.
struct MvnValueBounds final
    : ValueBoundsOpInterface::ExternalModel<MvnValueBounds, MvnOp> {
  static void populateBoundsForShapedValueDim(Operation *op, Value value,
                                              int64_t dim,
                                              ValueBoundsConstraintSet &set) {
    Value input = cast<MvnOp>(op).getInput();
    set.bound(value)[dim] == set.getExpr(input, dim);
  }
};

/// A size of a mean is that of the only operand which may have another than 1,
/// or a static one of any. Several operands of sizes that are not known are not
/// known to agree: each of them may be 1.
struct MeanValueBounds final
    : ValueBoundsOpInterface::ExternalModel<MeanValueBounds, MeanOp> {
  static void populateBoundsForShapedValueDim(Operation *op, Value value,
                                              int64_t dim,
                                              ValueBoundsConstraintSet &set) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    llvm::SmallDenseSet<std::pair<Value, int64_t>> unknown;
    for (Value input : cast<MeanOp>(op).getInputs()) {
      auto type = cast<RankedTensorType>(input.getType());
      int64_t inputDim = dim - (rank - type.getRank());
      if (inputDim < 0 || type.getDimSize(inputDim) == 1)
        continue;
      if (!type.isDynamicDim(inputDim)) {
        set.bound(value)[dim] == type.getDimSize(inputDim);
        return;
      }
      unknown.insert({input, inputDim});
    }
    if (unknown.size() != 1)
      return;
    auto [input, inputDim] = *unknown.begin();
    set.bound(value)[dim] == set.getExpr(input, inputDim);
  }
};

} // namespace

void meanvar::registerValueBoundsOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MeanVarDialect *) {
    MvnOp::attachInterface<MvnValueBounds>(*context);
    MeanOp::attachInterface<MeanValueBounds>(*context);
  });
}
