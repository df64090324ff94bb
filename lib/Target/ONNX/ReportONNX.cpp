//===- ReportONNX.cpp - What keeps an ONNX model from import --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports a model that is thrown away, and goes on after errors: the outputs of
// a node that is not supported have the types that the model declares for them,
// or are unknown. Nodes with unknown inputs are checked as far as they can be
// without types.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ReportONNX.h"

#include "GraphImporter.h"
#include "ReadModelFile.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {
class ReportingImporter final : public GraphImporter {
public:
  ReportingImporter(const onnx::ModelProto &model, StringRef directory,
                    Location loc, function_ref<void(uint64_t)> progress)
      : GraphImporter(model, directory, loc), progress(progress) {}

  FailureOr<ONNXReport> report();

private:
  LogicalResult importNodes(const Nodes &nodes, Scope &scope) override;
  LogicalResult checkWithoutTypes(const Nodes &nodes, int index, Scope &scope);
  LogicalResult checkCallWithoutTypes(const onnx::NodeProto &node,
                                      const std::string &description,
                                      const AttributeMap &attributes,
                                      Scope &scope);
  void checkSubgraphs(const onnx::NodeProto &node, const Scope &scope);
  void reportInputs(Scope &scope);
  void reportOutputs(Scope &scope);
  void declareOutputs(const onnx::NodeProto &node, Scope &scope);
  std::optional<std::string> captureError(function_ref<LogicalResult()> action);
  void add(const onnx::NodeProto &node, int index, const Scope &scope,
           StringRef error);

  function_ref<void(uint64_t)> progress;
  ONNXReport result;
  /// Declarations of the graph by name.
  llvm::StringMap<const onnx::ValueInfoProto *> declarations;
  /// Stands for any input whose type is not known.
  Value placeholder;
};
} // namespace

/// Runs `action`. Returns its error, which is not emitted, if it fails.
std::optional<std::string>
ReportingImporter::captureError(function_ref<LogicalResult()> action) {
  std::string message;
  ScopedDiagnosticHandler handler(builder.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (message.empty())
                                      message = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(action()))
    return std::nullopt;
  return message;
}

void ReportingImporter::add(const onnx::NodeProto &node, int index,
                            const Scope &scope, StringRef error) {
  UnsupportedONNXNode entry;
  entry.node =
      node.name().empty() ? std::to_string(index) : quoteName(node.name());
  std::string opType = quoteName(node.op_type());
  entry.opType = opType.substr(1, opType.size() - 2);
  std::string domain = quoteName(node.domain());
  entry.domain =
      node.domain().empty() ? "ai.onnx" : domain.substr(1, domain.size() - 2);
  entry.opset = scope.opsets.lookup(normalizeDomain(node.domain()));
  if (scope.function)
    entry.function = quoteName(getQualifiedName(scope.function->proto->domain(),
                                                scope.function->proto->name()));
  error.consume_front(describeNode(node, index, scope));
  error.consume_front(": ");
  // The list of all operators is too long for each node.
  StringRef reason = error;
  if (reason.starts_with("the operator is not supported"))
    reason = reason.take_until([](char c) { return c == '('; }).rtrim();
  entry.reason = reason.str();
  result.unsupported.push_back(std::move(entry));
}

/// Gives the outputs of a node that could not be imported the types that the
/// model declares for them.
void ReportingImporter::declareOutputs(const onnx::NodeProto &node,
                                       Scope &scope) {
  for (const std::string &name : node.output()) {
    if (name.empty() || scope.values.contains(name))
      continue;
    const onnx::ValueInfoProto *info =
        scope.function ? nullptr : declarations.lookup(name);
    std::optional<DeclaredType> type;
    if (info)
      captureError([&]() -> LogicalResult {
        FailureOr<DeclaredType> read = readType(*info, "value", loc);
        if (succeeded(read))
          type = *read;
        return read;
      });
    if (!type || !type->elementType || !type->shape) {
      scope.unknownValues.insert(name);
      continue;
    }
    scope.values[name] = function.getBody().addArgument(
        RankedTensorType::get(*type->shape, type->elementType), loc);
  }
}

/// Checks the nodes of subgraphs, which have no types here.
void ReportingImporter::checkSubgraphs(const onnx::NodeProto &node,
                                       const Scope &scope) {
  auto check = [&](const onnx::GraphProto &graph) {
    Scope inner(scope.opsets, scope.function);
    for (int index = 0; index < graph.node_size(); ++index) {
      progress(++result.numNodes);
      std::optional<std::string> error = captureError(
          [&] { return checkWithoutTypes(graph.node(), index, inner); });
      if (error)
        add(graph.node(index), index, inner, *error);
      else
        ++result.numPartlyChecked;
      checkSubgraphs(graph.node(index), inner);
    }
  };
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      check(attribute.g());
    for (const onnx::GraphProto &graph : attribute.graphs())
      check(graph);
  }
}

LogicalResult ReportingImporter::checkCallWithoutTypes(
    const onnx::NodeProto &node, const std::string &description,
    const AttributeMap &attributes, Scope &scope) {
  const ModelFunction &callee = *findFunction(node);
  if (failed(checkCall(node, description, callee)))
    return failure();
  Scope inner(callee.opsets, &callee);
  inner.attributes = attributes;
  for (const std::string &name : callee.proto->input())
    inner.unknownValues.insert(name);
  activeFunctions.push_back(&callee);
  LogicalResult imported = importNodes(callee.proto->node(), inner);
  activeFunctions.pop_back();
  return imported;
}

/// Checks what does not depend on the types of inputs.
LogicalResult ReportingImporter::checkWithoutTypes(const Nodes &nodes,
                                                   int index, Scope &scope) {
  const onnx::NodeProto &node = nodes[index];
  if (failed(spend(1 + node.input_size() + node.output_size() +
                   node.attribute_size())))
    return failure();
  std::string description = describeNode(node, index, scope);
  FailureOr<const OperatorVersion *> version =
      findVersion(node, description, scope);
  if (failed(version))
    return failure();
  FailureOr<AttributeMap> attributes =
      resolveAttributes(node, description, scope);
  if (failed(attributes))
    return failure();
  if (!*version)
    return checkCallWithoutTypes(node, description, *attributes, scope);
  SmallVector<Value> inputs;
  for (const std::string &name : node.input())
    inputs.push_back(name.empty() ? Value() : placeholder);
  return checkForm(createOperatorNode(node, description, inputs,
                                      std::move(*attributes), scope),
                   **version);
}

LogicalResult ReportingImporter::importNodes(const Nodes &nodes, Scope &scope) {
  for (int index = 0; index < nodes.size(); ++index) {
    const onnx::NodeProto &node = nodes[index];
    progress(++result.numNodes);
    bool isKnown = llvm::none_of(node.input(), [&](const std::string &name) {
      return scope.unknownValues.contains(name);
    });
    size_t numUnsupported = result.unsupported.size();
    std::optional<std::string> error = captureError([&] {
      return isKnown ? importNode(nodes, index, scope)
                     : checkWithoutTypes(nodes, index, scope);
    });
    if (isTooLarge())
      return emitError(loc) << *error;
    if (error)
      add(node, index, scope, *error);
    else if (!isKnown && numUnsupported == result.unsupported.size())
      ++result.numPartlyChecked;
    checkSubgraphs(node, scope);
    declareOutputs(node, scope);
  }
  return success();
}

FailureOr<ONNXReport> ReportingImporter::report() {
  if (failed(readModel()))
    return failure();
  OwningOpRef<ModuleOp> module = createFunction();
  placeholder = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()),
                             0.0F));
  for (const onnx::ValueInfoProto &info : model.graph().value_info())
    declarations[info.name()] = &info;
  for (const onnx::ValueInfoProto &info : model.graph().output())
    declarations[info.name()] = &info;

  Scope scope(opsets);
  reportInputs(scope);
  if (failed(importNodes(model.graph().node(), scope)))
    return failure();
  reportOutputs(scope);
  return std::move(result);
}

/// Imports the inputs of the graph; those with errors are unknown.
void ReportingImporter::reportInputs(Scope &scope) {
  std::optional<std::string> first =
      captureError([&] { return importInputs(scope); });
  if (!first)
    return;
  for (const onnx::ValueInfoProto &info : model.graph().input()) {
    std::optional<std::string> error =
        captureError([&] { return importInput(info, scope); });
    if (!error)
      continue;
    result.otherErrors.push_back(*error);
    scope.unknownValues.insert(info.name());
  }
  // An error that is about several inputs.
  if (result.otherErrors.empty())
    result.otherErrors.push_back(*first);
}

/// Imports the outputs of the graph that are known.
void ReportingImporter::reportOutputs(Scope &scope) {
  for (const onnx::ValueInfoProto &info : model.graph().output()) {
    if (scope.unknownValues.contains(info.name()))
      continue;
    if (std::optional<std::string> error =
            captureError([&] { return importOutput(info, scope); }))
      result.otherErrors.push_back(*error);
  }
  if (!result.isSupported())
    return;
  if (std::optional<std::string> error =
          captureError([&] { return importOutputs(scope); }))
    result.otherErrors.push_back(*error);
}

static FailureOr<ONNXReport>
reportModel(const FailureOr<ModelFile> &file,
            function_ref<void(uint64_t)> progress) {
  if (failed(file))
    return failure();
  return ReportingImporter(*file->model, file->directory, file->loc, progress)
      .report();
}

FailureOr<ONNXReport>
meanvar::reportONNXModel(StringRef path, MLIRContext *context,
                         function_ref<void(uint64_t)> progress) {
  return reportModel(readModelFile(path, context), progress);
}

FailureOr<ONNXReport>
meanvar::reportONNXModel(llvm::MemoryBufferRef buffer, MLIRContext *context,
                         StringRef directory,
                         function_ref<void(uint64_t)> progress) {
  return reportModel(readModelBuffer(buffer, directory, context), progress);
}
