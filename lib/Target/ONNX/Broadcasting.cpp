//===- Broadcasting.cpp - Elementwise operations --------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Broadcasting.h"

#include "ConstantValues.h"
#include "DimensionChecks.h"
#include "Names.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Value toIndex(const OperatorNode &node, const TensorSize &size) {
  return getValueOrCreateConstantIndexOp(
      node.getBuilder(), node.loc,
      size.materialize(node.getBuilder(), node.loc));
}

static Value isOne(const OperatorNode &node, Value size) {
  Value one = arith::ConstantIndexOp::create(node.getBuilder(), node.loc, 1);
  return arith::CmpIOp::create(node.getBuilder(), node.loc,
                               arith::CmpIPredicate::eq, size, one);
}

/// Returns the size of the result where one input has size `lhs` and another
/// `rhs`, which agree.
static TensorSize mergeSizes(const OperatorNode &node, const TensorSize &lhs,
                             const TensorSize &rhs) {
  if (lhs == rhs || rhs.isConstant(1))
    return lhs;
  if (lhs.isConstant(1))
    return rhs;
  // A constant other than 1 is the size of the result.
  if (lhs.getConstant())
    return lhs;
  if (rhs.getConstant())
    return rhs;
  Value left = toIndex(node, lhs);
  return TensorSize::computed(
      arith::SelectOp::create(node.getBuilder(), node.loc, isOne(node, left),
                              toIndex(node, rhs), left));
}

TensorShape meanvar::inferBroadcastShape(const OperatorNode &node) {
  SmallVector<TensorShape> shapes;
  size_t rank = 0;
  for (Value input : node.inputs) {
    shapes.push_back(node.getSizes().get(input));
    rank = std::max(rank, shapes.back().size());
  }
  TensorShape result(rank, TensorSize::constant(1));
  // Constants first, so that the size is not computed where one decides it.
  for (bool takesConstants : {true, false})
    for (const TensorShape &shape : shapes)
      for (auto [dim, size] : llvm::enumerate(shape)) {
        TensorSize &merged = result[rank - shape.size() + dim];
        if (size.getConstant().has_value() == takesConstants)
          merged = mergeSizes(node, merged, size);
      }
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Checks that a size of an input is 1 or that of the result.
static LogicalResult checkStretch(const OperatorNode &node, size_t index,
                                  int64_t dim, const TensorSize &size,
                                  const TensorSize &resultSize) {
  if (size == resultSize || size.isConstant(1))
    return success();
  std::string message = withoutBraces(node.description) + ": " +
                        withoutBraces(node.describeInput(index)) +
                        " has size {0} in result dimension " +
                        std::to_string(dim) +
                        ", which does not broadcast to size {1}";
  if (size.getConstant())
    return checkEqualSizes(node.getBuilder(), node.loc, size, resultSize,
                           message);
  Value dynamic = toIndex(node, size), whole = toIndex(node, resultSize);
  Value stretched = arith::SelectOp::create(
      node.getBuilder(), node.loc, isOne(node, dynamic), whole, dynamic);
  return checkEqualSizes(node.getBuilder(), node.loc, OpFoldResult(stretched),
                         OpFoldResult(whole), message);
}

/// Returns the stride with which a dimension of size `size` is read for a
/// result of size `resultSize`: 0 where it is stretched.
static OpFoldResult getReadStride(const OperatorNode &node,
                                  const TensorSize &size,
                                  const TensorSize &resultSize) {
  OpBuilder &builder = node.getBuilder();
  if (size == resultSize)
    return builder.getIndexAttr(1);
  Value isWhole =
      arith::CmpIOp::create(builder, node.loc, arith::CmpIPredicate::eq,
                            toIndex(node, size), toIndex(node, resultSize));
  Value one = arith::ConstantIndexOp::create(builder, node.loc, 1);
  Value zero = arith::ConstantIndexOp::create(builder, node.loc, 0);
  return arith::SelectOp::create(builder, node.loc, isWhole, one, zero)
      .getResult();
}

/// Reads input number `index`, whose sizes are checked: dimensions of size 1
/// are dropped, and those that may be 1 at run time are read with a stride that
/// may be 0.
static ElementwiseOperand readStretched(const OperatorNode &node, size_t index,
                                        ArrayRef<TensorSize> shape) {
  OpBuilder &builder = node.getBuilder();
  TensorShape inputShape = node.getSizes().get(node.inputs[index]);
  size_t offset = shape.size() - inputShape.size();
  SmallVector<OpFoldResult> offsets(inputShape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<int64_t> readSizes;
  SmallVector<AffineExpr> exprs;
  bool isWhole = true;
  for (auto [dim, size] : llvm::enumerate(inputShape)) {
    const TensorSize &resultSize = shape[offset + dim];
    isWhole &= size == resultSize;
    bool isDropped = size.isConstant(1) && size != resultSize;
    const TensorSize &readSize = isDropped ? size : resultSize;
    sizes.push_back(readSize.materialize(builder, node.loc));
    strides.push_back(getReadStride(node, size, readSize));
    if (isDropped)
      continue;
    readSizes.push_back(readSize.getStatic());
    exprs.push_back(builder.getAffineDimExpr(offset + dim));
  }
  auto map = AffineMap::get(shape.size(), 0, exprs, builder.getContext());
  Value input = node.inputs[index];
  if (!isWhole)
    input = tensor::ExtractSliceOp::create(
        builder, node.loc,
        RankedTensorType::get(readSizes, node.getElementType(index)), input,
        offsets, sizes, strides);
  return {input, map, {}};
}

FailureOr<ElementwiseOperand>
meanvar::stretchInput(const OperatorNode &node, size_t index,
                      ArrayRef<TensorSize> shape) {
  TensorShape inputShape = node.getSizes().get(node.inputs[index]);
  if (inputShape.size() > shape.size())
    return node.emitError()
           << node.describeInput(index) << " has rank " << inputShape.size()
           << ", which does not broadcast to rank " << shape.size();
  size_t offset = shape.size() - inputShape.size();
  for (auto [dim, size] : llvm::enumerate(inputShape))
    if (failed(
            checkStretch(node, index, offset + dim, size, shape[offset + dim])))
      return failure();
  // Nothing is read of an input without elements, and no slice can be taken:
  // any value will do.
  if (isKnownEmpty(inputShape) || isKnownEmpty(shape))
    return ElementwiseOperand{
        {}, {}, node.getBuilder().getZeroAttr(node.getElementType(index))};
  DenseElementsAttr elements = getConstantElements(node.inputs[index]);
  if (elements && elements.isSplat())
    return ElementwiseOperand{{}, {}, elements.getSplatValue<TypedAttr>()};
  return readStretched(node, index, shape);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Emits the body of an operation whose tensor operands are `arguments`.
static Value
emitBody(ImplicitLocOpBuilder &builder, ArrayRef<ElementwiseOperand> operands,
         ValueRange arguments,
         function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement) {
  SmallVector<Value> elements;
  for (const ElementwiseOperand &operand : operands) {
    if (operand.constant) {
      elements.push_back(arith::ConstantOp::create(builder, operand.constant));
      continue;
    }
    elements.push_back(arguments.front());
    arguments = arguments.drop_front();
  }
  return emitElement(builder, elements);
}

FailureOr<Value> meanvar::emitElementwise(
    const OperatorNode &node, ArrayRef<ElementwiseOperand> operands,
    ArrayRef<TensorSize> shape, Type elementType,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> emitElement) {
  OpBuilder &builder = node.getBuilder();
  SmallVector<int64_t> staticSizes = getStaticSizes(shape);
  if (failed(checkShape(
          staticSizes, [&] { return node.emitError(); }, "the result")))
    return failure();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const ElementwiseOperand &operand : operands)
    if (operand.tensor) {
      tensors.push_back(operand.tensor);
      maps.push_back(operand.map);
    }
  maps.push_back(builder.getMultiDimIdentityMap(shape.size()));
  Value destination = tensor::EmptyOp::create(
      builder, node.loc, materialize(shape, builder, node.loc), elementType);
  SmallVector<utils::IteratorType> iterators(shape.size(),
                                             utils::IteratorType::parallel);
  Value result =
      linalg::GenericOp::create(
          builder, node.loc, destination.getType(), tensors, destination, maps,
          iterators,
          [&](OpBuilder &bodyBuilder, Location loc, ValueRange arguments) {
            ImplicitLocOpBuilder body(loc, bodyBuilder);
            linalg::YieldOp::create(
                body, emitBody(body, operands, arguments, emitElement));
          })
          .getResult(0);
  node.getSizes().set(result, shape);
  return result;
}

/// Emits what a bool is of a number: NaN is not 0.
static Value emitIsNotZero(ImplicitLocOpBuilder &builder, Value value) {
  Value zero =
      arith::ConstantOp::create(builder, builder.getZeroAttr(value.getType()));
  if (isa<IntegerType>(value.getType()))
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, value,
                                 zero);
  return arith::CmpFOp::create(builder, arith::CmpFPredicate::UNE, value, zero);
}

Value meanvar::emitCast(ImplicitLocOpBuilder &builder, Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (type.isInteger(1))
    return emitIsNotZero(builder, value);
  unsigned width = from.getIntOrFloatBitWidth();
  if (isa<IntegerType>(from) && isa<IntegerType>(type)) {
    if (width == type.getIntOrFloatBitWidth())
      return value; // int8 and uint8 have the same bits
    if (width > type.getIntOrFloatBitWidth())
      return arith::TruncIOp::create(builder, type, value);
    if (isUnsigned(from))
      return arith::ExtUIOp::create(builder, type, value);
    return arith::ExtSIOp::create(builder, type, value);
  }
  if (isUnsigned(from))
    return arith::UIToFPOp::create(builder, type, value);
  if (isa<IntegerType>(from))
    return arith::SIToFPOp::create(builder, type, value);
  if (isa<IntegerType>(type)) {
    // Numbers of 8 bits wrap around, those of uint8 included.
    Type wide = type.isInteger(64) ? type : Type(builder.getI32Type());
    return emitCast(builder, arith::FPToSIOp::create(builder, wide, value),
                    type);
  }
  // f16 and bf16 have no conversion of their own; f32 holds both.
  if (width == type.getIntOrFloatBitWidth())
    value = arith::ExtFOp::create(builder, builder.getF32Type(), value);
  if (width < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, type, value);
  return arith::TruncFOp::create(builder, type, value);
}
