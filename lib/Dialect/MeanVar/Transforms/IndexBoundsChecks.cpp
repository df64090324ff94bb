//===- IndexBoundsChecks.cpp - Slices and elements in bounds --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeChecks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::meanvar;
using Bounds = ValueBoundsConstraintSet;

namespace {
/// What a slice takes of one dimension of a tensor.
struct SlicedDim {
  OpFoldResult offset, size, stride;
  Value tensor;
  int64_t dim;
};
} // namespace

/// Returns true if the slice is known to be in bounds, or is known when the
/// operation is verified.
static bool isKnownToBeInBounds(const CheckBuilder &check,
                                const SlicedDim &slice) {
  std::optional<int64_t> stride = getConstantIntValue(slice.stride);
  auto type = cast<RankedTensorType>(slice.tensor.getType());
  if (!stride)
    return false;
  if (getConstantIntValue(slice.offset) && getConstantIntValue(slice.size) &&
      !type.isDynamicDim(slice.dim))
    return true;
  if (*stride < 1 || !check.isKnownAtLeast(slice.offset, 0) ||
      !check.isKnownAtLeast(slice.size, 0))
    return false;
  AffineExpr offset, size;
  bindDims(slice.tensor.getContext(), offset, size);
  AffineMap end = AffineMap::get(2, 0, offset + (size - 1) * *stride + 1);
  return check.isKnown(Bounds::Variable(end, {Bounds::Variable(slice.offset),
                                              Bounds::Variable(slice.size)}),
                       Bounds::LE, Bounds::Variable(slice.tensor, slice.dim));
}

/// Checks of a slice, whose offset and size are not negative, that it ends in
/// its tensor. An empty slice may start behind the last element.
static void requireEndInBounds(CheckBuilder &check, const SlicedDim &slice) {
  using Predicate = arith::CmpIPredicate;
  Value offset = check.index(slice.offset);
  Value size = check.index(slice.size);
  Value limit = check.size(slice.tensor, slice.dim);
  std::string message =
      llvm::formatv("'{0}' slice ends at {{0} in dimension {1}, which has size "
                    "{{1}",
                    check.getCheckedOp(), slice.dim);
  if (isConstantIntValue(slice.stride, 1)) {
    Value end = check.addSaturating(offset, size);
    check.require(check.compare(Predicate::ule, end, limit), message);
    return;
  }
  Value one = check.constant(1);
  CheckBuilder::Product reach =
      check.multiply(check.subtract(size, one), check.index(slice.stride));
  Value last = check.add(offset, reach.value);
  Value left = check.subtract(limit, offset);
  Value isInBounds = check.both(
      check.compare(Predicate::ule, check.addSaturating(last, one), limit),
      check.both(check.both(reach.isExact,
                            check.compare(Predicate::ult, offset, limit)),
                 check.compare(Predicate::ult, reach.value, left)));
  Value isEmpty = check.both(check.equal(size, check.constant(0)),
                             check.compare(Predicate::ule, offset, limit));
  check.require(check.either(isInBounds, isEmpty), message);
}

/// Returns true if the elements of the slice are only read by linalg
/// operations. They may then be the same one: the stride may be 0.
static bool isOnlyReadByLinalg(OffsetSizeAndStrideOpInterface slice) {
  auto extract = dyn_cast<tensor::ExtractSliceOp>(slice.getOperation());
  return extract && llvm::all_of(extract->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return user && user.isDpsInput(&use);
         });
}

void meanvar::insertSliceChecks(OffsetSizeAndStrideOpInterface op,
                                Value tensor) {
  CheckBuilder check(op);
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  int64_t smallestStride = isOnlyReadByLinalg(op) ? 0 : 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    SlicedDim slice = {offsets[dim], sizes[dim], strides[dim], tensor, dim};
    if (isKnownToBeInBounds(check, slice))
      continue;
    check.requireAtLeast(slice.offset, 0, "has offset", dim);
    check.requireAtLeast(slice.size, 0, "has size", dim);
    check.requireAtLeast(slice.stride, smallestStride, "has stride", dim);
    requireEndInBounds(check, slice);
  }
}

void meanvar::insertInsertedSizeChecks(
    OffsetSizeAndStrideOpInterface op, Value source,
    const llvm::SmallBitVector &droppedDims) {
  CheckBuilder check(op);
  auto type = cast<RankedTensorType>(source.getType());
  int64_t sourceDim = 0;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (droppedDims.test(dim))
      continue;
    int64_t current = sourceDim++;
    bool isKnown = getConstantIntValue(size) && !type.isDynamicDim(current);
    if (isKnown ||
        check.isKnown(size, Bounds::EQ, Bounds::Variable(source, current)))
      continue;
    check.require(
        check.equal(check.size(source, current), check.index(size)),
        llvm::formatv("'{0}' operand 0 has size {{0} in dimension {1}, which "
                      "differs from size {{1} of the slice",
                      check.getCheckedOp(), current)
            .str());
  }
}

/// Requires 0 <= `index` < `limit`, which is what an unsigned comparison asks.
static void requireInRange(CheckBuilder &check, Value index, Value limit,
                           const Twine &message) {
  check.require(check.compare(arith::CmpIPredicate::ult, index, limit),
                message);
}

void meanvar::insertElementChecks(Operation *op, Value tensor,
                                  ValueRange indices) {
  CheckBuilder check(op);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type)
    return;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    OpFoldResult folded = getAsOpFoldResult(index);
    if (check.isKnownAtLeast(folded, 0) &&
        check.isKnownBelowSize(folded, tensor, static_cast<int64_t>(dim)))
      continue;
    requireInRange(
        check, index, check.size(tensor, static_cast<int64_t>(dim)),
        llvm::formatv("'{0}' has index {{0} in dimension {1}, which has size "
                      "{{1}",
                      check.getCheckedOp(), dim)
            .str());
  }
}

void meanvar::insertDimChecks(tensor::DimOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  std::optional<int64_t> dim = op.getConstantIndex();
  if (!type || (dim && *dim >= 0 && *dim < type.getRank()))
    return;
  CheckBuilder check(op);
  requireInRange(check, op.getIndex(), check.constant(type.getRank()),
                 "'tensor.dim' asks for dimension {0} of a tensor of rank {1}");
}
