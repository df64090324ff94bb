//===- NormalizationOperators.cpp - Mean, variance, scale and bias --------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Broadcasting.h"
#include "DimensionChecks.h"
#include "Names.h"
#include "OperatorTable.h"
#include "Reshaping.h"
#include "Types.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// MeanVarianceNormalization
//===----------------------------------------------------------------------===//

static constexpr int64_t axesOfMvnOpset = 9;
static constexpr int64_t channelAxes[] = {0, 2, 3};
static constexpr int64_t allAxes[] = {0, 1, 2, 3};
static constexpr double mvnEpsilon = 1e-9;

/// Returns the axes of versions from 9 on.
static FailureOr<SmallVector<int64_t>> getAxes(const OperatorNode &node,
                                               int64_t rank) {
  if (!node.attributes.contains("axes")) {
    if (rank < 4)
      return node.emitError() << "the default axes [0, 2, 3] need rank 4 or "
                                 "more, but the input has rank "
                              << rank;
    return llvm::to_vector(channelAxes);
  }
  FailureOr<SmallVector<int64_t>> axes = node.getIntegers("axes");
  if (failed(axes) || failed(checkAxes(node, *axes, rank)))
    return failure();
  return axes;
}

static SmallVector<Value> emitMvn(const OperatorNode &node,
                                  ArrayRef<int64_t> axes, bool centerOnly) {
  Value input = node.inputs.front();
  Value result =
      MvnOp::create(node.getBuilder(), node.loc, TypeRange{input.getType()},
                    input, axes, llvm::APFloat(mvnEpsilon),
                    /*inside_sqrt=*/false, centerOnly)
          .getResult();
  node.getSizes().set(result, node.getSizes().get(input));
  return {result};
}

/// Imports the form before version 9, which was experimental.
static FailureOr<SmallVector<Value>>
importExperimentalMvn(const OperatorNode &node) {
  int64_t rank = node.getInputType(0).getRank();
  if (rank != 4)
    return node.emitError()
           << "the input has rank " << rank << " (allowed before opset "
           << axesOfMvnOpset << ": 4)";
  FailureOr<bool> acrossChannels = node.getFlag("across_channels", false);
  if (failed(acrossChannels))
    return failure();
  FailureOr<bool> normalizeVariance = node.getFlag("normalize_variance", true);
  if (failed(normalizeVariance))
    return failure();
  ArrayRef<int64_t> axes = channelAxes;
  if (*acrossChannels)
    axes = allAxes;
  return emitMvn(node, axes, /*centerOnly=*/!*normalizeVariance);
}

static FailureOr<SmallVector<Value>>
importMeanVarianceNormalization(const OperatorNode &node) {
  FailureOr<SmallVector<int64_t>> axes =
      getAxes(node, node.getInputType(0).getRank());
  if (failed(axes))
    return failure();
  return emitMvn(node, *axes, /*centerOnly=*/false);
}

//===----------------------------------------------------------------------===//
// Parts of the normalizations with scale and bias
//===----------------------------------------------------------------------===//

static constexpr float defaultEpsilon = 1e-5F;

static FailureOr<double> getEpsilon(const OperatorNode &node) {
  FailureOr<float> epsilon = node.getFloat("epsilon", defaultEpsilon);
  if (failed(epsilon))
    return failure();
  if (!std::isfinite(*epsilon) || *epsilon < 0)
    return node.emitError()
           << "attribute 'epsilon' is " << std::to_string(*epsilon)
           << " (allowed: finite numbers from 0 on)";
  return *epsilon;
}

/// Returns the type of the statistics that a model asks for.
static FailureOr<Type> getStashType(const OperatorNode &node) {
  FailureOr<int64_t> type =
      node.getInteger("stash_type", onnx::TensorProto::FLOAT);
  if (failed(type))
    return failure();
  Builder &builder = node.getBuilder();
  if (*type == onnx::TensorProto::FLOAT)
    return Type(builder.getF32Type());
  if (*type == onnx::TensorProto::BFLOAT16)
    return Type(builder.getBF16Type());
  return node.emitError() << "attribute 'stash_type' is " << *type
                          << " (allowed: 1 for float, 16 for bfloat16)";
}

/// Emits the normalization of `input` over the dimensions from `firstAxis` on.
static MvnOp emitNormalization(const OperatorNode &node, Value input,
                               int64_t firstAxis, double epsilon,
                               bool hasStatistics) {
  OpBuilder &builder = node.getBuilder();
  auto type = cast<RankedTensorType>(input.getType());
  auto axes = llvm::to_vector(llvm::seq<int64_t>(firstAxis, type.getRank()));
  SmallVector<Type> types = {type};
  TensorShape shape = node.getSizes().get(input), statistics = shape;
  for (int64_t axis : axes)
    statistics[axis] = TensorSize::constant(1);
  if (hasStatistics)
    types.append(2, RankedTensorType::get(getStaticSizes(statistics),
                                          MvnOp::getStatisticsElementType(
                                              type.getElementType())));
  auto mvn = MvnOp::create(builder, node.loc, types, input, axes,
                           llvm::APFloat(epsilon), /*inside_sqrt=*/true,
                           /*center_only=*/false, hasStatistics);
  node.getSizes().set(mvn.getResult(), shape);
  if (hasStatistics) {
    node.getSizes().set(mvn.getMean(), statistics);
    node.getSizes().set(mvn.getScale(), statistics);
  }
  return mvn;
}

/// Emits normalized * scale + bias, in the type of the statistics (O2); `bias`
/// may be missing.
static FailureOr<Value>
emitScaleAndBias(const OperatorNode &node, Value normalized,
                 const ElementwiseOperand &scale,
                 const std::optional<ElementwiseOperand> &bias) {
  TensorShape shape = node.getSizes().get(normalized);
  Type type = node.getElementType(0);
  Type computedType = MvnOp::getStatisticsElementType(type);
  SmallVector<ElementwiseOperand> operands = {
      {normalized, node.getBuilder().getMultiDimIdentityMap(shape.size()), {}},
      scale};
  if (bias)
    operands.push_back(*bias);
  return emitElementwise(node, operands, shape, type,
                         [&](ImplicitLocOpBuilder &body, ValueRange elements) {
                           Value result = arith::MulFOp::create(
                               body, emitCast(body, elements[0], computedType),
                               emitCast(body, elements[1], computedType));
                           if (bias)
                             result = arith::AddFOp::create(
                                 body, result,
                                 emitCast(body, elements[2], computedType));
                           return emitCast(body, result, type);
                         });
}

/// Makes input number `index`, which has one dimension, an operand that varies
/// along dimension 1 of a result of rank `rank`. Its size is checked to be
/// `size`, the number of `what`.
static FailureOr<ElementwiseOperand>
getChannelOperand(const OperatorNode &node, size_t index,
                  const TensorSize &size, StringRef what, int64_t rank) {
  TensorShape shape = node.getSizes().get(node.inputs[index]);
  if (shape.size() != 1)
    return node.emitError() << node.describeInput(index) << " has rank "
                            << shape.size() << " (allowed: 1)";
  std::string message = withoutBraces(node.description) + ": " +
                        withoutBraces(node.describeInput(index)) +
                        " has size {0}, but there are {1} " + what.str();
  OpBuilder &builder = node.getBuilder();
  if (failed(checkEqualSizes(builder, node.loc, shape.front(), size, message)))
    return failure();
  Value input = node.inputs[index];
  auto map = AffineMap::get(rank, 0, builder.getAffineDimExpr(1));
  return ElementwiseOperand{input, map, {}};
}

//===----------------------------------------------------------------------===//
// LayerNormalization
//===----------------------------------------------------------------------===//

/// Returns `statistics`, a result of meanvar.mvn, with elements of type `type`.
static FailureOr<Value> castStatistics(const OperatorNode &node,
                                       Value statistics, Type type) {
  if (cast<RankedTensorType>(statistics.getType()).getElementType() == type)
    return statistics;
  TensorShape shape = node.getSizes().get(statistics);
  ElementwiseOperand operand{
      statistics, node.getBuilder().getMultiDimIdentityMap(shape.size()), {}};
  return emitElementwise(node, operand, shape, type,
                         [&](ImplicitLocOpBuilder &body, ValueRange elements) {
                           return emitCast(body, elements.front(), type);
                         });
}

static FailureOr<SmallVector<Value>>
importLayerNormalization(const OperatorNode &node) {
  int64_t rank = node.getInputType(0).getRank();
  FailureOr<int64_t> axis = node.getInteger("axis", -1);
  if (failed(axis))
    return failure();
  axis = normalizeAxis(node, *axis, rank, rank - 1);
  if (failed(axis))
    return failure();
  FailureOr<double> epsilon = getEpsilon(node);
  if (failed(epsilon))
    return failure();
  FailureOr<Type> stashType = getStashType(node);
  if (failed(stashType))
    return failure();

  TensorShape shape = node.getSizes().get(node.inputs[0]);
  FailureOr<ElementwiseOperand> scale = stretchInput(node, 1, shape);
  if (failed(scale))
    return failure();
  std::optional<ElementwiseOperand> bias;
  if (node.hasInput(2)) {
    FailureOr<ElementwiseOperand> operand = stretchInput(node, 2, shape);
    if (failed(operand))
      return failure();
    bias = *operand;
  }
  MvnOp mvn = emitNormalization(node, node.inputs[0], *axis, *epsilon,
                                node.hasOutput(1) || node.hasOutput(2));
  FailureOr<Value> result =
      emitScaleAndBias(node, mvn.getResult(), *scale, bias);
  if (failed(result))
    return failure();
  SmallVector<Value> results = {*result};
  for (int index : {1, 2}) {
    if (index >= node.proto.output_size())
      break;
    if (!node.hasOutput(index)) {
      results.push_back({});
      continue;
    }
    FailureOr<Value> statistics = castStatistics(
        node, index == 1 ? mvn.getMean() : mvn.getScale(), *stashType);
    if (failed(statistics))
      return failure();
    results.push_back(*statistics);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// InstanceNormalization and GroupNormalization
//===----------------------------------------------------------------------===//

/// Checks that the input has the dimensions N, C and at least `minSpatial`
/// more.
static LogicalResult checkChannels(const OperatorNode &node,
                                   int64_t minSpatial) {
  int64_t rank = node.getInputType(0).getRank();
  if (rank >= 2 + minSpatial)
    return success();
  return node.emitError() << "the input has rank " << rank
                          << " (allowed: " << 2 + minSpatial << " and up)";
}

static FailureOr<SmallVector<Value>>
importInstanceNormalization(const OperatorNode &node) {
  if (failed(checkChannels(node, 1)))
    return failure();
  FailureOr<double> epsilon = getEpsilon(node);
  if (failed(epsilon))
    return failure();
  TensorShape shape = node.getSizes().get(node.inputs[0]);
  SmallVector<ElementwiseOperand> operands;
  for (size_t index : {1, 2}) {
    FailureOr<ElementwiseOperand> operand =
        getChannelOperand(node, index, shape[1], "channels", shape.size());
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  MvnOp mvn = emitNormalization(node, node.inputs[0], 2, *epsilon,
                                /*hasStatistics=*/false);
  FailureOr<Value> result =
      emitScaleAndBias(node, mvn.getResult(), operands[0], operands[1]);
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

/// Returns the number of channels of a group, after a check that groups are
/// equally large.
static FailureOr<TensorSize> getGroupSize(const OperatorNode &node,
                                          const TensorSize &numChannels,
                                          int64_t numGroups) {
  OpBuilder &builder = node.getBuilder();
  if (std::optional<int64_t> known = numChannels.getConstant()) {
    if (*known % numGroups == 0)
      return TensorSize::constant(*known / numGroups);
    return node.emitError() << "attribute 'num_groups' is " << numGroups
                            << ", which does not divide the number of "
                               "channels, "
                            << *known;
  }
  Value channels = getValueOrCreateConstantIndexOp(
      builder, node.loc, numChannels.materialize(builder, node.loc));
  Value groups = arith::ConstantIndexOp::create(builder, node.loc, numGroups);
  Value size = arith::DivUIOp::create(builder, node.loc, channels, groups);
  Value divided = arith::MulIOp::create(builder, node.loc, size, groups);
  std::string message = withoutBraces(node.description) +
                        ": attribute 'num_groups' is " +
                        std::to_string(numGroups) +
                        ", which does not divide the number of channels, {1}; "
                        "the next multiple below is {0}";
  if (failed(checkEqualSizes(builder, node.loc, OpFoldResult(divided),
                             OpFoldResult(channels), message)))
    return failure();
  return TensorSize::computed(size);
}

static constexpr int64_t scaleOfChannelsOpset = 21;

static FailureOr<int64_t> getNumGroups(const OperatorNode &node) {
  if (!node.attributes.contains("num_groups"))
    return node.emitError() << "attribute 'num_groups' is missing";
  FailureOr<int64_t> numGroups = node.getInteger("num_groups", 0);
  if (failed(numGroups) || *numGroups > 0)
    return numGroups;
  return node.emitError() << "attribute 'num_groups' is " << *numGroups
                          << " (allowed: 1 and up)";
}

/// Normalizes each group, in the shape N, groups, channels of a group, and so
/// on. Before opset 21 scale and bias have an element for each group, since
/// then for each channel.
static FailureOr<SmallVector<Value>>
importGroupNormalization(const OperatorNode &node) {
  if (failed(checkChannels(node, 0)))
    return failure();
  FailureOr<int64_t> numGroups = getNumGroups(node);
  if (failed(numGroups))
    return failure();
  FailureOr<double> epsilon = getEpsilon(node);
  if (failed(epsilon) || failed(getStashType(node)))
    return failure();
  TensorShape shape = node.getSizes().get(node.inputs[0]);
  FailureOr<TensorSize> groupSize = getGroupSize(node, shape[1], *numGroups);
  if (failed(groupSize))
    return failure();
  TensorShape grouped = shape;
  grouped[1] = TensorSize::constant(*numGroups);
  grouped.insert(grouped.begin() + 2, *groupSize);
  if (failed(checkShape(
          getStaticSizes(grouped), [&] { return node.emitError(); },
          "the grouped input")))
    return failure();

  bool isByChannel = node.opset >= scaleOfChannelsOpset;
  const TensorShape &scaledShape = isByChannel ? shape : grouped;
  SmallVector<ElementwiseOperand> operands;
  for (size_t index : {1, 2}) {
    FailureOr<ElementwiseOperand> operand = getChannelOperand(
        node, index, scaledShape[1], isByChannel ? "channels" : "groups",
        scaledShape.size());
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  MvnOp mvn = emitNormalization(node, reshape(node, node.inputs[0], grouped), 2,
                                *epsilon, /*hasStatistics=*/false);
  FailureOr<Value> result =
      emitScaleAndBias(node, reshape(node, mvn.getResult(), scaledShape),
                       operands[0], operands[1]);
  if (failed(result))
    return failure();
  return SmallVector<Value>{reshape(node, *result, shape)};
}

ArrayRef<OperatorVersion> meanvar::getNormalizationOperators() {
  static constexpr OperatorVersion operators[] = {
      {"MeanVarianceNormalization", 1, 1, 1, 1, 1, ieeeTypes,
       "across_channels,normalize_variance", importExperimentalMvn},
      {"MeanVarianceNormalization", 9, 1, 1, 1, 1, ieeeTypes, "axes",
       importMeanVarianceNormalization},
      {"MeanVarianceNormalization", 13, 1, 1, 1, 1, floatTypes, "axes",
       importMeanVarianceNormalization},
      {"LayerNormalization", 17, 2, 3, 3, 3, floatTypes,
       "axis,epsilon,stash_type", importLayerNormalization},
      {"InstanceNormalization", 1, 3, 3, 1, 3, ieeeTypes,
       "epsilon,consumed_inputs", importInstanceNormalization},
      {"InstanceNormalization", 6, 3, 3, 1, 3, ieeeTypes, "epsilon",
       importInstanceNormalization},
      {"InstanceNormalization", 22, 3, 3, 1, 3, floatTypes, "epsilon",
       importInstanceNormalization},
      {"GroupNormalization", 18, 3, 3, 1, 3, floatTypes, "epsilon,num_groups",
       importGroupNormalization},
      {"GroupNormalization", 21, 3, 3, 1, 3, floatTypes,
       "epsilon,num_groups,stash_type", importGroupNormalization},
  };
  return operators;
}
