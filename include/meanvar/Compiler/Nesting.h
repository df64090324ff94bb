//===- Nesting.h - The depth of brackets in a text --------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_COMPILER_NESTING_H
#define MEANVAR_COMPILER_NESTING_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::meanvar {

/// Where a text is nested too deeply; counted from 1.
struct NestingError {
  unsigned line;
  unsigned column;
};

/// Finds the first bracket of `text`, which is MLIR, that is nested in more
/// than `maxDepth` others. Brackets in strings and comments do not count.
/// MLIR's parser recurses for each and would overflow the stack.
std::optional<NestingError> checkNesting(llvm::StringRef text,
                                         unsigned maxDepth);

} // namespace mlir::meanvar

#endif // MEANVAR_COMPILER_NESTING_H
