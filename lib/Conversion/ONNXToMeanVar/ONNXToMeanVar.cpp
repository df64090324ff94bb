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

#include "meanvar/Conversion/Passes.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_CONVERTONNXTOMEANVARPASS
#include "meanvar/Conversion/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Type parseElementType(StringRef name, MLIRContext *context) {
  return llvm::StringSwitch<Type>(name)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f32", Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Default(Type());
}

/// Returns the builtin type of a torch tensor with value semantics, which is
/// spelled `!torch.vtensor<[2,?],f32>`, or null.
static RankedTensorType parseTorchType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef rest = text;
  if (!rest.consume_front("!torch.vtensor<[") || !rest.consume_back(">"))
    return {};
  auto [sizes, element] = rest.split("],");
  SmallVector<int64_t> shape;
  for (StringRef size : llvm::split(sizes, ",")) {
    int64_t value = ShapedType::kDynamic;
    if (sizes.empty())
      break;
    if (size != "?" && (size.getAsInteger(10, value) || value < 0))
      return {};
    shape.push_back(value);
  }
  Type elementType = parseElementType(element, type.getContext());
  return elementType ? RankedTensorType::get(shape, elementType)
                     : RankedTensorType();
}

/// Returns the builtin type that values of `type` have, or come from and go to
/// by casts; null where meanvar has none.
static RankedTensorType getTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parseTorchType(type);
  Type element = tensor.getElementType();
  bool isTaken =
      element.isF16() || element.isBF16() || element.isF32() || element.isF64();
  return isTaken && !tensor.getEncoding() ? tensor : RankedTensorType();
}

/// Casts `value` between a type of torch and a builtin one, or between builtin
/// ones.
static Value cast(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  bool isTorch = !isa<TensorType>(type),
       wasTorch = !isa<TensorType>(value.getType());
  if (!isTorch && !wasTorch)
    return tensor::CastOp::create(builder, loc, type, value);
  OperationState state(loc, isTorch ? "torch_c.from_builtin_tensor"
                                    : "torch_c.to_builtin_tensor");
  state.addOperands(value);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Returns the integers of an attribute of either compiler.
static std::optional<SmallVector<int64_t>> getIntegers(Attribute attribute) {
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute))
    return llvm::to_vector(array.asArrayRef());
  auto array = dyn_cast<ArrayAttr>(attribute);
  if (!array || !llvm::all_of(array, llvm::IsaPred<IntegerAttr>))
    return std::nullopt;
  return llvm::map_to_vector(
      array.getAsRange<IntegerAttr>(),
      [](IntegerAttr integer) { return integer.getValue().getSExtValue(); });
}

/// Returns true if the verifier takes `axes` for a tensor of rank `rank`.
static bool areAxes(ArrayRef<int64_t> axes, int64_t rank) {
  llvm::SmallDenseSet<int64_t> seen;
  return llvm::all_of(axes, [&](int64_t axis) {
    return -rank <= axis && axis < rank &&
           seen.insert(axis < 0 ? axis + rank : axis).second;
  });
}

namespace {

/// Converts one operation of a dialect; what the dialects have in common.
struct ConvertONNXOp : RewritePattern {
  /// Matches `rootName`, whose attributes begin with `attributePrefix`.
  ConvertONNXOp(MLIRContext *context, StringRef rootName,
                StringRef attributePrefix)
      : RewritePattern(rootName, /*benefit=*/1, context),
        attributePrefix(attributePrefix) {}

  LogicalResult convert(Operation *op, StringRef operatorName,
                        PatternRewriter &rewriter) const {
    if (op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "has not one result");
    SmallVector<RankedTensorType> types = llvm::map_to_vector(
        op->getOperandTypes(), [](Type type) { return getTensorType(type); });
    if (types.empty() || llvm::is_contained(types, RankedTensorType()))
      return rewriter.notifyMatchFailure(op, "an operand is no float tensor");
    if (operatorName == "MeanVarianceNormalization")
      return convertMvn(op, types, rewriter);
    if (operatorName == "Mean")
      return convertMean(op, types, rewriter);
    return rewriter.notifyMatchFailure(op, "is another operator");
  }

private:
  LogicalResult convertMvn(Operation *op, ArrayRef<RankedTensorType> types,
                           PatternRewriter &rewriter) const {
    std::optional<SmallVector<int64_t>> axes{{0, 2, 3}};
    if (Attribute attribute = op->getAttr(attributePrefix + "axes"))
      axes = getIntegers(attribute);
    if (types.size() != 1 || !axes || !areAxes(*axes, types[0].getRank()))
      return rewriter.notifyMatchFailure(op,
                                         "the axes are none of its operand");
    Type resultType = op->getResult(0).getType();
    if (!isCastable(types[0], resultType))
      return rewriter.notifyMatchFailure(op, "the result has another shape");
    Value input = cast(rewriter, op->getLoc(), op->getOperand(0), types[0]);
    auto mvn = MvnOp::create(rewriter, op->getLoc(), input, *axes,
                             llvm::APFloat(1e-9), /*insideSqrt=*/false,
                             /*centerOnly=*/false, /*statistics=*/false);
    rewriter.replaceOp(
        op, cast(rewriter, op->getLoc(), mvn->getResult(0), resultType));
    return success();
  }

  LogicalResult convertMean(Operation *op, ArrayRef<RankedTensorType> types,
                            PatternRewriter &rewriter) const {
    Type element = types[0].getElementType();
    auto shapes = llvm::map_to_vector(
        types, [](RankedTensorType type) { return type.getShape(); });
    FailureOr<SmallVector<int64_t>> shape = inferMeanShape(shapes);
    if (failed(shape) || !llvm::all_of(types, [&](RankedTensorType type) {
          return type.getElementType() == element;
        }))
      return rewriter.notifyMatchFailure(op, "operands have no common type");
    Type resultType = op->getResult(0).getType();
    if (!isCastable(RankedTensorType::get(*shape, element), resultType))
      return rewriter.notifyMatchFailure(op, "the result has another shape");
    SmallVector<Value> inputs;
    for (auto [operand, type] : llvm::zip_equal(op->getOperands(), types))
      inputs.push_back(cast(rewriter, op->getLoc(), operand, type));
    Value mean = MeanOp::create(rewriter, op->getLoc(), inputs);
    rewriter.replaceOp(op, cast(rewriter, op->getLoc(), mean, resultType));
    return success();
  }

  /// Returns true if a result of type `type` can stand for one of `declared`.
  /// Casts of torch keep the type.
  static bool isCastable(RankedTensorType type, Type declared) {
    if (auto torch = parseTorchType(declared))
      return torch == type;
    return tensor::CastOp::areCastCompatible(type, declared);
  }

  std::string attributePrefix;
};

/// `onnx.Mean` and its like.
struct ConvertONNXMLIROp final : ConvertONNXOp {
  ConvertONNXMLIROp(MLIRContext *context, StringRef name)
      : ConvertONNXOp(context, name, /*attributePrefix=*/"") {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const final {
    return convert(op, op->getName().stripDialect(), rewriter);
  }
};

/// `torch.operator "onnx.Mean"` and its like.
struct ConvertTorchOperator final : ConvertONNXOp {
  ConvertTorchOperator(MLIRContext *context)
      : ConvertONNXOp(context, "torch.operator", "torch.onnx.") {}

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
    return convert(op, operatorName, rewriter);
  }
};

struct ConvertONNXToMeanVarPass final
    : meanvar::impl::ConvertONNXToMeanVarPassBase<ConvertONNXToMeanVarPass> {
  using ConvertONNXToMeanVarPassBase::ConvertONNXToMeanVarPassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertTorchOperator>(&getContext());
    for (StringRef name : {"onnx.Mean", "onnx.MeanVarianceNormalization"})
      patterns.add<ConvertONNXMLIROp>(&getContext(), name);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
