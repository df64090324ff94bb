//===- ConstantOperators.cpp - Constant and Identity ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantValues.h"
#include "OperatorTable.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns a list of numbers, or one number as a tensor of rank 0.
template <typename Number>
static DenseElementsAttr makeElements(Type elementType,
                                      ArrayRef<Number> numbers, bool isList) {
  SmallVector<int64_t> shape;
  if (isList)
    shape.push_back(static_cast<int64_t>(numbers.size()));
  return DenseElementsAttr::get(RankedTensorType::get(shape, elementType),
                                numbers);
}

/// Reads the one attribute that holds the value.
static FailureOr<DenseElementsAttr> readValue(const OperatorNode &node) {
  Builder &builder = node.getBuilder();
  auto [name, attribute] = node.attributes.front();
  if (name == "value") {
    if (!hasType(*attribute, onnx::AttributeProto::TENSOR, attribute->has_t()))
      return node.emitError() << "attribute 'value' is not a tensor";
    return readElements(attribute->t(), node.context.directory,
                        "attribute 'value'", builder.getContext(),
                        [&] { return node.emitError(); });
  }
  if (name == "value_float") {
    FailureOr<float> value = node.getFloat(name, 0);
    if (failed(value))
      return failure();
    return makeElements<float>(builder.getF32Type(), *value, false);
  }
  if (name == "value_floats") {
    if (!hasType(*attribute, onnx::AttributeProto::FLOATS,
                 attribute->floats_size() != 0))
      return node.emitError()
             << "attribute 'value_floats' is not a list of floating-point "
                "numbers";
    return makeElements<float>(
        builder.getF32Type(),
        ArrayRef(attribute->floats().data(), attribute->floats_size()), true);
  }
  if (name == "value_int") {
    FailureOr<int64_t> value = node.getInteger(name, 0);
    if (failed(value))
      return failure();
    return makeElements<int64_t>(builder.getI64Type(), *value, false);
  }
  FailureOr<SmallVector<int64_t>> values = node.getIntegers("value_ints");
  if (failed(values))
    return failure();
  return makeElements<int64_t>(builder.getI64Type(), *values, true);
}

static FailureOr<SmallVector<Value>> importConstant(const OperatorNode &node) {
  for (StringRef name : {"sparse_value", "value_string", "value_strings"})
    if (node.attributes.contains(name))
      return node.emitError() << "attribute " << quoteName(name)
                              << " is not supported (allowed: 'value', "
                                 "'value_float', 'value_floats', 'value_int', "
                                 "'value_ints')";
  if (node.attributes.size() != 1)
    return node.emitError() << "has " << node.attributes.size()
                            << " attributes with a value (allowed: 1)";
  FailureOr<DenseElementsAttr> elements = readValue(node);
  if (failed(elements))
    return failure();
  return SmallVector<Value>{
      arith::ConstantOp::create(node.getBuilder(), node.loc, *elements)};
}

static FailureOr<SmallVector<Value>> importIdentity(const OperatorNode &node) {
  return node.inputs;
}

ArrayRef<OperatorVersion> meanvar::getConstantOperators() {
  static constexpr StringLiteral valueAttributes =
      "value,sparse_value,value_float,value_floats,value_int,value_ints,"
      "value_string,value_strings";
  static constexpr OperatorVersion operators[] = {
      {"Constant", 1, 0, 0, 1, 0, 0, "value", importConstant},
      {"Constant", 11, 0, 0, 1, 0, 0, "value,sparse_value", importConstant},
      {"Constant", 12, 0, 0, 1, 0, 0, valueAttributes, importConstant},
      {"Identity", 1, 1, 1, 1, 1, storedTypes & ~bfloat16Type, "",
       importIdentity},
      {"Identity", 13, 1, 1, 1, 1, storedTypes, "", importIdentity},
  };
  return operators;
}
