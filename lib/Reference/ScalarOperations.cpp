//===- ScalarOperations.cpp - Upstream operations on numbers --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::APFloat;
using llvm::Expected;

using Real = long double;
using Operands = llvm::ArrayRef<Approximation>;

std::optional<ElementKind> mlir::meanvar::getElementKind(Type type) {
  if (type.isIndex())
    return ElementKind::Index;
  if (!type.isSignlessIntOrFloat())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElementName(name);
}

static Approximation fromAPFloat(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return {number.convertToDouble(), 0};
}

std::optional<Approximation> mlir::meanvar::getNumber(Attribute attribute) {
  auto typed = dyn_cast<TypedAttr>(attribute);
  if (!typed || !getElementKind(typed.getType()))
    return std::nullopt;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return fromAPFloat(number.getValue());
  return Approximation{
      static_cast<Real>(cast<IntegerAttr>(attribute).getValue().getSExtValue()),
      0};
}

/// Returns the kind of the elements of a value of a type that
/// getScalarFunction has checked.
static ElementKind getKind(Value value) {
  return *getElementKind(getElementTypeOrSelf(value.getType()));
}

//===----------------------------------------------------------------------===//
// Operations of IEEE 754 on determined numbers
//===----------------------------------------------------------------------===//

static APFloat toAPFloat(ElementKind kind, Real value) {
  APFloat number(static_cast<double>(value));
  bool losesInfo;
  number.convert(getFloatSemantics(kind), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number;
}

/// Returns true for a quotient that is an infinity with the sign of a zero.
static bool isDivisionByZero(Operation *op, Operands operands) {
  return isa<arith::DivFOp>(op) && operands[1].value == 0 &&
         operands[0].value != 0 && !std::isnan(operands[0].value);
}

/// Rounds the operands' sum, difference, ... once, as the hardware does.
static Approximation evaluateExactly(Operation *op, ElementKind kind,
                                     Operands operands) {
  if (isDivisionByZero(op, operands))
    return makeUnknown();
  constexpr auto rounding = APFloat::rmNearestTiesToEven;
  APFloat lhs = toAPFloat(kind, operands[0].value);
  APFloat rhs = toAPFloat(kind, operands[1].value);
  TypeSwitch<Operation *>(op)
      .Case([&](arith::AddFOp) { lhs.add(rhs, rounding); })
      .Case([&](arith::SubFOp) { lhs.subtract(rhs, rounding); })
      .Case([&](arith::MulFOp) { lhs.multiply(rhs, rounding); })
      .Case([&](arith::DivFOp) { lhs.divide(rhs, rounding); })
      .Case([&](arith::MaximumFOp) { lhs = llvm::maximum(lhs, rhs); })
      .Case([&](arith::MinimumFOp) { lhs = llvm::minimum(lhs, rhs); })
      .DefaultUnreachable("not a binary operation");
  return fromAPFloat(lhs);
}

//===----------------------------------------------------------------------===//
// Operations on uncertain numbers
//===----------------------------------------------------------------------===//

/// Returns the quotient and its error, before rounding.
static Approximation divide(const Approximation &lhs,
                            const Approximation &rhs) {
  Real smallest = std::abs(rhs.value) - rhs.error;
  if (smallest <= 0)
    return makeUnknown();
  Real value = lhs.value / rhs.value;
  return {value, (lhs.error + std::abs(value) * rhs.error) / smallest};
}

static Approximation evaluateUncertain(Operation *op, ElementKind kind,
                                       const Approximation &lhs,
                                       const Approximation &rhs) {
  Real sumOfErrors = lhs.error + rhs.error;
  auto round = [&](Real value, Real error) {
    return confineRounded(kind, value, error);
  };
  return TypeSwitch<Operation *, Approximation>(op)
      .Case([&](arith::AddFOp) {
        return round(lhs.value + rhs.value, sumOfErrors);
      })
      .Case([&](arith::SubFOp) {
        return round(lhs.value - rhs.value, sumOfErrors);
      })
      .Case([&](arith::MulFOp) {
        return round(lhs.value * rhs.value,
                     std::abs(lhs.value) * rhs.error +
                         std::abs(rhs.value) * lhs.error +
                         lhs.error * rhs.error);
      })
      .Case([&](arith::DivFOp) {
        Approximation quotient = divide(lhs, rhs);
        return round(quotient.value, quotient.error);
      })
      .Case([&](arith::MaximumFOp) {
        return confine(kind, std::max(lhs.value, rhs.value),
                       std::max(lhs.error, rhs.error));
      })
      .Case([&](arith::MinimumFOp) {
        return confine(kind, std::min(lhs.value, rhs.value),
                       std::max(lhs.error, rhs.error));
      })
      .DefaultUnreachable("not a binary operation");
}

/// Returns true for a product that may be fused with a sum of it, which leaves
/// out its rounding.
static bool mayContract(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  return product && arith::bitEnumContainsAny(product.getFastmath(),
                                              arith::FastMathFlags::contract);
}

static Approximation evaluateBinary(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &lhs = operands[0];
  const Approximation &rhs = operands[1];
  if (lhs.isUnknown() || rhs.isUnknown())
    return makeUnknown();
  if (lhs.isDetermined() && rhs.isDetermined() && !mayContract(op))
    return evaluateExactly(op, kind, operands);
  for (const Approximation &operand : operands)
    if (std::isnan(operand.value))
      return operand;
  // An infinity beside a number that may be 0 or not can become anything.
  if (std::isinf(lhs.value) || std::isinf(rhs.value))
    return makeUnknown();
  return evaluateUncertain(op, kind, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

static Approximation evaluateSqrt(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &x = operands.front();
  // Of a double it has twice the bits and more that the other kinds need, so
  // rounding it again does no harm.
  if (x.isDetermined())
    return fromAPFloat(
        toAPFloat(kind, std::sqrt(static_cast<double>(x.value))));
  Real root = std::sqrt(x.value);
  Real smallest = x.value - x.error;
  if (x.isUnknown() || smallest <= 0)
    return makeUnknown();
  return confineRounded(kind, root, root - std::sqrt(smallest));
}

/// The libraries' functions are not correctly rounded; those in use are good to
/// 2 ulp, and 1/sqrt(x) is two operations.
constexpr int libraryUlps = 4;

/// Evaluates a function that changes by at most `slope` for each unit of its
/// argument, in the range of the argument.
static Approximation evaluateLibraryFunction(ElementKind kind, Real value,
                                             Real slope,
                                             const Approximation &x) {
  if (x.isUnknown() || (!x.isDetermined() && !std::isfinite(value)))
    return makeUnknown();
  if (!std::isfinite(value))
    return {value, 0};
  Real error = slope * x.error;
  return confine(kind, value,
                 error + libraryUlps * getUlp(kind, std::abs(value) + error));
}

static Approximation evaluateRsqrt(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &x = operands.front();
  Real smallest = x.value - x.error;
  // That of a zero is an infinity of its sign.
  if (x.value == 0 || (!x.isDetermined() && smallest <= 0))
    return makeUnknown();
  Real slope = x.isDetermined() ? 0 : std::pow(smallest, -1.5L) / 2;
  return evaluateLibraryFunction(kind, 1 / std::sqrt(x.value), slope, x);
}

static Approximation evaluateExp(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &x = operands.front();
  Real slope = x.isDetermined() ? 0 : std::exp(x.value + x.error);
  return evaluateLibraryFunction(kind, std::exp(x.value), slope, x);
}

static Approximation evaluateTanh(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &x = operands.front();
  return evaluateLibraryFunction(kind, std::tanh(x.value), /*slope=*/1, x);
}

static Approximation evaluateTruncation(Operation *op, Operands operands) {
  ElementKind kind = getKind(op->getResult(0));
  const Approximation &x = operands.front();
  if (x.isDetermined())
    return fromAPFloat(toAPFloat(kind, x.value));
  return confineRounded(kind, x.value, x.error);
}

static Approximation evaluateNegation(Operation *, Operands operands) {
  return {-operands.front().value, operands.front().error};
}

static Approximation evaluateAbsolute(Operation *, Operands operands) {
  return {std::abs(operands.front().value), operands.front().error};
}

static Approximation evaluateExtension(Operation *, Operands operands) {
  return operands.front();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static unsigned getWidth(ElementKind kind) {
  if (kind == ElementKind::I1)
    return 1;
  return static_cast<unsigned>(8 * getElementSize(kind));
}

/// Returns an integer of the given kind with the low bits of `bits`.
static Approximation wrap(ElementKind kind, uint64_t bits) {
  return {static_cast<Real>(llvm::SignExtend64(bits, getWidth(kind))), 0};
}

/// Compiled code takes divisors that would trap for 1.
static uint64_t divideIntegers(int64_t lhs, int64_t rhs) {
  bool overflows = rhs == -1 && lhs == std::numeric_limits<int64_t>::min();
  return static_cast<uint64_t>(rhs == 0 || overflows ? lhs : lhs / rhs);
}

static Approximation evaluateInteger(Operation *op, Operands operands) {
  if (operands[0].isUnknown() || operands[1].isUnknown())
    return makeUnknown();
  auto lhs = static_cast<uint64_t>(static_cast<int64_t>(operands[0].value));
  auto rhs = static_cast<uint64_t>(static_cast<int64_t>(operands[1].value));
  uint64_t bits =
      TypeSwitch<Operation *, uint64_t>(op)
          .Case([&](arith::AddIOp) { return lhs + rhs; })
          .Case([&](arith::SubIOp) { return lhs - rhs; })
          .Case([&](arith::MulIOp) { return lhs * rhs; })
          .Case([&](arith::DivSIOp) {
            return divideIntegers(operands[0].value, operands[1].value);
          })
          .Case([&](arith::DivUIOp) { return rhs == 0 ? lhs : lhs / rhs; })
          .Case([&](arith::MaxSIOp) { return std::max<int64_t>(lhs, rhs); })
          .Case([&](arith::MinSIOp) { return std::min<int64_t>(lhs, rhs); })
          .Case([&](arith::CmpIOp op) {
            return arith::applyCmpPredicate(op.getPredicate(), APInt(64, lhs),
                                            APInt(64, rhs));
          })
          .DefaultUnreachable("not an operation on integers");
  return wrap(getKind(op->getResult(0)), bits);
}

static Approximation evaluateIndexCast(Operation *op, Operands operands) {
  if (operands.front().isUnknown())
    return makeUnknown();
  return wrap(getKind(op->getResult(0)),
              static_cast<uint64_t>(static_cast<int64_t>(operands[0].value)));
}

static Approximation evaluateIntegerAbsolute(Operation *op, Operands operands) {
  if (operands.front().isUnknown())
    return makeUnknown();
  return wrap(getKind(op->getResult(0)),
              static_cast<uint64_t>(
                  static_cast<int64_t>(std::abs(operands.front().value))));
}

/// Returns the integer of kind `kind` as one without a sign.
static Approximation makeUnsigned(ElementKind kind, const Approximation &x) {
  auto bits = static_cast<uint64_t>(static_cast<int64_t>(x.value));
  return {static_cast<Real>(bits &
                            llvm::maskTrailingOnes<uint64_t>(getWidth(kind))),
          0};
}

/// Conversions between integers, and from integers to floats.
static Approximation evaluateIntegerConversion(Operation *op,
                                               Operands operands) {
  Approximation x = operands.front();
  if (x.isUnknown())
    return makeUnknown();
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op))
    x = makeUnsigned(getKind(op->getOperand(0)), x);
  ElementKind kind = getKind(op->getResult(0));
  if (isFloat(kind))
    return fromAPFloat(toAPFloat(kind, x.value));
  return wrap(kind, static_cast<uint64_t>(static_cast<int64_t>(x.value)));
}

/// What a number becomes that the integer type does not have is not known.
static Approximation evaluateFloatToInteger(Operation *op, Operands operands) {
  const Approximation &x = operands.front();
  Real limit = std::ldexp(1.0L, getWidth(getKind(op->getResult(0))) - 1);
  if (!x.isDetermined() || !(std::abs(std::trunc(x.value)) < limit))
    return makeUnknown();
  return {std::trunc(x.value), 0};
}

static Approximation evaluateFloatComparison(Operation *op, Operands operands) {
  if (!operands[0].isDetermined() || !operands[1].isDetermined())
    return makeUnknown();
  ElementKind kind = getKind(op->getOperand(0));
  bool holds = arith::applyCmpPredicate(cast<arith::CmpFOp>(op).getPredicate(),
                                        toAPFloat(kind, operands[0].value),
                                        toAPFloat(kind, operands[1].value));
  return wrap(ElementKind::I1, holds ? 1 : 0);
}

static Approximation evaluateSelect(Operation *, Operands operands) {
  if (operands[0].isUnknown())
    return makeUnknown();
  return operands[0].value != 0 ? operands[1] : operands[2];
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Returns the function for an operation of any types, or null.
static ScalarFunction lookupFunction(Operation *op) {
  return TypeSwitch<Operation *, ScalarFunction>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::MaximumFOp, arith::MinimumFOp>(
          [](auto) { return evaluateBinary; })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
            arith::DivUIOp, arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp>(
          [](auto) { return evaluateInteger; })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
            arith::UIToFPOp>([](auto) { return evaluateIntegerConversion; })
      .Case([](arith::FPToSIOp) { return evaluateFloatToInteger; })
      .Case([](arith::CmpFOp) { return evaluateFloatComparison; })
      .Case([](arith::SelectOp) { return evaluateSelect; })
      .Case([](math::AbsIOp) { return evaluateIntegerAbsolute; })
      .Case([](arith::NegFOp) { return evaluateNegation; })
      .Case([](arith::ExtFOp) { return evaluateExtension; })
      .Case([](arith::TruncFOp) { return evaluateTruncation; })
      .Case([](arith::IndexCastOp) { return evaluateIndexCast; })
      .Case([](math::AbsFOp) { return evaluateAbsolute; })
      .Case([](math::SqrtOp) { return evaluateSqrt; })
      .Case([](math::RsqrtOp) { return evaluateRsqrt; })
      .Case([](math::ExpOp) { return evaluateExp; })
      .Case([](math::TanhOp) { return evaluateTanh; })
      .Default(nullptr);
}

/// Returns true where `op` computes as IEEE 754 has it, but for contraction.
static bool hasStandardArithmetic(Operation *op) {
  using arith::FastMathFlags;
  FastMathFlags flags = FastMathFlags::none;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (arith::FastMathFlagsAttr attribute = fast.getFastMathFlagsAttr())
      flags = attribute.getValue();
  if (flags != FastMathFlags::none && flags != FastMathFlags::contract)
    return false;
  auto truncation = dyn_cast<arith::TruncFOp>(op);
  return !truncation || truncation.getRoundingmode().value_or(
                            arith::RoundingMode::to_nearest_even) ==
                            arith::RoundingMode::to_nearest_even;
}

Expected<ScalarFunction> mlir::meanvar::getScalarFunction(Operation *op) {
  ScalarFunction function = lookupFunction(op);
  if (!function)
    return llvm::createStringError("the reference does not evaluate '" +
                                   op->getName().getStringRef() + "'");
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes()))
    if (!getElementKind(getElementTypeOrSelf(type)))
      return llvm::createStringError(
          llvm::formatv("the reference does not evaluate '{0}' of type '{1}'",
                        op->getName(), type));
  if (!hasStandardArithmetic(op))
    return llvm::createStringError(
        "the reference evaluates '" + op->getName().getStringRef() +
        "' with fastmath<none>, fastmath<contract> and to_nearest_even only");
  return function;
}
