//===- LaneExpression.cpp - Arithmetic on lanes of a tensor ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "LaneExpression.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// LaneExpression
//===----------------------------------------------------------------------===//

LaneExpression LaneExpression::element(RankedTensorType type) {
  Monomial monomial(type.getRank());
  monomial.element = 1;
  LaneExpression result(MomentPolynomial::term(monomial));
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.getDimSize(dim) != 1)
      result.dims[dim] = dim;
  return result;
}

bool LaneExpression::isIndependent() const {
  return llvm::all_of(value.getTerms(), [](const Term &term) {
    const Monomial &monomial = term.monomial;
    return monomial.element == 0 && monomial.sum == 0 &&
           monomial.sumOfSquares == 0 && monomial.factor == 0;
  });
}

bool LaneExpression::isUniform() const {
  return cofactors.empty() && isIndependent();
}

std::optional<double> LaneExpression::getConstant() const {
  return cofactors.empty() ? value.getConstant() : std::nullopt;
}

/// Returns element - sum / n, times the factor to the power of `exponent`.
static MomentPolynomial getCentered(int64_t rank, uint64_t reduced,
                                    int exponent) {
  Monomial element(rank), factor(rank);
  element.element = 1;
  factor.factor = exponent;
  auto centered = MomentPolynomial::term(element).plus(
      MomentPolynomial::mean(rank, reduced), -1.0);
  return *centered->times(MomentPolynomial::term(factor));
}

/// Returns true if `expression` depends on every dimension of x.
static bool hasAllDims(const LaneExpression &expression,
                       RankedTensorType type) {
  return llvm::all_of(llvm::enumerate(expression.dims), [&](auto it) {
    return it.value() != LaneExpression::none ||
           type.getDimSize(it.index()) == 1;
  });
}

bool LaneExpression::isNormalized(RankedTensorType type) const {
  return reduced != 0 && hasAllDims(*this, type) &&
         value == getCentered(value.getRank(), reduced, /*exponent=*/1);
}

bool LaneExpression::isCentered(RankedTensorType type) const {
  return reduced != 0 && cofactors.empty() && hasAllDims(*this, type) &&
         value == getCentered(value.getRank(), reduced, /*exponent=*/0);
}

std::optional<LaneExpression>
LaneExpression::withIndices(ArrayRef<int64_t> indices) const {
  LaneExpression result = *this;
  for (int64_t &dim : result.dims) {
    if (dim == none)
      continue;
    dim = indices[dim];
    if (dim < 0)
      return std::nullopt;
  }
  for (Cofactor &cofactor : result.cofactors) {
    for (int64_t &dim : cofactor.dims) {
      if (dim == zero)
        continue;
      dim = indices[dim];
      if (dim == none)
        return std::nullopt;
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Lanes of two operands
//===----------------------------------------------------------------------===//

static bool hasFactor(const LaneExpression &expression) {
  return llvm::any_of(expression.value.getTerms(), [](const Term &term) {
    return term.monomial.factor != 0;
  });
}

/// Returns an expression of value 0 that is about the lanes of both operands,
/// if these are the same lanes at the same indices, with the same epsilon.
static OptionalLaneExpression joinLanes(const LaneExpression &lhs,
                                        const LaneExpression &rhs) {
  LaneExpression joined(MomentPolynomial(lhs.value.getRank()));
  for (auto [dim, left, right] :
       llvm::zip_equal(joined.dims, lhs.dims, rhs.dims)) {
    if (left != LaneExpression::none && right != LaneExpression::none &&
        left != right)
      return std::nullopt;
    dim = left != LaneExpression::none ? left : right;
  }
  if (lhs.reduced != 0 && rhs.reduced != 0 && lhs.reduced != rhs.reduced)
    return std::nullopt;
  joined.reduced = lhs.reduced | rhs.reduced;
  bool isLeft = hasFactor(lhs), isRight = hasFactor(rhs);
  if (isLeft && isRight &&
      (lhs.epsilon != rhs.epsilon ||
       lhs.isEpsilonInside != rhs.isEpsilonInside))
    return std::nullopt;
  const LaneExpression &source = isRight ? rhs : lhs;
  joined.epsilon = source.epsilon;
  joined.isEpsilonInside = source.isEpsilonInside;
  return joined;
}

//===----------------------------------------------------------------------===//
// Numbers of elements
//===----------------------------------------------------------------------===//

/// Returns true if `coefficient` is `count`, or its reciprocal, which may be
/// rounded to `type`.
static bool isCount(double coefficient, double count, bool isReciprocal,
                    FloatType type) {
  if (!isReciprocal)
    return coefficient == count;
  llvm::APFloat rounded(1.0 / count);
  bool losesInfo = false;
  rounded.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
  rounded.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return coefficient == 1.0 / count || coefficient == rounded.convertToDouble();
}

/// Returns the product of the static sizes of the dimensions in `dims`, or
/// nothing if one is not static.
static std::optional<double> getStaticCount(RankedTensorType type,
                                            uint64_t dims) {
  double count = 1.0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (((dims >> dim) & 1) == 0)
      continue;
    if (type.isDynamicDim(dim))
      return std::nullopt;
    count *= static_cast<double>(type.getDimSize(dim));
  }
  return count;
}

/// Writes a constant factor of `uniform` that is the number of elements in the
/// lanes of `sums`, or in those that are summed last, as a product of sizes.
static LaneExpression nameSizes(const LaneExpression &uniform,
                                const LaneExpression &sums, bool isReciprocal,
                                RankedTensorType tensorType, FloatType type) {
  if (uniform.value.getTerms().size() != 1 || sums.value.getTerms().empty())
    return uniform;
  const Term &term = uniform.value.getTerms().front();
  const Monomial &summed = sums.value.getTerms().front().monomial;
  uint64_t named = 0, divided = 0;
  for (int64_t dim = 0; dim < tensorType.getRank(); ++dim) {
    named |= static_cast<uint64_t>(term.monomial.sizes[dim] != 0) << dim;
    divided |= static_cast<uint64_t>(summed.sizes[dim] < 0) << dim;
  }
  for (uint64_t dims :
       {sums.reduced & ~named, sums.reduced & ~named & ~divided}) {
    std::optional<double> count = getStaticCount(tensorType, dims);
    if (!count || !isCount(term.coefficient, *count, isReciprocal, type))
      continue;
    Monomial sizes = term.monomial.times(getCount(tensorType.getRank(), dims),
                                         isReciprocal ? -1 : 1);
    return LaneExpression(MomentPolynomial::term(sizes));
  }
  return uniform;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Writes sqrt(variance) + epsilon as the inverse of another factor.
static void moveEpsilonIntoFactor(LaneExpression &expression) {
  ArrayRef<Term> terms = expression.value.getTerms();
  if (terms.size() != 2 || expression.epsilon != 0)
    return;
  Monomial inverse(expression.value.getRank());
  inverse.factor = -1;
  bool isFirst = terms[0].monomial == inverse;
  const Term &root = terms[isFirst ? 0 : 1], &rest = terms[isFirst ? 1 : 0];
  if (!(root.monomial == inverse) || root.coefficient != 1.0 ||
      !rest.monomial.isConstant() || !(rest.coefficient > 0))
    return;
  expression.epsilon = rest.coefficient;
  expression.value = MomentPolynomial::term(inverse);
}

OptionalLaneExpression meanvar::addLaneExpressions(const LaneExpression &lhs,
                                                   const LaneExpression &rhs,
                                                   double scale) {
  OptionalLaneExpression sum = joinLanes(lhs, rhs);
  if (!sum || !(ArrayRef(lhs.cofactors) == ArrayRef(rhs.cofactors)))
    return std::nullopt;
  std::optional<MomentPolynomial> value = lhs.value.plus(rhs.value, scale);
  if (!value)
    return std::nullopt;
  sum->value = *value;
  sum->cofactors = lhs.cofactors;
  moveEpsilonIntoFactor(*sum);
  return sum;
}

/// Returns true if cofactors may stand beside `value`: only the factor that
/// normalizes has any.
static bool mayHaveCofactors(const MomentPolynomial &value) {
  return llvm::all_of(value.getTerms(), [](const Term &term) {
    return term.monomial.factor == 1;
  });
}

OptionalLaneExpression
meanvar::multiplyLaneExpressions(const LaneExpression &lhs,
                                 const LaneExpression &rhs,
                                 RankedTensorType tensorType, FloatType type) {
  constexpr size_t maxCofactors = 2;
  if (!lhs.isUniform() && rhs.isUniform())
    return multiplyLaneExpressions(rhs, lhs, tensorType, type);
  OptionalLaneExpression product = joinLanes(lhs, rhs);
  if (!product)
    return std::nullopt;
  LaneExpression scale =
      lhs.isUniform() && rhs.reduced != 0
          ? nameSizes(lhs, rhs, /*isReciprocal=*/true, tensorType, type)
          : lhs;
  std::optional<MomentPolynomial> value = scale.value.times(rhs.value);
  if (!value)
    return std::nullopt;
  product->value = *value;
  product->cofactors = lhs.cofactors;
  product->cofactors.append(rhs.cofactors.begin(), rhs.cofactors.end());
  if (!product->cofactors.empty() &&
      (!mayHaveCofactors(*value) || product->cofactors.size() > maxCofactors))
    return std::nullopt;
  return product;
}

OptionalLaneExpression
meanvar::divideLaneExpressions(const LaneExpression &lhs,
                               const LaneExpression &rhs,
                               RankedTensorType tensorType, FloatType type) {
  OptionalLaneExpression quotient = joinLanes(lhs, rhs);
  if (!quotient || !rhs.cofactors.empty())
    return std::nullopt;
  LaneExpression divisor =
      rhs.isUniform() && lhs.reduced != 0
          ? nameSizes(rhs, lhs, /*isReciprocal=*/false, tensorType, type)
          : rhs;
  std::optional<MomentPolynomial> value = lhs.value.dividedBy(divisor.value);
  if (!value || (!lhs.cofactors.empty() && !mayHaveCofactors(*value)))
    return std::nullopt;
  quotient->value = *value;
  quotient->cofactors = lhs.cofactors;
  return quotient;
}

/// Returns what is added to the variance in `expression`.
static std::optional<double> getEpsilon(const LaneExpression &expression) {
  if (expression.reduced == 0 || !expression.cofactors.empty())
    return std::nullopt;
  auto rest =
      expression.value.plus(MomentPolynomial::variance(
                                expression.value.getRank(), expression.reduced),
                            -1.0);
  return rest ? rest->getConstant() : std::nullopt;
}

OptionalLaneExpression meanvar::takeSquareRoot(const LaneExpression &operand) {
  std::optional<double> epsilon = getEpsilon(operand);
  if (!epsilon || !(*epsilon >= 0))
    return std::nullopt;
  Monomial inverse(operand.value.getRank());
  inverse.factor = -1;
  LaneExpression root = operand;
  root.value = MomentPolynomial::term(inverse);
  root.epsilon = *epsilon;
  root.isEpsilonInside = *epsilon > 0;
  return root;
}

OptionalLaneExpression meanvar::takeMaximum(const LaneExpression &lhs,
                                            const LaneExpression &rhs) {
  if (lhs.isUniform() && !rhs.isUniform())
    return takeMaximum(rhs, lhs);
  if (getEpsilon(lhs) == 0.0 && rhs.getConstant() == 0.0)
    return lhs;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Returns the sum of `term` over the dimensions `summed` of x, in lanes that
/// consist of `reduced`.
static std::optional<Term> sumTerm(const Term &term, uint64_t summed,
                                   uint64_t reduced) {
  const Monomial &monomial = term.monomial;
  int64_t rank = static_cast<int64_t>(monomial.sizes.size());
  if (monomial.factor != 0)
    return std::nullopt;
  // Sums over other dimensions: one more of the same lane.
  if ((summed & reduced) == 0 && reduced != 0) {
    bool isSum = monomial.sum == 1 && monomial.sumOfSquares == 0;
    bool isSumOfSquares = monomial.sum == 0 && monomial.sumOfSquares == 1;
    if (monomial.element != 0 || (!isSum && !isSumOfSquares))
      return std::nullopt;
    return term;
  }
  if (reduced != 0 && summed != reduced)
    return std::nullopt;
  Term result = term;
  result.monomial.element = 0;
  if (monomial.element == 0)
    result.monomial = monomial.times(getCount(rank, summed), 1);
  else if (monomial.element == 1)
    ++result.monomial.sum;
  else if (monomial.element == 2)
    ++result.monomial.sumOfSquares;
  else
    return std::nullopt;
  return result;
}

/// Returns the dimensions of x that `operand` is summed over, or nothing if
/// there are sums over other indices.
static std::optional<uint64_t> getSummedDims(const LaneExpression &operand,
                                             ArrayRef<bool> isReduced,
                                             ArrayRef<int64_t> sizes) {
  uint64_t summed = 0;
  for (auto [index, reduce] : llvm::enumerate(isReduced)) {
    if (!reduce)
      continue;
    const auto *found = llvm::find(operand.dims, static_cast<int64_t>(index));
    if (found != operand.dims.end())
      summed |= uint64_t(1) << (found - operand.dims.begin());
    else if (sizes[index] != 1)
      return std::nullopt;
  }
  return summed;
}

OptionalLaneExpression meanvar::sumLaneExpression(const LaneExpression &operand,
                                                  ArrayRef<bool> isReduced,
                                                  ArrayRef<int64_t> sizes) {
  std::optional<uint64_t> summed = getSummedDims(operand, isReduced, sizes);
  if (!summed || !operand.cofactors.empty())
    return std::nullopt;
  if (*summed == 0)
    return operand;
  LaneExpression result = operand;
  result.value = MomentPolynomial(operand.value.getRank());
  for (const Term &term : operand.value.getTerms()) {
    std::optional<Term> sum = sumTerm(term, *summed, operand.reduced);
    if (!sum)
      return std::nullopt;
    auto total = result.value.plus(
        MomentPolynomial::term(sum->monomial, sum->coefficient));
    if (!total)
      return std::nullopt;
    result.value = *total;
  }
  result.reduced |= *summed;
  for (auto [dim, index] : llvm::enumerate(result.dims))
    if ((*summed >> dim) & 1)
      index = LaneExpression::none;
  return result;
}
