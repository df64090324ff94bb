//===- LaneExpression.h - Arithmetic on lanes of a tensor -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form in which mean-variance normalizations are recognized.
//
// Whatever a program computes is described relative to one tensor x, as a
// function of the element of x at some indices and of the sum and the sum of
// squares of the lane that this element belongs to:
//
//   x - mean            element - sum / n
//   (x - mean)^2        element^2 - 2 element sum / n + sum^2 / n^2
//   sum of these        sumOfSquares - sum^2 / n
//   variance            sumOfSquares / n - sum^2 / n^2
//
// This is a polynomial (MomentPolynomial.h), so two passes, one pass, and
// anything in between have one normal form, and comparing is all that is left
// of matching. Only a square root needs to be understood: its operand has to be
// a variance, perhaps plus an epsilon. It is then a new symbol, the inverse of
// the factor that normalizes, and the normalized value is
//
//   element factor - sum factor / n
//
// What differs in axes, in the number of elements that a sum is divided by, in
// sign or in epsilon is another polynomial, or has none at all.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEEXPRESSION_H
#define MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEEXPRESSION_H

#include "MomentPolynomial.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::meanvar {

/// The value of a tensor or of a scalar in the body of a linalg operation,
/// relative to a tensor x of static type. Its indices are those of the tensor
/// or of the loops.
struct LaneExpression {
  /// No index.
  static constexpr int64_t none = -1;
  /// The index 0, whatever the other indices are.
  static constexpr int64_t zero = -2;

  /// A tensor that has nothing to do with x, such as a scale.
  struct Cofactor {
    Value tensor;
    /// For each dimension of `tensor` the index it is read at, or `zero`.
    SmallVector<int64_t> dims;
    bool operator==(const Cofactor &other) const {
      return tensor == other.tensor && dims == other.dims;
    }
  };

  explicit LaneExpression(MomentPolynomial value)
      : value(std::move(value)), dims(this->value.getRank(), none) {}

  /// The element of x itself, at its own indices.
  static LaneExpression element(RankedTensorType type);

  /// Returns true if the value has nothing to do with x but its sizes.
  bool isIndependent() const;
  /// Returns true if the value is that of constants and sizes.
  bool isUniform() const;
  /// Returns the value if it is a constant.
  std::optional<double> getConstant() const;
  /// Returns true if the value is normalized, up to cofactors.
  bool isNormalized(RankedTensorType type) const;
  /// Returns true if the value is the difference from the mean.
  bool isCentered(RankedTensorType type) const;
  /// Returns the same value indexed by others, `indices[i]` for index i, or
  /// nothing if one is `none` and the value depends on it, or `zero` and the
  /// element or lane does.
  std::optional<LaneExpression> withIndices(ArrayRef<int64_t> indices) const;

  MomentPolynomial value;
  /// For each dimension of x the index of the value that is the one of the
  /// element or lane; `none` where the value does not depend on it, as in
  /// dimensions that are reduced or of size 1.
  SmallVector<int64_t> dims;
  /// The dimensions that a lane consists of, a bit each; 0 without sums.
  uint64_t reduced = 0;
  /// What the factor is: 1 / (sqrt(variance) + epsilon), or with epsilon
  /// inside.
  double epsilon = 0.0;
  bool isEpsilonInside = false;
  /// Tensors that the value is multiplied by.
  SmallVector<Cofactor, 1> cofactors;
};

using OptionalLaneExpression = std::optional<LaneExpression>;

/// Returns `lhs` + `scale` * `rhs`.
OptionalLaneExpression addLaneExpressions(const LaneExpression &lhs,
                                          const LaneExpression &rhs,
                                          double scale);
/// Returns `lhs` * `rhs`. A constant that is the reciprocal of the number of
/// elements of the lane, rounded to `type`, is that reciprocal.
OptionalLaneExpression multiplyLaneExpressions(const LaneExpression &lhs,
                                               const LaneExpression &rhs,
                                               RankedTensorType tensorType,
                                               FloatType type);
OptionalLaneExpression divideLaneExpressions(const LaneExpression &lhs,
                                             const LaneExpression &rhs,
                                             RankedTensorType tensorType,
                                             FloatType type);
/// Returns the square root of a variance, or of a variance plus an epsilon.
OptionalLaneExpression takeSquareRoot(const LaneExpression &operand);
/// Returns the maximum of a variance and 0, which is the variance.
OptionalLaneExpression takeMaximum(const LaneExpression &lhs,
                                   const LaneExpression &rhs);
/// Returns the sum over indices, `isReduced` for each index. `sizes` are the
/// numbers of values of the indices.
OptionalLaneExpression sumLaneExpression(const LaneExpression &operand,
                                         ArrayRef<bool> isReduced,
                                         ArrayRef<int64_t> sizes);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEEXPRESSION_H
