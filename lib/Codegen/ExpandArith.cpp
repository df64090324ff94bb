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

/// Computes with bf16, and with f16 if `expandsFloat16`, in f32, each operation
/// rounded as before.
static LogicalResult emulateShortFloats(Operation *root, bool expandsFloat16) {
  MLIRContext *context = root->getContext();
  Type single = Float32Type::get(context);
  SmallVector<Type> types{BFloat16Type::get(context)};
  if (expandsFloat16)
    types.push_back(Float16Type::get(context));

  TypeConverter arithConverter;
  arith::populateEmulateUnsupportedFloatsConversions(arithConverter, types,
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
  if (!expandsFloat16)
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

/// Emits arithmetic on the bits of floats, of scalars or vectors alike.
class BitArithmetic {
public:
  /// `like` has the shape of all values.
  BitArithmetic(OpBuilder &builder, Location loc, Type like)
      : builder(builder), loc(loc), like(like) {}

  Type getType(Type element) const {
    auto vector = dyn_cast<VectorType>(like);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type getIntegers(unsigned width) const {
    return getType(builder.getIntegerType(width));
  }
  Value constant(uint64_t value, unsigned width = 32) {
    return createConstant(builder, loc, getIntegers(width),
                          APInt(width, value));
  }
  Value bitcast(Value value, Type element) {
    return arith::BitcastOp::create(builder, loc, getType(element), value);
  }
  Value bits(Value value) {
    return bitcast(value,
                   builder.getIntegerType(
                       getElementTypeOrSelf(value).getIntOrFloatBitWidth()));
  }
  Value single(Value bits) { return bitcast(bits, builder.getF32Type()); }
  template <typename Op, typename... Operands>
  Value emit(Operands... operands) {
    return Op::create(builder, loc, operands...);
  }
  /// Adds `offset` to the bits of f32 and shifts out the lowest `count` of
  /// them, rounded to nearest even.
  Value roundOff(Value bits, unsigned count, uint64_t offset) {
    Value isOdd = emit<arith::AndIOp>(
        emit<arith::ShRUIOp>(bits, constant(count)), constant(1));
    // Half of the last place that is left, but for one unit.
    uint64_t half = (uint64_t(1) << (count - 1)) - 1;
    Value rounded = emit<arith::AddIOp>(
        emit<arith::AddIOp>(bits, constant(offset + half)), isOdd);
    return emit<arith::ShRUIOp>(rounded, constant(count));
  }
  Value isAtLeast(Value value, uint64_t limit) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, value,
                                 constant(limit));
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(builder, loc, condition, lhs, rhs);
  }

  OpBuilder &builder;
  Location loc;
  Type like;
};

/// Rounds f64 to a 16-bit type by way of f32. To round once, the f32 value is
/// rounded to odd: towards zero, with a 1 in its last place where that is
/// inexact (Boldo and Melquiond, "Emulation of a FMA and correctly-rounded
/// sums", 2008).
struct TruncateDouble final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const final {
    Value input = op.getIn();
    Type to = getElementTypeOrSelf(op.getType());
    if (!getElementTypeOrSelf(input).isF64() ||
        to.getIntOrFloatBitWidth() != 16)
      return rewriter.notifyMatchFailure(op, "is not from f64 to 16 bits");
    BitArithmetic math(rewriter, op.getLoc(), input.getType());
    Value nearest = arith::TruncFOp::create(
        rewriter, op.getLoc(), math.getType(rewriter.getF32Type()), input);
    Value exact =
        arith::ExtFOp::create(rewriter, op.getLoc(), input.getType(), nearest);
    Value isAway =
        math.compare(arith::CmpFPredicate::OGT, math.emit<math::AbsFOp>(exact),
                     math.emit<math::AbsFOp>(input));
    Value isInexact = math.compare(arith::CmpFPredicate::ONE, exact, input);
    Value bits = math.bits(nearest), one = math.constant(1);
    Value towardsZero =
        math.select(isAway, math.emit<arith::SubIOp>(bits, one), bits);
    Value odd = math.select(
        isInexact, math.emit<arith::OrIOp>(towardsZero, one), towardsZero);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 math.single(odd));
    return success();
  }
};

/// Extends f16 to f32 (or f64 by way of it): the bits in the place of an f32
/// are a number that is smaller by the difference of the biases, subnormals
/// included.
struct ExtendFloat16 final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const final {
    if (!getElementTypeOrSelf(op.getIn()).isF16())
      return rewriter.notifyMatchFailure(op, "is not from f16");
    BitArithmetic math(rewriter, op.getLoc(), op.getIn().getType());
    Value half = arith::ExtUIOp::create(
        rewriter, op.getLoc(), math.getIntegers(32), math.bits(op.getIn()));
    Value sign = math.emit<arith::ShLIOp>(
        math.emit<arith::AndIOp>(half, math.constant(0x8000)),
        math.constant(16));
    Value magnitude = math.emit<arith::AndIOp>(half, math.constant(0x7fff));
    Value shifted = math.emit<arith::ShLIOp>(magnitude, math.constant(13));
    Value number = math.bits(math.emit<arith::MulFOp>(
        math.single(shifted), math.single(math.constant(0x77800000)))); // 2^112
    Value special = math.emit<arith::OrIOp>(shifted, math.constant(0x7f800000));
    Value result = math.single(math.emit<arith::OrIOp>(
        sign, math.select(math.isAtLeast(magnitude, 0x7c00), special, number)));
    if (!getElementTypeOrSelf(op.getType()).isF32())
      result =
          arith::ExtFOp::create(rewriter, op.getLoc(), op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Rounds f32 to f16, to nearest even: what f16 holds as a normal number by
/// integer arithmetic, what it holds as a subnormal one by an addition to a
/// number whose last place is that of them.
struct TruncateToFloat16 final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const final {
    if (!getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isF16())
      return rewriter.notifyMatchFailure(op, "is not from f32 to f16");
    BitArithmetic math(rewriter, op.getLoc(), op.getIn().getType());
    Value bits = math.bits(op.getIn());
    Value magnitude = math.emit<arith::AndIOp>(bits, math.constant(0x7fffffff));
    // With the difference of the biases.
    Value normal = math.roundOff(magnitude, 13, 0xc8000000);
    Value half = math.constant(0x3f000000); // 0.5
    Value subnormal = math.emit<arith::SubIOp>(
        math.bits(math.emit<arith::AddFOp>(math.single(magnitude),
                                           math.single(half))),
        half);
    Value isNaN = math.isAtLeast(magnitude, 0x7f800001);
    Value special =
        math.select(isNaN, math.constant(0x7e00), math.constant(0x7c00));
    Value finite = math.select(math.isAtLeast(magnitude, 0x38800000), normal,
                               subnormal); // from 2^-14 on
    Value result = math.select(math.isAtLeast(magnitude, 0x47800000), special,
                               finite); // from 2^16 on
    Value sign = math.emit<arith::AndIOp>(
        math.emit<arith::ShRUIOp>(bits, math.constant(16)),
        math.constant(0x8000));
    Value halfBits =
        arith::TruncIOp::create(rewriter, op.getLoc(), math.getIntegers(16),
                                math.emit<arith::OrIOp>(sign, result));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), halfBits);
    return success();
  }
};

/// Rounds f32 to bf16, to nearest even. Upstream's pattern puts NaN in place of
/// what was rounded, which LLVM does in 16 bits; here it is put in place of the
/// input, in the 32 bits that everything else is computed in.
struct TruncateToBFloat16 final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const final {
    Value input = op.getIn();
    if (!getElementTypeOrSelf(input).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "is not from f32 to bf16");
    BitArithmetic math(rewriter, op.getLoc(), input.getType());
    Value isNaN = math.compare(arith::CmpFPredicate::UNO, input, input);
    // Rounding up could carry the ones of another NaN into its sign.
    Value bits = math.bits(
        math.select(isNaN, math.single(math.constant(0x7fc00000)), input));
    Value halfBits =
        arith::TruncIOp::create(rewriter, op.getLoc(), math.getIntegers(16),
                                math.roundOff(bits, 16, /*offset=*/0));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), halfBits);
    return success();
  }
};

struct ExpandArithPass final
    : meanvar::impl::ExpandArithPassBase<ExpandArithPass> {
  using ExpandArithPassBase::ExpandArithPassBase;

  void runOnOperation() override {
    if (failed(emulateShortFloats(getOperation(), expandsFloat16)))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<TruncateDouble>(&getContext());
    patterns.add<TruncateToBFloat16>(&getContext(), /*benefit=*/2);
    if (expandsFloat16)
      patterns.add<ExtendFloat16, TruncateToFloat16>(&getContext());
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
