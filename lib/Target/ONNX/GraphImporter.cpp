//===- GraphImporter.cpp - From the graph of a model to a function --------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "Names.h"
#include "Operators.h"
#include "meanvar/Target/ONNX/TensorProto.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::meanvar;

/// How deep functions of the model may call each other.
static constexpr size_t maxCallDepth = 64;

/// The largest number of nodes and their inputs after inlining: nested
/// functions multiply.
static constexpr uint64_t maxImportedNodes = uint64_t(1) << 20;

GraphImporter::GraphImporter(const onnx::ModelProto &model, StringRef directory,
                             Location loc)
    : model(model), directory(directory), loc(loc), builder(loc.getContext()) {}

OwningOpRef<ModuleOp> GraphImporter::run() {
  if (failed(readModel()))
    return {};
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  function =
      func::FuncOp::create(builder, loc, getFunctionName(model.graph().name()),
                           builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());

  Scope scope(opsets);
  if (failed(importInputs(scope)) ||
      failed(importNodes(model.graph().node(), scope)) ||
      failed(importOutputs(scope)))
    return {};
  return module;
}

//===----------------------------------------------------------------------===//
// Declarations of the model
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::readModel() {
  // Models of the first formats have no imports; they use opset 1.
  FailureOr<OpsetImports> imports =
      readOpsetImports(model.opset_import(), "the model", loc);
  if (failed(imports))
    return failure();
  opsets = std::move(*imports);
  if (opsets.empty() && model.ir_version() < 3)
    opsets[""] = 1;
  return failure(failed(readFunctions()) || failed(readInitializers()));
}

LogicalResult GraphImporter::readFunctions() {
  for (const onnx::FunctionProto &proto : model.functions()) {
    FailureOr<ModelFunction> read = readFunction(proto, loc);
    if (failed(read))
      return failure();
    FunctionKey key{normalizeDomain(proto.domain()).str(), proto.name(),
                    getOverload(proto)};
    if (!functions.try_emplace(key, std::move(*read)).second)
      return emitError(loc)
             << "function "
             << quoteName(getQualifiedName(proto.domain(), proto.name()))
             << " is defined twice";
  }
  return success();
}

LogicalResult GraphImporter::readInitializers() {
  if (model.graph().sparse_initializer_size() != 0)
    return emitError(loc)
           << "sparse initializer "
           << quoteName(model.graph().sparse_initializer(0).values().name())
           << " is not supported";
  for (const onnx::TensorProto &proto : model.graph().initializer()) {
    if (proto.name().empty())
      return emitError(loc) << "an initializer has no name";
    if (!initializers.try_emplace(proto.name(), &proto).second)
      return emitError(loc) << "initializer " << quoteName(proto.name())
                            << " is defined twice";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importInputs(Scope &scope) {
  llvm::StringSet<> names;
  SmallVector<Attribute> inputNames;
  for (const onnx::ValueInfoProto &info : model.graph().input()) {
    if (info.name().empty())
      return emitError(loc) << "an input of the graph has no name";
    if (!names.insert(info.name()).second)
      return emitError(loc)
             << "input " << quoteName(info.name()) << " is defined twice";
    if (failed(importInput(info, scope)))
      return failure();
    if (!initializers.contains(info.name()))
      inputNames.push_back(builder.getStringAttr(info.name()));
  }
  function.setType(
      builder.getFunctionType(function.getBody().getArgumentTypes(), {}));
  function->setAttr("meanvar.input_names", builder.getArrayAttr(inputNames));
  return success();
}

LogicalResult GraphImporter::importInput(const onnx::ValueInfoProto &info,
                                         Scope &scope) {
  std::string owner = "input " + quoteName(info.name());
  FailureOr<DeclaredType> type = readType(info, owner, loc);
  if (failed(type))
    return failure();

  auto initializer = initializers.find(info.name());
  if (initializer != initializers.end()) {
    // A default value that callers of ONNX could override. A function has no
    // optional parameters, so the default is what it computes with.
    FailureOr<Value> value =
        materializeInitializer(*initializer->second, scope);
    if (failed(value))
      return failure();
    return failure(failed(applyDeclaredShape(*value, *type, owner)));
  }

  if (!type->elementType)
    return emitError(loc) << owner << " has no type";
  if (!type->shape)
    return emitError(loc) << owner << " has no shape; its rank must be known";
  Value argument = function.getBody().addArgument(
      RankedTensorType::get(*type->shape, type->elementType), loc);
  scope.values[info.name()] = argument;
  return failure(failed(applyDeclaredShape(argument, *type, owner)));
}

FailureOr<Value>
GraphImporter::materializeInitializer(const onnx::TensorProto &proto,
                                      Scope &scope) {
  FloatType elementType =
      getElementType(proto.data_type(), builder.getContext());
  if (!elementType)
    return emitError(loc) << "initializer " << quoteName(proto.name())
                          << " has element type "
                          << getDataTypeName(proto.data_type())
                          << " (allowed: float16, bfloat16, float, double)";
  llvm::Expected<HostTensor> tensor = convertTensorProto(proto, directory);
  if (!tensor)
    return emitError(loc) << llvm::toString(tensor.takeError());
  if (failed(checkShape(
          tensor->getShape(), [&] { return emitError(loc); },
          "initializer " + quoteName(proto.name()))))
    return failure();

  auto type = RankedTensorType::get(tensor->getShape(), elementType);
  ArrayRef<char> bytes(reinterpret_cast<const char *>(tensor->getData()),
                       tensor->getNumBytes());
  auto elements = DenseElementsAttr::getFromRawBuffer(type, bytes);

  // In front of the checks, in the order of use.
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(&function.getBody().front());
  auto constant = arith::ConstantOp::create(builder, loc, elements);
  lastConstant = constant;
  scope.values[proto.name()] = constant.getResult();
  return constant.getResult();
}

/// Merges the sizes of a value and those that the model declares for it.
/// Returns nothing if two of them differ.
static std::optional<SmallVector<int64_t>>
mergeShapes(ArrayRef<int64_t> shape, ArrayRef<int64_t> declared) {
  if (shape.size() != declared.size())
    return std::nullopt;
  SmallVector<int64_t> merged(shape);
  for (auto [size, declaredSize] : llvm::zip_equal(merged, declared)) {
    if (ShapedType::isDynamic(declaredSize))
      continue;
    if (!ShapedType::isDynamic(size) && size != declaredSize)
      return std::nullopt;
    size = declaredSize;
  }
  return merged;
}

FailureOr<Value> GraphImporter::applyDeclaredShape(Value value,
                                                   const DeclaredType &declared,
                                                   const std::string &owner) {
  auto type = cast<RankedTensorType>(value.getType());
  if (declared.elementType && declared.elementType != type.getElementType())
    return emitError(loc) << owner << " is declared with element type "
                          << getDataTypeName(declared.elementType)
                          << ", but has "
                          << getDataTypeName(
                                 cast<FloatType>(type.getElementType()));
  if (!declared.shape)
    return value;
  std::optional<SmallVector<int64_t>> merged =
      mergeShapes(type.getShape(), *declared.shape);
  if (!merged)
    return emitError(loc) << owner << " is declared as "
                          << type.clone(*declared.shape) << ", but is " << type;

  for (auto [dim, size] : llvm::enumerate(*declared.shape)) {
    StringRef symbol = declared.symbols[dim];
    if (!symbol.empty() &&
        failed(dimensionNames.add(builder, loc, symbol, value, dim, owner)))
      return failure();
    if (ShapedType::isDynamic(size) || !type.isDynamicDim(dim))
      continue;
    std::string message = withoutBraces(owner) + " has size {0} in dimension " +
                          std::to_string(dim) +
                          ", but the model declares size {1}";
    if (failed(checkEqualSizes(builder, loc,
                               tensor::getMixedSize(builder, loc, value, dim),
                               builder.getIndexAttr(size), message)))
      return failure();
  }
  if (*merged == type.getShape())
    return value;
  return tensor::CastOp::create(builder, loc, type.clone(*merged), value)
      .getResult();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importOutputs(Scope &scope) {
  if (model.graph().output_size() == 0)
    return emitError(loc) << "the graph has no outputs";
  llvm::StringSet<> names;
  SmallVector<Attribute> outputNames;
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &info : model.graph().output()) {
    if (!names.insert(info.name()).second)
      return emitError(loc)
             << "output " << quoteName(info.name()) << " is declared twice";
    FailureOr<Value> result = importOutput(info, scope);
    if (failed(result))
      return failure();
    results.push_back(*result);
    outputNames.push_back(builder.getStringAttr(info.name()));
  }
  func::ReturnOp::create(builder, loc, results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(results).getTypes()));
  function->setAttr("meanvar.output_names", builder.getArrayAttr(outputNames));
  return success();
}

FailureOr<Value> GraphImporter::importOutput(const onnx::ValueInfoProto &info,
                                             Scope &scope) {
  std::string owner = "output " + quoteName(info.name());
  FailureOr<DeclaredType> type = readType(info, owner, loc);
  if (failed(type))
    return failure();
  FailureOr<Value> value = lookUp(info.name(), scope);
  if (failed(value))
    return failure();
  if (!*value)
    return emitError(loc) << owner << " is not computed by any node";
  return applyDeclaredShape(*value, *type, owner);
}

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
                        << " nodes and inputs of nodes after inlining its "
                           "functions";
}

LogicalResult GraphImporter::importNodes(const Nodes &nodes, Scope &scope) {
  for (int index = 0; index < nodes.size(); ++index)
    if (failed(importNode(nodes, index, scope)))
      return failure();
  return success();
}

LogicalResult GraphImporter::importNode(const Nodes &nodes, int index,
                                        Scope &scope) {
  const onnx::NodeProto &node = nodes[index];
  if (failed(spend(1 + node.input_size() + node.output_size() +
                   node.attribute_size())))
    return failure();
  std::string description = describeNode(node, index, scope);

  // A model that defines a function means it, also where the function has the
  // name of a standard operator.
  const ModelFunction *callee = findFunction(node);
  StringRef domain = normalizeDomain(node.domain());
  auto opset = scope.opsets.find(domain);
  if (!callee && (!domain.empty() || !isSupportedOperator(node.op_type()) ||
                  !getOverload(node).empty()))
    return emitError(loc) << description
                          << ": the operator is not supported (allowed: Mean, "
                             "MeanVarianceNormalization, functions of the "
                             "model)";
  if (!callee && opset == scope.opsets.end())
    return emitError(loc) << description
                          << ": no version of domain 'ai.onnx' is imported";

  FailureOr<SmallVector<Value>> inputs =
      resolveInputs(nodes, index, description, scope);
  if (failed(inputs))
    return failure();
  FailureOr<AttributeMap> attributes =
      resolveAttributes(node, description, scope);
  if (failed(attributes))
    return failure();
  if (callee)
    return importCall(node, description, *callee, *inputs,
                      std::move(*attributes), scope);
  return importStandardNode(node, description, opset->second, *inputs,
                            std::move(*attributes), scope);
}

LogicalResult GraphImporter::importStandardNode(
    const onnx::NodeProto &node, const std::string &description, int64_t opset,
    ArrayRef<Value> inputs, AttributeMap attributes, Scope &scope) {
  OperatorNode operatorNode{
      node,
      description,
      opset,
      std::move(attributes),
      {},
      NameLoc::get(builder.getStringAttr(node.name().empty() ? node.op_type()
                                                             : node.name()),
                   loc)};
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (!input)
      return emitError(loc) << description << ": input " << index
                            << " is left out, but no input is optional";
    operatorNode.inputs.push_back(cast<TypedValue<RankedTensorType>>(input));
  }
  FailureOr<Value> result = importOperator(builder, operatorNode);
  if (failed(result))
    return failure();
  return define(node.output(0), *result, description, scope);
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

LogicalResult GraphImporter::importCall(const onnx::NodeProto &node,
                                        const std::string &description,
                                        const ModelFunction &callee,
                                        ArrayRef<Value> inputs,
                                        AttributeMap attributes,
                                        Scope &caller) {
  const onnx::FunctionProto &proto = *callee.proto;
  auto error = [&] { return emitError(loc) << description << ": "; };
  if (llvm::is_contained(activeFunctions, &callee))
    return error() << "the function calls itself";
  if (activeFunctions.size() >= maxCallDepth)
    return error() << "calls of functions nest deeper than " << maxCallDepth;
  if (failed(spend(proto.input_size() + proto.output_size() +
                   callee.attributes.size())))
    return failure();
  if (static_cast<int>(inputs.size()) > proto.input_size())
    return error() << "has " << inputs.size()
                   << " inputs, but the function has " << proto.input_size();
  if (node.output_size() > proto.output_size())
    return error() << "has " << node.output_size()
                   << " outputs, but the function has " << proto.output_size();

  Scope scope(callee.opsets, &callee);
  for (auto [name, value] : attributes)
    if (!callee.attributes.contains(name))
      return error() << "attribute " << quoteName(name)
                     << " is not an attribute of the function";
  for (auto [name, defaultValue] : callee.attributes) {
    const onnx::AttributeProto *value = attributes.lookup(name);
    scope.attributes[name] = value ? value : defaultValue;
  }
  for (auto [index, name] : llvm::enumerate(proto.input()))
    if (!scope.values
             .try_emplace(name, index < inputs.size() ? inputs[index] : Value())
             .second)
      return error() << "the function has two inputs " << quoteName(name);

  activeFunctions.push_back(&callee);
  LogicalResult imported = importNodes(proto.node(), scope);
  activeFunctions.pop_back();
  if (failed(imported))
    return failure();

  for (auto [index, name] : llvm::enumerate(node.output())) {
    if (name.empty())
      continue;
    Value value = scope.values.lookup(proto.output(index));
    if (!value)
      return error() << "output " << quoteName(proto.output(index))
                     << " of the function is not computed";
    if (failed(define(name, value, description, caller)))
      return failure();
  }
  return success();
}
