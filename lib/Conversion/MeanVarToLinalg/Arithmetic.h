//===- Arithmetic.h - Expressions in bodies of linalg operations -*- C++
//-*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_MEANVARTOLINALG_ARITHMETIC_H
#define MEANVAR_LIB_CONVERSION_MEANVARTOLINALG_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::meanvar {

/// Floating-point expressions on scalars, for the bodies of linalg operations.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(Type type, double value) {
    return arith::ConstantOp::create(
        builder, loc, type, cast<TypedAttr>(builder.getFloatAttr(type, value)));
  }
  Value integer(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  }
  /// An addition whose operand, a product, need not be rounded.
  Value addContracted(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  }
  Value subContracted(Value lhs, Value rhs) {
    return arith::SubFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value mul(Value lhs, Value rhs) {
    return arith::MulFOp::create(builder, loc, lhs, rhs);
  }
  Value mulContracted(Value lhs, Value rhs) {
    return arith::MulFOp::create(builder, loc, lhs, rhs,
                                 arith::FastMathFlags::contract);
  }
  Value div(Value lhs, Value rhs) {
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  }
  Value sqrt(Value value) { return math::SqrtOp::create(builder, loc, value); }
  Value abs(Value value) { return math::AbsFOp::create(builder, loc, value); }
  /// The maximum, or NaN where an operand is NaN.
  Value max(Value lhs, Value rhs) {
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  }
  /// The minimum, or NaN where an operand is NaN.
  Value min(Value lhs, Value rhs) {
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value either(Value lhs, Value rhs) {
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }
  /// Converts between float types.
  Value convert(Value value, Type type) {
    return convertScalarToDtype(builder, loc, value, type,
                                /*isUnsignedCast=*/false);
  }
  void yield(ValueRange values) {
    linalg::YieldOp::create(builder, loc, values);
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_MEANVARTOLINALG_ARITHMETIC_H
