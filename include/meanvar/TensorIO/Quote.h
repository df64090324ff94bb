//===- Quote.h - Names and texts in messages --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_QUOTE_H
#define MEANVAR_TENSORIO_QUOTE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::meanvar {

/// Returns `name`, which comes from a file or a user and may hold any bytes and
/// be of any length, in quotes and fit for one line of a message.
std::string quoteName(llvm::StringRef name);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_QUOTE_H
