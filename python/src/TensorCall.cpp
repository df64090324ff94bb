//===- TensorCall.cpp - Calls of functions on arrays ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorCall.h"
#include "NumPy.h"
#include "ReleasedLock.h"
#include "StridedCopy.h"

#include <algorithm>

namespace nb = nanobind;
using namespace meanvar::python;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void TensorCall::addInput(nb::handle object, const ArgumentName &name) {
  inputs.emplace_back(object, name, Access::Read);
  if (inputs.back().isForeign() && !foreignInput)
    foreignInput = object;
}

/// Returns the type as an array has it: NumPy does not know MLIR's index.
static MeanVarElementType getArrayType(const MeanVarValue *value) {
  MeanVarElementType type = meanvarValueGetElementType(value);
  return type == MEANVAR_INDEX ? MEANVAR_I64 : type;
}

void TensorCall::checkInputTypes(const MeanVarFunction *function) const {
  if (inputs.size() != meanvarFunctionGetNumInputs(function))
    return;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const MeanVarValue *value = meanvarFunctionGetInput(function, i);
    if (inputs[i].getElementType() == getArrayType(value))
      continue;
    std::string name = meanvarValueGetName(value);
    throw nb::type_error(
        ("input " + std::to_string(i) +
         (name.empty() ? "" : " ('" + name + "')") + " has elements of " +
         getNumPyTypeName(inputs[i].getElementType()) +
         " (allowed: " + getNumPyTypeName(getArrayType(value)) + ")")
            .c_str());
  }
}

std::vector<MeanVarTensor>
TensorCall::makeInputTensors(const MeanVarFunction *function) const {
  std::vector<MeanVarTensor> tensors;
  tensors.reserve(inputs.size());
  for (const ArrayArgument &input : inputs) {
    MeanVarElementType type = input.getElementType();
    if (size_t i = tensors.size(); i < meanvarFunctionGetNumInputs(function))
      type = meanvarValueGetElementType(meanvarFunctionGetInput(function, i));
    tensors.push_back(
        {type, input.getRank(), input.getShape(), input.getData()});
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

[[noreturn]] static void raise(MeanVarStatus status,
                               const std::string &message) {
  if (status == MEANVAR_EXECUTION_FAILED) {
    PyErr_SetString(PyExc_MemoryError, message.c_str());
    throw nb::python_error();
  }
  throw nb::value_error(message.c_str());
}

void TensorCall::computeOutputShapes(const MeanVarFunction *function) {
  bool isStatic = true;
  std::vector<int64_t *> pointers;
  for (size_t i = 0; i < meanvarFunctionGetNumOutputs(function); ++i) {
    const MeanVarValue *value = meanvarFunctionGetOutput(function, i);
    const int64_t *sizes = meanvarValueGetShape(value);
    std::vector<int64_t> shape(sizes, sizes + meanvarValueGetRank(value));
    isStatic &= std::find(shape.begin(), shape.end(), MEANVAR_DYNAMIC_SIZE) ==
                shape.end();
    outputShapes.push_back(std::move(shape));
    pointers.push_back(outputShapes.back().data());
  }
  if (isStatic)
    return;
  std::vector<MeanVarTensor> tensors = makeInputTensors(function);
  if (MeanVarStatus status = meanvarFunctionComputeOutputShapes(
          function, tensors.data(), tensors.size(), pointers.data(),
          pointers.size()))
    raise(status, meanvarGetErrorMessage());
}

void TensorCall::addOutput(const MeanVarValue *value, size_t index,
                           nb::handle given, const ArgumentName &name) {
  MeanVarElementType type = getArrayType(value);
  const std::vector<int64_t> &shape = outputShapes[index];
  nb::object array = nb::borrow(given);
  if (given.is_none())
    array = createNumPyArray(type, makeShapeTuple(shape.data(), shape.size()));
  ArrayArgument view(array, name, Access::Write);
  if (view.getElementType() != type)
    throw nb::type_error((name.str() + " has elements of " +
                          getNumPyTypeName(view.getElementType()) +
                          " (allowed: " + getNumPyTypeName(type) + ")")
                             .c_str());
  if (!std::equal(shape.begin(), shape.end(), view.getShape(),
                  view.getShape() + view.getRank()))
    throw nb::value_error(
        (name.str() + " has shape " +
         printShape(view.getShape(), view.getRank()) +
         " (allowed: " + printShape(shape.data(), shape.size()) + ")")
            .c_str());
  bool isGiven = !given.is_none();
  bool isStaged = isGiven && !isUsable(view);
  outputs.push_back({std::move(array), std::move(view), isGiven, isStaged});
}

bool TensorCall::isUsable(const ArrayArgument &output) const {
  if (!output.isDense())
    return false;
  // What is not dense is read before anything is written.
  return std::all_of(inputs.begin(), inputs.end(),
                     [&](const ArrayArgument &input) {
                       return !input.isDense() || !output.mayOverlap(input) ||
                              output.isSameAs(input);
                     });
}

void TensorCall::checkOutputsAreApart() const {
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (outputs[i].view.mayOverlap(outputs[j].view))
        throw nb::value_error(("out " + std::to_string(j) + " and out " +
                               std::to_string(i) + " overlap")
                                  .c_str());
}

nb::object TensorCall::takeResult(size_t index) {
  Output &output = outputs[index];
  if (!foreignInput || output.isGiven)
    return std::move(output.array);
  // Elements that belong to a new array of NumPy, to be shared.
  const ArrayArgument &view = output.view;
  static constexpr nb::dlpack::dtype_code codes[] = {
      nb::dlpack::dtype_code::Float, nb::dlpack::dtype_code::Bfloat,
      nb::dlpack::dtype_code::Float, nb::dlpack::dtype_code::Float,
      nb::dlpack::dtype_code::Bool,  nb::dlpack::dtype_code::Int,
      nb::dlpack::dtype_code::Int,   nb::dlpack::dtype_code::Int,
      nb::dlpack::dtype_code::Int};
  nb::dlpack::dtype type = {
      static_cast<uint8_t>(codes[view.getElementType()]),
      static_cast<uint8_t>(8 * getElementSize(view.getElementType())), 1};
  std::vector<size_t> shape(view.getShape(), view.getShape() + view.getRank());
  nb::ndarray<nb::array_api> shared(view.getData(), shape.size(), shape.data(),
                                    output.array, /*strides=*/nullptr, type);
  return nb::module_::import_("meanvar._interchange")
      .attr("like")(foreignInput, shared.cast(), output.array);
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

namespace {
/// Dense memory beside an array that is not, or that must not be written yet.
class StagingBuffer {
public:
  explicit StagingBuffer(const ArrayArgument &array)
      : memory(std::aligned_alloc(alignment, getNumBytes(array)), std::free) {}

  char *get() const { return static_cast<char *>(memory.get()); }

private:
  static constexpr size_t alignment = 64;

  static size_t getNumBytes(const ArrayArgument &array) {
    size_t bytes = getElementSize(array.getElementType());
    for (size_t dim = 0; dim < array.getRank(); ++dim)
      bytes *= static_cast<size_t>(array.getShape()[dim]);
    return (bytes + alignment) / alignment * alignment;
  }

  std::unique_ptr<void, decltype(&std::free)> memory;
};
} // namespace

MeanVarStatus TensorCall::runOnDenseArrays(const MeanVarFunction *function,
                                           std::string &message) {
  std::vector<StagingBuffer> staged;
  auto stage = [&](const ArrayArgument &array) {
    staged.emplace_back(array);
    if (!staged.back().get())
      message = "not enough memory for a dense copy of an array";
    return staged.back().get();
  };
  std::vector<MeanVarTensor> inputTensors = makeInputTensors(function);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].isDense()) {
      char *copy = stage(inputs[i]);
      if (!copy)
        return MEANVAR_EXECUTION_FAILED;
      copyToDense(inputs[i], copy);
      inputTensors[i].data = copy;
    }
  std::vector<MeanVarTensor> outputTensors;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ArrayArgument &view = outputs[i].view;
    char *data = outputs[i].isStaged ? stage(view) : view.getData();
    if (!data && outputs[i].isStaged)
      return MEANVAR_EXECUTION_FAILED;
    outputTensors.push_back(
        {meanvarValueGetElementType(meanvarFunctionGetOutput(function, i)),
         view.getRank(), view.getShape(), data});
  }
  MeanVarStatus status =
      meanvarFunctionRun(function, inputTensors.data(), inputTensors.size(),
                         outputTensors.data(), outputTensors.size());
  if (status != MEANVAR_SUCCESS) {
    message = meanvarGetErrorMessage();
    return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].isStaged)
      copyFromDense(static_cast<char *>(outputTensors[i].data),
                    outputs[i].view);
  return status;
}

nb::object TensorCall::run(const MeanVarFunction *function, nb::handle out) {
  checkInputTypes(function);
  computeOutputShapes(function);
  size_t numOutputs = outputShapes.size();
  nb::tuple given;
  bool isTuple = nb::try_cast(out, given, /*convert=*/false);
  if (!out.is_none() && !isTuple && numOutputs != 1)
    throw nb::type_error(("out is one array (allowed: a tuple of " +
                          std::to_string(numOutputs) + " arrays or None)")
                             .c_str());
  if (isTuple && given.size() != numOutputs)
    throw nb::value_error(("out has " + std::to_string(given.size()) +
                           " arrays (allowed: " + std::to_string(numOutputs) +
                           ")")
                              .c_str());
  outputs.reserve(numOutputs);
  for (size_t i = 0; i < numOutputs; ++i) {
    ArgumentName name{"out"};
    if (isTuple)
      name.index = i;
    addOutput(meanvarFunctionGetOutput(function, i), i,
              isTuple ? nb::handle(given[i]) : out, name);
  }
  if (!out.is_none())
    checkOutputsAreApart();

  std::string message;
  MeanVarStatus status;
  {
    ReleasedLock released;
    status = runOnDenseArrays(function, message);
  }
  if (status != MEANVAR_SUCCESS)
    raise(status, message);
  if (numOutputs == 1)
    return takeResult(0);
  nb::list results;
  for (size_t i = 0; i < numOutputs; ++i)
    results.append(takeResult(i));
  return nb::tuple(results);
}
