//===- StridedCopy.h - Copies between arrays --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_STRIDEDCOPY_H
#define MEANVAR_PYTHON_STRIDEDCOPY_H

#include "ArrayArgument.h"

namespace meanvar::python {

/// Copies the elements of `source` to `target`, dense and row-major. Both must
/// not overlap.
void copyToDense(const ArrayArgument &source, char *target);

/// Copies dense, row-major elements to those of `target`.
void copyFromDense(const char *source, const ArrayArgument &target);

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_STRIDEDCOPY_H
