//===- CheckedAllocations.h - Code that survives a lack of memory *- C++
//-*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code takes the memory of its temporaries from `malloc` and does not
// look at what it gets. Ahead of time there is nobody around it to end a call
// that is short of memory, as the JIT does, so the code has to return. Each
// call from C has a list of the temporaries it holds; a function that cannot
// have another one says so there and returns, its callers return, and the first
// of them gives back what is in the list.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_AHEADOFTIME_CHECKEDALLOCATIONS_H
#define MEANVAR_LIB_AHEADOFTIME_CHECKEDALLOCATIONS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::meanvar {

/// The message of the status of a call that is short of memory.
constexpr StringLiteral memoryShortMessage =
    "not enough memory for a temporary of {0} bytes";

/// Returns the functions of `module` that allocate memory, or call one that
/// does.
llvm::SetVector<LLVM::LLVMFuncOp> findAllocatingFunctions(ModuleOp module);

/// The functions that a call from C makes around one of a function that
/// allocates.
struct CallMemory {
  /// From nothing to an empty list, a pointer to which the function takes as
  /// its last argument.
  LLVM::LLVMFuncOp begin;
  /// Takes the list and a pointer to the integers of the message. Returns true
  /// if memory was short: then it has freed all temporaries.
  LLVM::LLVMFuncOp end;
  /// The type of the list.
  Type type;
};

/// Makes the functions of `module` that allocate memory return where they
/// cannot have it. They take one more argument.
CallMemory checkAllocations(ModuleOp module);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_AHEADOFTIME_CHECKEDALLOCATIONS_H
