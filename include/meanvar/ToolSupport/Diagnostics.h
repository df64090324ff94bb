//===- Diagnostics.h - Errors as single lines -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_DIAGNOSTICS_H
#define MEANVAR_TOOLSUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

namespace mlir::meanvar {

/// Prints `message` on standard error as one line "error: ...".
void printError(llvm::StringRef message);

/// Prints each message of `error` as one line "error: ...".
void printError(llvm::Error error);

/// Prints the diagnostics of a context, each as one line: its severity, where
/// the source is (file, line and column), and the message; notes follow on
/// lines of their own.
class SingleLineDiagnosticHandler : public ScopedDiagnosticHandler {
public:
  explicit SingleLineDiagnosticHandler(MLIRContext *context);
};

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLSUPPORT_DIAGNOSTICS_H
