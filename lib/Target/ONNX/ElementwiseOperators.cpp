//===- ElementwiseOperators.cpp - Arithmetic and Cast ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Broadcasting.h"
#include "ConstantValues.h"
#include "DimensionChecks.h"
#include "KnownIntegers.h"
#include "Names.h"
#include "OperatorTable.h"
#include "Reshaping.h"
#include "Types.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

using EmitElement = Value (*)(ImplicitLocOpBuilder &, ValueRange);

//===----------------------------------------------------------------------===//
// Functions of elements
//===----------------------------------------------------------------------===//

/// Emits `FloatOp` or `IntegerOp` of the elements, whatever their type.
template <typename FloatOp, typename IntegerOp>
static Value emitArithmetic(ImplicitLocOpBuilder &builder,
                            ValueRange elements) {
  if (isa<IntegerType>(elements.front().getType()))
    return IntegerOp::create(builder, elements[0], elements[1]);
  return FloatOp::create(builder, elements[0], elements[1]);
}

static Value emitNegation(ImplicitLocOpBuilder &builder, ValueRange elements) {
  Type type = elements.front().getType();
  if (!isa<IntegerType>(type))
    return arith::NegFOp::create(builder, elements.front());
  Value zero =
      arith::ConstantOp::create(builder, builder.getIntegerAttr(type, 0));
  return arith::SubIOp::create(builder, zero, elements.front());
}

static Value emitReciprocal(ImplicitLocOpBuilder &builder,
                            ValueRange elements) {
  Value one = arith::ConstantOp::create(
      builder, builder.getFloatAttr(elements.front().getType(), 1.0));
  return arith::DivFOp::create(builder, one, elements.front());
}

static Value emitSquareRoot(ImplicitLocOpBuilder &builder,
                            ValueRange elements) {
  return math::SqrtOp::create(builder, elements.front());
}

static Value emitAbsolute(ImplicitLocOpBuilder &builder, ValueRange elements) {
  if (isa<IntegerType>(elements.front().getType()))
    return math::AbsIOp::create(builder, elements.front());
  return math::AbsFOp::create(builder, elements.front());
}

/// Emits the larger of an element and 0. NaN stays NaN.
static Value emitRectified(ImplicitLocOpBuilder &builder, ValueRange elements) {
  Type type = elements.front().getType();
  Value zero = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  return emitArithmetic<arith::MaximumFOp, arith::MaxSIOp>(
      builder, {elements.front(), zero});
}

/// Emits a function of two elements for any number of them, in order.
template <EmitElement emitTwo>
static Value emitSuccessively(ImplicitLocOpBuilder &builder,
                              ValueRange elements) {
  Value result = elements.front();
  for (Value element : elements.drop_front())
    result = emitTwo(builder, {result, element});
  return result;
}

/// Emits a power of the type of its base (O3). It is computed in f32, or in f64
/// where a number is f64 or the base is an integer.
static Value emitPower(ImplicitLocOpBuilder &builder, ValueRange elements) {
  Value base = elements[0], exponent = elements[1];
  Type type = base.getType();
  bool needsDouble =
      type.isF64() || isa<IntegerType>(type) || exponent.getType().isF64();
  Type powerType =
      needsDouble ? Type(builder.getF64Type()) : Type(builder.getF32Type());
  Value power =
      math::PowFOp::create(builder, emitCast(builder, base, powerType),
                           emitCast(builder, exponent, powerType));
  return emitCast(builder, power, type);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Emits the elements of a result of shape `shape`, to which all inputs are
/// stretched.
static FailureOr<SmallVector<Value>> emitStretched(const OperatorNode &node,
                                                   const TensorShape &shape,
                                                   EmitElement emitElement) {
  SmallVector<ElementwiseOperand> operands;
  for (size_t index = 0; index < node.inputs.size(); ++index) {
    FailureOr<ElementwiseOperand> operand = stretchInput(node, index, shape);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  FailureOr<Value> result = emitElementwise(
      node, operands, shape, node.getElementType(0), emitElement);
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

/// Imports an operator of one input, or of two that broadcast to each other.
template <EmitElement emitElement>
static FailureOr<SmallVector<Value>>
importElementwise(const OperatorNode &node) {
  if (Value known = computeKnownIntegers(node, emitElement))
    return SmallVector<Value>{known};
  return emitStretched(node, inferBroadcastShape(node), emitElement);
}

/// Returns true if all elements of input 1 are known to be the number 2.
static bool isSquare(const OperatorNode &node) {
  DenseElementsAttr exponent = getConstantElements(node.inputs[1]);
  if (!exponent || !exponent.isSplat() || exponent.getNumElements() == 0)
    return false;
  if (isa<IntegerType>(exponent.getElementType()))
    return exponent.getSplatValue<APInt>() == 2;
  return exponent.getSplatValue<APFloat>().isExactlyValue(2.0);
}

/// Squares, which normalizations are made of, are products.
static Value emitSquare(ImplicitLocOpBuilder &builder, ValueRange elements) {
  return emitArithmetic<arith::MulFOp, arith::MulIOp>(
      builder, {elements[0], elements[0]});
}

static FailureOr<SmallVector<Value>> importPow(const OperatorNode &node) {
  if (node.opset >= 12 &&
      failed(checkElementType(node, node.getElementType(1),
                              node.opset >= 15 ? allTypes
                                               : allTypes & ~bfloat16Type,
                              node.describeInput(1))))
    return failure();
  if (isSquare(node))
    return importElementwise<emitSquare>(node);
  return importElementwise<emitPower>(node);
}

//===----------------------------------------------------------------------===//
// Versions that do not broadcast like NumPy
//===----------------------------------------------------------------------===//

/// Returns the dimension of input 0 at which input 1 begins.
static FailureOr<int64_t> getBroadcastAxis(const OperatorNode &node) {
  int64_t rank = node.getInputType(0).getRank();
  int64_t otherRank = node.getInputType(1).getRank();
  if (otherRank > rank)
    return node.emitError()
           << node.describeInput(1) << " has rank " << otherRank
           << " (allowed: up to " << rank << ", the rank of input 0)";
  int64_t last = rank - otherRank;
  FailureOr<int64_t> axis = node.getInteger("axis", last);
  if (failed(axis))
    return failure();
  int64_t dim = *axis < 0 ? *axis + rank : *axis;
  if (dim < 0 || dim > last)
    return node.emitError()
           << "attribute 'axis' is " << *axis << " (allowed: 0 to " << last
           << ", where an input of rank " << otherRank
           << " fits into one of rank " << rank << ")";
  return dim;
}

/// Checks that both inputs have the same shape.
static LogicalResult checkEqualShapes(const OperatorNode &node) {
  TensorShape left = node.getSizes().get(node.inputs[0]);
  TensorShape right = node.getSizes().get(node.inputs[1]);
  if (left.size() != right.size())
    return node.emitError()
           << node.describeInput(1) << " has rank " << right.size() << ", but "
           << node.describeInput(0) << " has rank " << left.size()
           << ", and attribute 'broadcast' is 0";
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(left, right))) {
    std::string message =
        withoutBraces(node.description) + ": dimension " + std::to_string(dim) +
        " is {0} in " + withoutBraces(node.describeInput(0)) + " and {1} in " +
        withoutBraces(node.describeInput(1)) +
        ", and attribute 'broadcast' is 0";
    if (failed(checkEqualSizes(node.getBuilder(), node.loc, std::get<0>(sizes),
                               std::get<1>(sizes), message)))
      return failure();
  }
  return success();
}

/// Imports an operator before opset 7: the result has the shape of input 0, and
/// input 1 has it, too, or with `broadcast` a part of it that begins at `axis`.
template <EmitElement emitElement>
static FailureOr<SmallVector<Value>>
importWithBroadcastAxis(const OperatorNode &node) {
  FailureOr<bool> broadcasts = node.getFlag("broadcast", false);
  if (failed(broadcasts))
    return failure();
  OperatorNode aligned = node;
  if (*broadcasts) {
    FailureOr<int64_t> axis = getBroadcastAxis(node);
    if (failed(axis))
      return failure();
    TensorShape shape = node.getSizes().get(node.inputs[1]);
    shape.resize(node.getInputType(0).getRank() - *axis,
                 TensorSize::constant(1));
    aligned.inputs[1] = reshape(node, node.inputs[1], shape);
  } else if (failed(checkEqualShapes(node))) {
    return failure();
  }
  return emitStretched(aligned, node.getSizes().get(node.inputs[0]),
                       emitElement);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// Returns the number in TensorProto of the type that `to` names.
static FailureOr<int64_t> getTargetType(const OperatorNode &node) {
  const onnx::AttributeProto *attribute = node.attributes.lookup("to");
  if (!attribute)
    return node.emitError() << "attribute 'to' is missing";
  if (node.opset >= 6)
    return node.getInteger("to", 0);
  // The first version spells the type.
  if (!hasType(*attribute, onnx::AttributeProto::STRING, attribute->has_s()))
    return node.emitError() << "attribute 'to' is not a string";
  onnx::TensorProto::DataType type;
  if (!onnx::TensorProto::DataType_Parse(attribute->s(), &type))
    return node.emitError() << "attribute 'to' is " << quoteName(attribute->s())
                            << ", which is not an element type";
  return type;
}

/// Returns `elements` as integers of type `type`, so that shapes and axes
/// remain known.
static DenseElementsAttr castIntegers(DenseElementsAttr elements,
                                      IntegerType type) {
  unsigned width = type.getWidth();
  bool hasNoSign = isUnsigned(elements.getElementType());
  return cast<DenseIntElementsAttr>(elements).mapValues(
      type, [&](const APInt &value) {
        if (width == 1)
          return APInt(1, value.isZero() ? 0 : 1);
        return hasNoSign ? value.zextOrTrunc(width) : value.sextOrTrunc(width);
      });
}

static FailureOr<SmallVector<Value>> importCast(const OperatorNode &node) {
  FailureOr<int64_t> number = getTargetType(node);
  if (failed(number))
    return failure();
  if (*number != static_cast<int32_t>(*number))
    return node.emitError() << "attribute 'to' is " << *number
                            << " (allowed: numbers of element types)";
  Type type = getElementType(*number, node.getBuilder().getContext());
  if (!type)
    return node.emitError() << "attribute 'to' is " << getDataTypeName(*number)
                            << " (allowed: " << elementTypeNames << ")";
  if (type.isBF16() && node.opset < 13)
    return node.emitError() << "attribute 'to' is bfloat16 (allowed: float16, "
                               "float, double, int8, int32, int64, uint8, "
                               "bool)";
  Type from = node.getElementType(0);
  if (from == type)
    return node.inputs;
  DenseElementsAttr elements = getConstantElements(node.inputs[0]);
  if (elements && isa<IntegerType>(from) && isa<IntegerType>(type) &&
      elements.getNumElements() <= maxFoldedElements)
    return SmallVector<Value>{arith::ConstantOp::create(
        node.getBuilder(), node.loc,
        castIntegers(elements, cast<IntegerType>(type)))};
  if (const TensorShape *known = node.getSizes().getElements(node.inputs[0]);
      known && (type.isInteger(32) || type.isInteger(64)))
    return SmallVector<Value>{createKnownIntegers(
        node, TensorShape(*known), node.getInputType(0).getShape(), type)};
  TensorShape shape = node.getSizes().get(node.inputs[0]);
  FailureOr<ElementwiseOperand> operand = stretchInput(node, 0, shape);
  if (failed(operand))
    return failure();
  FailureOr<Value> result =
      emitElementwise(node, *operand, shape, type,
                      [&](ImplicitLocOpBuilder &builder, ValueRange elements) {
                        return emitCast(builder, elements.front(), type);
                      });
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr unsigned numbersBefore13 = ieeeTypes | integerTypes;

static constexpr OperatorVersion castVersion(int64_t since, unsigned types,
                                             StringLiteral attributes) {
  return {"Cast", since, 1, 1, 1, 1, types, attributes, importCast};
}

/// The versions of an operator of two inputs.
template <EmitElement emitElement>
static void addBinary(SmallVectorImpl<OperatorVersion> &operators,
                      StringLiteral name) {
  ImportFunction withAxis = importWithBroadcastAxis<emitElement>;
  ImportFunction import = importElementwise<emitElement>;
  operators.append({
      {name, 1, 2, 2, 1, 2, ieeeTypes, "axis,broadcast,consumed_inputs",
       withAxis},
      {name, 6, 2, 2, 1, 2, numbersBefore13, "axis,broadcast", withAxis},
      {name, 7, 2, 2, 1, 2, numbersBefore13, "", import},
      {name, 13, 2, 2, 1, 2, allTypes, "", import},
  });
}

/// The versions of an operator of one input, which takes integers from opset 6
/// on where `takesIntegers`.
template <EmitElement emitElement>
static void addUnary(SmallVectorImpl<OperatorVersion> &operators,
                     StringLiteral name, bool takesIntegers) {
  ImportFunction import = importElementwise<emitElement>;
  unsigned integers = takesIntegers ? integerTypes : 0;
  operators.append({
      {name, 1, 1, 1, 1, 1, ieeeTypes, "consumed_inputs", import},
      {name, 6, 1, 1, 1, 1, ieeeTypes | integers, "", import},
      {name, 13, 1, 1, 1, 1, floatTypes | integers, "", import},
  });
}

/// The versions of an operator of any number of inputs that broadcast.
template <EmitElement emitElement>
static void addVariadic(SmallVectorImpl<OperatorVersion> &operators,
                        StringLiteral name) {
  ImportFunction import = importElementwise<emitElement>;
  operators.append({
      {name, 8, 1, variadic, 1, variadic, ieeeTypes, "", import},
      {name, 12, 1, variadic, 1, variadic, numbersBefore13, "", import},
      {name, 13, 1, variadic, 1, variadic, allTypes, "", import},
  });
}

static SmallVector<OperatorVersion> buildElementwiseOperators() {
  SmallVector<OperatorVersion> operators;
  addBinary<emitArithmetic<arith::AddFOp, arith::AddIOp>>(operators, "Add");
  addBinary<emitArithmetic<arith::SubFOp, arith::SubIOp>>(operators, "Sub");
  addBinary<emitArithmetic<arith::MulFOp, arith::MulIOp>>(operators, "Mul");
  addBinary<emitArithmetic<arith::DivFOp, arith::DivSIOp>>(operators, "Div");
  addVariadic<
      emitSuccessively<emitArithmetic<arith::MaximumFOp, arith::MaxSIOp>>>(
      operators, "Max");
  addVariadic<
      emitSuccessively<emitArithmetic<arith::MinimumFOp, arith::MinSIOp>>>(
      operators, "Min");
  addUnary<emitAbsolute>(operators, "Abs", /*takesIntegers=*/true);
  addUnary<emitNegation>(operators, "Neg", /*takesIntegers=*/true);
  addUnary<emitReciprocal>(operators, "Reciprocal", /*takesIntegers=*/false);
  addUnary<emitSquareRoot>(operators, "Sqrt", /*takesIntegers=*/false);
  ImportFunction importRelu = importElementwise<emitRectified>;
  operators.append({
      {"Relu", 1, 1, 1, 1, 1, ieeeTypes, "consumed_inputs", importRelu},
      {"Relu", 6, 1, 1, 1, 1, ieeeTypes, "", importRelu},
      {"Relu", 13, 1, 1, 1, 1, floatTypes, "", importRelu},
      {"Relu", 14, 1, 1, 1, 1, allTypes, "", importRelu},
      {"Pow", 1, 2, 2, 1, 2, ieeeTypes, "axis,broadcast",
       importWithBroadcastAxis<emitPower>},
      {"Pow", 7, 2, 2, 1, 2, ieeeTypes, "", importPow},
      {"Pow", 12, 2, 2, 1, 1, numbersBefore13, "", importPow},
      {"Pow", 13, 2, 2, 1, 1, allTypes, "", importPow},
      castVersion(1, numbersBefore13 | smallTypes, "to"),
      castVersion(13, storedTypes, "to"),
      castVersion(19, storedTypes, "to,saturate"),
      castVersion(24, storedTypes, "to,saturate,round_mode"),
  });
  return operators;
}

ArrayRef<OperatorVersion> meanvar::getElementwiseOperators() {
  static const SmallVector<OperatorVersion> operators =
      buildElementwiseOperators();
  return operators;
}
