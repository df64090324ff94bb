//===- Reshaping.cpp - Tensors of another shape ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reshaping.h"

#include "ConstantValues.h"
#include "KnownIntegers.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <utility>

using namespace mlir;
using namespace mlir::meanvar;

namespace {
/// The dimensions of two shapes between those that are equal at both ends.
struct ChangedDims {
  /// Equal dimensions at the beginning and at the end.
  size_t prefix = 0, suffix = 0;

  ChangedDims(ArrayRef<TensorSize> from, ArrayRef<TensorSize> to);

  ArrayRef<TensorSize> getChanged(ArrayRef<TensorSize> shape) const {
    return shape.drop_front(prefix).drop_back(suffix);
  }

  /// Returns which dimensions of a shape with `numChanged` changed dimensions
  /// correspond to each dimension where those are one.
  SmallVector<ReassociationIndices> getReassociation(size_t numChanged) const;
};
} // namespace

ChangedDims::ChangedDims(ArrayRef<TensorSize> from, ArrayRef<TensorSize> to) {
  // Where another size is 0, sizes that differ do not change their product.
  if (isKnownEmpty(from))
    return;
  size_t limit = std::min(from.size(), to.size());
  while (prefix < limit && from[prefix] == to[prefix])
    ++prefix;
  while (suffix < limit - prefix &&
         from[from.size() - 1 - suffix] == to[to.size() - 1 - suffix])
    ++suffix;
  // Dimensions of size 1 that one shape lacks join a neighbor.
  if (getChanged(from).empty() != getChanged(to).empty()) {
    if (prefix > 0)
      --prefix;
    else if (suffix > 0)
      --suffix;
  }
}

SmallVector<ReassociationIndices>
ChangedDims::getReassociation(size_t numChanged) const {
  SmallVector<ReassociationIndices> reassociation;
  int64_t dim = 0;
  for (size_t group = 0; group < prefix + 1 + suffix; ++group) {
    size_t size = group == prefix ? numChanged : 1;
    ReassociationIndices &indices = reassociation.emplace_back();
    for (size_t index = 0; index < size; ++index)
      indices.push_back(dim++);
  }
  return reassociation;
}

/// Returns `shape` with one dimension of size `size` in place of the changed
/// ones.
static SmallVector<int64_t> mergeChanged(ArrayRef<TensorSize> shape,
                                         const ChangedDims &changed,
                                         int64_t size) {
  SmallVector<int64_t> merged =
      getStaticSizes(shape.take_front(changed.prefix));
  merged.push_back(size);
  llvm::append_range(merged, getStaticSizes(shape.take_back(changed.suffix)));
  return merged;
}

/// Returns the product of `shape` where all sizes are constants.
static int64_t getStaticProduct(ArrayRef<TensorSize> shape) {
  int64_t product = 1;
  for (const TensorSize &size : shape) {
    if (!size.getConstant())
      return ShapedType::kDynamic;
    product *= *size.getConstant();
  }
  return product;
}

/// Creates an operation, or what it folds to: another tensor, or a constant.
template <typename Op, typename... Arguments>
static Value createOrFold(OpBuilder &builder, Location loc, Type type,
                          Value tensor, Arguments &&...arguments) {
  DenseElementsAttr elements = getConstantElements(tensor);
  if (elements && !elements.isSplat() &&
      elements.getNumElements() > maxFoldedElements)
    return Op::create(builder, loc, type, tensor,
                      std::forward<Arguments>(arguments)...);
  return builder.createOrFold<Op>(loc, type, tensor,
                                  std::forward<Arguments>(arguments)...);
}

/// Returns `tensor` with the sizes `shape` in its type, which hold at run time.
static Value castTo(OpBuilder &builder, Location loc, Value tensor,
                    ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType()).clone(shape);
  if (type == tensor.getType())
    return tensor;
  return createOrFold<tensor::CastOp>(builder, loc, type, tensor);
}

/// Reshapes from or to rank 0, where all sizes are 1.
static Value reshapeScalar(OpBuilder &builder, Location loc, Value tensor,
                           size_t rank) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> ones(rank, 1);
  if (rank == 0)
    return createOrFold<tensor::CollapseShapeOp>(
        builder, loc, type.clone(ones), tensor,
        ArrayRef<ReassociationIndices>());
  return createOrFold<tensor::ExpandShapeOp>(
      builder, loc, type.clone(ones), tensor, ArrayRef<ReassociationIndices>());
}

/// Returns `shape` without sizes that are known to be 1.
static TensorShape dropUnitSizes(ArrayRef<TensorSize> shape) {
  return llvm::filter_to_vector(
      shape, [](const TensorSize &size) { return !size.isConstant(1); });
}

/// Returns for each dimension of `shape` that is not known to have size 1 that
/// dimension and those of size 1 next to it.
static SmallVector<ReassociationIndices>
groupUnitDims(ArrayRef<TensorSize> shape) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isUnit = size.isConstant(1);
    if (isUnit && groups.empty()) {
      leading.push_back(dim);
      continue;
    }
    if (!isUnit)
      groups.push_back(std::exchange(leading, {}));
    groups.back().push_back(dim);
  }
  return groups;
}

/// Reshapes where only dimensions of size 1 come, or only such go.
static Value reshapeUnitDims(OpBuilder &builder, Location loc, Value tensor,
                             ArrayRef<TensorSize> from,
                             ArrayRef<TensorSize> to) {
  auto type =
      cast<RankedTensorType>(tensor.getType()).clone(getStaticSizes(to));
  if (from.size() > to.size())
    return createOrFold<tensor::CollapseShapeOp>(builder, loc, type, tensor,
                                                 groupUnitDims(from));
  return createOrFold<tensor::ExpandShapeOp>(builder, loc, type, tensor,
                                             groupUnitDims(to),
                                             materialize(to, builder, loc));
}

/// Reshapes by way of one dimension in place of those that change.
static Value reshapeChangedDims(OpBuilder &builder, Location loc, Value tensor,
                                ArrayRef<TensorSize> from,
                                ArrayRef<TensorSize> to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  ChangedDims changed(from, to);
  ArrayRef<TensorSize> oldDims = changed.getChanged(from);
  ArrayRef<TensorSize> newDims = changed.getChanged(to);
  if (oldDims.size() > 1)
    tensor = createOrFold<tensor::CollapseShapeOp>(
        builder, loc,
        type.clone(mergeChanged(from, changed, getStaticProduct(oldDims))),
        tensor, changed.getReassociation(oldDims.size()));
  tensor = castTo(builder, loc, tensor,
                  mergeChanged(from, changed, getStaticProduct(newDims)));
  if (newDims.size() > 1)
    tensor = createOrFold<tensor::ExpandShapeOp>(
        builder, loc, type.clone(getStaticSizes(to)), tensor,
        changed.getReassociation(newDims.size()),
        materialize(to, builder, loc));
  return tensor;
}

Value meanvar::removeUnitDimensions(const OperatorNode &node, Value tensor,
                                    ArrayRef<bool> isRemoved) {
  OpBuilder &builder = node.getBuilder();
  TensorShape shape = node.getSizes().get(tensor), kept;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes;
  bool isKnown = true;
  for (auto [size, remove] : llvm::zip_equal(shape, isRemoved)) {
    isKnown &= !remove || size.isConstant(1);
    sizes.push_back(remove ? builder.getIndexAttr(1)
                           : size.materialize(builder, node.loc));
    if (!remove)
      kept.push_back(size);
  }
  if (isKnown)
    return reshape(node, tensor, kept);
  // No slice can be taken of a tensor without elements.
  if (isKnownEmpty(kept)) {
    Value result = tensor::EmptyOp::create(
        builder, node.loc, materialize(kept, builder, node.loc),
        cast<RankedTensorType>(tensor.getType()).getElementType());
    node.getSizes().set(result, kept);
    return result;
  }
  // A slice says that the sizes are 1, which no reshape can.
  auto type =
      cast<RankedTensorType>(tensor.getType()).clone(getStaticSizes(kept));
  Value result = tensor::ExtractSliceOp::create(builder, node.loc, type, tensor,
                                                offsets, sizes, strides);
  node.getSizes().set(result, kept);
  return result;
}

Value meanvar::reshape(const OperatorNode &node, Value tensor,
                       ArrayRef<TensorSize> shape) {
  OpBuilder &builder = node.getBuilder();
  TensorShape from = node.getSizes().get(tensor);
  if (ArrayRef<TensorSize>(from) == shape)
    return tensor;
  bool isStatic = cast<RankedTensorType>(tensor.getType()).hasStaticShape();
  if (const TensorShape *known = node.getSizes().getElements(tensor);
      known && llvm::none_of(shape, [](const TensorSize &size) {
        return !size.getConstant();
      }))
    // A copy: the new tensor is recorded, too.
    return createKnownIntegers(
        node, TensorShape(*known), getStaticSizes(shape),
        cast<RankedTensorType>(tensor.getType()).getElementType());
  if (shape.empty() && !isStatic)
    return removeUnitDimensions(node, tensor,
                                SmallVector<bool>(from.size(), true));
  Value result;
  TensorShape kept = dropUnitSizes(from);
  if (shape.empty() || from.empty()) {
    result = castTo(builder, node.loc,
                    reshapeScalar(builder, node.loc, tensor, shape.size()),
                    getStaticSizes(shape));
  } else if (!kept.empty() && kept == dropUnitSizes(shape) &&
             (kept.size() == from.size() || kept.size() == shape.size())) {
    result = reshapeUnitDims(builder, node.loc, tensor, from, shape);
  } else {
    result = reshapeChangedDims(builder, node.loc, tensor, from, shape);
  }
  node.getSizes().set(result, shape);
  return result;
}
