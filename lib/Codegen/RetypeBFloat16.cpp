//===- RetypeBFloat16.cpp - bf16 as 16-bit integers -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_RETYPEBFLOAT16PASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Returns `type` with i16 in place of bf16, for a scalar, a vector, and the
/// types of a function; any other type as it is.
static Type retype(Type type) {
  if (type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(retype(vector.getElementType()));
  auto function = dyn_cast<LLVM::LLVMFunctionType>(type);
  if (!function)
    return type;
  return LLVM::LLVMFunctionType::get(
      retype(function.getReturnType()),
      llvm::map_to_vector(function.getParams(), retype), function.isVarArg());
}

/// Returns true for operations that move bits, whatever they mean, and stay
/// valid where their operands and results are retyped.
static bool movesBits(Operation *op) {
  return isa<LLVM::BitcastOp, LLVM::BrOp, LLVM::CallOp, LLVM::CondBrOp,
             LLVM::ConstantOp, LLVM::ExtractElementOp, LLVM::FreezeOp,
             LLVM::InsertElementOp, LLVM::LoadOp, LLVM::MaskedLoadOp,
             LLVM::MaskedStoreOp, LLVM::PoisonOp, LLVM::ReturnOp,
             LLVM::SelectOp, LLVM::ShuffleVectorOp, LLVM::StoreOp,
             LLVM::SwitchOp, LLVM::UndefOp, LLVM::ZeroOp>(op);
}

static Attribute retypeConstant(TypedAttr value) {
  Type type = retype(value.getType());
  if (auto number = dyn_cast<FloatAttr>(value))
    return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  if (auto elements = dyn_cast<DenseElementsAttr>(value))
    return elements.bitcast(getElementTypeOrSelf(type));
  return value;
}

/// Gives `op`, whose operands and results have been retyped, what else it needs
/// to be valid.
static void adapt(Operation *op) {
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
    if (auto value = dyn_cast<TypedAttr>(constant.getValue());
        value && retype(value.getType()) != value.getType())
      constant.setValueAttr(retypeConstant(value));
  } else if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
    function.setFunctionType(
        cast<LLVM::LLVMFunctionType>(retype(function.getFunctionType())));
  }
}

namespace {

struct RetypeBFloat16Pass final
    : meanvar::impl::RetypeBFloat16PassBase<RetypeBFloat16Pass> {
  using RetypeBFloat16PassBase::RetypeBFloat16PassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (op->getNumRegions() == 0 && !movesBits(op))
        castAround(op);
    for (Operation *op : ops) {
      if (op->getNumRegions() == 0 && !movesBits(op))
        continue;
      retypeValues(op->getResults());
      for (Region &region : op->getRegions())
        for (Block &block : region)
          retypeValues(block.getArguments());
      adapt(op);
    }
  }

private:
  static void retypeValues(ValueRange values) {
    for (Value value : values)
      value.setType(retype(value.getType()));
  }

  /// Has `op`, to which a bf16 means a number, take and give it by casts from
  /// and to its bits. The casts are not retyped.
  static void castAround(Operation *op) {
    OpBuilder builder(op);
    auto cast = [&](Value value, Type type) -> Value {
      return LLVM::BitcastOp::create(builder, op->getLoc(), type, value);
    };
    for (OpOperand &operand : op->getOpOperands())
      if (Type type = operand.get().getType(); retype(type) != type)
        operand.set(cast(operand.get(), type));
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults())
      if (Type type = result.getType(); retype(type) != type) {
        Value bits = cast(result, retype(type));
        result.replaceAllUsesExcept(bits, bits.getDefiningOp());
      }
  }
};

} // namespace
