//===- NormalizationOperators.cpp - With scale and bias -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normalized values are those of meanvar.mvn in the type of the elements.
// Scale and bias are applied in the type of the statistics, as the importer of
// models does (O2).
//
//===----------------------------------------------------------------------===//

#include "ONNXOperation.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

namespace {
/// A tensor and how it is read.
struct ElementwiseOperand {
  Value tensor;
  AffineMap map;
};
} // namespace

/// Converts between float types.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  return convertScalarToDtype(builder, loc, value, type,
                              /*isUnsignedCast=*/false);
}

/// Emits an elementwise operation on `operands`, the first of which has the
/// shape of the result.
static Value emitElementwise(
    OpBuilder &builder, Location loc, ArrayRef<ElementwiseOperand> operands,
    Type elementType,
    function_ref<Value(OpBuilder &, Location, ValueRange)> emitElement) {
  Value shaped = operands.front().tensor;
  int64_t rank = cast<RankedTensorType>(shaped.getType()).getRank();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, shaped), elementType);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const ElementwiseOperand &operand : operands) {
    inputs.push_back(operand.tensor);
    maps.push_back(operand.map);
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &body, Location bodyLoc, ValueRange elements) {
               Value element = emitElement(body, bodyLoc, elements.drop_back());
               linalg::YieldOp::create(
                   body, bodyLoc, convert(body, bodyLoc, element, elementType));
             })
      .getResult(0);
}

/// Emits normalized * scale + bias; `bias` may be missing.
static Value emitScaleAndBias(OpBuilder &builder, Location loc,
                              ArrayRef<ElementwiseOperand> operands) {
  Type type = getElementTypeOrSelf(operands.front().tensor);
  Type computedType = MvnOp::getStatisticsElementType(type);
  return emitElementwise(
      builder, loc, operands, type,
      [&](OpBuilder &body, Location bodyLoc, ValueRange elements) {
        auto element = [&](unsigned index) {
          return convert(body, bodyLoc, elements[index], computedType);
        };
        Value result =
            arith::MulFOp::create(body, bodyLoc, element(0), element(1));
        if (elements.size() == 3)
          result = arith::AddFOp::create(body, bodyLoc, result, element(2));
        return result;
      });
}

/// Emits `statistics`, a result of meanvar.mvn, in the type of an output.
static Value emitStatistics(OpBuilder &builder, Location loc, Value statistics,
                            Type elementType) {
  auto type = cast<RankedTensorType>(statistics.getType());
  if (type.getElementType() == elementType)
    return statistics;
  ElementwiseOperand operand{statistics,
                             builder.getMultiDimIdentityMap(type.getRank())};
  return emitElementwise(builder, loc, operand, elementType,
                         [](OpBuilder &, Location, ValueRange elements) {
                           return elements.front();
                         });
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

/// Returns the epsilon, or nothing if meanvar.mvn has no such.
static std::optional<double> getEpsilon(const ONNXOperation &node) {
  constexpr float defaultEpsilon = 1e-5F;
  std::optional<double> epsilon = node.getFloat("epsilon", defaultEpsilon);
  if (epsilon && std::isfinite(*epsilon) && *epsilon >= 0)
    return epsilon;
  return std::nullopt;
}

/// Returns the type that the input and all operands have in common, or null.
static RankedTensorType getCommonType(const ONNXOperation &node) {
  if (node.op->getNumOperands() < 2 || node.op->getNumOperands() > 3)
    return {};
  RankedTensorType type = node.getInputType(0);
  for (unsigned index : {1, 2}) {
    if (!node.hasInput(index))
      continue;
    RankedTensorType other = node.getInputType(index);
    if (!type || !other || other.getElementType() != type.getElementType())
      return {};
  }
  return type;
}

/// Returns how an operand of type `type` is read so that it has the shape of
/// `stretched`, or null if that is not known here: a size of `?` may be 1.
static AffineMap getStretchingMap(RankedTensorType type,
                                  RankedTensorType stretched) {
  int64_t missing = stretched.getRank() - type.getRank();
  if (missing < 0)
    return {};
  MLIRContext *context = type.getContext();
  SmallVector<AffineExpr> indices;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    int64_t target = stretched.getDimSize(dim + missing);
    if (ShapedType::isDynamic(size) ||
        (size != 1 && !ShapedType::isDynamic(target) && size != target))
      return {};
    indices.push_back(size == 1 && target != 1
                          ? getAffineConstantExpr(0, context)
                          : getAffineDimExpr(dim + missing, context));
  }
  return AffineMap::get(stretched.getRank(), 0, indices, context);
}

/// Emits the normalization over the dimensions from `firstAxis` on.
static MvnOp emitNormalization(const ONNXOperation &node, int64_t firstAxis,
                               double epsilon, bool hasStatistics) {
  Value input = node.getInput(0);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(
      firstAxis, cast<RankedTensorType>(input.getType()).getRank()));
  return MvnOp::create(node.rewriter, node.op->getLoc(), input, axes,
                       llvm::APFloat(epsilon), /*inside_sqrt=*/true,
                       /*center_only=*/false, hasStatistics);
}

/// Replaces `node` by `mvn` with the scale and bias that `maps` read.
static void replaceByScaled(const ONNXOperation &node, MvnOp mvn,
                            ArrayRef<AffineMap> maps) {
  Location loc = node.op->getLoc();
  int64_t rank = node.getInputType(0).getRank();
  SmallVector<ElementwiseOperand> operands = {
      {mvn.getResult(), node.rewriter.getMultiDimIdentityMap(rank)}};
  for (auto [index, map] : llvm::enumerate(maps))
    operands.push_back({node.getInput(index + 1), map});
  SmallVector<Value> results = {emitScaleAndBias(node.rewriter, loc, operands)};
  for (auto [index, statistics] :
       llvm::enumerate(mvn->getResults().drop_front())) {
    if (!node.isOutputUsed(index + 1))
      results.push_back(statistics);
    else
      results.push_back(
          emitStatistics(node.rewriter, loc, statistics,
                         getTensorType(node.op->getResult(index + 1).getType())
                             .getElementType()));
  }
  node.replace(results);
}

//===----------------------------------------------------------------------===//
// LayerNormalization
//===----------------------------------------------------------------------===//

/// Returns true if the outputs may be those for an input of type `type`.
static bool areLayerOutputs(const ONNXOperation &node, RankedTensorType type,
                            int64_t axis) {
  if (node.op->getNumResults() < 1 || node.op->getNumResults() > 3 ||
      !node.isReplaceable(0, type))
    return false;
  SmallVector<int64_t> shape(type.getShape());
  std::fill(shape.begin() + axis, shape.end(), 1);
  return llvm::all_of(ArrayRef<unsigned>{1, 2}, [&](unsigned index) {
    if (!node.isOutputUsed(index))
      return true;
    auto output = getTensorType(node.op->getResult(index).getType());
    return output &&
           node.isReplaceable(
               index, RankedTensorType::get(shape, output.getElementType()));
  });
}

LogicalResult meanvar::convertLayerNormalization(const ONNXOperation &node) {
  RankedTensorType type = getCommonType(node);
  if (!type || !node.hasInput(1))
    return node.leave("operands have no common float type");
  std::optional<int64_t> axis = node.getInteger("axis", -1);
  if (!axis || *axis < -type.getRank() || *axis >= type.getRank())
    return node.leave("the axis is none of its operand");
  if (*axis < 0)
    *axis += type.getRank();
  std::optional<double> epsilon = getEpsilon(node);
  if (!epsilon)
    return node.leave("the epsilon is no finite number from 0 on");
  if (!areLayerOutputs(node, type, *axis))
    return node.leave("the results have other shapes");
  SmallVector<AffineMap> maps;
  for (unsigned index : {1, 2})
    if (node.hasInput(index))
      maps.push_back(getStretchingMap(node.getInputType(index), type));
  if (llvm::is_contained(maps, AffineMap()))
    return node.leave("scale or bias is not known to be stretched");
  MvnOp mvn = emitNormalization(node, *axis, *epsilon,
                                node.isOutputUsed(1) || node.isOutputUsed(2));
  replaceByScaled(node, mvn, maps);
  return success();
}

//===----------------------------------------------------------------------===//
// InstanceNormalization
//===----------------------------------------------------------------------===//

LogicalResult meanvar::convertInstanceNormalization(const ONNXOperation &node) {
  constexpr int64_t minRank = 3;
  RankedTensorType type = getCommonType(node);
  if (!type || !node.hasInput(1) || !node.hasInput(2))
    return node.leave("operands have no common float type");
  if (type.getRank() < minRank)
    return node.leave("there are no spatial dimensions");
  std::optional<double> epsilon = getEpsilon(node);
  if (!epsilon)
    return node.leave("the epsilon is no finite number from 0 on");
  if (node.op->getNumResults() != 1 || !node.isReplaceable(0, type))
    return node.leave("the result has another shape");
  for (unsigned index : {1, 2}) {
    RankedTensorType operand = node.getInputType(index);
    if (operand.getRank() != 1 ||
        failed(verifyCompatibleShape(operand.getShape(),
                                     type.getShape().slice(1, 1))))
      return node.leave("scale or bias has not the size of the channels");
  }
  auto map = AffineMap::get(type.getRank(), 0,
                            getAffineDimExpr(1, node.op->getContext()));
  MvnOp mvn = emitNormalization(node, 2, *epsilon, /*hasStatistics=*/false);
  replaceByScaled(node, mvn, {map, map});
  return success();
}
