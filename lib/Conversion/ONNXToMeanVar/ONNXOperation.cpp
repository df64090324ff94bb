//===- ONNXOperation.cpp - An operator of ONNX in another dialect ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "ONNXOperation.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::meanvar;

Attribute ONNXOperation::getAttribute(StringRef name) const {
  return op->getAttr((attributePrefix + name).str());
}

std::optional<SmallVector<int64_t>>
ONNXOperation::getIntegers(StringRef name, ArrayRef<int64_t> otherwise) const {
  Attribute attribute = getAttribute(name);
  if (!attribute)
    return llvm::to_vector(otherwise);
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute))
    return llvm::to_vector(array.asArrayRef());
  auto array = dyn_cast<ArrayAttr>(attribute);
  if (!array || !llvm::all_of(array, llvm::IsaPred<IntegerAttr>))
    return std::nullopt;
  return llvm::map_to_vector(
      array.getAsRange<IntegerAttr>(),
      [](IntegerAttr integer) { return integer.getValue().getSExtValue(); });
}

std::optional<int64_t> ONNXOperation::getInteger(StringRef name,
                                                 int64_t otherwise) const {
  Attribute attribute = getAttribute(name);
  if (!attribute)
    return otherwise;
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer ? std::optional(integer.getValue().getSExtValue())
                 : std::nullopt;
}

std::optional<double> ONNXOperation::getFloat(StringRef name,
                                              double otherwise) const {
  Attribute attribute = getAttribute(name);
  if (!attribute)
    return otherwise;
  auto number = dyn_cast<FloatAttr>(attribute);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

void ONNXOperation::replace(ValueRange values) const {
  for (auto [index, value] : llvm::enumerate(values)) {
    if (!isOutputUsed(index))
      continue;
    Value output = op->getResult(index);
    rewriter.replaceAllUsesWith(
        output, castTensor(rewriter, op->getLoc(), value, output.getType()));
  }
  rewriter.eraseOp(op);
}
