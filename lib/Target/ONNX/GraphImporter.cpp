//===- GraphImporter.cpp - From the graph of a model to a function --------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "ConstantValues.h"
#include "Names.h"
#include "SignlessTypes.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::meanvar;

GraphImporter::GraphImporter(const onnx::ModelProto &model, StringRef directory,
                             Location loc)
    : model(model), directory(directory), loc(loc), builder(loc.getContext()) {}

OwningOpRef<ModuleOp> GraphImporter::createFunction() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  function =
      func::FuncOp::create(builder, loc, getFunctionName(model.graph().name()),
                           builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  return module;
}

OwningOpRef<ModuleOp> GraphImporter::run() {
  if (failed(readModel()))
    return {};
  OwningOpRef<ModuleOp> module = createFunction();
  Scope scope(opsets);
  if (failed(importInputs(scope)) ||
      failed(importNodes(model.graph().node(), scope)) ||
      failed(importOutputs(scope)))
    return {};
  eraseUnusedValues();
  makeSignless(function);
  return module;
}

/// Erases what only was there for nodes to read at import, such as axes, or
/// what was folded.
void GraphImporter::eraseUnusedValues() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isa<arith::ArithDialect, tensor::TensorDialect>(op.getDialect()) &&
        isOpTriviallyDead(&op))
      op.erase();
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

/// Returns the symbols of the dimensions that `info` declares, "" for those
/// without.
static Attribute getDimensionNames(Builder &builder,
                                   const onnx::ValueInfoProto &info) {
  SmallVector<Attribute> names;
  for (const auto &dim : info.type().tensor_type().shape().dim())
    names.push_back(builder.getStringAttr(dim.dim_param()));
  return builder.getArrayAttr(names);
}

/// Adds the attribute `name` with the symbols of all inputs or outputs, unless
/// they have none.
static void setDimensionNames(func::FuncOp function, StringRef name,
                              ArrayRef<Attribute> dimensionNames) {
  bool hasSymbol = llvm::any_of(dimensionNames, [](Attribute names) {
    return llvm::any_of(cast<ArrayAttr>(names), [](Attribute symbol) {
      return !cast<StringAttr>(symbol).empty();
    });
  });
  if (hasSymbol)
    function->setAttr(name,
                      ArrayAttr::get(function.getContext(), dimensionNames));
}

LogicalResult GraphImporter::importInputs(Scope &scope) {
  llvm::StringSet<> names;
  SmallVector<Attribute> inputNames, symbols;
  for (const onnx::ValueInfoProto &info : model.graph().input()) {
    if (info.name().empty())
      return emitError(loc) << "an input of the graph has no name";
    if (!names.insert(info.name()).second)
      return emitError(loc)
             << "input " << quoteName(info.name()) << " is defined twice";
    if (failed(importInput(info, scope)))
      return failure();
    if (!initializers.contains(info.name())) {
      inputNames.push_back(builder.getStringAttr(info.name()));
      symbols.push_back(getDimensionNames(builder, info));
    }
  }
  function.setType(
      builder.getFunctionType(function.getBody().getArgumentTypes(), {}));
  function->setAttr("meanvar.input_names", builder.getArrayAttr(inputNames));
  setDimensionNames(function, "meanvar.input_dimension_names", symbols);
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
  FailureOr<DenseElementsAttr> elements =
      readElements(proto, directory, "initializer " + quoteName(proto.name()),
                   builder.getContext(), [&] { return emitError(loc); });
  if (failed(elements))
    return failure();

  // In front of the checks, in the order of use.
  OpBuilder::InsertionGuard guard(builder);
  if (lastConstant)
    builder.setInsertionPointAfter(lastConstant);
  else
    builder.setInsertionPointToStart(&function.getBody().front());
  auto constant = arith::ConstantOp::create(builder, loc, *elements);
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
                          << getDataTypeName(type.getElementType());
  if (!declared.shape)
    return value;
  std::optional<SmallVector<int64_t>> merged =
      mergeShapes(type.getShape(), *declared.shape);
  if (!merged)
    return emitError(loc) << owner << " is declared as "
                          << type.clone(*declared.shape) << ", but is " << type;
  if (failed(checkShape(
          *merged, [&] { return emitError(loc); }, owner)) ||
      failed(spendChecks(value)))
    return failure();

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
    if (failed(checkEqualSizes(builder, loc, sizes.get(value, dim),
                               TensorSize::constant(size), message)))
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
  SmallVector<Attribute> outputNames, symbols;
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
    symbols.push_back(getDimensionNames(builder, info));
  }
  func::ReturnOp::create(builder, loc, results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(results).getTypes()));
  setDimensionNames(function, "meanvar.output_dimension_names", symbols);
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
