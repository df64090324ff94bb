//===- NumPy.cpp - What the extension uses of NumPy -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumPy.h"

#include <array>

namespace nb = nanobind;
using namespace meanvar::python;

namespace {
struct ElementTypeNames {
  const char *numpy;
  const char *mlir;
  size_t size;
};

/// Objects of NumPy that calls need. They live as long as the process: modules
/// are not unloaded, and a destructor would run after the interpreter's end.
struct NumPyObjects {
  NumPyObjects() {
    nb::module_ numpy = nb::module_::import_("numpy");
    auto get = [&](const char *name) {
      return nb::handle(numpy.attr(name)).inc_ref();
    };
    ndarray = reinterpret_cast<PyTypeObject *>(get("ndarray").ptr());
    generic = get("generic");
    empty = get("empty");
    asarray = get("asarray");
  }

  PyTypeObject *ndarray;
  nb::handle generic, empty, asarray;
};
} // namespace

/// In the order of MeanVarElementType.
static constexpr std::array<ElementTypeNames, 11> typeNames = {{
    {"float16", "f16", 2},
    {"bfloat16", "bf16", 2},
    {"float32", "f32", 4},
    {"float64", "f64", 8},
    {"bool", "i1", 1},
    {"int8", "i8", 1},
    {"int16", "i16", 2},
    {"int32", "i32", 4},
    {"int64", "i64", 8},
    {"int64", "index", 8},
    {"uint8", "ui8", 1},
}};
static_assert(MEANVAR_UI8 + 1 == typeNames.size(), "a name for each type");

static const NumPyObjects &getObjects() {
  static const NumPyObjects objects;
  return objects;
}

PyTypeObject *meanvar::python::getNumPyArrayType() {
  return getObjects().ndarray;
}

bool meanvar::python::isNumPyScalar(nb::handle object) {
  return PyObject_IsInstance(object.ptr(), getObjects().generic.ptr()) == 1;
}

nb::object meanvar::python::asNumPyArray(nb::handle object, nb::handle type) {
  return getObjects().asarray(object, type);
}

const char *meanvar::python::getNumPyTypeName(MeanVarElementType type) {
  return typeNames[type].numpy;
}

const char *meanvar::python::getMLIRTypeName(MeanVarElementType type) {
  return typeNames[type].mlir;
}

size_t meanvar::python::getElementSize(MeanVarElementType type) {
  return typeNames[type].size;
}

nb::handle meanvar::python::getNumPyType(MeanVarElementType type) {
  static std::array<nb::handle, typeNames.size()> types;
  if (!types[type]) {
    nb::module_ numpy = nb::module_::import_("numpy");
    nb::object scalarType =
        type == MEANVAR_BF16
            ? nb::object(nb::module_::import_("ml_dtypes").attr("bfloat16"))
            : nb::object(nb::str(getNumPyTypeName(type)));
    types[type] = numpy.attr("dtype")(scalarType).release();
  }
  return types[type];
}

nb::object meanvar::python::createNumPyArray(MeanVarElementType type,
                                             nb::handle shape) {
  PyObject *arguments[] = {shape.ptr(), getNumPyType(type).ptr()};
  PyObject *array = PyObject_Vectorcall(getObjects().empty.ptr(), arguments, 2,
                                        /*kwnames=*/nullptr);
  if (!array)
    throw nb::python_error();
  return nb::steal(array);
}

nb::object meanvar::python::makeShapeTuple(const int64_t *shape, size_t rank) {
  PyObject *tuple = PyTuple_New(static_cast<Py_ssize_t>(rank));
  if (!tuple)
    throw nb::python_error();
  nb::object result = nb::steal(tuple);
  for (size_t i = 0; i < rank; ++i) {
    PyObject *size = PyLong_FromLongLong(shape[i]);
    if (!size)
      throw nb::python_error();
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), size);
  }
  return result;
}

std::string meanvar::python::printShape(const int64_t *shape, size_t rank) {
  std::string text = "(";
  for (size_t i = 0; i < rank; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (rank == 1 ? ",)" : ")");
}
