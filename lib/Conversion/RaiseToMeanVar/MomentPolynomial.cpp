//===- MomentPolynomial.cpp - Polynomials in moments of a lane ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MomentPolynomial.h"
#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>
#include <cstdlib>

using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Monomials
//===----------------------------------------------------------------------===//

bool Monomial::operator==(const Monomial &other) const {
  return element == other.element && sum == other.sum &&
         sumOfSquares == other.sumOfSquares && factor == other.factor &&
         sizes == other.sizes;
}

Monomial Monomial::times(const Monomial &other, int exponent) const {
  assert(sizes.size() == other.sizes.size() && "monomials of other tensors");
  Monomial product = *this;
  product.element += exponent * other.element;
  product.sum += exponent * other.sum;
  product.sumOfSquares += exponent * other.sumOfSquares;
  product.factor += exponent * other.factor;
  for (auto [size, otherSize] : llvm::zip_equal(product.sizes, other.sizes))
    size += exponent * otherSize;
  return product;
}

/// Returns true if a way to write a normalization may have such a term.
static bool isTaken(const Monomial &monomial) {
  constexpr int maxExponent = 4;
  auto isMoment = [](int exponent) {
    return 0 <= exponent && exponent <= maxExponent;
  };
  return isMoment(monomial.element) && isMoment(monomial.sum) &&
         isMoment(monomial.sumOfSquares) &&
         std::abs(monomial.factor) <= maxExponent &&
         llvm::all_of(monomial.sizes, [](int exponent) {
           return std::abs(exponent) <= maxExponent;
         });
}

Monomial mlir::meanvar::getCount(int64_t rank, uint64_t dims) {
  Monomial count(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    count.sizes[dim] = static_cast<int>((dims >> dim) & 1);
  return count;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

MomentPolynomial MomentPolynomial::constant(int64_t rank, double value) {
  return term(Monomial(rank), value);
}

MomentPolynomial MomentPolynomial::term(const Monomial &monomial,
                                        double coefficient) {
  MomentPolynomial polynomial(static_cast<int64_t>(monomial.sizes.size()));
  polynomial.add(monomial, coefficient);
  return polynomial;
}

MomentPolynomial MomentPolynomial::mean(int64_t rank, uint64_t reduced) {
  Monomial sum(rank);
  sum.sum = 1;
  return term(sum.times(getCount(rank, reduced), -1));
}

MomentPolynomial MomentPolynomial::variance(int64_t rank, uint64_t reduced) {
  Monomial squares(rank), squaredSum(rank);
  squares.sumOfSquares = 1;
  squaredSum.sum = 2;
  Monomial count = getCount(rank, reduced);
  MomentPolynomial variance = term(squares.times(count, -1));
  variance.add(squaredSum.times(count, -2), -1.0);
  return variance;
}

bool MomentPolynomial::operator==(const MomentPolynomial &other) const {
  return terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const Term &term) {
           return llvm::any_of(other.terms, [&](const Term &otherTerm) {
             return term.monomial == otherTerm.monomial &&
                    term.coefficient == otherTerm.coefficient;
           });
         });
}

std::optional<double> MomentPolynomial::getConstant() const {
  if (terms.empty())
    return 0.0;
  if (terms.size() == 1 && terms.front().monomial.isConstant())
    return terms.front().coefficient;
  return std::nullopt;
}

/// Adds a term. Returns false where there are too many terms, an exponent is
/// too large, or a coefficient is no number.
bool MomentPolynomial::add(const Monomial &monomial, double coefficient) {
  constexpr size_t maxTerms = 8;
  auto *found = llvm::find_if(
      terms, [&](const Term &term) { return term.monomial == monomial; });
  double total = coefficient;
  if (found != terms.end())
    total += found->coefficient;
  if (!std::isfinite(total) || !isTaken(monomial))
    return false;
  if (found == terms.end() && total != 0)
    terms.push_back({monomial, total});
  else if (found != terms.end() && total == 0)
    terms.erase(found);
  else if (found != terms.end())
    found->coefficient = total;
  return terms.size() <= maxTerms;
}

std::optional<MomentPolynomial>
MomentPolynomial::plus(const MomentPolynomial &other, double scale) const {
  MomentPolynomial sum = *this;
  for (const Term &term : other.terms)
    if (!sum.add(term.monomial, scale * term.coefficient))
      return std::nullopt;
  return sum;
}

std::optional<MomentPolynomial>
MomentPolynomial::times(const MomentPolynomial &other) const {
  MomentPolynomial product(rank);
  for (const Term &lhs : terms)
    for (const Term &rhs : other.terms)
      if (!product.add(lhs.monomial.times(rhs.monomial, 1),
                       lhs.coefficient * rhs.coefficient))
        return std::nullopt;
  return product;
}

std::optional<MomentPolynomial>
MomentPolynomial::dividedBy(const MomentPolynomial &divisor) const {
  if (divisor.terms.size() != 1)
    return std::nullopt;
  const Term &by = divisor.terms.front();
  MomentPolynomial quotient(rank);
  for (const Term &term : terms)
    if (!quotient.add(term.monomial.times(by.monomial, -1),
                      term.coefficient / by.coefficient))
      return std::nullopt;
  return quotient;
}
