//===- CInterface.h - Compiled functions for C programs ---------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that a C program calls without knowing MLIR: a tensor is a pointer
// to its elements and, where not all sizes are static, one to its sizes. What
// the header says and what the module defines is derived from one description.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_AHEADOFTIME_CINTERFACE_H
#define MEANVAR_AHEADOFTIME_CINTERFACE_H

#include "meanvar/Execution/FunctionDescription.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
class ModuleOp;

namespace meanvar {

/// An input or an output of a function in C.
struct CValue {
  ValueType type;
  /// The name of the parameter; that of the sizes is `<name>_shape`.
  std::string name;
  /// The name in the ONNX model, or "".
  std::string modelName;

  /// Returns true if the caller passes, or receives, sizes.
  bool hasShapeParameter() const;
};

/// A function in C: `symbol` computes, `symbol`_shape checks and gives sizes,
/// `symbol`_message explains what they return.
struct CFunction {
  FunctionDescription description;
  std::string symbol;
  std::vector<CValue> inputs, outputs;
  /// Whether the function takes memory for temporaries. The last of its
  /// messages is then that there is none.
  bool allocates = false;
};

/// Names the compiled functions of a module in the LLVM dialect for C, where
/// each symbol starts with `prefix` and an underscore. Fails where two of them
/// would have one name.
llvm::Expected<std::vector<CFunction>>
describeCFunctions(ModuleOp module, llvm::StringRef prefix);

/// Adds the definitions of `functions` to `module`, which they describe, and
/// makes all others local.
void emitCInterface(ModuleOp module, llvm::ArrayRef<CFunction> functions);

/// Prints the header that declares `functions`. `origin` says where they come
/// from, in a comment; `prefix` is that of their symbols.
void printCHeader(llvm::raw_ostream &os, llvm::ArrayRef<CFunction> functions,
                  llvm::StringRef prefix, llvm::StringRef origin);

/// Has `writeCode` write code and writes the header of its `functions` to
/// `headerPath`, unless that is empty: both or none.
llvm::Error writeWithCHeader(llvm::StringRef headerPath,
                             llvm::ArrayRef<CFunction> functions,
                             llvm::StringRef prefix, llvm::StringRef origin,
                             llvm::function_ref<llvm::Error()> writeCode);

/// Returns `name` with an underscore in place of each character that a C
/// identifier cannot have, and before a digit at its start.
std::string makeCIdentifier(llvm::StringRef name);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_AHEADOFTIME_CINTERFACE_H
