//===- LaneAnalysis.h - What a block computes from a tensor -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Describes the values of a block as expressions on the lanes of one tensor
// (LaneExpression.h). It goes forward from the tensor through its users, as
// long as their values have such an expression, and stops at normalized values:
// these are the matches. What the values are combined with, constants and sizes
// above all, is looked up backwards.
//
// Operations are taken apart into
//
// * what indexes do: indexing maps of linalg operations, and reshapes that add
//   or drop dimensions of size 1. An expression says where its values are
//   indexed, so a broadcast, a transposition or a copy needs no rule of its
//   own;
// * what scalars do: arith and math in bodies of linalg operations, of which
//   one may have several, and on whole tensors;
// * sums over reduction iterators, that begin with 0.
//
// So it does not matter how computations are spread over operations, whether
// sizes of 1 are kept, or what else uses a value. Types on the way may be wider
// than the elements of the tensor, and not narrower.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEANALYSIS_H
#define MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEANALYSIS_H

#include "LaneExpression.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <set>

namespace mlir::meanvar {

/// A value that is a mean-variance normalization.
struct MvnMatch {
  /// What is normalized.
  Value input;
  /// A scalar in the body of a linalg operation, or a tensor.
  Value result;
  /// The value of the result; its indices are loops, or dimensions.
  LaneExpression expression;
  bool isCenterOnly = false;
};

/// The expressions of values on the lanes of one tensor.
class LaneAnalysis {
public:
  /// `order` numbers the operations of a block. Differences from a mean are
  /// matches if `matchesCentered`.
  LaneAnalysis(Value input, const DenseMap<Operation *, unsigned> &order,
               bool matchesCentered);

  /// Analyses the users of the tensor and returns what matches.
  SmallVector<MvnMatch, 0> run();

private:
  void addUsers(Value tensor);
  void setTensor(Value tensor, const OptionalLaneExpression &expression);

  // Operations on tensors (LaneAnalysis.cpp).
  void visit(Operation *op);
  void visitLinalg(linalg::LinalgOp op);
  bool setBlockArguments(linalg::LinalgOp op);
  OptionalLaneExpression getOperand(linalg::LinalgOp op, OpOperand &operand);
  OptionalLaneExpression getYielded(linalg::LinalgOp op, unsigned index);
  OptionalLaneExpression reshape(Value tensor, RankedTensorType type,
                                 ArrayRef<ReassociationIndices> groups,
                                 bool isExpansion);

  OptionalLaneExpression dropUnitDims(tensor::ExtractSliceOp slice);

  // Scalars, in a body or elementwise (LaneAnalysisScalars.cpp).
  OptionalLaneExpression getScalar(Value value);
  OptionalLaneExpression evaluateScalar(Operation *op);
  OptionalLaneExpression evaluateArithmetic(Operation *op);
  OptionalLaneExpression evaluatePower(Operation *op);
  OptionalLaneExpression evaluateConversion(Operation *op);
  OptionalLaneExpression evaluateSize(tensor::DimOp op);
  OptionalLaneExpression evaluateInteger(Operation *op);
  OptionalLaneExpression evaluateSelection(Operation *op);
  void visitScalar(Operation *op);
  bool hasTakenType(Type type) const;

  // Values that do not depend on the tensor (LaneAnalysisUniform.cpp).
  OptionalLaneExpression getConstant(Attribute attribute);
  OptionalLaneExpression getUniform(Value value);
  OptionalLaneExpression evaluateUniform(Value value);
  OptionalLaneExpression evaluateUniformLinalg(linalg::LinalgOp op,
                                               unsigned index);

  Value input;
  RankedTensorType type;
  const DenseMap<Operation *, unsigned> &order;
  bool matchesCentered;
  std::set<std::pair<unsigned, Operation *>> worklist;
  DenseMap<Value, LaneExpression> expressions;
  DenseMap<Value, OptionalLaneExpression> uniform;
  unsigned uniformDepth = 0;
  SmallVector<MvnMatch, 0> matches;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_LANEANALYSIS_H
