//===- OperatorTable.cpp - The operators that are imported ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperatorTable.h"

#include "Types.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::meanvar;

/// The versions of each operator, oldest first.
using OperatorTable = std::map<StringRef, SmallVector<const OperatorVersion *>>;

static OperatorTable buildTable() {
  OperatorTable table;
  for (ArrayRef<OperatorVersion> operators :
       {getConstantOperators(), getElementwiseOperators(), getMeanOperators(),
        getNormalizationOperators(), getReductionOperators(),
        getShapeOperators(), getSizeOperators()})
    for (const OperatorVersion &version : operators)
      table[version.name].push_back(&version);
  for (auto &[name, versions] : table)
    llvm::sort(versions, [](const auto *lhs, const auto *rhs) {
      return lhs->since < rhs->since;
    });
  return table;
}

static const OperatorTable &getTable() {
  static const OperatorTable table = buildTable();
  return table;
}

const OperatorVersion *
meanvar::findOperatorVersion(StringRef name, int64_t opset,
                             function_ref<InFlightDiagnostic()> emitError) {
  auto versions = getTable().find(name);
  if (versions == getTable().end()) {
    InFlightDiagnostic diagnostic =
        emitError() << "the operator is not supported (allowed: ";
    for (const auto &entry : getTable())
      diagnostic << entry.first << ", ";
    diagnostic << "functions of the model)";
    return nullptr;
  }
  for (const OperatorVersion *version : llvm::reverse(versions->second))
    if (version->since <= opset)
      return version;
  emitError() << "the operator is not in this opset (allowed: "
              << versions->second.front()->since << " and up)";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Attributes, inputs and outputs
//===----------------------------------------------------------------------===//

static LogicalResult checkAttributes(const OperatorNode &node,
                                     const OperatorVersion &version) {
  SmallVector<StringRef> allowed;
  version.attributes.split(allowed, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
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

static LogicalResult checkInputs(const OperatorNode &node,
                                 const OperatorVersion &version) {
  int numInputs = node.proto.input_size();
  if (numInputs < version.minInputs || numInputs > version.maxInputs) {
    InFlightDiagnostic diagnostic = node.emitError() << "has ";
    diagnostic << (numInputs == 0 ? "no" : std::to_string(numInputs));
    diagnostic << (numInputs == 1 ? " input" : " inputs")
               << " (allowed: " << version.minInputs;
    if (version.maxInputs == variadic)
      return diagnostic << " and up)";
    if (version.maxInputs > version.minInputs)
      diagnostic << " to " << version.maxInputs;
    return diagnostic << ")";
  }
  for (int index = 0; index < numInputs; ++index) {
    bool isOptional =
        index >= version.minInputs && version.maxInputs != variadic;
    if (node.inputs[index] || isOptional)
      continue;
    InFlightDiagnostic diagnostic = node.emitError()
                                    << "input " << index << " is left out, but "
                                    << "";
    if (version.maxInputs == variadic || version.maxInputs == version.minInputs)
      return diagnostic << "no input is optional";
    return diagnostic << "only inputs from " << version.minInputs
                      << " on are optional";
  }
  return success();
}

static LogicalResult checkOutputs(const OperatorNode &node,
                                  const OperatorVersion &version) {
  int numOutputs = node.proto.output_size();
  if (numOutputs >= 1 && numOutputs <= version.maxOutputs && node.hasOutput(0))
    return success();
  InFlightDiagnostic diagnostic =
      node.emitError() << "has " << numOutputs
                       << " outputs, or an output without name (allowed: 1";
  if (version.maxOutputs > 1)
    return diagnostic << " to " << version.maxOutputs
                      << ", the first with a name)";
  return diagnostic << " with a name)";
}

LogicalResult meanvar::checkForm(const OperatorNode &node,
                                 const OperatorVersion &version) {
  return failure(failed(checkOutputs(node, version)) ||
                 failed(checkAttributes(node, version)) ||
                 failed(checkInputs(node, version)));
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static unsigned getTypeBit(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return boolType;
    case 8:
      return integer.isUnsigned() ? uint8Type : int8Type;
    default:
      return integer.getWidth() == 32 ? int32Type : int64Type;
    }
  }
  if (type.isF16())
    return float16Type;
  if (type.isBF16())
    return bfloat16Type;
  return type.isF32() ? floatType : doubleType;
}

LogicalResult meanvar::checkElementType(const OperatorNode &node, Type type,
                                        unsigned types, const Twine &what) {
  if (types & getTypeBit(type))
    return success();
  static constexpr std::pair<unsigned, StringLiteral> names[] = {
      {float16Type, "float16"}, {bfloat16Type, "bfloat16"},
      {floatType, "float"},     {doubleType, "double"},
      {int8Type, "int8"},       {int32Type, "int32"},
      {int64Type, "int64"},     {uint8Type, "uint8"},
      {boolType, "bool"}};
  SmallVector<StringRef> allowed;
  for (auto [bit, name] : names)
    if (types & bit)
      allowed.push_back(name);
  return node.emitError() << what << " has element type "
                          << getDataTypeName(type) << " (allowed in opset "
                          << node.opset << ": " << llvm::join(allowed, ", ")
                          << ")";
}

LogicalResult meanvar::checkElementTypes(const OperatorNode &node,
                                         const OperatorVersion &version) {
  size_t numTyped =
      std::min<size_t>(node.inputs.size(), size_t(version.typedInputs));
  for (size_t index = 0; index < numTyped; ++index) {
    if (!node.inputs[index])
      continue;
    Type type = node.getElementType(index), first = node.getElementType(0);
    if (index == 0 && failed(checkElementType(node, type, version.types,
                                              node.describeInput(index))))
      return failure();
    if (type != first)
      return node.emitError()
             << node.describeInput(index) << " has element type "
             << getDataTypeName(type) << ", but " << node.describeInput(0)
             << " has element type " << getDataTypeName(first);
  }
  return success();
}
