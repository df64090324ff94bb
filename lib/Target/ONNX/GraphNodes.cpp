//===- GraphNodes.cpp - Nodes of a graph and of its functions -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantValues.h"
#include "GraphImporter.h"
#include "OperatorTable.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

/// How deep functions of the model may call each other.
static constexpr size_t maxCallDepth = 64;

/// A check is the two sizes, their comparison and the assertion.
static constexpr uint64_t costOfCheck = 4;

//===----------------------------------------------------------------------===//
// Names of values
//===----------------------------------------------------------------------===//

/// Returns the value called `name`, or null where there is none. Fails where it
/// is an initializer that cannot be imported.
FailureOr<Value> GraphImporter::lookUp(StringRef name, Scope &scope) {
  auto value = scope.values.find(name);
  if (value != scope.values.end())
    return value->second;
  if (scope.function)
    return Value();
  auto initializer = initializers.find(name);
  if (initializer == initializers.end())
    return Value();
  return materializeInitializer(*initializer->second, scope);
}

LogicalResult GraphImporter::define(StringRef name, Value value,
                                    const std::string &description,
                                    Scope &scope) {
  bool isInitializer = !scope.function && initializers.contains(name);
  if (isInitializer || !scope.values.try_emplace(name, value).second)
    return emitError(loc) << description << ": output " << quoteName(name)
                          << " is defined before";
  return success();
}

FailureOr<SmallVector<Value>>
GraphImporter::resolveInputs(const Nodes &nodes, int index,
                             const std::string &description, Scope &scope) {
  SmallVector<Value> inputs;
  for (StringRef name : nodes[index].input()) {
    if (name.empty()) {
      inputs.push_back(Value());
      continue;
    }
    FailureOr<Value> value = lookUp(name, scope);
    if (failed(value))
      return failure();
    inputs.push_back(*value);
    // Null and known: an input that the call of the function leaves out.
    if (*value || scope.values.contains(name))
      continue;
    for (int later = index; later < nodes.size(); ++later)
      if (llvm::is_contained(nodes[later].output(), name))
        return emitError(loc)
               << description << ": input " << quoteName(name)
               << " is computed by " << describeNode(nodes[later], later, scope)
               << ", which does not come before (nodes must be in topological "
                  "order, without cycles)";
    return emitError(loc) << description << ": input " << quoteName(name)
                          << " is not defined";
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

std::string GraphImporter::describeNode(const onnx::NodeProto &node, int index,
                                        const Scope &scope) const {
  std::string text = "node ";
  text += node.name().empty() ? std::to_string(index) : quoteName(node.name());
  // Names are quoted to be fit for a message; here the quotes would be too
  // many.
  std::string name = quoteName(getQualifiedName(node.domain(), node.op_type()));
  text += " (" + name.substr(1, name.size() - 2);
  auto opset = scope.opsets.find(normalizeDomain(node.domain()));
  if (opset != scope.opsets.end())
    text += ", opset " + std::to_string(opset->second);
  text += ")";
  if (scope.function)
    text += " of function " +
            quoteName(getQualifiedName(scope.function->proto->domain(),
                                       scope.function->proto->name()));
  return text;
}

LogicalResult GraphImporter::spend(uint64_t cost) {
  spent += cost;
  if (spent <= maxImportedNodes)
    return success();
  return emitError(loc) << "the model has more than " << maxImportedNodes
                        << " nodes, with their inputs, outputs, attributes and "
                           "checks of sizes, after inlining its functions";
}

LogicalResult GraphImporter::spendChecks(Value value) {
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return spend(costOfCheck * rank);
}

/// Accounts for the elements of a vector of sizes, and for those of a constant
/// in a function, which are read at each call.
LogicalResult GraphImporter::spendElements(Value value, const Scope &scope) {
  constexpr int64_t elementsOfNode = 64;
  if (const TensorShape *known = sizes.getElements(value))
    return spend(costOfCheck * known->size());
  if (!scope.function)
    return success();
  DenseElementsAttr elements = getConstantElements(value);
  return spend(elements ? elements.getNumElements() / elementsOfNode : 0);
}

LogicalResult GraphImporter::importNodes(const Nodes &nodes, Scope &scope) {
  for (int index = 0; index < nodes.size(); ++index)
    if (failed(importNode(nodes, index, scope)))
      return failure();
  return success();
}

FailureOr<const OperatorVersion *>
GraphImporter::findVersion(const onnx::NodeProto &node,
                           const std::string &description, const Scope &scope) {
  // A model that defines a function means it, also where the function has the
  // name of a standard operator.
  if (findFunction(node))
    return static_cast<const OperatorVersion *>(nullptr);
  auto error = [&] { return emitError(loc) << description << ": "; };
  StringRef domain = normalizeDomain(node.domain());
  if (!domain.empty() || !getOverload(node).empty())
    return error() << "the operator is not supported (allowed: operators of "
                      "domain 'ai.onnx', functions of the model)";
  auto opset = scope.opsets.find(domain);
  if (opset == scope.opsets.end())
    return error() << "no version of domain 'ai.onnx' is imported";
  const OperatorVersion *version =
      findOperatorVersion(node.op_type(), opset->second, error);
  if (!version)
    return failure();
  return version;
}

OperatorNode GraphImporter::createOperatorNode(const onnx::NodeProto &node,
                                               const std::string &description,
                                               ArrayRef<Value> inputs,
                                               AttributeMap attributes,
                                               const Scope &scope) {
  StringRef name = node.name().empty() ? node.op_type() : node.name();
  return {node,
          description,
          scope.opsets.lookup(""),
          std::move(attributes),
          SmallVector<Value>(inputs),
          NameLoc::get(builder.getStringAttr(name), loc),
          {builder, sizes, directory}};
}

LogicalResult GraphImporter::importNode(const Nodes &nodes, int index,
                                        Scope &scope) {
  const onnx::NodeProto &node = nodes[index];
  if (failed(spend(1 + node.input_size() + node.output_size() +
                   node.attribute_size())))
    return failure();
  std::string description = describeNode(node, index, scope);
  FailureOr<const OperatorVersion *> version =
      findVersion(node, description, scope);
  if (failed(version))
    return failure();
  FailureOr<SmallVector<Value>> inputs =
      resolveInputs(nodes, index, description, scope);
  if (failed(inputs))
    return failure();
  FailureOr<AttributeMap> attributes =
      resolveAttributes(node, description, scope);
  if (failed(attributes))
    return failure();
  if (!*version)
    return importCall(node, description, *findFunction(node), *inputs,
                      *attributes, scope);
  return importStandardNode(createOperatorNode(node, description, *inputs,
                                               std::move(*attributes), scope),
                            **version, scope);
}

LogicalResult GraphImporter::importStandardNode(const OperatorNode &node,
                                                const OperatorVersion &version,
                                                Scope &scope) {
  if (failed(checkForm(node, version)) ||
      failed(checkElementTypes(node, version)))
    return failure();
  for (Value input : node.inputs)
    if (input && failed(spendChecks(input)))
      return failure();
  FailureOr<SmallVector<Value>> results = version.import(node);
  if (failed(results))
    return failure();
  for (auto [index, name] : llvm::enumerate(node.proto.output())) {
    if (name.empty())
      continue;
    Value result = (*results)[index];
    if (failed(spendChecks(result)) || failed(spendElements(result, scope)) ||
        failed(define(name, result, node.description, scope)))
      return failure();
  }
  return success();
}

FailureOr<AttributeMap>
GraphImporter::resolveAttributes(const onnx::NodeProto &node,
                                 const std::string &description,
                                 const Scope &scope) {
  AttributeMap attributes;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    const onnx::AttributeProto *value = &attribute;
    if (!attribute.ref_attr_name().empty()) {
      StringRef reference = attribute.ref_attr_name();
      if (!scope.function || !scope.function->attributes.contains(reference))
        return emitError(loc)
               << description << ": attribute " << quoteName(attribute.name())
               << " refers to " << quoteName(reference)
               << ", which is not an attribute of an enclosing function";
      // Null where the call leaves it out: then the node does, too.
      value = scope.attributes.lookup(reference);
    }
    if (attributes.contains(attribute.name()))
      return emitError(loc) << description << ": attribute "
                            << quoteName(attribute.name()) << " is given twice";
    if (value)
      attributes[attribute.name()] = value;
  }
  return attributes;
}

//===----------------------------------------------------------------------===//
// Functions of the model
//===----------------------------------------------------------------------===//

const ModelFunction *
GraphImporter::findFunction(const onnx::NodeProto &node) const {
  auto function = functions.find(FunctionKey{
      normalizeDomain(node.domain()).str(), node.op_type(), getOverload(node)});
  return function == functions.end() ? nullptr : &function->second;
}

LogicalResult GraphImporter::checkCall(const onnx::NodeProto &node,
                                       const std::string &description,
                                       const ModelFunction &callee) {
  const onnx::FunctionProto &proto = *callee.proto;
  auto error = [&] { return emitError(loc) << description << ": "; };
  if (llvm::is_contained(activeFunctions, &callee))
    return error() << "the function calls itself";
  if (activeFunctions.size() >= maxCallDepth)
    return error() << "calls of functions nest deeper than " << maxCallDepth;
  if (node.input_size() > proto.input_size())
    return error() << "has " << node.input_size()
                   << " inputs, but the function has " << proto.input_size();
  if (node.output_size() > proto.output_size())
    return error() << "has " << node.output_size()
                   << " outputs, but the function has " << proto.output_size();
  return spend(proto.input_size() + proto.output_size() +
               callee.attributes.size());
}

LogicalResult GraphImporter::bindCall(const std::string &description,
                                      ArrayRef<Value> inputs,
                                      const AttributeMap &attributes,
                                      Scope &scope) {
  const ModelFunction &callee = *scope.function;
  auto error = [&] { return emitError(loc) << description << ": "; };
  for (auto [name, value] : attributes)
    if (!callee.attributes.contains(name))
      return error() << "attribute " << quoteName(name)
                     << " is not an attribute of the function";
  for (auto [name, defaultValue] : callee.attributes) {
    const onnx::AttributeProto *value = attributes.lookup(name);
    scope.attributes[name] = value ? value : defaultValue;
  }
  for (auto [index, name] : llvm::enumerate(callee.proto->input())) {
    Value value = index < inputs.size() ? inputs[index] : Value();
    if (!scope.values.try_emplace(name, value).second)
      return error() << "the function has two inputs " << quoteName(name);
  }
  return success();
}

LogicalResult GraphImporter::importCall(const onnx::NodeProto &node,
                                        const std::string &description,
                                        const ModelFunction &callee,
                                        ArrayRef<Value> inputs,
                                        const AttributeMap &attributes,
                                        Scope &caller) {
  Scope scope(callee.opsets, &callee);
  if (failed(checkCall(node, description, callee)) ||
      failed(bindCall(description, inputs, attributes, scope)))
    return failure();

  activeFunctions.push_back(&callee);
  LogicalResult imported = importNodes(callee.proto->node(), scope);
  activeFunctions.pop_back();
  if (failed(imported))
    return failure();

  for (auto [index, name] : llvm::enumerate(node.output())) {
    if (name.empty())
      continue;
    StringRef result = callee.proto->output(index);
    Value value = scope.values.lookup(result);
    if (!value && scope.unknownValues.contains(result)) {
      caller.unknownValues.insert(name);
      continue;
    }
    if (!value)
      return emitError(loc) << description << ": output " << quoteName(result)
                            << " of the function is not computed";
    if (failed(define(name, value, description, caller)))
      return failure();
  }
  return success();
}
