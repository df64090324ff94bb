//===- CrashRecovery.h - Failures of the process as errors ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_CRASHRECOVERY_H
#define MEANVAR_TOOLSUPPORT_CRASHRECOVERY_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::meanvar {

/// Runs `action` on a thread with a large stack and returns true, or returns
/// false where it crashed: on a signal, an abort, or a stack that overflowed.
/// After that the process is good for a message and an exit only.
bool runWithCrashRecovery(llvm::function_ref<void()> action);

/// Returns the address of the access on which the last such action crashed, or
/// null if it crashed in another way.
const void *getFaultAddress();

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLSUPPORT_CRASHRECOVERY_H
