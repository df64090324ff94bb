//===- Threads.cpp - Loops over threads -----------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "meanvar/Codegen/Schedule.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mlir::meanvar;

LogicalResult meanvar::verifyNumThreads(Operation *op, unsigned numThreads) {
  if (numThreads >= 1 && numThreads <= maxNumThreads)
    return success();
  return op->emitError("threads is ")
         << numThreads << " (allowed: 1 to " << maxNumThreads << ")";
}
