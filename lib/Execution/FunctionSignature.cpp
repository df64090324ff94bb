//===- FunctionSignature.cpp - Types of compiled functions ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/FunctionSignature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static_assert(dynamicSize == ShapedType::kDynamic,
              "shapes of MLIR types are used as they are");

//===----------------------------------------------------------------------===//
// TensorView
//===----------------------------------------------------------------------===//

std::optional<uint64_t> TensorView::getNumBytes() const {
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = getElementSize(kind);
  for (int64_t size : shape) {
    if (size < 0 || static_cast<uint64_t>(size) > maxTensorBytes / bytes)
      return std::nullopt;
    bytes *= size;
  }
  return bytes;
}

SmallVector<TensorView>
mlir::meanvar::makeViews(MutableArrayRef<HostTensor> tensors) {
  SmallVector<TensorView> views;
  for (HostTensor &tensor : tensors)
    views.push_back(tensor);
  return views;
}

//===----------------------------------------------------------------------===//
// Reading signatures
//===----------------------------------------------------------------------===//

std::string ValueType::str() const {
  std::string text = getTypeString(kind, shape);
  return isTensor ? "tensor<" + text + ">" : text;
}

static std::optional<ElementKind> getKind(Type type) {
  if (!type.isIntOrIndexOrFloat() || type.isSignedInteger() ||
      type.isUnsignedInteger())
    return std::nullopt;
  std::string spelling;
  llvm::raw_string_ostream stream(spelling);
  type.print(stream);
  return parseElementName(spelling);
}

static std::optional<ValueType> getValueType(Type type) {
  ValueType result;
  Type elementType = type;
  if (auto tensorType = dyn_cast<RankedTensorType>(type)) {
    result.isTensor = true;
    result.shape.assign(tensorType.getShape().begin(),
                        tensorType.getShape().end());
    elementType = tensorType.getElementType();
  }
  std::optional<ElementKind> kind = getKind(elementType);
  if (!kind)
    return std::nullopt;
  result.kind = *kind;
  return result;
}

static Error readTypes(TypeRange types, StringRef functionName, StringRef role,
                       std::vector<ValueType> &values) {
  for (auto [index, type] : llvm::enumerate(types)) {
    std::optional<ValueType> value = getValueType(type);
    if (!value) {
      std::string spelling;
      llvm::raw_string_ostream(spelling) << type;
      return createStringError(
          "function '" + functionName + "' has type '" + spelling + "' for " +
          role + " " + Twine(index) +
          ", which cannot be passed (allowed: ranked tensors and scalars of "
          "f16, bf16, f32, f64, i1, i8, i16, i32, i64 and index)");
    }
    values.push_back(std::move(*value));
  }
  return Error::success();
}

/// Makes the i8 values whose indices are in the array `attribute` unsigned.
static void markUnsigned(Attribute attribute, std::vector<ValueType> &values) {
  auto indices = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
  if (!indices)
    return;
  for (int64_t index : indices.asArrayRef())
    if (index >= 0 && index < static_cast<int64_t>(values.size()) &&
        values[index].kind == ElementKind::I8)
      values[index].kind = ElementKind::UI8;
}

/// Reads an array of `count` strings; returns no names for anything else.
static std::vector<std::string> readNames(Attribute attribute, size_t count) {
  std::vector<std::string> names;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attribute))
    for (Attribute name : array)
      if (auto string = dyn_cast<StringAttr>(name))
        names.push_back(string.str());
  if (names.size() != count)
    names.clear();
  return names;
}

/// Reads an array that holds such an array for the dimensions of each of
/// `values`.
static std::vector<std::vector<std::string>>
readDimensionNames(Attribute attribute, ArrayRef<ValueType> values) {
  auto array = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!array || array.size() != values.size())
    return {};
  std::vector<std::vector<std::string>> names;
  for (auto [dimensions, value] : llvm::zip_equal(array, values))
    names.push_back(readNames(dimensions, value.shape.size()));
  return names;
}

bool mlir::meanvar::isCompiledFunction(Operation *function) {
  auto compiled = dyn_cast<LLVM::LLVMFuncOp>(function);
  return compiled && compiled->hasAttr("meanvar.signature") &&
         !compiled.getName().starts_with("_mlir_ciface_");
}

/// Returns the type before compilation, or null.
static FunctionType getSourceType(Operation *function) {
  if (auto source = dyn_cast<func::FuncOp>(function))
    return source.getFunctionType();
  auto type = function->getAttrOfType<TypeAttr>("meanvar.signature");
  return type ? dyn_cast<FunctionType>(type.getValue()) : FunctionType();
}

Expected<FunctionSignature> FunctionSignature::get(Operation *function) {
  FunctionSignature signature;
  signature.name = SymbolTable::getSymbolName(function).str();
  FunctionType type = getSourceType(function);
  if (!type)
    return createStringError("function '" + signature.name +
                             "' was not compiled by meanvar: it lacks the "
                             "attribute 'meanvar.signature'");
  if (llvm::none_of(type.getResults(), llvm::IsaPred<TensorType>))
    return createStringError("function '" + signature.name +
                             "' has no tensor among its results and keeps its "
                             "own calling convention (mlir-runner runs it)");
  if (Error error = readTypes(type.getInputs(), signature.name, "input",
                              signature.inputs))
    return std::move(error);
  if (Error error = readTypes(type.getResults(), signature.name, "result",
                              signature.outputs))
    return std::move(error);
  markUnsigned(function->getAttr("meanvar.unsigned_inputs"), signature.inputs);
  markUnsigned(function->getAttr("meanvar.unsigned_outputs"),
               signature.outputs);
  signature.inputNames = readNames(function->getAttr("meanvar.input_names"),
                                   signature.inputs.size());
  signature.outputNames = readNames(function->getAttr("meanvar.output_names"),
                                    signature.outputs.size());
  signature.inputDimensionNames = readDimensionNames(
      function->getAttr("meanvar.input_dimension_names"), signature.inputs);
  signature.outputDimensionNames = readDimensionNames(
      function->getAttr("meanvar.output_dimension_names"), signature.outputs);
  return signature;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool matches(const TensorView &view, const ValueType &type) {
  if (view.kind != type.kind || view.shape.size() != type.shape.size())
    return false;
  return llvm::all_of(llvm::zip_equal(view.shape, type.shape), [](auto sizes) {
    auto [actual, declared] = sizes;
    return actual >= 0 && (declared == dynamicSize || actual == declared);
  });
}

static Error checkViews(StringRef function, StringRef role,
                        ArrayRef<TensorView> views, ArrayRef<ValueType> types,
                        ArrayRef<std::string> names) {
  if (views.size() != types.size())
    return createStringError("function '" + function + "' takes " +
                             Twine(types.size()) + " " + role +
                             (types.size() == 1 ? "" : "s") + ", but got " +
                             Twine(views.size()));
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(views, types))) {
    auto [view, type] = pair;
    if (matches(view, type))
      continue;
    std::string name = names.empty() ? "" : " ('" + names[index] + "')";
    ValueType actual;
    actual.kind = view.kind;
    actual.isTensor = type.isTensor || !view.shape.empty();
    actual.shape.assign(view.shape.begin(), view.shape.end());
    return createStringError(
        role + " " + Twine(index) + name + " of function '" + function +
        "' is '" + actual.str() + "' (allowed: '" + type.str() + "')");
  }
  return Error::success();
}

Error FunctionSignature::checkInputs(ArrayRef<TensorView> views) const {
  return checkViews(name, "input", views, inputs, inputNames);
}

Error FunctionSignature::checkOutputs(ArrayRef<TensorView> views) const {
  return checkViews(name, "output", views, outputs, outputNames);
}
