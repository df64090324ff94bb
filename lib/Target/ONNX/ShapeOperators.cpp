//===- ShapeOperators.cpp - Reshape, Transpose and the like ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantValues.h"
#include "DimensionChecks.h"
#include "Names.h"
#include "OperatorTable.h"
#include "Reshaping.h"
#include "Types.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// Removes from both lists the sizes that are in both, but for constants.
static void cancelCommonSizes(TensorShape &lhs, TensorShape &rhs) {
  for (size_t index = 0; index < lhs.size();) {
    auto *found = llvm::find(rhs, lhs[index]);
    if (lhs[index].getConstant() || found == rhs.end()) {
      ++index;
      continue;
    }
    rhs.erase(found);
    lhs.erase(lhs.begin() + index);
  }
}

/// Returns the size that makes a shape of the sizes `others` have as many
/// elements as `from`; it has to be a whole number.
static FailureOr<TensorSize> inferSize(const OperatorNode &node,
                                       TensorShape from, TensorShape others) {
  OpBuilder &builder = node.getBuilder();
  cancelCommonSizes(from, others);
  TensorSize numElements = multiply(from, builder, node.loc);
  TensorSize divisor = multiply(others, builder, node.loc);
  if (divisor.isConstant(1))
    return numElements;
  if (divisor.isConstant(0))
    return node.emitError() << "-1 in the shape stands for any size where "
                               "another size is 0 (allowed: a size)";
  std::string message = withoutBraces(node.description) +
                        ": {1} elements do not fill a shape whose other sizes "
                        "have room for {0} of them";
  std::optional<int64_t> dividend = numElements.getConstant();
  if (dividend && divisor.getConstant()) {
    if (*dividend % *divisor.getConstant() != 0)
      return node.emitError()
             << *dividend << " elements do not fill the shape: they are not a "
             << "multiple of " << *divisor.getConstant()
             << ", the product of the sizes that are given";
    return TensorSize::constant(*dividend / *divisor.getConstant());
  }
  Value dividendValue = getValueOrCreateConstantIndexOp(
      builder, node.loc, numElements.materialize(builder, node.loc));
  Value divisorValue = getValueOrCreateConstantIndexOp(
      builder, node.loc, divisor.materialize(builder, node.loc));
  Value size =
      arith::DivUIOp::create(builder, node.loc, dividendValue, divisorValue);
  Value filled = arith::MulIOp::create(builder, node.loc, size, divisorValue);
  if (failed(checkEqualSizes(builder, node.loc, OpFoldResult(filled),
                             OpFoldResult(dividendValue), message)))
    return failure();
  return TensorSize::computed(size);
}

/// Checks that two shapes have equally many elements.
static LogicalResult checkNumElements(const OperatorNode &node,
                                      TensorShape from, TensorShape to) {
  OpBuilder &builder = node.getBuilder();
  cancelCommonSizes(from, to);
  std::string message = withoutBraces(node.description) +
                        ": the input has {0} elements, but the shape {1}";
  if (from.empty() && to.empty())
    return success();
  TensorSize numElements = multiply(from, builder, node.loc);
  TensorSize needed = multiply(to, builder, node.loc);
  return checkEqualSizes(builder, node.loc, numElements, needed, message);
}

/// Checks a size of the shape of a Reshape that is known at run time only. If
/// it is 0, it stands for the size of the input, so that has to be 0 as well.
static LogicalResult checkRunTimeSize(const OperatorNode &node, int64_t dim,
                                      const TensorSize &size) {
  OpBuilder &builder = node.getBuilder();
  TensorShape from = node.getSizes().get(node.inputs[0]);
  bool isInInput = dim < static_cast<int64_t>(from.size());
  if (isInInput && from[dim] == size)
    return success();
  auto toIndex = [&](const TensorSize &any) {
    return getValueOrCreateConstantIndexOp(builder, node.loc,
                                           any.materialize(builder, node.loc));
  };
  Value given = toIndex(size), zero = toIndex(TensorSize::constant(0));
  Value copied = toIndex(isInInput ? from[dim] : TensorSize::constant(-1));
  Value isZero = arith::CmpIOp::create(builder, node.loc,
                                       arith::CmpIPredicate::eq, given, zero);
  Value meant =
      arith::SelectOp::create(builder, node.loc, isZero, copied, given);
  std::string message = withoutBraces(node.description) +
                        ": the shape has size {0} in dimension " +
                        std::to_string(dim) +
                        (isInInput ? ", which stands for size {1} of the input "
                                     "(allowed: sizes other than 0)"
                                   : ", which the input lacks");
  return checkEqualSizes(builder, node.loc, OpFoldResult(given),
                         OpFoldResult(meant), message);
}

/// Returns the size that is meant by `size`, which may be -1.
static FailureOr<TensorSize> readTargetSize(const OperatorNode &node,
                                            int64_t dim, const TensorSize &size,
                                            bool allowsZero) {
  std::optional<int64_t> constant = size.getConstant();
  if (!constant)
    return !allowsZero && failed(checkRunTimeSize(node, dim, size))
               ? FailureOr<TensorSize>(failure())
               : size;
  if (*constant < -1)
    return node.emitError()
           << "the shape has size " << *constant << " in dimension " << dim
           << " (allowed: -1 and up)";
  if (*constant != 0 || allowsZero)
    return size;
  TensorShape from = node.getSizes().get(node.inputs[0]);
  if (dim >= static_cast<int64_t>(from.size()))
    return node.emitError()
           << "the shape has size 0 in dimension " << dim
           << ", which the input of rank " << from.size() << " lacks";
  return from[dim];
}

/// Returns the sizes that are given for a Reshape.
static FailureOr<TensorShape> getGivenShape(const OperatorNode &node) {
  if (node.opset >= 5) {
    if (failed(checkIntegerList(node, 1)))
      return failure();
    if (const TensorShape *known = node.getSizes().getElements(node.inputs[1]))
      return *known;
  } else if (!node.attributes.contains("shape")) {
    return node.emitError() << "attribute 'shape' is missing";
  }
  FailureOr<SmallVector<int64_t>> sizes =
      node.opset < 5 ? node.getIntegers("shape") : getConstantIntegers(node, 1);
  if (failed(sizes))
    return failure();
  return TensorShape(llvm::map_range(
      *sizes, [](int64_t size) { return TensorSize::constant(size); }));
}

/// Returns the shape that the integers of a Reshape mean: 0 copies the size of
/// the input, unless `allowsZero`, and -1 is inferred.
static FailureOr<TensorShape> readTargetShape(const OperatorNode &node,
                                              ArrayRef<TensorSize> sizes,
                                              bool allowsZero) {
  TensorShape from = node.getSizes().get(node.inputs[0]), to, others;
  std::optional<size_t> inferred;
  if (static_cast<int64_t>(sizes.size()) > maxRank)
    return node.emitError() << "the shape has rank " << sizes.size()
                            << " (allowed: up to " << maxRank << ")";
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size.isConstant(-1) && inferred)
      return node.emitError()
             << "the shape has size -1 in dimensions " << *inferred << " and "
             << dim << " (allowed: -1 once)";
    FailureOr<TensorSize> meant = readTargetSize(node, dim, size, allowsZero);
    if (failed(meant))
      return failure();
    to.push_back(*meant);
    if (size.isConstant(-1))
      inferred = dim;
    else
      others.push_back(to.back());
  }
  if (failed(checkShape(
          getStaticSizes(others), [&] { return node.emitError(); },
          "the result")))
    return failure();
  if (!inferred)
    return failed(checkNumElements(node, from, to)) ? FailureOr<TensorShape>()
                                                    : to;
  FailureOr<TensorSize> size = inferSize(node, from, others);
  if (failed(size))
    return failure();
  to[*inferred] = *size;
  return to;
}

static FailureOr<SmallVector<Value>> importReshape(const OperatorNode &node) {
  FailureOr<bool> allowsZero = node.getFlag("allowzero", false);
  if (failed(allowsZero))
    return failure();
  FailureOr<TensorShape> sizes = getGivenShape(node);
  if (failed(sizes))
    return failure();
  FailureOr<TensorShape> shape = readTargetShape(node, *sizes, *allowsZero);
  if (failed(shape))
    return failure();
  return SmallVector<Value>{reshape(node, node.inputs[0], *shape)};
}

static FailureOr<SmallVector<Value>> importFlatten(const OperatorNode &node) {
  FailureOr<int64_t> axis = node.getInteger("axis", 1);
  if (failed(axis))
    return failure();
  TensorShape from = node.getSizes().get(node.inputs[0]);
  int64_t rank = static_cast<int64_t>(from.size());
  // A scalar has no axis 1, which is the default.
  if (rank == 0 && !node.attributes.contains("axis"))
    axis = 0;
  FailureOr<int64_t> dim = normalizeAxis(node, *axis, rank, rank);
  if (failed(dim))
    return failure();
  ArrayRef<TensorSize> sizes(from);
  OpBuilder &builder = node.getBuilder();
  TensorSize outer = multiply(sizes.take_front(*dim), builder, node.loc);
  TensorSize inner = multiply(sizes.drop_front(*dim), builder, node.loc);
  return SmallVector<Value>{reshape(node, node.inputs[0], {outer, inner})};
}

//===----------------------------------------------------------------------===//
// Squeeze and Unsqueeze
//===----------------------------------------------------------------------===//

static constexpr int64_t axesInputOpset = 13;

/// Checks that dimension `dim` of the input has size 1.
static LogicalResult checkUnitSize(const OperatorNode &node, int64_t dim,
                                   const TensorSize &size) {
  std::string message = withoutBraces(node.description) + ": dimension " +
                        std::to_string(dim) +
                        " of the input has size {0} (allowed: {1})";
  return checkEqualSizes(node.getBuilder(), node.loc, size,
                         TensorSize::constant(1), message);
}

static FailureOr<SmallVector<Value>> importSqueeze(const OperatorNode &node) {
  auto axes = getOptionalAxes(node, node.opset < axesInputOpset);
  if (failed(axes))
    return failure();
  TensorShape shape = node.getSizes().get(node.inputs[0]);
  SmallVector<bool> isRemoved(shape.size(), false);
  if (*axes) {
    FailureOr<SmallVector<bool>> dims = checkAxes(node, **axes, shape.size());
    if (failed(dims))
      return failure();
    isRemoved = *dims;
  }
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (!*axes) {
      // The rank of the result would depend on sizes.
      if (!size.getConstant())
        return node.emitError()
               << "dimension " << dim
               << " of the input is known at run time only (allowed without "
                  "axes: static sizes)";
      isRemoved[dim] = size.isConstant(1);
    } else if (isRemoved[dim] && failed(checkUnitSize(node, dim, size))) {
      return failure();
    }
  }
  return SmallVector<Value>{
      removeUnitDimensions(node, node.inputs[0], isRemoved)};
}

static FailureOr<SmallVector<Value>> importUnsqueeze(const OperatorNode &node) {
  auto axes = getOptionalAxes(node, node.opset < axesInputOpset);
  if (failed(axes))
    return failure();
  if (!*axes)
    return node.emitError() << "attribute 'axes' is missing";
  TensorShape from = node.getSizes().get(node.inputs[0]), to;
  int64_t rank = static_cast<int64_t>(from.size() + (*axes)->size());
  if (rank > maxRank)
    return node.emitError() << "the result has rank " << rank
                            << " (allowed: up to " << maxRank << ")";
  FailureOr<SmallVector<bool>> isNew = checkAxes(node, **axes, rank);
  if (failed(isNew))
    return failure();
  auto *size = from.begin();
  for (bool isInserted : *isNew)
    to.push_back(isInserted ? TensorSize::constant(1) : *size++);
  return SmallVector<Value>{reshape(node, node.inputs[0], to)};
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

/// Returns the permutation of a Transpose, which reverses by default.
static FailureOr<SmallVector<int64_t>> getPermutation(const OperatorNode &node,
                                                      int64_t rank) {
  if (!node.attributes.contains("perm"))
    return llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
  FailureOr<SmallVector<int64_t>> permutation = node.getIntegers("perm");
  if (failed(permutation))
    return failure();
  SmallVector<bool> seen(rank, false);
  bool isPermutation = static_cast<int64_t>(permutation->size()) == rank;
  for (int64_t dim : *permutation) {
    isPermutation &= dim >= 0 && dim < rank && !seen[dim];
    if (!isPermutation)
      break;
    seen[dim] = true;
  }
  if (!isPermutation)
    return node.emitError()
           << "attribute 'perm' is not a permutation of the dimensions of the "
              "input, which has rank "
           << rank;
  return *permutation;
}

static FailureOr<SmallVector<Value>> importTranspose(const OperatorNode &node) {
  TensorShape from = node.getSizes().get(node.inputs[0]), to;
  FailureOr<SmallVector<int64_t>> permutation =
      getPermutation(node, static_cast<int64_t>(from.size()));
  if (failed(permutation))
    return failure();
  if (llvm::is_sorted(*permutation))
    return SmallVector<Value>{node.inputs[0]};
  for (int64_t dim : *permutation)
    to.push_back(from[dim]);
  OpBuilder &builder = node.getBuilder();
  Value destination = tensor::EmptyOp::create(
      builder, node.loc, materialize(to, builder, node.loc),
      node.getElementType(0));
  Value result = linalg::TransposeOp::create(builder, node.loc, node.inputs[0],
                                             destination, *permutation)
                     ->getResult(0);
  node.getSizes().set(result, to);
  return SmallVector<Value>{result};
}

ArrayRef<OperatorVersion> meanvar::getShapeOperators() {
  static constexpr unsigned before13 = storedTypes & ~bfloat16Type;
  static constexpr OperatorVersion operators[] = {
      {"Flatten", 1, 1, 1, 1, 1, ieeeTypes, "axis", importFlatten},
      {"Flatten", 9, 1, 1, 1, 1, before13, "axis", importFlatten},
      {"Flatten", 13, 1, 1, 1, 1, storedTypes, "axis", importFlatten},
      {"Reshape", 1, 1, 1, 1, 1, ieeeTypes, "shape,consumed_inputs",
       importReshape},
      {"Reshape", 5, 2, 2, 1, 1, before13, "", importReshape},
      {"Reshape", 13, 2, 2, 1, 1, storedTypes, "", importReshape},
      {"Reshape", 14, 2, 2, 1, 1, storedTypes, "allowzero", importReshape},
      {"Squeeze", 1, 1, 1, 1, 1, before13, "axes", importSqueeze},
      {"Squeeze", 13, 1, 2, 1, 1, storedTypes, "", importSqueeze},
      {"Transpose", 1, 1, 1, 1, 1, before13, "perm", importTranspose},
      {"Transpose", 13, 1, 1, 1, 1, storedTypes, "perm", importTranspose},
      {"Unsqueeze", 1, 1, 1, 1, 1, before13, "axes", importUnsqueeze},
      {"Unsqueeze", 13, 2, 2, 1, 1, storedTypes, "", importUnsqueeze},
  };
  return operators;
}
