//===- Functions.h - Functions of modules and models ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_FUNCTIONS_H
#define MEANVAR_PYTHON_FUNCTIONS_H

#include <nanobind/nanobind.h>

namespace meanvar::python {

/// Adds the classes `Function` and `Value`, and `compile_module`.
void bindFunctions(nanobind::module_ &module);

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_FUNCTIONS_H
