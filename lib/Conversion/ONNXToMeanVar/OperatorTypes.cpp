//===- OperatorTypes.cpp - Types of other compilers' tensors --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "OperatorTypes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::meanvar;

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

RankedTensorType meanvar::getTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parseTorchType(type);
  Type element = tensor.getElementType();
  bool isTaken =
      element.isF16() || element.isBF16() || element.isF32() || element.isF64();
  return isTaken && !tensor.getEncoding() ? tensor : RankedTensorType();
}

bool meanvar::isMissing(Type type) {
  if (isa<NoneType>(type))
    return true;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text == "!torch.none";
}

bool meanvar::isCastable(RankedTensorType type, Type declared) {
  if (auto torch = parseTorchType(declared))
    return torch == type;
  return tensor::CastOp::areCastCompatible(type, declared);
}

Value meanvar::castTensor(OpBuilder &builder, Location loc, Value value,
                          Type type) {
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
