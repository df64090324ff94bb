//===- StreamingStores.h - Results that bypass the caches -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_STREAMINGSTORES_H
#define MEANVAR_LIB_CODEGEN_STREAMINGSTORES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::meanvar {

/// Attribute (i64) of linalg operations on tensors that caches may be too small
/// for. Of one that computes a result of the function which nothing reads
/// later: the size in bytes of that result from which on it bypasses the
/// caches. Of a sum over an argument: the size of the argument from which on it
/// is read ahead of the additions.
constexpr llvm::StringLiteral streamingBytesAttrName =
    "meanvar.streaming_bytes";

/// Attribute (unit) of buffers that are arguments of a part of a function: of
/// those that are read, or may be, in another part of it.
constexpr llvm::StringLiteral isReadAttrName = "meanvar.is_read";

/// Returns the buffer that `buffer` is a view of.
Value getViewedBuffer(Value buffer);

/// Returns true if `buffer` and the views of it are only written.
bool isOnlyWritten(Value buffer);

/// Emits whether `buffer`, of a memref type, has at least `streamingBytes`
/// bytes.
Value emitIsStreaming(OpBuilder &builder, Location loc, Value buffer,
                      int64_t streamingBytes);

/// Emits how many elements number `element` of the memory that `buffer` is
/// a view of is past an address that is aligned for vectors of `vectorSize`.
Value emitMisalignment(OpBuilder &builder, Location loc, Value buffer,
                       Value element, int64_t vectorSize);

/// Emits whether the first element of `buffer`, of a memref type, is aligned
/// for vectors of `vectorSize` elements.
Value emitIsAligned(OpBuilder &builder, Location loc, Value buffer,
                    int64_t vectorSize);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_STREAMINGSTORES_H
