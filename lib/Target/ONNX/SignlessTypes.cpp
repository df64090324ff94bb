//===- SignlessTypes.cpp - Integers as compiled code has them -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignlessTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Lists the unsigned types of `types` in the attribute `name`, if any.
static void listUnsigned(func::FuncOp function, StringRef name,
                         TypeRange types) {
  SmallVector<int64_t> indices;
  for (auto [index, type] : llvm::enumerate(types))
    if (getElementTypeOrSelf(type).isUnsignedInteger())
      indices.push_back(static_cast<int64_t>(index));
  if (!indices.empty())
    function->setAttr(name,
                      DenseI64ArrayAttr::get(function.getContext(), indices));
}

/// Returns the same bits as signless integers.
static TypedAttr makeSignless(TypedAttr value, Type element) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return cast<TypedAttr>(dense.bitcast(element));
  return IntegerAttr::get(element, cast<IntegerAttr>(value).getValue());
}

void meanvar::makeSignless(func::FuncOp function) {
  listUnsigned(function, "meanvar.unsigned_inputs",
               function.getArgumentTypes());
  listUnsigned(function, "meanvar.unsigned_outputs", function.getResultTypes());
  auto getSignless = [](IntegerType type) {
    return IntegerType::get(type.getContext(), type.getWidth());
  };
  function.walk([&](arith::ConstantOp op) {
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getType()));
    if (!element || !element.isUnsigned())
      return;
    TypedAttr value = ::makeSignless(op.getValue(), getSignless(element));
    op.setValueAttr(value);
    op.getResult().setType(value.getType());
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](IntegerType type) { return getSignless(type); });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
