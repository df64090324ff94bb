//===- MomentPolynomial.h - Polynomials in moments of a lane ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_MOMENTPOLYNOMIAL_H
#define MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_MOMENTPOLYNOMIAL_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::meanvar {

/// A product of powers of what an expression on a lane is made of. Exponents of
/// sizes and of the factor have either sign.
struct Monomial {
  explicit Monomial(int64_t rank) : sizes(rank, 0) {}

  bool operator==(const Monomial &other) const;
  /// Returns this monomial times `other` to the power of `exponent`.
  Monomial times(const Monomial &other, int exponent) const;
  bool isConstant() const { return *this == Monomial(sizes.size()); }

  /// The element of the tensor at the indices of the expression.
  int element = 0;
  /// The sum of the elements of its lane.
  int sum = 0;
  /// The sum of their squares.
  int sumOfSquares = 0;
  /// The factor that normalizes: 1 / (sqrt(variance) + epsilon), or with
  /// epsilon inside.
  int factor = 0;
  /// The sizes of the tensor's dimensions.
  llvm::SmallVector<int, 6> sizes;
};

struct Term {
  Monomial monomial;
  double coefficient;
};

/// A sum of few terms. Sums over lanes are linear and sizes are symbols, so
/// every way to write a mean or a variance has the same polynomial, with small
/// integers as coefficients, which are exact. Operations return std::nullopt
/// where there are more terms or higher powers than any such way has, and for
/// quotients by moments, which are not defined everywhere.
class MomentPolynomial {
public:
  explicit MomentPolynomial(int64_t rank) : rank(rank) {}

  static MomentPolynomial constant(int64_t rank, double value);
  static MomentPolynomial term(const Monomial &monomial,
                               double coefficient = 1.0);
  /// Returns the mean of the elements of a lane, which the dimensions in
  /// `reduced` (a bit each) make up.
  static MomentPolynomial mean(int64_t rank, uint64_t reduced);
  /// Returns their variance, which divides by their number.
  static MomentPolynomial variance(int64_t rank, uint64_t reduced);

  bool operator==(const MomentPolynomial &other) const;
  int64_t getRank() const { return rank; }
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  /// Returns the value if it is a constant.
  std::optional<double> getConstant() const;

  /// Returns this polynomial plus `scale` times `other`.
  std::optional<MomentPolynomial> plus(const MomentPolynomial &other,
                                       double scale = 1.0) const;
  std::optional<MomentPolynomial> times(const MomentPolynomial &other) const;
  /// Returns the quotient; a divisor of several terms has none.
  std::optional<MomentPolynomial>
  dividedBy(const MomentPolynomial &divisor) const;

private:
  bool add(const Monomial &monomial, double coefficient);

  int64_t rank;
  llvm::SmallVector<Term, 4> terms;
};

/// Returns the product of the sizes of the dimensions in `dims`, a bit each.
Monomial getCount(int64_t rank, uint64_t dims);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_MOMENTPOLYNOMIAL_H
