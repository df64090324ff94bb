//===- GraphImporter.h - From the graph of a model to a function *- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_GRAPHIMPORTER_H
#define MEANVAR_LIB_TARGET_ONNX_GRAPHIMPORTER_H

#include "DimensionChecks.h"
#include "Model.h"
#include "OperatorTable.h"
#include "Types.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <tuple>

namespace mlir::meanvar {

/// Builds the module of one model.
class GraphImporter {
public:
  /// The largest number of nodes, with their inputs, outputs, attributes and
  /// checks, after inlining: nested functions multiply, and so do dimensions
  /// that are checked for each input.
  static constexpr uint64_t maxImportedNodes = uint64_t(1) << 20;

  /// External data is read from files below `directory`.
  GraphImporter(const onnx::ModelProto &model, StringRef directory,
                Location loc);

  virtual ~GraphImporter() = default;

  /// Returns the module, or null after a diagnostic.
  OwningOpRef<ModuleOp> run();

protected:
  /// The names that nodes see: those of the graph, or of one call of a function
  /// of the model.
  struct Scope {
    explicit Scope(const OpsetImports &opsets,
                   const ModelFunction *function = nullptr)
        : opsets(opsets), function(function) {}

    const OpsetImports &opsets;
    /// Null in the graph itself.
    const ModelFunction *function;
    /// Attributes of the call that are given or have a default.
    AttributeMap attributes;
    /// The values by name; null for an optional input that the call leaves out.
    llvm::StringMap<Value> values;
    /// Only for reports: names of values that could not be imported.
    llvm::StringSet<> unknownValues;
  };
  using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
  /// Normalized domain, name and overload.
  using FunctionKey = std::tuple<std::string, std::string, std::string>;

  LogicalResult readModel();
  OwningOpRef<ModuleOp> createFunction();
  LogicalResult readFunctions();
  LogicalResult readInitializers();

  // The signature of the function.
  LogicalResult importInputs(Scope &scope);
  LogicalResult importInput(const onnx::ValueInfoProto &info, Scope &scope);
  LogicalResult importOutputs(Scope &scope);
  FailureOr<Value> importOutput(const onnx::ValueInfoProto &info, Scope &scope);
  FailureOr<Value> applyDeclaredShape(Value value, const DeclaredType &type,
                                      const std::string &owner);
  FailureOr<Value> materializeInitializer(const onnx::TensorProto &proto,
                                          Scope &scope);

  // Nodes.
  virtual LogicalResult importNodes(const Nodes &nodes, Scope &scope);
  LogicalResult importNode(const Nodes &nodes, int index, Scope &scope);
  LogicalResult checkCall(const onnx::NodeProto &node,
                          const std::string &description,
                          const ModelFunction &callee);
  LogicalResult bindCall(const std::string &description, ArrayRef<Value> inputs,
                         const AttributeMap &attributes, Scope &scope);
  LogicalResult importCall(const onnx::NodeProto &node,
                           const std::string &description,
                           const ModelFunction &callee, ArrayRef<Value> inputs,
                           const AttributeMap &attributes, Scope &caller);
  /// Returns the version of the operator that `node` stands for, or null if it
  /// calls a function of the model.
  FailureOr<const OperatorVersion *> findVersion(const onnx::NodeProto &node,
                                                 const std::string &description,
                                                 const Scope &scope);
  OperatorNode createOperatorNode(const onnx::NodeProto &node,
                                  const std::string &description,
                                  ArrayRef<Value> inputs,
                                  AttributeMap attributes, const Scope &scope);
  LogicalResult importStandardNode(const OperatorNode &node,
                                   const OperatorVersion &version,
                                   Scope &scope);
  FailureOr<SmallVector<Value>> resolveInputs(const Nodes &nodes, int index,
                                              const std::string &description,
                                              Scope &scope);
  FailureOr<AttributeMap> resolveAttributes(const onnx::NodeProto &node,
                                            const std::string &description,
                                            const Scope &scope);
  FailureOr<Value> lookUp(StringRef name, Scope &scope);
  LogicalResult define(StringRef name, Value value,
                       const std::string &description, Scope &scope);
  const ModelFunction *findFunction(const onnx::NodeProto &node) const;
  std::string describeNode(const onnx::NodeProto &node, int index,
                           const Scope &scope) const;
  LogicalResult spend(uint64_t cost);
  bool isTooLarge() const { return spent > maxImportedNodes; }
  LogicalResult spendChecks(Value value);
  LogicalResult spendElements(Value value, const Scope &scope);
  void eraseUnusedValues();

  const onnx::ModelProto &model;
  StringRef directory;
  Location loc;
  OpBuilder builder;
  func::FuncOp function;
  /// The last of the constants at the start of the function.
  Operation *lastConstant = nullptr;

  OpsetImports opsets;
  std::map<FunctionKey, ModelFunction> functions;
  llvm::StringMap<const onnx::TensorProto *> initializers;
  TensorSizes sizes;
  DimensionNames dimensionNames{sizes};
  /// Functions whose bodies are being imported, outermost first.
  SmallVector<const ModelFunction *> activeFunctions;
  /// Nodes, with inputs, outputs, attributes and checks of sizes, that are
  /// imported so far.
  uint64_t spent = 0;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_GRAPHIMPORTER_H
