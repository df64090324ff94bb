//===- TensorSizes.cpp - What is known of the sizes of values -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::meanvar;

TensorSize TensorSize::ofDimension(Value tensor, int64_t dim) {
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  return ShapedType::isDynamic(size) ? TensorSize(tensor, dim) : constant(size);
}

OpFoldResult TensorSize::materialize(OpBuilder &builder, Location loc) const {
  if (!value)
    return builder.getIndexAttr(number);
  if (isa<IndexType>(value.getType()))
    return value;
  return tensor::getMixedSize(builder, loc, value, number);
}

bool meanvar::isKnownEmpty(ArrayRef<TensorSize> sizes) {
  return llvm::any_of(
      sizes, [](const TensorSize &size) { return size.isConstant(0); });
}

SmallVector<int64_t> meanvar::getStaticSizes(ArrayRef<TensorSize> sizes) {
  return llvm::map_to_vector(
      sizes, [](const TensorSize &size) { return size.getStatic(); });
}

SmallVector<OpFoldResult> meanvar::materialize(ArrayRef<TensorSize> sizes,
                                               OpBuilder &builder,
                                               Location loc) {
  return llvm::map_to_vector(sizes, [&](const TensorSize &size) {
    return size.materialize(builder, loc);
  });
}

TensorSize meanvar::multiply(const TensorSize &lhs, const TensorSize &rhs,
                             OpBuilder &builder, Location loc) {
  if (lhs.isConstant(1))
    return rhs;
  if (rhs.isConstant(1))
    return lhs;
  std::optional<int64_t> left = lhs.getConstant(), right = rhs.getConstant();
  if (left && right)
    return TensorSize::constant(
        llvm::SaturatingMultiply<uint64_t>(*left, *right) > INT64_MAX
            ? INT64_MAX
            : *left * *right);
  auto toValue = [&](const TensorSize &size) {
    return getValueOrCreateConstantIndexOp(builder, loc,
                                           size.materialize(builder, loc));
  };
  Value leftValue = toValue(lhs), rightValue = toValue(rhs);
  return TensorSize::computed(
      arith::MulIOp::create(builder, loc, leftValue, rightValue));
}

TensorSize meanvar::multiply(ArrayRef<TensorSize> sizes, OpBuilder &builder,
                             Location loc) {
  // Constants first: sizes of which one is 0 have a product of 0.
  TensorSize product = TensorSize::constant(1);
  for (const TensorSize &size : sizes)
    if (size.getConstant())
      product = multiply(product, size, builder, loc);
  if (product.isConstant(0))
    return product;
  for (const TensorSize &size : sizes)
    if (!size.getConstant())
      product = multiply(product, size, builder, loc);
  return product;
}

TensorShape TensorSizes::get(Value tensor) const {
  auto known = shapes.find(tensor);
  if (known != shapes.end())
    return known->second;
  TensorShape shape;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    shape.push_back(TensorSize::ofDimension(tensor, dim));
  return shape;
}

TensorSize TensorSizes::get(Value tensor, int64_t dim) const {
  auto known = shapes.find(tensor);
  return known == shapes.end() ? TensorSize::ofDimension(tensor, dim)
                               : known->second[dim];
}

void TensorSizes::set(Value tensor, ArrayRef<TensorSize> shape) {
  TensorShape &known = shapes[tensor];
  known.assign(shape.begin(), shape.end());
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      known[dim] = TensorSize::constant(type.getDimSize(dim));
}

void TensorSizes::set(Value tensor, int64_t dim, const TensorSize &size) {
  TensorShape shape = get(tensor);
  shape[dim] = size;
  set(tensor, shape);
}
