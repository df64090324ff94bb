//===- TensorSizes.h - What is known of the sizes of values -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that are known at run time only are often known to be equal: those of
// one symbol, or of an input and of what is computed from it. Broadcasts and
// reshapes need no check then.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_TENSORSIZES_H
#define MEANVAR_LIB_TARGET_ONNX_TENSORSIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir::meanvar {

/// The size of one dimension: a constant, a dimension of some tensor, or a
/// computed value. Equal objects are equal sizes; different ones may be. An
/// element of a vector of sizes, too, and then perhaps negative.
class TensorSize {
public:
  static TensorSize constant(int64_t size) { return {Value(), size}; }
  static TensorSize ofDimension(Value tensor, int64_t dim);
  /// `size` is of type `index`.
  static TensorSize computed(Value size) { return {size, 0}; }

  std::optional<int64_t> getConstant() const {
    return value ? std::nullopt : std::optional<int64_t>(number);
  }
  bool isConstant(int64_t size) const { return !value && number == size; }
  /// The size in a type: `ShapedType::kDynamic` where it is not a constant.
  int64_t getStatic() const { return value ? ShapedType::kDynamic : number; }

  /// Returns the size for operations to be built at `builder`.
  OpFoldResult materialize(OpBuilder &builder, Location loc) const;

  friend bool operator==(const TensorSize &lhs, const TensorSize &rhs) {
    return lhs.value == rhs.value && lhs.number == rhs.number;
  }
  friend bool operator!=(const TensorSize &lhs, const TensorSize &rhs) {
    return !(lhs == rhs);
  }

private:
  TensorSize(Value value, int64_t number) : value(value), number(number) {}

  /// A tensor, an index, or null for a constant.
  Value value;
  /// The dimension of the tensor, or the constant.
  int64_t number;
};

using TensorShape = SmallVector<TensorSize>;

/// Returns true if some size is known to be 0.
bool isKnownEmpty(ArrayRef<TensorSize> sizes);

/// Returns the sizes in a type.
SmallVector<int64_t> getStaticSizes(ArrayRef<TensorSize> sizes);

/// Returns the sizes for operations to be built at `builder`.
SmallVector<OpFoldResult> materialize(ArrayRef<TensorSize> sizes,
                                      OpBuilder &builder, Location loc);

/// Returns the product of two sizes.
TensorSize multiply(const TensorSize &lhs, const TensorSize &rhs,
                    OpBuilder &builder, Location loc);

/// Returns the product of `sizes`: 1 where there are none.
TensorSize multiply(ArrayRef<TensorSize> sizes, OpBuilder &builder,
                    Location loc);

/// The sizes of the values of one function.
class TensorSizes {
public:
  TensorShape get(Value tensor) const;
  TensorSize get(Value tensor, int64_t dim) const;

  /// Records the sizes of `tensor`; sizes that its type knows need not be in
  /// `shape`.
  void set(Value tensor, ArrayRef<TensorSize> shape);

  /// Records that dimension `dim` of `tensor` has size `size`.
  void set(Value tensor, int64_t dim, const TensorSize &size);

  /// Records the elements of `tensor`, integers that are sizes or computed from
  /// sizes, in row-major order.
  void setElements(Value tensor, ArrayRef<TensorSize> integers) {
    elements[tensor] = TensorShape(integers);
  }

  /// Returns the elements of `tensor`, or null where they are not recorded.
  const TensorShape *getElements(Value tensor) const {
    auto known = elements.find(tensor);
    return known == elements.end() ? nullptr : &known->second;
  }

private:
  DenseMap<Value, TensorShape> shapes;
  DenseMap<Value, TensorShape> elements;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_TENSORSIZES_H
