//===- NumPy.h - What the extension uses of NumPy ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_NUMPY_H
#define MEANVAR_PYTHON_NUMPY_H

#include "meanvar-c/Embedding.h"

#include <nanobind/nanobind.h>
#include <string>

namespace meanvar::python {

/// Returns the class numpy.ndarray.
PyTypeObject *getNumPyArrayType();

/// Returns true for NumPy's scalars, such as the element of an array.
bool isNumPyScalar(nanobind::handle object);

/// Calls numpy.asarray; `type`, a dtype, may be none.
nanobind::object asNumPyArray(nanobind::handle object,
                              nanobind::handle type = nanobind::none());

/// Returns NumPy's type of elements, or ml_dtypes' for bfloat16.
nanobind::handle getNumPyType(MeanVarElementType type);

/// Returns the name of `type` in NumPy, such as "float32".
const char *getNumPyTypeName(MeanVarElementType type);

/// Returns the bytes of an element.
size_t getElementSize(MeanVarElementType type);

/// Returns the name in MLIR, such as "f32".
const char *getMLIRTypeName(MeanVarElementType type);

/// Returns a new array; its elements are not initialized. `shape` is a tuple.
nanobind::object createNumPyArray(MeanVarElementType type,
                                  nanobind::handle shape);

/// Makes a tuple of integers.
nanobind::object makeShapeTuple(const int64_t *shape, size_t rank);

/// Returns the shape as Python prints it: "(2, 3)".
std::string printShape(const int64_t *shape, size_t rank);

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_NUMPY_H
