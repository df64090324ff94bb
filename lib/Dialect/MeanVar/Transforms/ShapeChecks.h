//===- ShapeChecks.h - What is checked of each operation --------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to meanvar-insert-shape-checks. Each function below inserts in front
// of an operation the checks that its types do not decide. Where a size is
// known to hold already, nothing is inserted.
//
// Upstream's RuntimeVerifiableOpInterface is not used: its conditions may
// overflow, and its messages do not hold the numbers that disagree.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_DIALECT_MEANVAR_TRANSFORMS_SHAPECHECKS_H
#define MEANVAR_LIB_DIALECT_MEANVAR_TRANSFORMS_SHAPECHECKS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::meanvar {

/// Emits checks of sizes at the location of one operation.
class CheckBuilder {
public:
  CheckBuilder(Operation *op);

  Value size(Value tensor, int64_t dim);
  Value constant(int64_t value);
  /// Returns an index for a constant or a value.
  Value index(OpFoldResult value);

  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  Value equal(Value lhs, Value rhs) {
    return compare(arith::CmpIPredicate::eq, lhs, rhs);
  }
  Value either(Value lhs, Value rhs);
  Value both(Value lhs, Value rhs);
  Value select(Value condition, Value lhs, Value rhs);

  Value add(Value lhs, Value rhs);
  Value subtract(Value lhs, Value rhs);
  /// The sum of a number below 2^63 and another, at most 2^63 - 1.
  Value addSaturating(Value lhs, Value rhs);
  /// A product modulo 2^64, and whether it is exact as one of unsigned numbers.
  struct Product {
    Value value;
    Value isExact;
  };
  Product multiply(Value lhs, Value rhs);

  /// Returns true if the comparison is known to hold, by upstream's analysis of
  /// bounds or because it is one of constants.
  bool isKnown(const ValueBoundsConstraintSet::Variable &lhs,
               ValueBoundsConstraintSet::ComparisonOperator comparison,
               const ValueBoundsConstraintSet::Variable &rhs) const;
  /// Returns true if `value` is known to be at least `bound`. Looks through
  /// `depth` minima and maxima, as upstream's analysis does not.
  bool isKnownAtLeast(OpFoldResult value, int64_t bound,
                      unsigned depth = 4) const;
  /// Returns true if `value` is known to be smaller than a size of `tensor`.
  bool isKnownBelowSize(OpFoldResult value, Value tensor, int64_t dim,
                        unsigned depth = 4) const;

  /// Requires `condition`. `{0}` and `{1}` in `message` stand for the operands
  /// of the first comparison in the expression of the condition.
  void require(Value condition, const Twine &message);
  /// Requires `value`, which `what` names, to be at least `bound` in dimension
  /// `dim`, unless that is known.
  void requireAtLeast(OpFoldResult value, int64_t bound, StringRef what,
                      int64_t dim);
  /// Requires `size` to be the static size that `type` declares for dimension
  /// `dim` of `what`.
  void requireDeclaredSize(Value size, RankedTensorType type, int64_t dim,
                           StringRef what = "result");

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  StringRef getCheckedOp() const { return checkedOp; }

private:
  OpBuilder builder;
  Location loc;
  StringRef checkedOp;
  bool canAnalyzeBounds;
};

/// Sizes of operands that one loop of a linalg operation runs over are equal,
/// and what it reads between them is in bounds. Fails for subscripts whose
/// bounds are not known.
LogicalResult insertLinalgChecks(linalg::LinalgOp op);
/// Operands of an elementwise operation have the same sizes.
void insertElementwiseChecks(Operation *op);
/// Inputs of a concatenation have the same sizes in the other dimensions.
void insertConcatChecks(tensor::ConcatOp op);
/// The result of a softmax has the sizes of its input.
void insertSoftmaxChecks(linalg::SoftmaxOp op);

/// Slices and elements are within their tensor.
void insertSliceChecks(OffsetSizeAndStrideOpInterface op, Value tensor);
/// What is inserted has the sizes of the slice it is inserted into.
void insertInsertedSizeChecks(OffsetSizeAndStrideOpInterface op, Value source,
                              const llvm::SmallBitVector &droppedDims);
void insertElementChecks(Operation *op, Value tensor, ValueRange indices);
/// The dimension whose size is asked for exists.
void insertDimChecks(tensor::DimOp op);

/// Sizes that are given as operands are not negative.
void insertGivenSizeChecks(Operation *op, ValueRange sizes);
/// Low and high padding is not negative, and a declared result size holds.
/// Fails for padding that is known to be negative.
LogicalResult insertPadChecks(tensor::PadOp op);
/// A reshape keeps the number of elements.
void insertExpandShapeChecks(tensor::ExpandShapeOp op);
void insertReshapeChecks(tensor::ReshapeOp op);
/// The bytes of a result whose sizes are `sizes` can be counted.
void insertByteCountCheck(CheckBuilder &check, RankedTensorType type,
                          ValueRange sizes);

/// Moves checks in the body of `op`, which is run once for each index of a
/// known range, into loops over the same indices in front of it. Checks that
/// depend on more than the indices stay.
void moveChecksOutOfBody(Operation *op);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_DIALECT_MEANVAR_TRANSFORMS_SHAPECHECKS_H
