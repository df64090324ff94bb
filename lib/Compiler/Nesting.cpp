//===- Nesting.cpp - The depth of brackets in a text ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Compiler/Nesting.h"

using namespace mlir::meanvar;
using llvm::StringRef;

/// Returns the length of the comment or string that `text` starts with, or 0.
static size_t getSkippedLength(StringRef text) {
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  if (!text.starts_with("\""))
    return 0;
  size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Returns +1 and -1 for brackets that open and close. Comparisons and arrows
/// are not brackets.
static int getDepthChange(char previous, char c, char next) {
  switch (c) {
  case '(':
  case '[':
  case '{':
    return 1;
  case ')':
  case ']':
  case '}':
    return -1;
  case '<':
    return next == '=' ? 0 : 1;
  case '>':
    return next == '=' || previous == '-' ? 0 : -1;
  default:
    return 0;
  }
}

static NestingError locate(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n') + 1;
  return {static_cast<unsigned>(before.count('\n') + 1),
          static_cast<unsigned>(offset - lineStart + 1)};
}

std::optional<NestingError> mlir::meanvar::checkNesting(StringRef text,
                                                        unsigned maxDepth) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (size_t skipped = getSkippedLength(text.drop_front(i))) {
      i += skipped - 1;
      continue;
    }
    char previous = i == 0 ? '\0' : text[i - 1];
    char next = i + 1 == text.size() ? '\0' : text[i + 1];
    int change = getDepthChange(previous, text[i], next);
    if (change > 0 && ++depth > maxDepth)
      return locate(text, i);
    if (change < 0 && depth > 0)
      --depth;
  }
  return std::nullopt;
}
