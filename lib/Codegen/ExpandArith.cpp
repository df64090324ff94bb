//===- ExpandArith.cpp - Arithmetic that LLVM or targets lack -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_EXPANDARITHPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Computes with bf16 in f32, each operation rounded as before.
static LogicalResult emulateBFloat16(Operation *root) {
  MLIRContext *context = root->getContext();
  Type bfloat16 = BFloat16Type::get(context);
  Type single = Float32Type::get(context);

  TypeConverter arithConverter;
  arith::populateEmulateUnsupportedFloatsConversions(arithConverter, bfloat16,
                                                     single);
  ConversionTarget arithTarget(*context);
  arith::populateEmulateUnsupportedFloatsLegality(arithTarget, arithConverter);
  RewritePatternSet arithPatterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(arithPatterns,
                                                  arithConverter);
  if (failed(
          applyPartialConversion(root, arithTarget, std::move(arithPatterns))))
    return failure();

  // Functions of the math dialect have patterns of their own.
  SetVector<Type> supported;
  supported.insert(single);
  supported.insert(Float64Type::get(context));
  supported.insert(Float16Type::get(context));
  TypeConverter mathConverter;
  math::populateExtendToSupportedTypesTypeConverter(mathConverter, supported,
                                                    single);
  ConversionTarget mathTarget(*context);
  math::populateExtendToSupportedTypesConversionTarget(mathTarget,
                                                       mathConverter);
  // Left out upstream, as it may round twice: so do the targets here.
  mathTarget.addDynamicallyLegalOp<math::FmaOp>(
      [&](Operation *op) { return mathConverter.isLegal(op); });
  RewritePatternSet mathPatterns(context);
  math::populateExtendToSupportedTypesPatterns(mathPatterns, mathConverter);
  return applyPartialConversion(root, mathTarget, std::move(mathPatterns));
}

/// Returns a constant of type `type`, an integer, an index or a vector of them.
static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            const APInt &value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute = builder.getIntegerAttr(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Replaces divisors that would trap by 1: 0, and -1 where the dividend has no
/// opposite.
static void guardDivisor(Operation *op) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  APInt constant;
  if (matchPattern(rhs, m_ConstantInt(&constant)) && !constant.isZero() &&
      !constant.isAllOnes())
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type type = rhs.getType(), element = getElementTypeOrSelf(type);
  unsigned width = element.isIndex() ? IndexType::kInternalStorageBitWidth
                                     : element.getIntOrFloatBitWidth();
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 createConstant(builder, loc, type, number));
  };
  Value traps = equals(rhs, APInt::getZero(width));
  if (isa<arith::DivSIOp, arith::RemSIOp>(op)) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(lhs, APInt::getSignedMinValue(width)),
        equals(rhs, APInt::getAllOnes(width)));
    traps = arith::OrIOp::create(builder, loc, traps, overflows);
  }
  Value one = createConstant(builder, loc, type, APInt(width, 1));
  op->setOperand(1, arith::SelectOp::create(builder, loc, traps, one, rhs));
}

namespace {

/// Rounds f64 to bf16 by way of f32. To round once, the f32 value is rounded to
/// odd: towards zero, with a 1 in its last place where that is inexact (Boldo
/// and Melquiond, "Emulation of a FMA and correctly-rounded sums", 2008).
struct TruncateDoubleToBFloat16 final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const final {
    Value input = op.getIn();
    Type wide = input.getType();
    if (!getElementTypeOrSelf(wide).isF64() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "is not from f64 to bf16");
    Location loc = op.getLoc();
    auto withElement = [&](Type element) -> Type {
      auto shaped = dyn_cast<ShapedType>(wide);
      return shaped ? Type(shaped.clone(element)) : element;
    };
    Type single = withElement(rewriter.getF32Type());
    Type bitsType = withElement(rewriter.getI32Type());
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
      return arith::CmpFOp::create(rewriter, loc, predicate, lhs, rhs);
    };
    auto absolute = [&](Value value) {
      return math::AbsFOp::create(rewriter, loc, value);
    };
    Value nearest = arith::TruncFOp::create(rewriter, loc, single, input);
    Value exact = arith::ExtFOp::create(rewriter, loc, wide, nearest);
    Value isAway =
        compare(arith::CmpFPredicate::OGT, absolute(exact), absolute(input));
    Value isInexact = compare(arith::CmpFPredicate::ONE, exact, input);
    Value one = createConstant(rewriter, loc, bitsType, APInt(32, 1));
    Value bits = arith::BitcastOp::create(rewriter, loc, bitsType, nearest);
    Value towardsZero = arith::SelectOp::create(
        rewriter, loc, isAway, arith::SubIOp::create(rewriter, loc, bits, one),
        bits);
    Value odd = arith::SelectOp::create(
        rewriter, loc, isInexact,
        arith::OrIOp::create(rewriter, loc, towardsZero, one), towardsZero);
    Value rounded = arith::BitcastOp::create(rewriter, loc, single, odd);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
    return success();
  }
};

struct ExpandArithPass final
    : meanvar::impl::ExpandArithPassBase<ExpandArithPass> {
  using ExpandArithPassBase::ExpandArithPassBase;

  void runOnOperation() override {
    if (failed(emulateBFloat16(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<TruncateDoubleToBFloat16>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    // The folder takes the rounding between two emulated operations for one
    // that may be left out.
    GreedyRewriteConfig config;
    config.enableFolding(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    getOperation()->walk([](Operation *op) {
      if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
              op))
        guardDivisor(op);
    });
  }
};

} // namespace
