//===- BufferSizes.h - Bytes of buffers -------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_BUFFERSIZES_H
#define MEANVAR_LIB_CODEGEN_BUFFERSIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::meanvar {

/// Returns the size of an element of a buffer in memory.
int64_t getElementBytes(MemRefType type);

/// The same of `buffer`, of a memref type.
int64_t getElementBytes(Value buffer);

/// Returns true if a buffer of the type has at least `bytes` bytes, or may turn
/// out to have.
bool mayHaveBytes(MemRefType type, int64_t bytes);

/// Emits the size of `buffer`, of a memref type, in bytes.
Value emitBytes(OpBuilder &builder, Location loc, Value buffer);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_BUFFERSIZES_H
