//===- MeanOperators.cpp - Mean and MeanVarianceNormalization -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "ONNXOperation.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if the verifier takes `axes` for a tensor of rank `rank`.
static bool areAxes(ArrayRef<int64_t> axes, int64_t rank) {
  llvm::SmallDenseSet<int64_t> seen;
  return llvm::all_of(axes, [&](int64_t axis) {
    return -rank <= axis && axis < rank &&
           seen.insert(axis < 0 ? axis + rank : axis).second;
  });
}

LogicalResult
meanvar::convertMeanVarianceNormalization(const ONNXOperation &node) {
  std::optional<SmallVector<int64_t>> axes =
      node.getIntegers("axes", {0, 2, 3});
  if (node.op->getNumOperands() != 1 || node.op->getNumResults() != 1)
    return node.leave("has not one operand and one result");
  RankedTensorType type = node.getInputType(0);
  if (!type)
    return node.leave("the operand is no float tensor");
  if (!axes || !areAxes(*axes, type.getRank()))
    return node.leave("the axes are none of its operand");
  if (!isCastable(type, node.op->getResult(0).getType()))
    return node.leave("the result has another shape");
  auto mvn = MvnOp::create(node.rewriter, node.op->getLoc(), node.getInput(0),
                           *axes, llvm::APFloat(1e-9), /*inside_sqrt=*/false,
                           /*center_only=*/false, /*statistics=*/false);
  node.replace(mvn.getResult());
  return success();
}

LogicalResult meanvar::convertMean(const ONNXOperation &node) {
  if (node.op->getNumResults() != 1)
    return node.leave("has not one result");
  SmallVector<RankedTensorType> types =
      llvm::map_to_vector(node.op->getOperandTypes(),
                          [](Type type) { return getTensorType(type); });
  if (types.empty() || llvm::is_contained(types, RankedTensorType()))
    return node.leave("an operand is no float tensor");
  Type element = types[0].getElementType();
  auto shapes = llvm::map_to_vector(
      types, [](RankedTensorType type) { return type.getShape(); });
  FailureOr<SmallVector<int64_t>> shape = inferMeanShape(shapes);
  if (failed(shape) || !llvm::all_of(types, [&](RankedTensorType type) {
        return type.getElementType() == element;
      }))
    return node.leave("operands have no common type");
  if (!isCastable(RankedTensorType::get(*shape, element),
                  node.op->getResult(0).getType()))
    return node.leave("the result has another shape");
  SmallVector<Value> inputs;
  for (unsigned index = 0; index < types.size(); ++index)
    inputs.push_back(node.getInput(index));
  Value mean = MeanOp::create(node.rewriter, node.op->getLoc(), inputs);
  node.replace(mean);
  return success();
}
