//===- FunctionDescription.h - What a module says of itself -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_FUNCTIONDESCRIPTION_H
#define MEANVAR_EXECUTION_FUNCTIONDESCRIPTION_H

#include "meanvar/Execution/FunctionSignature.h"

namespace mlir {
class ModuleOp;

namespace meanvar {

/// What the attributes of a compiled function say (docs/CallingConvention.md).
struct FunctionDescription {
  FunctionSignature signature;
  /// The symbol of the shape function.
  std::string shapeFunction;
  /// The message of status n is number n - 1; `{0}` and `{1}` stand for the two
  /// integers of the detail.
  std::vector<std::string> messages;
};

/// Describes the compiled functions of a module in the LLVM dialect, in its
/// order. Fails, naming the function, where one does not follow the calling
/// convention.
llvm::Expected<std::vector<FunctionDescription>>
describeFunctions(ModuleOp module);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_EXECUTION_FUNCTIONDESCRIPTION_H
