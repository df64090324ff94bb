//===- Names.cpp - Names of ONNX in diagnostics and in MLIR ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::meanvar;

std::string meanvar::withoutBraces(std::string text) {
  llvm::replace(text, '{', '(');
  llvm::replace(text, '}', ')');
  return text;
}

std::string meanvar::getDataTypeName(int32_t dataType) {
  // By number in TensorProto.DataType, as of the newest file format: the
  // packaged headers know only the first 17.
  static constexpr StringLiteral names[] = {
      "undefined",      "float",        "uint8",          "int8",
      "uint16",         "int16",        "int32",          "int64",
      "string",         "bool",         "float16",        "double",
      "uint32",         "uint64",       "complex64",      "complex128",
      "bfloat16",       "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
      "float8e5m2fnuz", "uint4",        "int4",           "float4e2m1",
      "float8e8m0",     "uint2",        "int2",           "float6e2m3",
      "float6e3m2"};
  if (dataType >= 0 && static_cast<size_t>(dataType) < std::size(names))
    return names[dataType].str();
  return "number " + std::to_string(dataType);
}

/// Returns true for keywords of C, and for `main`.
static bool isReservedInC(StringRef name) {
  static constexpr StringLiteral reserved[] = {
      "alignas",       "alignof",       "auto",
      "bool",          "break",         "case",
      "char",          "const",         "constexpr",
      "continue",      "default",       "do",
      "double",        "else",          "enum",
      "extern",        "false",         "float",
      "for",           "goto",          "if",
      "inline",        "int",           "long",
      "main",          "nullptr",       "register",
      "restrict",      "return",        "short",
      "signed",        "sizeof",        "static",
      "static_assert", "struct",        "switch",
      "thread_local",  "true",          "typedef",
      "typeof",        "typeof_unqual", "union",
      "unsigned",      "void",          "volatile",
      "while"};
  return llvm::is_contained(reserved, name);
}

/// Returns true for functions that LLVM takes for those of the C library. A
/// compiled function of that name would replace it in the whole process.
static bool isLibraryFunction(StringRef name) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple("x86_64-unknown-linux-gnu")};
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

std::string meanvar::getFunctionName(StringRef name) {
  std::string identifier;
  for (char character : name)
    identifier += llvm::isAlnum(character) ? character : '_';
  if (identifier.empty())
    return "model";
  if (llvm::isDigit(identifier.front()))
    identifier.insert(identifier.begin(), '_');
  if (isReservedInC(identifier) || isLibraryFunction(identifier))
    identifier += "_model";
  return identifier;
}
