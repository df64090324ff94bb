//===- ResultSizeChecks.cpp - Sizes that operands give --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::meanvar;

void meanvar::insertByteCountCheck(CheckBuilder &check, RankedTensorType type,
                                   ValueRange sizes) {
  Type element = type.getElementType();
  int64_t elementBytes =
      element.isIntOrFloat()
          ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
          : sizeof(int64_t);
  Value most = check.constant(std::numeric_limits<int64_t>::max());
  Value zero = check.constant(0);
  Value bytes = check.constant(elementBytes);
  Value isExact, isEmpty;
  for (Value size : sizes) {
    CheckBuilder::Product product = check.multiply(bytes, size);
    bytes = product.value;
    // Below 2^63 as well, so that the next product is one of such numbers.
    Value isCounted = check.both(
        check.compare(arith::CmpIPredicate::ule, bytes, most), product.isExact);
    isExact = isExact ? check.both(isExact, isCounted) : isCounted;
    Value isZero = check.equal(size, zero);
    isEmpty = isEmpty ? check.either(isEmpty, isZero) : isZero;
  }
  if (isExact)
    check.require(check.either(isExact, isEmpty),
                  "'" + check.getCheckedOp() +
                      "' result has more than {1} bytes");
}

void meanvar::insertGivenSizeChecks(Operation *op, ValueRange sizes) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  CheckBuilder check(op);
  SmallVector<Value> allSizes;
  bool isKnown = true;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      allSizes.push_back(check.constant(type.getDimSize(dim)));
      continue;
    }
    Value size = sizes.front();
    sizes = sizes.drop_front();
    check.requireAtLeast(getAsOpFoldResult(size), 0, "result has size", dim);
    allSizes.push_back(size);
    // The size of another tensor, which is there, can be counted.
    isKnown &= type.getRank() == 1 && size.getDefiningOp<tensor::DimOp>();
  }
  if (!isKnown)
    insertByteCountCheck(check, type, allSizes);
}

LogicalResult meanvar::insertPadChecks(tensor::PadOp op) {
  for (auto [what, padding] : {std::pair("low", op.getStaticLow()),
                               std::pair("high", op.getStaticHigh())})
    for (auto [dim, size] : llvm::enumerate(padding))
      if (size < 0 && !ShapedType::isDynamic(size))
        return op.emitOpError("has ")
               << what << " padding " << size << " in dimension " << dim
               << " (allowed: at least 0)";
  CheckBuilder check(op);
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  SmallVector<OpFoldResult> high = op.getMixedHighPad();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    check.requireAtLeast(low[dim], 0, "has low padding", dim);
    check.requireAtLeast(high[dim], 0, "has high padding", dim);
    Value size =
        check.add(check.size(op.getSource(), dim),
                  check.add(check.index(low[dim]), check.index(high[dim])));
    sizes.push_back(size);
    std::optional<int64_t> isStatic = getConstantIntValue(tensor::getMixedSize(
        check.getBuilder(), check.getLoc(), op.getSource(), dim));
    bool isKnown = isStatic && getConstantIntValue(low[dim]) &&
                   getConstantIntValue(high[dim]);
    if (type.isDynamicDim(dim) || isKnown)
      continue;
    check.requireDeclaredSize(size, type, dim);
  }
  if (!type.hasStaticShape())
    insertByteCountCheck(check, type, sizes);
  return success();
}

void meanvar::insertExpandShapeChecks(tensor::ExpandShapeOp op) {
  CheckBuilder check(op);
  auto sourceType = cast<RankedTensorType>(op.getSrc().getType());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!sourceType.isDynamicDim(dim) &&
        llvm::all_of(group, [&](int64_t resultDim) {
          return getConstantIntValue(sizes[resultDim]).has_value();
        }))
      continue;
    Value product = check.constant(1);
    Value isExact;
    for (int64_t resultDim : group) {
      check.requireAtLeast(sizes[resultDim], 0, "result has size", resultDim);
      CheckBuilder::Product next =
          check.multiply(product, check.index(sizes[resultDim]));
      product = next.value;
      isExact = isExact ? check.both(isExact, next.isExact) : next.isExact;
    }
    check.require(
        check.both(check.equal(product, check.size(op.getSrc(), dim)), isExact),
        llvm::formatv("'tensor.expand_shape' result has {{0} elements for "
                      "dimension {0}, which has size {{1}",
                      dim)
            .str());
  }
}

void meanvar::insertReshapeChecks(tensor::ReshapeOp op) {
  auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto to = dyn_cast<RankedTensorType>(op.getType());
  if (!from || !to || (from.hasStaticShape() && to.hasStaticShape()))
    return;
  CheckBuilder check(op);
  OpBuilder &builder = check.getBuilder();
  auto count = [&](Value product, Value size) {
    return check.multiply(product, size);
  };
  Value fromCount = check.constant(1), toCount = check.constant(1);
  Value isExact;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    fromCount = count(fromCount, check.size(op.getSource(), dim)).value;
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    Value size = tensor::ExtractOp::create(builder, check.getLoc(),
                                           op.getShape(), check.constant(dim));
    if (!size.getType().isIndex())
      size = arith::IndexCastOp::create(builder, check.getLoc(),
                                        builder.getIndexType(), size);
    if (to.isDynamicDim(dim))
      check.requireAtLeast(size, 0, "result has size", dim);
    else
      check.requireDeclaredSize(size, to, dim);
    CheckBuilder::Product next = count(toCount, size);
    toCount = next.value;
    isExact = isExact ? check.both(isExact, next.isExact) : next.isExact;
  }
  Value isEqual = check.equal(toCount, fromCount);
  check.require(isExact ? check.both(isEqual, isExact) : isEqual,
                "'tensor.reshape' result has {0} elements, but its operand has "
                "{1}");
}
