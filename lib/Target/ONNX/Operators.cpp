//===- Operators.cpp - Mean and MeanVarianceNormalization -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is checked before an operation is built, so that messages speak of
// the model and not of the operation.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "DimensionChecks.h"
#include "Names.h"
#include "Types.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::meanvar;

// Versions of the operator set that changed something.
static constexpr int64_t broadcastingMeanOpset = 8;
static constexpr int64_t axesOfMvnOpset = 9;
static constexpr int64_t bfloat16Opset = 13;

InFlightDiagnostic OperatorNode::emitError() const {
  return mlir::emitError(loc) << description << ": ";
}

//===----------------------------------------------------------------------===//
// Inputs, outputs and attributes
//===----------------------------------------------------------------------===//

static std::string describeInput(const OperatorNode &node, size_t index) {
  return "input " + std::to_string(index) + " (" +
         quoteName(node.proto.input(index)) + ")";
}

static FloatType getElementType(TypedValue<RankedTensorType> value) {
  return cast<FloatType>(value.getType().getElementType());
}

/// Checks that all inputs have one element type, which the version of the
/// operator takes.
static LogicalResult checkElementTypes(const OperatorNode &node) {
  FloatType type = getElementType(node.inputs.front());
  if (type.isBF16() && node.opset < bfloat16Opset)
    return node.emitError()
           << "element type bfloat16 is not supported before "
              "opset "
           << bfloat16Opset << " (allowed: float16, float, double)";
  for (auto [index, input] : llvm::enumerate(node.inputs))
    if (getElementType(input) != type)
      return node.emitError()
             << describeInput(node, index) << " has element type "
             << getDataTypeName(getElementType(input)) << ", but "
             << describeInput(node, 0) << " has element type "
             << getDataTypeName(type);
  return success();
}

/// Checks that the node has no attributes but the ones named.
static LogicalResult checkAttributes(const OperatorNode &node,
                                     ArrayRef<StringRef> allowed) {
  for (auto [name, attribute] : node.attributes) {
    if (llvm::is_contained(allowed, name))
      continue;
    InFlightDiagnostic diagnostic = node.emitError()
                                    << "attribute " << quoteName(name)
                                    << " is not supported (allowed: ";
    if (allowed.empty())
      return diagnostic << "none)";
    llvm::interleaveComma(allowed, diagnostic,
                          [&](StringRef one) { diagnostic << quoteName(one); });
    return diagnostic << ")";
  }
  return success();
}

/// Returns whether `attribute` has type `type`. Files of format 1 do not say
/// the type; there the field that is set counts.
static bool hasType(const onnx::AttributeProto &attribute,
                    onnx::AttributeProto::AttributeType type, bool isSet) {
  if (attribute.type() == onnx::AttributeProto::UNDEFINED)
    return isSet;
  return attribute.type() == type;
}

/// Returns the value of the attribute `name`, which is 0 or 1.
static FailureOr<bool> getFlag(const OperatorNode &node, StringRef name,
                               bool defaultValue) {
  const onnx::AttributeProto *attribute = node.attributes.lookup(name);
  if (!attribute)
    return defaultValue;
  if (!hasType(*attribute, onnx::AttributeProto::INT, attribute->has_i()))
    return node.emitError()
           << "attribute " << quoteName(name) << " is not an integer";
  if (attribute->i() != 0 && attribute->i() != 1)
    return node.emitError() << "attribute " << quoteName(name) << " is "
                            << attribute->i() << " (allowed: 0, 1)";
  return attribute->i() == 1;
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

/// Merges what two inputs of equal shapes know of it, and checks the rest when
/// the function runs.
static LogicalResult mergeEqualShapes(OpBuilder &builder,
                                      const OperatorNode &node, size_t index,
                                      MutableArrayRef<int64_t> shape) {
  Value first = node.inputs.front(), input = node.inputs[index];
  ArrayRef<int64_t> inputShape = node.inputs[index].getType().getShape();
  for (auto [dim, size] : llvm::enumerate(inputShape)) {
    bool isKnown = !ShapedType::isDynamic(size);
    if (isKnown && !ShapedType::isDynamic(shape[dim]) && size != shape[dim])
      return node.emitError()
             << describeInput(node, index) << " has size " << size
             << " in dimension " << dim << ", but an input before it has size "
             << shape[dim] << ": Mean does not broadcast before opset "
             << broadcastingMeanOpset;
    std::string message =
        withoutBraces(node.description) + ": dimension " + std::to_string(dim) +
        " is {0} in " + withoutBraces(describeInput(node, 0)) + " and {1} in " +
        withoutBraces(describeInput(node, index)) +
        ", but Mean does not broadcast before opset " +
        std::to_string(broadcastingMeanOpset);
    if (failed(checkEqualSizes(
            builder, node.loc,
            tensor::getMixedSize(builder, node.loc, first, dim),
            tensor::getMixedSize(builder, node.loc, input, dim), message)))
      return failure();
    if (isKnown)
      shape[dim] = size;
  }
  return success();
}

/// Returns the result shape of a Mean whose inputs have equal shapes.
static FailureOr<SmallVector<int64_t>> getEqualShape(OpBuilder &builder,
                                                     const OperatorNode &node) {
  SmallVector<int64_t> shape(node.inputs.front().getType().getShape());
  for (auto [index, input] : llvm::enumerate(node.inputs)) {
    int64_t rank = input.getType().getRank();
    if (rank != static_cast<int64_t>(shape.size()))
      return node.emitError()
             << describeInput(node, index) << " has rank " << rank << ", but "
             << describeInput(node, 0) << " has rank " << shape.size()
             << ": Mean does not broadcast before opset "
             << broadcastingMeanOpset;
    if (index != 0 && failed(mergeEqualShapes(builder, node, index, shape)))
      return failure();
  }
  return shape;
}

/// Returns the result shape of a Mean that broadcasts.
static FailureOr<SmallVector<int64_t>>
getBroadcastShape(const OperatorNode &node) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (TypedValue<RankedTensorType> input : node.inputs)
    shapes.push_back(input.getType().getShape());
  return inferMeanShape(shapes, [&] { return node.emitError(); });
}

static FailureOr<Value> importMean(OpBuilder &builder,
                                   const OperatorNode &node) {
  bool broadcasts = node.opset >= broadcastingMeanOpset;
  // A hint on memory reuse of the first versions, without any meaning.
  static constexpr StringRef ignored[] = {"consumed_inputs"};
  ArrayRef<StringRef> allowed;
  if (!broadcasts)
    allowed = ignored;
  if (failed(checkAttributes(node, allowed)))
    return failure();
  if (node.inputs.empty())
    return node.emitError() << "has no inputs (allowed: 1 and up)";
  if (failed(checkElementTypes(node)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape =
      broadcasts ? getBroadcastShape(node) : getEqualShape(builder, node);
  if (failed(shape) ||
      failed(
          checkShape(*shape, [&] { return node.emitError(); }, "the result")))
    return failure();
  auto type =
      RankedTensorType::get(*shape, getElementType(node.inputs.front()));
  SmallVector<Value> inputs(node.inputs.begin(), node.inputs.end());
  return MeanOp::create(builder, node.loc, type, inputs).getResult();
}

//===----------------------------------------------------------------------===//
// MeanVarianceNormalization
//===----------------------------------------------------------------------===//

static constexpr int64_t channelAxes[] = {0, 2, 3};
static constexpr int64_t allAxes[] = {0, 1, 2, 3};
static constexpr double mvnEpsilon = 1e-9;

/// Checks that `axes` are in range for `rank`, and each of them once.
static LogicalResult checkAxes(const OperatorNode &node, ArrayRef<int64_t> axes,
                               int64_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      InFlightDiagnostic diagnostic = node.emitError()
                                      << "axis " << axis
                                      << " is out of range for rank " << rank;
      if (rank == 0)
        return diagnostic << " (allowed: none)";
      return diagnostic << " (allowed: " << -rank << " to " << rank - 1 << ")";
    }
    int64_t dim = axis < 0 ? axis + rank : axis;
    if (seen.test(dim))
      return node.emitError() << "axis " << axis << " repeats dimension " << dim
                              << " (allowed: each dimension once)";
    seen.set(dim);
  }
  return success();
}

/// Returns the axes of versions from 9 on.
static FailureOr<SmallVector<int64_t>> getAxes(const OperatorNode &node,
                                               int64_t rank) {
  const onnx::AttributeProto *attribute = node.attributes.lookup("axes");
  if (!attribute) {
    if (rank < 4)
      return node.emitError() << "the default axes [0, 2, 3] need rank 4 or "
                                 "more, but the input has rank "
                              << rank;
    return llvm::to_vector(channelAxes);
  }
  if (!hasType(*attribute, onnx::AttributeProto::INTS,
               attribute->ints_size() != 0))
    return node.emitError() << "attribute 'axes' is not a list of integers";
  SmallVector<int64_t> axes(attribute->ints().begin(), attribute->ints().end());
  if (failed(checkAxes(node, axes, rank)))
    return failure();
  return axes;
}

static FailureOr<Value> importMvn(OpBuilder &builder, const OperatorNode &node,
                                  ArrayRef<int64_t> axes, bool centerOnly) {
  Value input = node.inputs.front();
  return MvnOp::create(builder, node.loc, TypeRange{input.getType()}, input,
                       axes, llvm::APFloat(mvnEpsilon), /*inside_sqrt=*/false,
                       centerOnly)
      .getResult();
}

/// Imports the form before version 9, which was experimental.
static FailureOr<Value> importExperimentalMvn(OpBuilder &builder,
                                              const OperatorNode &node,
                                              int64_t rank) {
  if (failed(checkAttributes(node, {"across_channels", "normalize_variance"})))
    return failure();
  if (rank != 4)
    return node.emitError()
           << "the input has rank " << rank << " (allowed before opset "
           << axesOfMvnOpset << ": 4)";
  FailureOr<bool> acrossChannels = getFlag(node, "across_channels", false);
  if (failed(acrossChannels))
    return failure();
  FailureOr<bool> normalizeVariance = getFlag(node, "normalize_variance", true);
  if (failed(normalizeVariance))
    return failure();
  ArrayRef<int64_t> axes = channelAxes;
  if (*acrossChannels)
    axes = allAxes;
  return importMvn(builder, node, axes, /*centerOnly=*/!*normalizeVariance);
}

static FailureOr<Value>
importMeanVarianceNormalization(OpBuilder &builder, const OperatorNode &node) {
  if (node.inputs.size() != 1)
    return node.emitError()
           << "has " << node.inputs.size() << " inputs (allowed: 1)";
  if (failed(checkElementTypes(node)))
    return failure();
  int64_t rank = node.inputs.front().getType().getRank();
  if (node.opset < axesOfMvnOpset)
    return importExperimentalMvn(builder, node, rank);
  if (failed(checkAttributes(node, {"axes"})))
    return failure();
  FailureOr<SmallVector<int64_t>> axes = getAxes(node, rank);
  if (failed(axes))
    return failure();
  return importMvn(builder, node, *axes, /*centerOnly=*/false);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

bool meanvar::isSupportedOperator(StringRef opType) {
  return opType == "Mean" || opType == "MeanVarianceNormalization";
}

FailureOr<Value> meanvar::importOperator(OpBuilder &builder,
                                         const OperatorNode &node) {
  if (node.proto.output_size() != 1 || node.proto.output(0).empty())
    return node.emitError() << "has " << node.proto.output_size()
                            << " outputs, or an output without name "
                               "(allowed: 1 with a name)";
  if (node.proto.op_type() == "Mean")
    return importMean(builder, node);
  return importMeanVarianceNormalization(builder, node);
}
