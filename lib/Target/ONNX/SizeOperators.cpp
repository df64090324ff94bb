//===- SizeOperators.cpp - Shape, and vectors of sizes --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shape and Size, and the operators that take vectors of integers apart and
// put them together. Those take nothing else: there is no Concat of data.
//
//===----------------------------------------------------------------------===//

#include "ConstantValues.h"
#include "KnownIntegers.h"
#include "OperatorTable.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns `integer` as a dimension counted from the beginning, and within
/// `rank`.
static int64_t clampDim(int64_t integer, int64_t rank) {
  if (integer < 0)
    integer += rank;
  return std::clamp<int64_t>(integer, 0, rank);
}

/// Returns the vector of `elements` as the only output.
static SmallVector<Value> createVector(const OperatorNode &node,
                                       ArrayRef<TensorSize> elements,
                                       Type type) {
  return {createKnownIntegers(node, elements,
                              static_cast<int64_t>(elements.size()), type)};
}

static FailureOr<SmallVector<Value>> importShape(const OperatorNode &node) {
  TensorShape shape = node.getSizes().get(node.inputs[0]);
  auto rank = static_cast<int64_t>(shape.size());
  FailureOr<int64_t> start = node.getInteger("start", 0);
  if (failed(start))
    return failure();
  FailureOr<int64_t> end = node.getInteger("end", rank);
  if (failed(end))
    return failure();
  int64_t first = clampDim(*start, rank), last = clampDim(*end, rank);
  ArrayRef<TensorSize> sizes =
      ArrayRef(shape).slice(first, std::max<int64_t>(last - first, 0));
  return createVector(node, sizes, node.getBuilder().getI64Type());
}

static FailureOr<SmallVector<Value>> importSize(const OperatorNode &node) {
  TensorSize size = multiply(node.getSizes().get(node.inputs[0]),
                             node.getBuilder(), node.loc);
  return SmallVector<Value>{createKnownIntegers(
      node, size, /*shape=*/{}, node.getBuilder().getI64Type())};
}

/// Returns the elements of input number `index`, a vector of sizes.
static FailureOr<TensorShape> getVector(const OperatorNode &node,
                                        size_t index) {
  RankedTensorType type = node.getInputType(index);
  if (type.getRank() != 1)
    return node.emitError()
           << node.describeInput(index) << " has rank " << type.getRank()
           << " (allowed: vectors of sizes, of rank 1)";
  std::optional<TensorShape> known = getKnownIntegers(node, node.inputs[index]);
  if (!known)
    return node.emitError() << node.describeInput(index)
                            << " is no vector of up to " << maxKnownIntegers
                            << " sizes (allowed: constants, results of Shape, "
                               "and what follows from them at import)";
  return *known;
}

/// Checks that the attribute 'axis', if given, is that of a vector.
static LogicalResult checkVectorAxis(const OperatorNode &node,
                                     int64_t defaultAxis) {
  FailureOr<int64_t> axis = node.getInteger("axis", defaultAxis);
  return failed(axis) ? failure()
                      : LogicalResult(normalizeAxis(node, *axis, 1, 0));
}

static FailureOr<SmallVector<Value>> importGather(const OperatorNode &node) {
  if (failed(checkVectorAxis(node, 0)))
    return failure();
  FailureOr<TensorShape> vector = getVector(node, 0);
  FailureOr<SmallVector<int64_t>> indices =
      succeeded(vector) ? getConstantIndices(node, 1)
                        : FailureOr<SmallVector<int64_t>>(failure());
  if (failed(indices))
    return failure();
  auto size = static_cast<int64_t>(vector->size());
  int64_t first = node.opset < 11 ? 0 : -size;
  TensorShape elements;
  for (int64_t index : *indices) {
    if (index < first || index >= size)
      return node.emitError()
             << node.describeInput(1) << " has index " << index
             << " (allowed: " << first << " to " << size - 1 << ")";
    elements.push_back((*vector)[index < 0 ? index + size : index]);
  }
  return SmallVector<Value>{createKnownIntegers(
      node, elements, node.getInputType(1).getShape(), node.getElementType(0))};
}

static FailureOr<SmallVector<Value>> importConcat(const OperatorNode &node) {
  if (node.opset >= 4 && !node.attributes.contains("axis"))
    return node.emitError() << "attribute 'axis' is missing";
  if (failed(checkVectorAxis(node, 1)))
    return failure();
  TensorShape elements;
  for (size_t index = 0; index < node.inputs.size(); ++index) {
    FailureOr<TensorShape> vector = getVector(node, index);
    if (failed(vector))
      return failure();
    llvm::append_range(elements, *vector);
    if (static_cast<int64_t>(elements.size()) > maxKnownIntegers)
      return node.emitError()
             << "the result has more than " << maxKnownIntegers << " elements";
  }
  return createVector(node, elements, node.getElementType(0));
}

namespace {
/// What a Slice of a vector takes.
struct SliceRange {
  int64_t start = 0, end = 0, step = 1;
};
} // namespace

/// Returns the one integer that a Slice of a vector has in the attribute
/// `name`, from opset 10 on in input `index`; or the default if it has none.
static FailureOr<int64_t> getSliceInteger(const OperatorNode &node,
                                          StringRef name, size_t index,
                                          std::optional<int64_t> byDefault) {
  bool isAttribute = node.opset < 10;
  bool isGiven =
      isAttribute ? node.attributes.contains(name) : node.hasInput(index);
  if (!isGiven && byDefault)
    return *byDefault;
  if (!isGiven)
    return node.emitError() << "attribute '" << name << "' is missing";
  FailureOr<SmallVector<int64_t>> integers =
      isAttribute ? node.getIntegers(name) : getConstantIndices(node, index);
  if (failed(integers))
    return failure();
  if (integers->size() != 1)
    return node.emitError() << "has " << integers->size() << " " << name
                            << " (allowed: 1, for a vector)";
  return integers->front();
}

static FailureOr<SliceRange> getSliceRange(const OperatorNode &node) {
  FailureOr<int64_t> start = getSliceInteger(node, "starts", 1, std::nullopt);
  if (failed(start))
    return failure();
  FailureOr<int64_t> end = getSliceInteger(node, "ends", 2, std::nullopt);
  if (failed(end))
    return failure();
  FailureOr<int64_t> axis = getSliceInteger(node, "axes", 3, 0);
  if (failed(axis) || failed(checkAxes(node, *axis, /*rank=*/1)))
    return failure();
  FailureOr<int64_t> step = getSliceInteger(node, "steps", 4, 1);
  if (failed(step))
    return failure();
  if (*step == 0)
    return node.emitError() << "has step 0 (allowed: any other)";
  return SliceRange{*start, *end, *step};
}

/// Imports a Slice of a vector. As in NumPy, what is out of range is cut off.
static FailureOr<SmallVector<Value>> importSlice(const OperatorNode &node) {
  FailureOr<TensorShape> vector = getVector(node, 0);
  if (failed(vector))
    return failure();
  FailureOr<SliceRange> range = getSliceRange(node);
  if (failed(range))
    return failure();
  auto size = static_cast<int64_t>(vector->size());
  // Backwards, the last element is the first, and -1 stands before all.
  bool isForward = range->step > 0;
  int64_t lowest = isForward ? 0 : -1, highest = isForward ? size : size - 1;
  auto clamp = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size : index, lowest,
                               highest);
  };
  int64_t end = clamp(range->end);
  TensorShape elements;
  // A step leaves the vector at once if it is longer than that.
  int64_t step = std::clamp<int64_t>(range->step, -size - 1, size + 1);
  for (int64_t index = clamp(range->start);
       isForward ? index < end : index > end; index += step)
    elements.push_back((*vector)[index]);
  return createVector(node, elements, node.getElementType(0));
}

ArrayRef<OperatorVersion> meanvar::getSizeOperators() {
  static constexpr unsigned before13 = storedTypes & ~bfloat16Type;
  static constexpr OperatorVersion operators[] = {
      {"Concat", 1, 1, variadic, 1, variadic, integerTypes, "axis",
       importConcat},
      {"Gather", 1, 2, 2, 1, 1, integerTypes, "axis", importGather},
      {"Shape", 1, 1, 1, 1, 1, before13, "", importShape},
      {"Shape", 13, 1, 1, 1, 1, storedTypes, "", importShape},
      {"Shape", 15, 1, 1, 1, 1, storedTypes, "end,start", importShape},
      {"Size", 1, 1, 1, 1, 1, before13, "", importSize},
      {"Size", 13, 1, 1, 1, 1, storedTypes, "", importSize},
      {"Slice", 1, 1, 1, 1, 1, integerTypes, "axes,ends,starts", importSlice},
      {"Slice", 10, 3, 5, 1, 1, integerTypes, "", importSlice},
  };
  return operators;
}
