//===- EntryPoint.h - Pieces of a compiled public function ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the functions that `meanvar-lower-entry-points` makes of one public
// function have in common: parameter types and status checks
// (docs/CallingConvention.md).
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_ENTRYPOINT_H
#define MEANVAR_LIB_CODEGEN_ENTRYPOINT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <string>

namespace mlir::meanvar {

/// Returns the functions of the calling convention: the public ones with tensor
/// results.
SmallVector<func::FuncOp> getEntryPoints(ModuleOp module);

/// Returns the type in which a caller passes a value of type `type`: a buffer
/// with dynamic sizes for a tensor, the type itself for a scalar.
Type getParameterType(Type type);

/// Returns the type of the buffer that a result of type `type` is stored to,
/// with dynamic sizes; its rank is 0 for a scalar.
MemRefType getOutputType(Type type);

/// Emits checks. The first that fails stores a status and the two integers that
/// its message names.
class StatusChecks {
public:
  /// Creates the status variable, 0, at the insertion point of `builder`.
  /// `detail` is a memref<2xi64>. A check appends its message to `messages`;
  /// the number of messages is then its status.
  StatusChecks(OpBuilder &builder, Location loc, Value detail,
               SmallVector<std::string> &messages);

  /// Requires `condition` to be true; `first` and `second` (index or integers)
  /// replace `{0}` and `{1}` in the message.
  void require(OpBuilder &builder, Location loc, Value condition, Value first,
               Value second, const Twine &message);

  /// Makes `value`, an i32, the status.
  void setStatus(OpBuilder &builder, Location loc, Value value);

  /// Reads the status, an i32.
  Value getStatus(OpBuilder &builder, Location loc);

private:
  void storeDetail(OpBuilder &builder, Location loc, Value value,
                   int64_t index);

  Value status, detail;
  SmallVector<std::string> &messages;
};

/// Creates in front of `function` the shape function named `name`, which
/// computes the sizes of the results and performs all checks. Appends the
/// messages of the checks to `messages`. Fails with a diagnostic when a size or
/// a check depends on data.
FailureOr<func::FuncOp> createShapeFunction(func::FuncOp function,
                                            StringRef name,
                                            SmallVector<std::string> &messages);

/// Refuses functions named like those that compiled code calls, or like their C
/// interfaces.
LogicalResult verifyFunctionNames(ModuleOp module);

/// Refuses loops of which it is not known that they keep the sizes of the
/// tensors they carry: upstream's patterns take it for granted.
LogicalResult verifyLoopsKeepSizes(func::FuncOp function);

/// Adds patterns that express the sizes of values that scf.for carries and
/// scf.if yields by sizes of other values, and take checks out of loops.
void populateResolveSizesOfControlFlowPatterns(RewritePatternSet &patterns);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_ENTRYPOINT_H
