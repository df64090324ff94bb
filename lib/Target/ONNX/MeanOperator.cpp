//===- MeanOperator.cpp - Mean --------------------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionChecks.h"
#include "Names.h"
#include "OperatorTable.h"
#include "Types.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

static constexpr int64_t broadcastingMeanOpset = 8;

/// Merges what two inputs of equal shapes know of it, and checks the rest when
/// the function runs.
static LogicalResult mergeEqualShapes(const OperatorNode &node, size_t index,
                                      MutableArrayRef<int64_t> shape) {
  ArrayRef<int64_t> inputShape = node.getInputType(index).getShape();
  for (auto [dim, size] : llvm::enumerate(inputShape)) {
    bool isKnown = !ShapedType::isDynamic(size);
    if (isKnown && !ShapedType::isDynamic(shape[dim]) && size != shape[dim])
      return node.emitError()
             << node.describeInput(index) << " has size " << size
             << " in dimension " << dim << ", but an input before it has size "
             << shape[dim] << ": Mean does not broadcast before opset "
             << broadcastingMeanOpset;
    std::string message =
        withoutBraces(node.description) + ": dimension " + std::to_string(dim) +
        " is {0} in " + withoutBraces(node.describeInput(0)) + " and {1} in " +
        withoutBraces(node.describeInput(index)) +
        ", but Mean does not broadcast before opset " +
        std::to_string(broadcastingMeanOpset);
    if (failed(checkEqualSizes(node.getBuilder(), node.loc,
                               node.getSizes().get(node.inputs.front(), dim),
                               node.getSizes().get(node.inputs[index], dim),
                               message)))
      return failure();
    if (isKnown)
      shape[dim] = size;
  }
  return success();
}

/// Returns the result shape of a Mean whose inputs have equal shapes.
static FailureOr<SmallVector<int64_t>> getEqualShape(const OperatorNode &node) {
  SmallVector<int64_t> shape(node.getInputType(0).getShape());
  for (size_t index = 0; index < node.inputs.size(); ++index) {
    int64_t rank = node.getInputType(index).getRank();
    if (rank != static_cast<int64_t>(shape.size()))
      return node.emitError()
             << node.describeInput(index) << " has rank " << rank << ", but "
             << node.describeInput(0) << " has rank " << shape.size()
             << ": Mean does not broadcast before opset "
             << broadcastingMeanOpset;
    if (index != 0 && failed(mergeEqualShapes(node, index, shape)))
      return failure();
  }
  return shape;
}

/// Returns the result shape of a Mean that broadcasts.
static FailureOr<SmallVector<int64_t>>
getBroadcastShape(const OperatorNode &node) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (size_t index = 0; index < node.inputs.size(); ++index)
    shapes.push_back(node.getInputType(index).getShape());
  return inferMeanShape(shapes, [&] { return node.emitError(); });
}

/// Records the sizes of the result where all inputs have the same.
static void setResultSizes(const OperatorNode &node, Value result) {
  TensorShape sizes = node.getSizes().get(node.inputs.front());
  bool areEqual = node.inputs.front().getType() == result.getType() &&
                  llvm::all_of(llvm::drop_begin(node.inputs), [&](Value other) {
                    return node.getSizes().get(other) == sizes;
                  });
  if (areEqual)
    node.getSizes().set(result, sizes);
}

static FailureOr<SmallVector<Value>> importMean(const OperatorNode &node) {
  FailureOr<SmallVector<int64_t>> shape = node.opset >= broadcastingMeanOpset
                                              ? getBroadcastShape(node)
                                              : getEqualShape(node);
  if (failed(shape) ||
      failed(
          checkShape(*shape, [&] { return node.emitError(); }, "the result")))
    return failure();
  auto type = RankedTensorType::get(*shape, node.getElementType(0));
  Value mean = MeanOp::create(node.getBuilder(), node.loc, type, node.inputs);
  setResultSizes(node, mean);
  return SmallVector<Value>{mean};
}

ArrayRef<OperatorVersion> meanvar::getMeanOperators() {
  static constexpr OperatorVersion operators[] = {
      // `consumed_inputs`, a hint on memory, has no meaning.
      {"Mean", 1, 1, variadic, 1, variadic, ieeeTypes, "consumed_inputs",
       importMean},
      {"Mean", 6, 1, variadic, 1, variadic, ieeeTypes, "consumed_inputs",
       importMean},
      {"Mean", 8, 1, variadic, 1, variadic, ieeeTypes, "", importMean},
      {"Mean", 13, 1, variadic, 1, variadic, floatTypes, "", importMean},
  };
  return operators;
}
