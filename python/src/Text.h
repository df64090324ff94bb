//===- Text.h - Strings of the compiler in Python ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_TEXT_H
#define MEANVAR_PYTHON_TEXT_H

#include <nanobind/nanobind.h>
#include <string>

namespace meanvar::python {

/// Converts `text`, which sources may have put any bytes into: those that are
/// no UTF-8 become escapes such as "\xff".
inline nanobind::object toPythonText(const std::string &text) {
  PyObject *result = PyUnicode_DecodeUTF8(
      text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (!result)
    throw nanobind::python_error();
  return nanobind::steal(result);
}

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_TEXT_H
