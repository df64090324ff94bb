//===- Quote.cpp - Names and texts in messages ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Quote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

/// Longer names are cut in messages.
static constexpr size_t maxQuotedLength = 100;

std::string mlir::meanvar::quoteName(llvm::StringRef name) {
  std::string quoted = "'";
  llvm::raw_string_ostream stream(quoted);
  llvm::printEscapedString(name.take_front(maxQuotedLength), stream);
  if (name.size() > maxQuotedLength)
    stream << "...";
  stream << "'";
  return quoted;
}
