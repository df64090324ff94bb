//===- Isolation.h - Cases in processes of their own ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_DIFFERENTIAL_ISOLATION_H
#define MEANVAR_TEST_DIFFERENTIAL_ISOLATION_H

#include "Case.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mlir::meanvar {

struct IsolatedResult {
  /// What went wrong: the error of the function, or the signal that ended its
  /// process; empty after success.
  std::string message;
  Tally tally;
};

/// Calls `function` in a forked process, so that nothing that it does ends this
/// one; after two minutes it is stopped. This process has one thread only.
IsolatedResult
runIsolated(llvm::function_ref<llvm::Error(Tally &tally)> function);

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_DIFFERENTIAL_ISOLATION_H
