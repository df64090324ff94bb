//===- OperatorNode.cpp - A node and its attributes -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorNode.h"

#include "meanvar/TensorIO/Quote.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

InFlightDiagnostic OperatorNode::emitError() const {
  return mlir::emitError(loc) << description << ": ";
}

std::string OperatorNode::describeInput(size_t index) const {
  return "input " + std::to_string(index) + " (" +
         quoteName(proto.input(index)) + ")";
}

bool meanvar::hasType(const onnx::AttributeProto &attribute,
                      onnx::AttributeProto::AttributeType type, bool isSet) {
  if (attribute.type() == onnx::AttributeProto::UNDEFINED)
    return isSet;
  return attribute.type() == type;
}

FailureOr<int64_t> OperatorNode::getInteger(StringRef name,
                                            int64_t defaultValue) const {
  const onnx::AttributeProto *attribute = attributes.lookup(name);
  if (!attribute)
    return defaultValue;
  if (!hasType(*attribute, onnx::AttributeProto::INT, attribute->has_i()))
    return emitError() << "attribute " << quoteName(name)
                       << " is not an integer";
  return attribute->i();
}

FailureOr<bool> OperatorNode::getFlag(StringRef name, bool defaultValue) const {
  FailureOr<int64_t> value = getInteger(name, defaultValue);
  if (failed(value))
    return failure();
  if (*value != 0 && *value != 1)
    return emitError() << "attribute " << quoteName(name) << " is " << *value
                       << " (allowed: 0, 1)";
  return *value == 1;
}

FailureOr<float> OperatorNode::getFloat(StringRef name,
                                        float defaultValue) const {
  const onnx::AttributeProto *attribute = attributes.lookup(name);
  if (!attribute)
    return defaultValue;
  if (!hasType(*attribute, onnx::AttributeProto::FLOAT, attribute->has_f()))
    return emitError() << "attribute " << quoteName(name)
                       << " is not a floating-point number";
  return attribute->f();
}

FailureOr<SmallVector<int64_t>>
OperatorNode::getIntegers(StringRef name) const {
  const onnx::AttributeProto *attribute = attributes.lookup(name);
  if (!attribute)
    return SmallVector<int64_t>();
  if (!hasType(*attribute, onnx::AttributeProto::INTS,
               attribute->ints_size() != 0))
    return emitError() << "attribute " << quoteName(name)
                       << " is not a list of integers";
  return llvm::to_vector(
      ArrayRef<int64_t>(attribute->ints().data(), attribute->ints_size()));
}

FailureOr<int64_t> meanvar::normalizeAxis(const OperatorNode &node,
                                          int64_t axis, int64_t rank,
                                          int64_t last) {
  if (axis >= -rank && axis <= last)
    return axis < 0 ? axis + rank : axis;
  InFlightDiagnostic diagnostic = node.emitError()
                                  << "axis " << axis
                                  << " is out of range for rank " << rank;
  if (last < -rank)
    return diagnostic << " (allowed: none)";
  return diagnostic << " (allowed: " << -rank << " to " << last << ")";
}

FailureOr<SmallVector<bool>> meanvar::checkAxes(const OperatorNode &node,
                                                ArrayRef<int64_t> axes,
                                                int64_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int64_t axis : axes) {
    FailureOr<int64_t> dim = normalizeAxis(node, axis, rank, rank - 1);
    if (failed(dim))
      return failure();
    if (seen[*dim])
      return node.emitError() << "axis " << axis << " repeats dimension "
                              << *dim << " (allowed: each dimension once)";
    seen[*dim] = true;
  }
  return seen;
}
