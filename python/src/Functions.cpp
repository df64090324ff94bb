//===- Functions.cpp - Functions of modules and models --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Compilation.h"
#include "NumPy.h"
#include "TensorCall.h"
#include "Text.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace meanvar::python;

namespace {
/// An input or an output of a Function.
struct Value {
  std::string name;
  MeanVarElementType elementType;
  bool isTensor;
  /// Integers; strings where the model gives sizes names; None for others.
  nb::tuple shape;
};

/// A compiled function, which keeps its module.
class Function {
public:
  Function(ModulePointer module, const MeanVarFunction *function,
           std::shared_ptr<const CompilationRequest> request);

  const std::string &getName() const { return name; }
  const std::vector<Value> &getInputs() const { return inputs; }
  const std::vector<Value> &getOutputs() const { return outputs; }

  nb::object call(const nb::args &arrays, nb::handle out) const;
  nb::list run(const nb::dict &feed, nb::handle outputNames) const;
  void save(nb::handle path, nb::handle header,
            const std::optional<std::string> &target,
            const std::optional<std::string> &triple,
            const std::optional<std::string> &prefix) const;

private:
  nb::object call(const std::vector<nb::object> &arrays, nb::handle out) const;
  size_t findOutput(const std::string &name) const;
  std::vector<nb::object> orderInputs(const nb::dict &feed) const;

  ModulePointer module;
  const MeanVarFunction *function;
  std::string name;
  /// What the module was made of, to make files of it.
  std::shared_ptr<const CompilationRequest> request;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
};
} // namespace

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Returns a name of the module as Python has it.
static std::string decodeName(const char *name) {
  return nb::cast<std::string>(toPythonText(name));
}

static Value makeValue(const MeanVarValue *value, const std::string &position) {
  nb::list shape;
  const int64_t *sizes = meanvarValueGetShape(value);
  for (size_t dim = 0; dim < meanvarValueGetRank(value); ++dim) {
    std::string symbol = decodeName(meanvarValueGetDimensionName(value, dim));
    if (sizes[dim] != MEANVAR_DYNAMIC_SIZE)
      shape.append(sizes[dim]);
    else if (!symbol.empty())
      shape.append(symbol);
    else
      shape.append(nb::none());
  }
  std::string name = decodeName(meanvarValueGetName(value));
  return {name.empty() ? position : name, meanvarValueGetElementType(value),
          meanvarValueIsTensor(value), nb::tuple(shape)};
}

Function::Function(ModulePointer module, const MeanVarFunction *function,
                   std::shared_ptr<const CompilationRequest> request)
    : module(std::move(module)), function(function),
      name(decodeName(meanvarFunctionGetName(function))),
      request(std::move(request)) {
  for (size_t i = 0; i < meanvarFunctionGetNumInputs(function); ++i)
    inputs.push_back(makeValue(meanvarFunctionGetInput(function, i),
                               "input_" + std::to_string(i)));
  for (size_t i = 0; i < meanvarFunctionGetNumOutputs(function); ++i)
    outputs.push_back(makeValue(meanvarFunctionGetOutput(function, i),
                                "output_" + std::to_string(i)));
}

static std::string printValue(const Value &value) {
  return "Value(name='" + value.name +
         "', dtype=" + getNumPyTypeName(value.elementType) +
         ", shape=" + nb::repr(value.shape).c_str() + ")";
}

/// Lists names as messages do: "'x', 'y'".
static std::string listNames(const std::vector<Value> &values) {
  std::string names;
  for (const Value &value : values)
    names += (names.empty() ? "'" : ", '") + value.name + "'";
  return names.empty() ? "none" : names;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

nb::object Function::call(const std::vector<nb::object> &arrays,
                          nb::handle out) const {
  if (arrays.size() != inputs.size())
    throw nb::type_error(("function '" + getName() + "' takes " +
                          std::to_string(inputs.size()) + " inputs, but got " +
                          std::to_string(arrays.size()))
                             .c_str());
  TensorCall call(arrays.size());
  for (size_t i = 0; i < arrays.size(); ++i) {
    bool isScalar = !inputs[i].isTensor;
    call.addInput(
        isScalar ? asNumPyArray(arrays[i], getNumPyType(inputs[i].elementType))
                 : arrays[i],
        {"input", i});
  }
  return call.run(function, out);
}

nb::object Function::call(const nb::args &arrays, nb::handle out) const {
  std::vector<nb::object> ordered;
  for (nb::handle array : arrays)
    ordered.push_back(nb::borrow(array));
  return call(ordered, out);
}

std::vector<nb::object> Function::orderInputs(const nb::dict &feed) const {
  std::vector<nb::object> ordered;
  for (const Value &input : inputs) {
    nb::str name(input.name.c_str());
    if (!feed.contains(name))
      throw nb::value_error(("input '" + input.name + "' of function '" +
                             getName() + "' is missing")
                                .c_str());
    ordered.push_back(nb::object(feed[name]));
  }
  for (auto [name, array] : feed) {
    bool isKnown = false;
    for (const Value &input : inputs)
      isKnown |= name.equal(nb::str(input.name.c_str()));
    if (!isKnown)
      throw nb::value_error(("function '" + getName() + "' has no input " +
                             nb::repr(name).c_str() +
                             " (allowed: " + listNames(inputs) + ")")
                                .c_str());
  }
  return ordered;
}

size_t Function::findOutput(const std::string &name) const {
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].name == name)
      return i;
  throw nb::value_error(("function '" + getName() + "' has no output '" + name +
                         "' (allowed: " + listNames(outputs) + ")")
                            .c_str());
}

nb::list Function::run(const nb::dict &feed, nb::handle outputNames) const {
  std::vector<size_t> wanted;
  if (outputNames.is_none())
    for (size_t i = 0; i < outputs.size(); ++i)
      wanted.push_back(i);
  else
    for (nb::handle name : outputNames)
      wanted.push_back(findOutput(nb::cast<std::string>(name)));
  nb::object results = call(orderInputs(feed), nb::none());
  nb::list selected;
  for (size_t index : wanted)
    selected.append(outputs.size() == 1 ? results : nb::object(results[index]));
  return selected;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static std::vector<Function>
compileModule(const nb::bytes &source, bool isONNX, const std::string &name,
              const std::optional<std::string> &directory,
              const std::string &target, int64_t optLevel, int64_t threads) {
  auto toUnsigned = [](int64_t value) {
    // What is out of range stays so, and is refused with the allowed range.
    return value < 0 || value > UINT32_MAX ? UINT32_MAX
                                           : static_cast<unsigned>(value);
  };
  CompilationRequest request;
  request.format = isONNX ? SourceFormat::ONNX : SourceFormat::MLIR;
  request.source.assign(source.c_str(), source.size());
  request.name = name;
  request.directory = directory;
  request.target = target;
  request.optLevel = toUnsigned(optLevel);
  request.threads = toUnsigned(threads);
  auto compilation = Compilation::start(request);
  const CompilationOutcome &outcome = compilation->wait();
  if (!outcome.isComplete)
    raiseCompilationError(outcome);
  std::vector<Function> functions;
  const ModulePointer &module = outcome.module;
  auto kept = std::make_shared<const CompilationRequest>(std::move(request));
  size_t numFunctions = meanvarModuleGetNumFunctions(module.get());
  functions.reserve(numFunctions);
  for (size_t i = 0; i < numFunctions; ++i)
    functions.emplace_back(module, meanvarModuleGetFunction(module.get(), i),
                           kept);
  return functions;
}

static std::string getPath(nb::handle path) {
  nb::object text = nb::module_::import_("os").attr("fspath")(path);
  return nb::cast<std::string>(text);
}

void Function::save(nb::handle path, nb::handle header,
                    const std::optional<std::string> &target,
                    const std::optional<std::string> &triple,
                    const std::optional<std::string> &prefix) const {
  CompilationRequest files = *request;
  files.goal = Goal::Files;
  files.path = getPath(path);
  if (!header.is_none())
    files.headerPath = getPath(header);
  files.triple = triple.value_or("");
  files.prefix = prefix.value_or("");
  // The CPU that runs the function is one of this host's triple.
  files.target = target.value_or(triple ? "" : request->target);
  auto compilation = Compilation::start(std::move(files));
  if (const CompilationOutcome &outcome = compilation->wait();
      !outcome.isComplete)
    raiseCompilationError(outcome);
}

static size_t checkModel(const nb::bytes &model,
                         const std::optional<std::string> &directory) {
  CompilationRequest request;
  request.goal = Goal::Check;
  request.format = SourceFormat::ONNX;
  request.source.assign(model.c_str(), model.size());
  request.directory = directory;
  auto compilation = Compilation::start(std::move(request));
  const CompilationOutcome &outcome = compilation->wait();
  if (!outcome.isComplete)
    raiseCompilationError(outcome);
  return outcome.numReductions;
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

void meanvar::python::bindFunctions(nb::module_ &module) {
  nb::class_<Value>(module, "Value", "An input or an output of a Function.")
      .def_ro("name", &Value::name)
      .def_prop_ro(
          "dtype",
          [](const Value &value) {
            return nb::borrow(getNumPyType(value.elementType));
          },
          "The type of the elements, as a NumPy dtype.")
      .def_ro("shape", &Value::shape,
              "A tuple of sizes: an int, or the name that a model gives a size "
              "known at run time only, or None.")
      .def("__repr__", &printValue);
  nb::class_<Function>(module, "Function",
                       "A compiled function of tensors. May be called from "
                       "several threads at the same time.")
      .def_prop_ro("name", &Function::getName)
      .def_prop_ro("inputs", &Function::getInputs)
      .def_prop_ro("outputs", &Function::getOutputs)
      .def("__call__",
           nb::overload_cast<const nb::args &, nb::handle>(&Function::call,
                                                           nb::const_),
           "arrays"_a, "out"_a = nb::none(),
           "Runs the function on arrays, in the order of `inputs`, and returns "
           "its output, or a tuple of them. `out` is an array to write to, or "
           "a tuple.")
      .def("run", &Function::run, "inputs"_a, "output_names"_a = nb::none(),
           "Runs the function on a dictionary of arrays by their names, and "
           "returns a list of all outputs, or of those that are named.")
      .def("save", &Function::save, "path"_a, nb::kw_only(),
           "header"_a = nb::none(), "target"_a = nb::none(),
           "triple"_a = nb::none(), "prefix"_a = nb::none(),
           "Compiles the module of the function ahead of time and writes it to "
           "the file `path`: a shared library where that ends in \".so\" and "
           "an object otherwise; and a C header to the file `header`. `target` "
           "is a CPU, `triple` another target than this host, and `prefix` "
           "what symbols start with in place of the name of the file.")
      .def("__repr__", [](const Function &function) {
        return "<meanvar.Function '" + function.getName() + "' of " +
               listNames(function.getInputs()) + " to " +
               listNames(function.getOutputs()) + ">";
      });
  module.def("compile_module", &compileModule, "source"_a, "is_onnx"_a,
             "name"_a, "directory"_a.none(), "target"_a, "opt_level"_a,
             "threads"_a);
  module.def("check_model", &checkModel, "model"_a, "directory"_a.none(),
             "Imports an ONNX model without compiling it, and returns how many "
             "normalizations, means and other reductions it has.");
}
