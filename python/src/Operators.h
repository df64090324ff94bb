//===- Operators.h - The functions mvn and mean -----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_OPERATORS_H
#define MEANVAR_PYTHON_OPERATORS_H

#include <nanobind/nanobind.h>

namespace meanvar::python {

/// Adds `mvn`, `mean` and what there is to know of their cache.
void bindOperators(nanobind::module_ &module);

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_OPERATORS_H
