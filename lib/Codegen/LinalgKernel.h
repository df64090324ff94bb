//===- LinalgKernel.h - Operations to vectorize -----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis of a linalg operation on buffers that the emission of its loops
// (LinalgKernelEmitter.h) needs: which dimension is vectorized, and how each
// output is reduced.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_LINALGKERNEL_H
#define MEANVAR_LIB_CODEGEN_LINALGKERNEL_H

#include "meanvar/Codegen/Schedule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::meanvar {

/// How one output of a reducing operation is accumulated.
struct Reduction {
  vector::CombiningKind kind;
  /// What is accumulated: a value of the body.
  Value term;
  /// Scalar types of the terms and of the output. They differ where terms are
  /// added in their own type first and the sum is wider.
  Type termType, sumType;
  /// Scalar type of the sum of a lane in registers, until it is folded: that of
  /// the output, or of the terms where they are few.
  Type laneType;
  /// Flags of the combining operation.
  arith::FastMathFlags fastMath;
  /// Whether rounding errors of the sum are kept beside it, because its type is
  /// no wider than that of the terms.
  bool isCompensated;

  bool isWidened() const { return termType != laneType; }
};

/// A linalg.generic that can be lowered to loops over vectors.
struct LinalgKernel {
  /// Mutable because accessors of operations are not const.
  mutable linalg::GenericOp op;
  SmallVector<int64_t> loopSizes;
  SmallVector<utils::IteratorType> iterators;
  /// The dimension that vectors run along, the innermost; none at rank 0.
  std::optional<unsigned> vectorDim;
  /// Set where the innermost dimension is too short for vectors, and vectors
  /// run along the two innermost taken as one: the size of the innermost, with
  /// which what varies along it alone is periodic. The other one is `vectorDim
  /// - 1`.
  std::optional<int64_t> period;
  VectorSchedule schedule;
  /// How many rows, summed along vectors, are folded together; 1 where each is
  /// folded on its own.
  int64_t rowGroup = 1;
  /// Whether pairs of vectors hold even and odd elements
  /// (LinalgKernelPairs.cpp) rather than neighbours.
  bool pairsElements = false;
  /// Whether parts of vectors are stored under masks: x86 has masks for vectors
  /// of 512 bits. AVX2's masked store takes as long as a dozen others on some
  /// processors, and LLVM makes branches of those that a target lacks.
  bool storesUnderMasks;
  /// One for each output; empty for an elementwise operation.
  SmallVector<Reduction> reductions;
  /// Set where the output bypasses the caches, or the input of a sum is read
  /// ahead, if it has as many bytes.
  std::optional<int64_t> streamingBytes;
  /// How many terms may be added in their own type; 0 is any number.
  int64_t maxPartialSum;

  bool isReduced(unsigned dim) const {
    return iterators[dim] == utils::IteratorType::reduction;
  }

  /// Returns true if `operand` is read or written along the vectors.
  bool variesAlongVectors(OpOperand &operand) const;

  /// Returns true if what `operand` holds along the vectors is periodic.
  bool isPeriodic(OpOperand &operand) const;

  /// Returns true if `dim` is the one that vectors run along, or one of the
  /// two.
  bool isAlongVectors(unsigned dim) const {
    return dim == vectorDim || (period && dim + 1 == *vectorDim);
  }

  /// Returns true if what is accumulated is summed along the vectors.
  bool reducesAlongVectors() const {
    return !reductions.empty() &&
           (period ? isReduced(*vectorDim - 1) : isReduced(*vectorDim));
  }

  /// Analyzes `op`; fails with a match failure that says why it cannot be
  /// lowered to vectors.
  static FailureOr<LinalgKernel>
  analyze(RewriterBase &rewriter, linalg::GenericOp op, unsigned vectorBits);
};

/// Replaces the operation of `kernel` by loops over vectors.
void emitLinalgKernel(RewriterBase &rewriter, const LinalgKernel &kernel);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_LINALGKERNEL_H
