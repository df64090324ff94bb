//===- ONNXToMeanVar.cpp - ONNX dialects of other compilers ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on names and attributes, so that neither of the compilers has to be
// there: operations and types may be registered, or not.
//
//===----------------------------------------------------------------------===//

#include "ONNXOperation.h"
#include "meanvar/Conversion/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_CONVERTONNXTOMEANVARPASS
#include "meanvar/Conversion/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// An operator and how it is converted.
struct ConvertedOperator {
  StringLiteral name;
  LogicalResult (*convert)(const ONNXOperation &node);
};

constexpr ConvertedOperator convertedOperators[] = {
    {"InstanceNormalization", convertInstanceNormalization},
    {"LayerNormalization", convertLayerNormalization},
    {"Mean", convertMean},
    {"MeanVarianceNormalization", convertMeanVarianceNormalization},
};

/// Converts the operation of a dialect that stands for one operator, such as
/// `onnx.Mean`.
struct ConvertONNXMLIROp final : RewritePattern {
  ConvertONNXMLIROp(MLIRContext *context, const ConvertedOperator &converted)
      : RewritePattern(("onnx." + converted.name).str(), /*benefit=*/1,
                       context),
        converted(converted) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    return converted.convert({op, /*attributePrefix=*/"", rewriter});
  }

  const ConvertedOperator &converted;
};

/// Converts `torch.operator "onnx.Mean"` and its like.
struct ConvertTorchOperator final : RewritePattern {
  ConvertTorchOperator(MLIRContext *context)
      : RewritePattern("torch.operator", /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    // Properties of an operation that is not registered are one attribute.
    auto name = op->getAttrOfType<StringAttr>("name");
    if (auto properties =
            dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
        properties && !name)
      name = properties.getAs<StringAttr>("name");
    StringRef operatorName = name ? name.getValue() : StringRef();
    if (!operatorName.consume_front("onnx."))
      return rewriter.notifyMatchFailure(op, "is no operator of ONNX");
    for (const ConvertedOperator &converted : convertedOperators)
      if (operatorName == converted.name)
        return converted.convert({op, "torch.onnx.", rewriter});
    return rewriter.notifyMatchFailure(op, "is another operator");
  }
};

struct ConvertONNXToMeanVarPass final
    : meanvar::impl::ConvertONNXToMeanVarPassBase<ConvertONNXToMeanVarPass> {
  using ConvertONNXToMeanVarPassBase::ConvertONNXToMeanVarPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertTorchOperator>(&getContext());
    for (const ConvertedOperator &converted : convertedOperators)
      patterns.add<ConvertONNXMLIROp>(&getContext(), converted);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
