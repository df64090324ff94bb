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

namespace {

struct ExpandArithPass final
    : meanvar::impl::ExpandArithPassBase<ExpandArithPass> {
  using ExpandArithPassBase::ExpandArithPassBase;

  void runOnOperation() override {
    if (failed(emulateBFloat16(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    // The folder takes the rounding between two emulated operations for one
    // that may be left out.
    GreedyRewriteConfig config;
    config.enableFolding(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
