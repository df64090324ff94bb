//===- TransposeKernel.h - Transposition in registers -----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_TRANSPOSEKERNEL_H
#define MEANVAR_LIB_CODEGEN_TRANSPOSEKERNEL_H

#include "meanvar/Codegen/Schedule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::meanvar {

/// Unit attribute of a `linalg.transpose` of an elementwise result, of rows
/// that fill vectors: these need no shuffles where the result is computed in
/// rows.
constexpr llvm::StringLiteral fuseIntoProducerAttrName =
    "meanvar.fuse_into_producer";

/// A linalg.transpose between short rows that follow each other in memory and
/// their columns, which are made of whole vectors.
struct TransposeKernel {
  /// Mutable because accessors of operations are not const.
  mutable linalg::TransposeOp op;
  /// Whether columns are made of rows, or rows of columns.
  bool splitsRows;
  /// Elements of a vector, of which the number of rows is a multiple.
  int64_t vectorSize;

  /// Analyzes `op`; fails with a match failure that says why it is another
  /// transposition.
  static FailureOr<TransposeKernel>
  analyze(RewriterBase &rewriter, linalg::TransposeOp op, unsigned vectorBits);
};

/// Replaces the operation of `kernel` by loads, shuffles and stores. Upstream's
/// vector.transpose has no lowering to shuffles for matrices of these sizes.
void emitTransposeKernel(RewriterBase &rewriter, const TransposeKernel &kernel);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_TRANSPOSEKERNEL_H
