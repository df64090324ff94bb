//===- Operators.cpp - The functions mvn and mean -------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "KernelCache.h"
#include "NumPy.h"
#include "TensorCall.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace nb = nanobind;
using namespace nb::literals;
using namespace meanvar::python;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of `mvn` that its kernel depends on.
struct MvnOptions {
  /// Empty for all.
  std::vector<int64_t> axes;
  double epsilon;
  bool insideSqrt;
  bool centerOnly;
  bool statistics;
  unsigned threads;
};
} // namespace

/// Converts an integer of Python or NumPy. `place` starts the message for
/// anything else: "threads is".
static int64_t toInteger(nb::handle object, const char *place) {
  PyObject *index = PyNumber_Index(object.ptr());
  if (!index) {
    PyErr_Clear();
    throw nb::type_error((std::string(place) + " of type '" +
                          nb::type_name(object.type()).c_str() +
                          "' (allowed: int)")
                             .c_str());
  }
  int64_t value = PyLong_AsLongLong(index);
  Py_DECREF(index);
  if (value == -1 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

/// Reads the axes: integers, one integer, or none for all axes.
static std::vector<int64_t> readAxes(nb::handle axes) {
  std::vector<int64_t> result;
  if (axes.is_none())
    return result;
  // Arrays, which are sequences, may turn into an index, too.
  if (PyIndex_Check(axes.ptr()) && !PySequence_Check(axes.ptr())) {
    result.push_back(toInteger(axes, "axes is"));
    return result;
  }
  if (!nb::hasattr(axes, "__iter__"))
    throw nb::type_error((std::string("axes is of type '") +
                          nb::type_name(axes.type()).c_str() +
                          "' (allowed: int, several of them, or None)")
                             .c_str());
  for (nb::handle axis : axes)
    result.push_back(toInteger(axis, "axes has an element"));
  return result;
}

static unsigned readThreads(nb::handle threads) {
  if (threads.is_none())
    return 1;
  int64_t count = toInteger(threads, "threads is");
  if (count < 1 || count > UINT32_MAX)
    throw nb::value_error(("number of threads " + std::to_string(count) +
                           " is out of range (allowed: 1 to 1024)")
                              .c_str());
  return static_cast<unsigned>(count);
}

/// Refuses types that tensors of other operations have.
static void checkIsFloat(const ArrayArgument &array, const ArgumentName &name) {
  if (array.getElementType() > MEANVAR_F64)
    throw nb::type_error((name.str() + " has elements of " +
                          getNumPyTypeName(array.getElementType()) +
                          " (allowed: float16, bfloat16, float32 and float64)")
                             .c_str());
}

//===----------------------------------------------------------------------===//
// Keys of kernels
//===----------------------------------------------------------------------===//

template <typename T>
static void append(std::string &key, const T &value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  key.append(bytes, sizeof(T));
}

static void appendOperand(KernelKey &key, const ArrayArgument &array) {
  append(key.family, static_cast<uint32_t>(array.getElementType()));
  append(key.family, static_cast<uint32_t>(array.getRank()));
  key.shapes.append(reinterpret_cast<const char *>(array.getShape()),
                    array.getRank() * sizeof(int64_t));
}

/// Returns an empty key, whose memory is that of the last one: keys are made
/// for each call.
static KernelKey &startKey(char operation, unsigned threads) {
  static thread_local KernelKey key;
  key.family.clear();
  key.shapes.clear();
  key.family.push_back(operation);
  append(key.family, threads);
  return key;
}

//===----------------------------------------------------------------------===//
// Modules to compile
//===----------------------------------------------------------------------===//

/// Returns the type of a tensor like `array`.
static std::string getTypeText(const ArrayArgument &array, KernelForm form) {
  std::string text = "tensor<";
  for (size_t dim = 0; dim < array.getRank(); ++dim)
    text += (form == KernelForm::Static ? std::to_string(array.getShape()[dim])
                                        : "?") +
            "x";
  return text + getMLIRTypeName(array.getElementType()) + ">";
}

/// Returns the type of the mean and the factor.
static std::string getStatisticsTypeText(const ArrayArgument &array,
                                         const MvnOptions &options,
                                         KernelForm form) {
  auto rank = static_cast<int64_t>(array.getRank());
  std::vector<bool> isReduced(array.getRank(), options.axes.empty());
  for (int64_t axis : options.axes)
    // What is out of range is an error of the operation.
    if (-rank <= axis && axis < rank)
      isReduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  std::string text = "tensor<";
  for (size_t dim = 0; dim < array.getRank(); ++dim)
    text +=
        (isReduced[dim]               ? "1"
         : form == KernelForm::Static ? std::to_string(array.getShape()[dim])
                                      : "?") +
        std::string("x");
  return text + (array.getElementType() == MEANVAR_F64 ? "f64>" : "f32>");
}

static std::string getClausesText(const MvnOptions &options) {
  std::string text = " axes = [";
  for (size_t i = 0; i < options.axes.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(options.axes[i]);
  char epsilon[64];
  std::snprintf(epsilon, sizeof(epsilon), "] epsilon = %.17e", options.epsilon);
  text += epsilon;
  for (auto [isGiven, clause] : {std::pair(options.insideSqrt, " inside_sqrt"),
                                 std::pair(options.centerOnly, " center_only"),
                                 std::pair(options.statistics, " statistics")})
    if (isGiven)
      text += clause;
  return text;
}

static std::string getMvnText(const ArrayArgument &x, const MvnOptions &options,
                              KernelForm form) {
  std::string type = getTypeText(x, form);
  std::string types = type;
  if (options.statistics) {
    std::string statistics = getStatisticsTypeText(x, options, form);
    types += ", " + statistics + ", " + statistics;
  }
  std::string results = options.statistics ? "%y, %mean, %factor" : "%y";
  return "func.func @mvn(%x: " + type + ") -> (" + types + ") {\n  " + results +
         " = meanvar.mvn %x" + getClausesText(options) + " : " + type +
         "\n  return " + results + " : " + types + "\n}\n";
}

/// Returns the result type that the operation infers (M4), or one of any sizes
/// where the operands do not broadcast, which the operation refuses.
static std::string getMeanTypeText(const TensorCall &call, KernelForm form) {
  size_t rank = 0;
  for (size_t i = 0; i < call.getNumInputs(); ++i)
    rank = std::max(rank, call.getInput(i).getRank());
  std::string text = "tensor<";
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = 1;
    for (size_t i = 0; i < call.getNumInputs() && size == 1; ++i) {
      const ArrayArgument &input = call.getInput(i);
      if (size_t missing = rank - input.getRank(); dim >= missing)
        size = input.getShape()[dim - missing];
    }
    text += (form == KernelForm::Static ? std::to_string(size) : "?") + "x";
  }
  return text + getMLIRTypeName(call.getInput(0).getElementType()) + ">";
}

static std::string getMeanText(const TensorCall &call, KernelForm form) {
  std::string parameters, operands, types;
  for (size_t i = 0; i < call.getNumInputs(); ++i) {
    if (i != 0)
      for (std::string *list : {&parameters, &operands, &types})
        *list += ", ";
    std::string name = "%x" + std::to_string(i);
    std::string type = getTypeText(call.getInput(i), form);
    parameters += name;
    parameters += ": ";
    parameters += type;
    operands += name;
    types += type;
  }
  std::string result = getMeanTypeText(call, form);
  return "func.func @mean(" + parameters + ") -> " + result +
         " {\n  %y = meanvar.mean " + operands + " : (" + types + ") -> " +
         result + "\n  return %y : " + result + "\n}\n";
}

static CompilationRequest makeRequest(std::string text, unsigned threads) {
  CompilationRequest request;
  request.source = std::move(text);
  request.threads = threads;
  return request;
}

//===----------------------------------------------------------------------===//
// The operators
//===----------------------------------------------------------------------===//

static nb::object mvn(nb::handle x, nb::handle axes, double epsilon,
                      bool insideSqrt, bool centerOnly, bool statistics,
                      nb::handle out, nb::handle threads) {
  if (!(epsilon >= 0 && std::isfinite(epsilon)))
    throw nb::value_error(("epsilon is " + std::to_string(epsilon) +
                           " (allowed: finite values of at least 0)")
                              .c_str());
  MvnOptions options = {readAxes(axes), epsilon,    insideSqrt,
                        centerOnly,     statistics, readThreads(threads)};
  TensorCall call(1);
  call.addInput(x, {"x"});
  const ArrayArgument &input = call.getInput(0);
  checkIsFloat(input, {"x"});

  KernelKey &key = startKey('v', options.threads);
  append(key.family, epsilon);
  append(key.family,
         static_cast<uint8_t>(insideSqrt + 2 * centerOnly + 4 * statistics));
  key.family.append(reinterpret_cast<const char *>(options.axes.data()),
                    options.axes.size() * sizeof(int64_t));
  appendOperand(key, input);
  KernelPointer kernel = KernelCache::get().lookup(key, [&](KernelForm form) {
    return makeRequest(getMvnText(input, options, form), options.threads);
  });
  return call.run(kernel->function, out);
}

static nb::object mean(const nb::args &xs, nb::handle out,
                       nb::handle threadsArgument) {
  unsigned threads = readThreads(threadsArgument);
  if (xs.size() == 0)
    throw nb::type_error("mean takes one array or more, but got none");
  TensorCall call(xs.size());
  for (size_t i = 0; i < xs.size(); ++i) {
    ArgumentName name = {"operand", i};
    call.addInput(xs[i], name);
    const ArrayArgument &input = call.getInput(i);
    checkIsFloat(input, name);
    if (input.getElementType() != call.getInput(0).getElementType())
      throw nb::type_error(
          (name.str() + " has elements of " +
           getNumPyTypeName(input.getElementType()) + ", but operand 0 of " +
           getNumPyTypeName(call.getInput(0).getElementType()) +
           " (allowed: one type for all)")
              .c_str());
  }
  // Not before: importing an array runs code of others, which may call this.
  KernelKey &key = startKey('m', threads);
  for (size_t i = 0; i < xs.size(); ++i)
    appendOperand(key, call.getInput(i));
  KernelPointer kernel = KernelCache::get().lookup(key, [&](KernelForm form) {
    return makeRequest(getMeanText(call, form), threads);
  });
  return call.run(kernel->function, out);
}

//===----------------------------------------------------------------------===//
// Bindings
//===----------------------------------------------------------------------===//

static constexpr const char *mvnDocumentation =
    R"(Normalizes `x` to mean 0 and variance 1 over `axes`.

(x - mean) / (sqrt(variance) + epsilon), with the population variance, as ONNX
MeanVarianceNormalization. `axes` may be negative; None or () means all.
`inside_sqrt` adds epsilon to the variance instead; `center_only` subtracts the
mean and does nothing else. With `statistics` the result is a tuple of the
normalized array, the mean and the factor 1 / (sqrt(variance) + epsilon).

`out` is an array to write to (with `statistics` a tuple of three, each of which
may be None). It may be `x` or overlap it. `threads` is the number of threads,
one unless given; it does not change the bits of the result.)";

static constexpr const char *meanDocumentation =
    R"(Returns the elementwise mean of broadcast arrays, as ONNX Mean.

All have one type of elements. `out` is an array to write to, which may be one
of the operands or overlap them. `threads` is the number of threads, one unless
given; it does not change the bits of the result.)";

void meanvar::python::bindOperators(nb::module_ &module) {
  module.def("mvn", &mvn, "x"_a, "axes"_a.none() = nb::make_tuple(0, 2, 3),
             nb::kw_only(), "epsilon"_a = 1e-9, "inside_sqrt"_a = false,
             "center_only"_a = false, "statistics"_a = false,
             "out"_a = nb::none(), "threads"_a = nb::none(), mvnDocumentation);
  module.def("mean", &mean, "xs"_a, "out"_a = nb::none(),
             "threads"_a = nb::none(), meanDocumentation);
  module.def("num_cached_kernels",
             [] { return KernelCache::get().getNumKernels(); });
  module.def("num_compiled_kernels",
             [] { return KernelCache::get().getNumCompilations(); });
  module.def(
      "set_max_cached_kernels",
      [](size_t count) { KernelCache::get().setMaxKernels(count); }, "count"_a);
  module.def("clear_cache", [] { KernelCache::get().clear(); });
}
