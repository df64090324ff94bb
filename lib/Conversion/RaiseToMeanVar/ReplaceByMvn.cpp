//===- ReplaceByMvn.cpp - From matches to meanvar.mvn ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "ReplaceByMvn.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the map by which an operand is read at `dims`, indices of loops.
static AffineMap getIndexingMap(MLIRContext *context, ArrayRef<int64_t> dims,
                                int64_t numLoops) {
  auto indices = llvm::map_to_vector(dims, [&](int64_t dim) -> AffineExpr {
    return dim < 0 ? getAffineConstantExpr(0, context)
                   : getAffineDimExpr(dim, context);
  });
  return AffineMap::get(numLoops, 0, indices, context);
}

/// Returns true if the dimensions of x are the indices in order, but for those
/// of size 1, which have none.
static bool areInOrder(const LaneExpression &expression) {
  return llvm::all_of(llvm::enumerate(expression.dims), [](auto it) {
    return it.value() == LaneExpression::none ||
           it.value() == static_cast<int64_t>(it.index());
  });
}

/// Emits `value`, of a type that is no wider, as `type`.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  return convertScalarToDtype(builder, loc, value, type,
                              /*isUnsignedCast=*/false);
}

/// Emits the product of the normalized value and the cofactors.
static Value emitProduct(OpBuilder &builder, Location loc, ValueRange factors,
                         Type type) {
  Value product = extend(builder, loc, factors.front(), type);
  for (Value factor : factors.drop_front())
    product = arith::MulFOp::create(builder, loc, product,
                                    extend(builder, loc, factor, type));
  return product;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Value MvnReplacement::getCurrent(Value value) const {
  while (Value replacement = replacements.lookup(value))
    value = replacement;
  return value;
}

/// Emits the elements of `tensor` in a wider type.
Value MvnReplacement::emitExtension(Location loc, Value tensor,
                                    Type elementType) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getElementType() == elementType)
    return tensor;
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensor), elementType);
  SmallVector<AffineMap> maps(2,
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), tensor, empty, maps, iterators,
             [&](OpBuilder &body, Location bodyLoc, ValueRange elements) {
               linalg::YieldOp::create(
                   body, bodyLoc,
                   extend(body, bodyLoc, elements.front(), elementType));
             })
      .getResult(0);
}

Value MvnReplacement::emitMvn(const MvnMatch &match, Type elementType) {
  Location loc = match.result.getLoc();
  Value input = emitExtension(loc, getCurrent(match.input), elementType);
  const LaneExpression &expression = match.expression;
  SmallVector<int64_t> axes;
  for (int64_t dim = 0; dim < expression.value.getRank(); ++dim)
    if ((expression.reduced >> dim) & 1)
      axes.push_back(dim);
  return MvnOp::create(
             rewriter, loc, TypeRange{input.getType()}, input, axes,
             llvm::APFloat(match.isCenterOnly ? 0.0 : expression.epsilon),
             !match.isCenterOnly && expression.isEpsilonInside,
             match.isCenterOnly)
      .getResult();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void MvnReplacement::replaceResult(Value result, Value replacement) {
  if (replacement.getType() != result.getType())
    replacement = tensor::CastOp::create(rewriter, replacement.getLoc(),
                                         result.getType(), replacement);
  rewriter.replaceAllUsesWith(result, replacement);
  replacements[result] = replacement;
  replaced.insert(result.getDefiningOp());
}

/// Replaces the result of an elementwise operation on tensors.
void MvnReplacement::replaceTensor(const MvnMatch &match, Value mvn) {
  auto type = cast<RankedTensorType>(match.result.getType());
  Location loc = match.result.getLoc();
  const LaneExpression &expression = match.expression;
  if (expression.cofactors.empty() && areInOrder(expression) &&
      tensor::CastOp::areCastCompatible(mvn.getType(), type))
    return replaceResult(match.result, mvn);
  SmallVector<Value> inputs = {mvn};
  SmallVector<AffineMap> maps = {
      getIndexingMap(rewriter.getContext(), expression.dims, type.getRank())};
  for (const LaneExpression::Cofactor &cofactor : expression.cofactors) {
    inputs.push_back(getCurrent(cofactor.tensor));
    maps.push_back(
        getIndexingMap(rewriter.getContext(), cofactor.dims, type.getRank()));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  Value shaped = match.result.getDefiningOp()->getOperand(0);
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, shaped),
      type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &body, Location bodyLoc, ValueRange elements) {
        Value product = emitProduct(body, bodyLoc, elements.drop_back(),
                                    type.getElementType());
        linalg::YieldOp::create(body, bodyLoc, product);
      });
  replaceResult(match.result, generic.getResult(0));
}

/// Replaces the result of `op` if it is the matched value and nothing else is
/// to be computed.
bool MvnReplacement::replaceYielded(const MvnMatch &match, linalg::LinalgOp op,
                                    Value mvn) {
  if (!match.expression.cofactors.empty() || !areInOrder(match.expression) ||
      !match.result.hasOneUse())
    return false;
  OpOperand &use = *match.result.getUses().begin();
  if (use.getOwner() != op.getBlock()->getTerminator() ||
      op.getNumReductionLoops() != 0)
    return false;
  OpResult result = op->getResult(use.getOperandNumber());
  if (!op.getIndexingMapMatchingResult(result).isIdentity() ||
      !tensor::CastOp::areCastCompatible(mvn.getType(), result.getType()))
    return false;
  replaceResult(result, mvn);
  return true;
}

/// Erases `op` and what only it used, in the body of a linalg operation.
void MvnReplacement::eraseFromBody(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  Block *block = op->getBlock();
  while (!worklist.empty()) {
    Operation *candidate = worklist.pop_back_val();
    if (candidate->getBlock() != block) {
      replaced.insert(candidate);
      continue;
    }
    if (!isOpTriviallyDead(candidate))
      continue;
    llvm::SmallSetVector<Operation *, 4> operands;
    for (Value operand : candidate->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        operands.insert(definition);
    rewriter.eraseOp(candidate);
    worklist.append(operands.begin(), operands.end());
  }
}

/// Drops those of `inputs` that the body does not use, with their arguments, if
/// the sizes of all loops still follow from the others and the inits.
static void dropUnused(Block &body, IndexedInputs &inputs,
                       ArrayRef<AffineMap> initMaps, MLIRContext *context) {
  llvm::BitVector isUnused(body.getNumArguments());
  IndexedInputs used;
  for (auto [index, value] : llvm::enumerate(inputs.values)) {
    if (body.getArgument(index).use_empty()) {
      isUnused.set(index);
      continue;
    }
    used.values.push_back(value);
    used.maps.push_back(inputs.maps[index]);
  }
  SmallVector<AffineMap> maps = used.maps;
  maps.append(initMaps.begin(), initMaps.end());
  if (!inversePermutation(concatAffineMaps(maps, context)))
    return;
  body.eraseArguments(isUnused);
  inputs = std::move(used);
}

/// Returns the indexing maps of `operands`.
static SmallVector<AffineMap> getMaps(linalg::LinalgOp op,
                                      ArrayRef<OpOperand *> operands) {
  return llvm::map_to_vector(operands, [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand);
  });
}

/// Replaces a scalar in the body of `op` by one read from another input.
void MvnReplacement::replaceScalar(const MvnMatch &match, linalg::LinalgOp op,
                                   Value mvn) {
  MLIRContext *context = rewriter.getContext();
  Location loc = match.result.getLoc();
  Block &body = *op.getBlock();
  IndexedInputs inputs{op.getDpsInputs(),
                       getMaps(op, op.getDpsInputOperands())};
  SmallVector<Value> factors;
  auto addInput = [&](Value tensor, ArrayRef<int64_t> dims) {
    factors.push_back(
        body.insertArgument(static_cast<unsigned>(inputs.values.size()),
                            getElementTypeOrSelf(tensor), loc));
    inputs.values.push_back(tensor);
    inputs.maps.push_back(getIndexingMap(context, dims, op.getNumLoops()));
  };
  SmallVector<OpOperand *> initOperands = llvm::map_to_vector(
      op.getDpsInitsMutable(), [](OpOperand &init) { return &init; });
  SmallVector<AffineMap> initMaps = getMaps(op, initOperands);
  SmallVector<Value> inits(op.getDpsInits());
  addInput(mvn, match.expression.dims);
  for (const LaneExpression::Cofactor &cofactor : match.expression.cofactors)
    addInput(getCurrent(cofactor.tensor), cofactor.dims);

  Operation *definition = match.result.getDefiningOp();
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(definition);
    rewriter.replaceAllUsesWith(
        match.result,
        emitProduct(rewriter, loc, factors, match.result.getType()));
  }
  eraseFromBody(definition);
  dropUnused(body, inputs, initMaps, context);
  inputs.maps.append(initMaps);
  replaceOp(op, inputs, inits);
}

/// Replaces `op` by a linalg.generic with its body and other inputs.
void MvnReplacement::replaceOp(linalg::LinalgOp op, const IndexedInputs &inputs,
                               ValueRange inits) {
  auto generic = linalg::GenericOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), inputs.values, inits,
      inputs.maps, op.getIteratorTypesArray());
  generic->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  generic.getRegion().takeBody(op->getRegion(0));
  for (auto [result, replacement] :
       llvm::zip_equal(op->getResults(), generic.getResults()))
    replaceResult(result, replacement);
}

void MvnReplacement::replace(const MvnMatch &match) {
  Operation *definition = match.result.getDefiningOp();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(definition->getParentOp());
  rewriter.setInsertionPoint(linalgOp ? linalgOp.getOperation() : definition);
  Value mvn = emitMvn(match, getElementTypeOrSelf(match.result));
  if (!linalgOp)
    replaceTensor(match, mvn);
  else if (!replaceYielded(match, linalgOp, mvn))
    replaceScalar(match, linalgOp, mvn);
}

void MvnReplacement::eraseUnused() {
  SetVector<Operation *> worklist = std::move(replaced);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    // Without a body, which is elsewhere, an operation has no effects to ask.
    bool hasMovedBody = isa<linalg::LinalgOp>(op) && op->getRegion(0).empty();
    if (!hasMovedBody && !isOpTriviallyDead(op))
      continue;
    SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (Operation *definition = value.getDefiningOp())
        worklist.insert(definition);
    rewriter.eraseOp(op);
  }
}
