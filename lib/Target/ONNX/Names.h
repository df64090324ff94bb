//===- Names.h - Names of ONNX in diagnostics and in MLIR -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_NAMES_H
#define MEANVAR_LIB_TARGET_ONNX_NAMES_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlir::meanvar {

/// Returns `text` with round brackets in place of braces, which stand for sizes
/// in the messages of run-time checks.
std::string withoutBraces(std::string text);

/// Returns ONNX's name of the element type with number `dataType` in
/// TensorProto, such as "bfloat16".
std::string getDataTypeName(int32_t dataType);

/// Returns the name of the function compiled from a graph named `name`: a C
/// identifier that no C keyword and no function of the C library uses.
std::string getFunctionName(llvm::StringRef name);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_NAMES_H
