//===- Model.cpp - Reading the parts of an ONNX model ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "ParseMessage.h"
#include "meanvar/Target/ONNX/ImportONNX.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/IR/Diagnostics.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace mlir::meanvar;
using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Numbers of fields that file formats after the packaged headers added.
static constexpr int nodeOverloadField = 8;
static constexpr int functionAttributeProtoField = 11;
static constexpr int functionOverloadField = 13;

/// Returns the contents of all length-delimited unknown fields `number`.
static SmallVector<StringRef> getUnknownFields(const UnknownFieldSet &fields,
                                               int number) {
  SmallVector<StringRef> contents;
  for (int index = 0; index < fields.field_count(); ++index) {
    const UnknownField &field = fields.field(index);
    if (field.number() == number &&
        field.type() == UnknownField::TYPE_LENGTH_DELIMITED)
      contents.push_back(field.length_delimited());
  }
  return contents;
}

/// Returns the value of the optional string field `number`.
static std::string getUnknownString(const UnknownFieldSet &fields, int number) {
  SmallVector<StringRef> contents = getUnknownFields(fields, number);
  return contents.empty() ? "" : contents.back().str();
}

StringRef meanvar::normalizeDomain(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::string meanvar::getQualifiedName(StringRef domain, StringRef name) {
  domain = normalizeDomain(domain);
  return domain.empty() ? name.str() : (domain + "." + name).str();
}

std::string meanvar::getOverload(const onnx::NodeProto &node) {
  return getUnknownString(node.unknown_fields(), nodeOverloadField);
}

std::string meanvar::getOverload(const onnx::FunctionProto &function) {
  return getUnknownString(function.unknown_fields(), functionOverloadField);
}

FailureOr<std::unique_ptr<onnx::ModelProto>>
meanvar::parseModel(StringRef bytes, Location loc) {
  if (bytes.empty())
    return emitError(loc) << "the file is empty";
  if (bytes.size() > maxMessageBytes)
    return emitError(loc) << "the file has " << bytes.size()
                          << " bytes (allowed: up to " << maxMessageBytes
                          << ")";
  auto model = std::make_unique<onnx::ModelProto>();
  if (!parseMessage(bytes, *model) || !model->has_graph())
    return emitError(loc) << "the file is not a binary ONNX model, or is "
                             "damaged";
  return model;
}

LogicalResult meanvar::checkFormatVersion(const onnx::ModelProto &model,
                                          Location loc) {
  if (model.has_ir_version() && model.ir_version() >= 1 &&
      model.ir_version() <= maxONNXIRVersion)
    return success();
  std::string got =
      model.has_ir_version() ? std::to_string(model.ir_version()) : "missing";
  return emitError(loc) << "the version of the ONNX file format is " << got
                        << " (allowed: 1 to " << maxONNXIRVersion << ")";
}

FailureOr<OpsetImports> meanvar::readOpsetImports(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
    const Twine &owner, Location loc) {
  OpsetImports opsets;
  for (const onnx::OperatorSetIdProto &import : imports) {
    StringRef domain = normalizeDomain(import.domain());
    if (import.version() < 1)
      return emitError(loc)
             << owner << " imports opset " << import.version() << " of domain "
             << quoteName(import.domain()) << " (allowed: 1 and up)";
    if (domain.empty() && import.version() > maxONNXOpset)
      return emitError(loc)
             << owner << " imports opset " << import.version()
             << " of domain 'ai.onnx', which is not supported (allowed: 1 to "
             << maxONNXOpset << ")";
    // Of several versions of one domain the highest counts.
    int64_t &version = opsets[domain];
    version = std::max<int64_t>(version, import.version());
  }
  return opsets;
}

FailureOr<ModelFunction> meanvar::readFunction(const onnx::FunctionProto &proto,
                                               Location loc) {
  std::string description =
      "function " + quoteName(getQualifiedName(proto.domain(), proto.name()));
  ModelFunction function;
  function.proto = &proto;
  FailureOr<OpsetImports> opsets =
      readOpsetImports(proto.opset_import(), description, loc);
  if (failed(opsets))
    return failure();
  function.opsets = std::move(*opsets);

  for (StringRef name : proto.attribute())
    function.attributes.insert({name, nullptr});
  for (StringRef bytes :
       getUnknownFields(proto.unknown_fields(), functionAttributeProtoField)) {
    auto value = std::make_unique<onnx::AttributeProto>();
    if (!parseMessage(bytes, *value))
      return emitError(loc) << description << " has a damaged attribute";
    function.attributes[value->name()] = value.get();
    function.defaults.push_back(std::move(value));
  }
  return function;
}
