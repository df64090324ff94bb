//===- LargeStack.h - Recursion independent of the caller -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CAPI_EMBEDDING_LARGESTACK_H
#define MEANVAR_LIB_CAPI_EMBEDDING_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>

namespace mlir::meanvar {

/// Runs `action` on a thread with a stack of `numBytes` bytes and waits for it.
/// Unlike llvm::thread, fails where there can be no such thread: the process is
/// not ours to end.
llvm::Error runOnLargeStack(size_t numBytes, llvm::function_ref<void()> action);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CAPI_EMBEDDING_LARGESTACK_H
