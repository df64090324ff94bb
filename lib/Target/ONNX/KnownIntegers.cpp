//===- KnownIntegers.cpp - Integers known as sizes ------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KnownIntegers.h"

#include "ConstantValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::meanvar;

std::optional<TensorShape> meanvar::getKnownIntegers(const OperatorNode &node,
                                                     Value value) {
  if (const TensorShape *known = node.getSizes().getElements(value))
    return *known;
  DenseElementsAttr elements = getConstantElements(value);
  if (!elements || !isa<IntegerType>(elements.getElementType()) ||
      elements.getNumElements() > maxKnownIntegers)
    return std::nullopt;
  return llvm::map_to_vector(
      elements.getValues<APInt>(), [](const APInt &integer) {
        return TensorSize::constant(integer.getSExtValue());
      });
}

/// Returns `integer` as a number of type `type`.
static Value toInteger(ImplicitLocOpBuilder &builder, const TensorSize &integer,
                       Type type) {
  if (std::optional<int64_t> constant = integer.getConstant())
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(type, *constant));
  Value index = getValueOrCreateConstantIndexOp(
      builder, builder.getLoc(),
      integer.materialize(builder, builder.getLoc()));
  return arith::IndexCastOp::create(builder, type, index);
}

Value meanvar::createKnownIntegers(const OperatorNode &node,
                                   ArrayRef<TensorSize> integers,
                                   ArrayRef<int64_t> shape, Type elementType) {
  ImplicitLocOpBuilder builder(node.loc, node.getBuilder());
  auto type = RankedTensorType::get(shape, elementType);
  if (llvm::all_of(integers, [](const TensorSize &integer) {
        return integer.getConstant().has_value();
      })) {
    auto attributes =
        llvm::map_to_vector(integers, [&](const TensorSize &integer) {
          return Attribute(
              builder.getIntegerAttr(elementType, *integer.getConstant()));
        });
    return arith::ConstantOp::create(builder,
                                     DenseElementsAttr::get(type, attributes));
  }
  auto elements = llvm::map_to_vector(integers, [&](const TensorSize &integer) {
    return toInteger(builder, integer, elementType);
  });
  Value result = tensor::FromElementsOp::create(builder, type, elements);
  node.getSizes().setElements(result, integers);
  return result;
}

/// Computes one element from those of the inputs, in `type`: integers wrap
/// around as the operator's do.
static TensorSize computeInteger(
    ImplicitLocOpBuilder &builder, ArrayRef<TensorSize> integers, Type type,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement) {
  auto operands = llvm::map_to_vector(integers, [&](const TensorSize &integer) {
    return toInteger(builder, integer, type);
  });
  Value result = emitElement(builder, operands);
  SmallVector<OpFoldResult> folded;
  if (Operation *op = result.getDefiningOp();
      op && succeeded(op->fold(folded)) && !folded.empty()) {
    if (auto constant = dyn_cast<Attribute>(folded.front()))
      return TensorSize::constant(cast<IntegerAttr>(constant).getInt());
    result = cast<Value>(folded.front());
  }
  // One of the operands is still the size that it was.
  for (auto [operand, integer] : llvm::zip_equal(operands, integers))
    if (operand == result)
      return integer;
  return TensorSize::computed(
      arith::IndexCastOp::create(builder, builder.getIndexType(), result));
}

Value meanvar::computeKnownIntegers(
    const OperatorNode &node,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement) {
  SmallVector<TensorShape> inputs;
  SmallVector<int64_t> shape;
  for (auto [index, value] : llvm::enumerate(node.inputs)) {
    if (!isa<IntegerType>(node.getElementType(index)) ||
        node.getInputType(index).getRank() > 1)
      return {};
    std::optional<TensorShape> known = getKnownIntegers(node, value);
    if (!known)
      return {};
    if (node.getInputType(index).getRank() == 1 &&
        (shape.empty() || shape.front() == 1))
      shape.assign(1, static_cast<int64_t>(known->size()));
    inputs.push_back(std::move(*known));
  }
  size_t numElements = shape.empty() ? 1 : shape.front();
  // Those that do not broadcast are for others to refuse.
  if (llvm::any_of(inputs, [&](const TensorShape &input) {
        return input.size() != 1 && input.size() != numElements;
      }))
    return {};
  ImplicitLocOpBuilder builder(node.loc, node.getBuilder());
  TensorShape results;
  for (size_t index = 0; index < numElements; ++index) {
    auto elements = llvm::map_to_vector(inputs, [&](const TensorShape &input) {
      return input[input.size() == 1 ? 0 : index];
    });
    results.push_back(
        computeInteger(builder, elements, node.getElementType(0), emitElement));
  }
  return createKnownIntegers(node, results, shape, node.getElementType(0));
}
