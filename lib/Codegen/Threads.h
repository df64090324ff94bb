//===- Threads.h - Loops over threads ---------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_THREADS_H
#define MEANVAR_LIB_CODEGEN_THREADS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::meanvar {

/// Marks an `scf.parallel` with one iteration for each thread: their number, an
/// i32.
inline constexpr llvm::StringLiteral numThreadsAttrName = "meanvar.num_threads";

/// Checks the option `threads` of a pass; reports at `op`.
llvm::LogicalResult verifyNumThreads(Operation *op, unsigned numThreads);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_THREADS_H
