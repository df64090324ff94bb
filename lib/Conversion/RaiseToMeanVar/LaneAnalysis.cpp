//===- LaneAnalysis.cpp - What a block computes from a tensor -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on tensors: how indices go from operands to results, and sums.
//
//===----------------------------------------------------------------------===//

#include "LaneAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::meanvar;

LaneAnalysis::LaneAnalysis(Value input,
                           const DenseMap<Operation *, unsigned> &order,
                           bool matchesCentered)
    : input(input), type(cast<RankedTensorType>(input.getType())), order(order),
      matchesCentered(matchesCentered) {}

SmallVector<MvnMatch, 0> LaneAnalysis::run() {
  setTensor(input, LaneExpression::element(type));
  while (!worklist.empty()) {
    Operation *op = worklist.begin()->second;
    worklist.erase(worklist.begin());
    visit(op);
  }
  return std::move(matches);
}

/// Users come later in the block, so when one is visited all its operands have
/// been.
void LaneAnalysis::addUsers(Value tensor) {
  for (Operation *user : tensor.getUsers())
    if (auto found = order.find(user); found != order.end())
      worklist.insert({found->second, user});
}

/// Notes the expression of a tensor, unless it has nothing to do with x.
void LaneAnalysis::setTensor(Value tensor,
                             const OptionalLaneExpression &expression) {
  if (!expression || expression->isIndependent())
    return;
  expressions.insert({tensor, *expression});
  addUsers(tensor);
}

void LaneAnalysis::visit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    visitLinalg(linalgOp);
  } else if (auto castOp = dyn_cast<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(castOp.getType()))
      setTensor(castOp.getResult(), getScalar(castOp.getSource()));
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    setTensor(expand.getResult(),
              reshape(expand.getSrc(), expand.getResultType(),
                      expand.getReassociationIndices(), /*isExpansion=*/true));
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    setTensor(collapse.getResult(),
              reshape(collapse.getSrc(), collapse.getSrcType(),
                      collapse.getReassociationIndices(),
                      /*isExpansion=*/false));
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    setTensor(slice.getResult(), dropUnitDims(slice));
  } else if (OpTrait::hasElementwiseMappableTraits(op) &&
             op->getNumResults() == 1) {
    visitScalar(op);
    if (expressions.contains(op->getResult(0)))
      addUsers(op->getResult(0));
  }
}

/// Returns the expression of `tensor` after a reshape between its dimensions
/// and those of `expanded`, the type with more of them. Values keep their
/// indices where a group has one dimension of another size than 1.
OptionalLaneExpression
LaneAnalysis::reshape(Value tensor, RankedTensorType expanded,
                      ArrayRef<ReassociationIndices> groups, bool isExpansion) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<int64_t> indices(rank, LaneExpression::none);
  for (auto [collapsedDim, group] : llvm::enumerate(groups)) {
    auto longDims = llvm::make_filter_range(
        group, [&](int64_t dim) { return expanded.getDimSize(dim) != 1; });
    if (!llvm::hasSingleElement(longDims))
      continue;
    auto dim = static_cast<int64_t>(collapsedDim);
    if (isExpansion)
      indices[dim] = *longDims.begin();
    else
      indices[*longDims.begin()] = dim;
  }
  return getScalar(tensor)->withIndices(indices);
}

/// Returns the expression of a slice, which may read at index 0 where the value
/// does not depend on the index, and reads everything where it does.
OptionalLaneExpression
LaneAnalysis::dropUnitDims(tensor::ExtractSliceOp slice) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> indices;
  int64_t numKept = 0;
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    int64_t kept = dropped.test(dim) ? LaneExpression::none : numKept++;
    FailureOr<bool> isWhole = ValueBoundsConstraintSet::areEqual(
        {slice.getSource(), static_cast<int64_t>(dim)}, size);
    bool isIdentity = isZeroInteger(offset) && isOneInteger(stride) &&
                      succeeded(isWhole) && *isWhole;
    indices.push_back(isIdentity ? kept : LaneExpression::none);
  }
  return getScalar(slice.getSource())->withIndices(indices);
}

//===----------------------------------------------------------------------===//
// Linalg operations
//===----------------------------------------------------------------------===//

/// Returns for each dimension of an operand the loop that it is indexed by, or
/// `zero`.
static SmallVector<int64_t> getLoops(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr index) -> int64_t {
    auto dim = dyn_cast<AffineDimExpr>(index);
    return dim ? dim.getPosition() : LaneExpression::zero;
  });
}

/// Returns the value of an operand in the body, indexed by loops.
OptionalLaneExpression LaneAnalysis::getOperand(linalg::LinalgOp op,
                                                OpOperand &operand) {
  Value value = operand.get();
  if (!isa<RankedTensorType>(value.getType()))
    return getScalar(value);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  OptionalLaneExpression expression = getScalar(value);
  return expression ? expression->withIndices(getLoops(map)) : std::nullopt;
}

/// Notes the values of the block arguments. Returns false if none depends on
/// the tensor.
bool LaneAnalysis::setBlockArguments(linalg::LinalgOp op) {
  bool depends = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInit(&operand) && op.getNumReductionLoops() != 0)
      continue;
    OptionalLaneExpression expression = getOperand(op, operand);
    if (!expression)
      continue;
    depends |= !expression->isIndependent();
    expressions.insert({op.getMatchingBlockArgument(&operand), *expression});
  }
  return depends;
}

void LaneAnalysis::visitLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() ||
      op.getBlock()->getNumArguments() != op->getNumOperands() ||
      !setBlockArguments(op))
    return;
  for (Operation &bodyOp : op.getBlock()->without_terminator())
    visitScalar(&bodyOp);
  for (OpResult result : op->getResults())
    setTensor(result, getYielded(op, result.getResultNumber()));
}

/// Returns the value of a result, indexed by its dimensions.
OptionalLaneExpression LaneAnalysis::getYielded(linalg::LinalgOp op,
                                                unsigned index) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  OpOperand *init = op.getDpsInitOperand(index);
  if (op.getNumReductionLoops() != 0) {
    OptionalLaneExpression initial = getUniform(init->get());
    auto sum = yielded.getDefiningOp<arith::AddFOp>();
    if (!initial || initial->getConstant() != 0.0 || !sum)
      return std::nullopt;
    Value accumulator = op.getMatchingBlockArgument(init);
    bool isRight = sum.getRhs() == accumulator;
    if (!isRight && sum.getLhs() != accumulator)
      return std::nullopt;
    yielded = isRight ? sum.getLhs() : sum.getRhs();
  }
  OptionalLaneExpression expression = getScalar(yielded);
  if (!expression || !hasTakenType(yielded.getType()))
    return std::nullopt;
  if (op.getNumReductionLoops() != 0) {
    auto isReduced = llvm::map_to_vector(
        op.getIteratorTypesArray(), [](utils::IteratorType iterator) {
          return iterator == utils::IteratorType::reduction;
        });
    expression =
        sumLaneExpression(*expression, isReduced, op.getStaticLoopRanges());
  }
  AffineMap map = op.getMatchingIndexingMap(init);
  if (!expression || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  SmallVector<int64_t> dims(op.getNumLoops(), LaneExpression::none);
  for (auto [dim, loop] : llvm::enumerate(getLoops(map)))
    if (loop != LaneExpression::zero)
      dims[loop] = static_cast<int64_t>(dim);
  return expression->withIndices(dims);
}
