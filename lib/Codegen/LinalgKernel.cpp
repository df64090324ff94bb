//===- LinalgKernel.cpp - Analysis of linalg operations -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernel.h"
#include "IntegerDivision.h"
#include "StreamingStores.h"

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::meanvar;

bool LinalgKernel::variesAlongVectors(OpOperand &operand) const {
  return vectorDim &&
         op.getMatchingIndexingMap(&operand).isFunctionOfDim(*vectorDim);
}

bool LinalgKernel::isPeriodic(OpOperand &operand) const {
  return period && variesAlongVectors(operand) &&
         !op.getMatchingIndexingMap(&operand).isFunctionOfDim(*vectorDim - 1);
}

/// Returns true if every operation of the body applies to vectors elementwise,
/// and to elements outside a mask as well, which are 0.
static bool isElementwiseBody(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    return op.hasTrait<OpTrait::ConstantLike>() ||
           (OpTrait::hasElementwiseMappableTraits(&op) &&
            !isIntegerDivision(&op));
  });
}

/// Returns true if `type` may be the element type of a vector in memory.
static bool isVectorElement(Type type) {
  return isa<FloatType>(type) ||
         (type.isInteger() && type.getIntOrFloatBitWidth() >= 8);
}

/// Returns why elements of `operand` that follow each other along `dim` cannot
/// be loaded or stored as a vector, or an empty string.
static StringRef getAccessProblem(linalg::GenericOp op, OpOperand &operand,
                                  unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(dim))
    return "";
  if (map.getDimPosition(map.getNumResults() - 1) != dim)
    return "the innermost loop is not the innermost dimension of an operand";
  auto type = cast<MemRefType>(operand.get().getType());
  if (!isVectorElement(type.getElementType()))
    return "an element type has no vectors in memory";
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return "an operand has no strided layout";
  // Inputs whose stride is known at run time only are read either way.
  bool isContiguous =
      strides.back() == 1 ||
      (ShapedType::isDynamic(strides.back()) && op.isDpsInput(&operand));
  return isContiguous ? "" : "an operand is not contiguous";
}

/// Returns true if combining in another order, or in parts, changes no bit.
static bool isOrderFree(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
  case vector::CombiningKind::MUL:
  case vector::CombiningKind::MINNUMF:
  case vector::CombiningKind::MAXNUMF:
    return false; // decided by type and attributes, or NaN may be lost
  default:
    return true;
  }
}

/// Returns true if an output of `op` is known to have at most `limit` terms.
static bool hasAtMostTerms(linalg::GenericOp op, int64_t limit) {
  SmallVector<unsigned> dims;
  op.getReductionDims(dims);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t numTerms = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(sizes[dim]) || sizes[dim] > limit)
      return false;
    numTerms *= sizes[dim];
    if (numTerms > limit)
      return false;
  }
  return true;
}

/// Matches how output `index` is accumulated.
static FailureOr<Reduction> matchOutput(linalg::GenericOp op, unsigned index,
                                        int64_t maxPartialSum) {
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), index, combiners);
  if (!term || combiners.size() != 1)
    return failure();
  std::optional<vector::CombiningKind> kind =
      linalg::getCombinerOpKind(combiners.front());
  if (!kind)
    return failure();
  bool isFloatSum =
      *kind == vector::CombiningKind::ADD && isa<FloatType>(term.getType());
  bool isIntegerSum =
      *kind == vector::CombiningKind::ADD && term.getType().isInteger();
  if (!isOrderFree(*kind) && !isIntegerSum &&
      !(isFloatSum && maxPartialSum > 0))
    return failure();

  Reduction reduction;
  reduction.kind = *kind;
  reduction.sumType = term.getType();
  reduction.isCompensated = false;
  if (isFloatSum) {
    // The term in its own type is what the extension extends.
    if (auto extension = term.getDefiningOp<arith::ExtFOp>())
      term = extension.getIn();
    else
      reduction.isCompensated = !hasAtMostTerms(op, maxPartialSum);
  }
  reduction.term = term;
  reduction.termType = term.getType();
  reduction.laneType = reduction.sumType;
  reduction.fastMath = arith::FastMathFlags::none;
  if (auto interface =
          dyn_cast<arith::ArithFastMathInterface>(combiners.front()))
    reduction.fastMath = interface.getFastMathFlagsAttr().getValue();
  return reduction;
}

/// Returns true if the elements of `operand` along the dimension before `inner`
/// and `inner` follow each other without gaps, or if it varies along `inner`
/// alone, or along neither.
static bool isFlatOrPeriodic(linalg::GenericOp op, OpOperand &operand,
                             unsigned inner, int64_t innerSize) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  bool variesOutside = map.isFunctionOfDim(inner - 1);
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !map.isFunctionOfDim(inner))
    return !variesOutside;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
    return false;
  if (!variesOutside)
    return true;
  unsigned rank = map.getNumResults();
  return map.getDimPosition(rank - 2) == inner - 1 &&
         strides[rank - 2] == innerSize;
}

/// Makes vectors run along the two innermost dimensions taken as one, where the
/// innermost is too short and the operands allow it.
static void flattenShortRows(LinalgKernel &kernel, unsigned vectorBits,
                             unsigned elementBits) {
  linalg::GenericOp op = kernel.op;
  unsigned numLoops = op.getNumLoops();
  if (numLoops < 2 || kernel.isReduced(numLoops - 1) ||
      (!kernel.reductions.empty() && !kernel.isReduced(numLoops - 2)))
    return;
  std::optional<VectorSchedule> schedule = getPeriodicVectorSchedule(
      vectorBits, elementBits, kernel.loopSizes[numLoops - 2],
      kernel.loopSizes.back(), op->hasAttr(coldAttrName));
  if (!schedule || !llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        return isFlatOrPeriodic(op, operand, numLoops - 1,
                                kernel.loopSizes.back());
      }))
    return;
  bool areOutputsFlat =
      llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &operand) {
        return op.getMatchingIndexingMap(&operand).isFunctionOfDim(numLoops -
                                                                   2);
      });
  if (kernel.reductions.empty() && !areOutputsFlat)
    return;
  kernel.period = kernel.loopSizes.back();
  kernel.schedule = *schedule;
}

/// Folds short rows in the type of their terms, and several together if the
/// sums of them are neighbours in memory.
static void foldShortRows(LinalgKernel &kernel) {
  linalg::GenericOp op = kernel.op;
  if (kernel.period || !kernel.reducesAlongVectors() ||
      op->hasAttr(coldAttrName) || op.getNumReductionLoops() > 1 ||
      !hasAtMostTerms(op,
                      getMaxTermsOfFold(kernel.schedule, kernel.maxPartialSum)))
    return;
  for (Reduction &reduction : kernel.reductions)
    reduction.laneType = reduction.termType;
  SmallVector<unsigned> keptDims;
  op.getParallelDims(keptDims);
  if (keptDims.empty())
    return;
  unsigned rowDim = keptDims.back();
  for (OpOperand &output : op.getDpsInitsMutable())
    if (!op.getMatchingIndexingMap(&output).isFunctionOfDim(rowDim) ||
        !getAccessProblem(op, output, rowDim).empty())
      return;
  kernel.rowGroup =
      getRowGroup(kernel.loopSizes[rowDim], kernel.schedule.vectorSize);
}

/// Returns true if everything that is read and written along the vectors is of
/// type bf16 and without gaps, and the main loop has an even number of vectors.
static bool canPairElements(const LinalgKernel &kernel) {
  if (kernel.period || kernel.schedule.vectorSize == 1 ||
      kernel.schedule.unroll % 2)
    return false;
  return llvm::all_of(kernel.op->getOpOperands(), [&](OpOperand &operand) {
    if (!kernel.variesAlongVectors(operand))
      return true;
    auto type = cast<MemRefType>(operand.get().getType());
    return type.getElementType().isBF16() && type.isLastDimUnitStride();
  });
}

FailureOr<LinalgKernel> LinalgKernel::analyze(RewriterBase &rewriter,
                                              linalg::GenericOp op,
                                              unsigned vectorBits) {
  if (!op.hasPureBufferSemantics())
    return rewriter.notifyMatchFailure(op, "operands are not buffers");
  if (!isElementwiseBody(*op.getBody()))
    return rewriter.notifyMatchFailure(op, "the body is not elementwise");
  if (!llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return rewriter.notifyMatchFailure(op, "a map is not a projection");

  LinalgKernel kernel;
  kernel.op = op;
  kernel.loopSizes = op.getStaticLoopRanges();
  kernel.iterators = op.getIteratorTypesArray();
  kernel.schedule = {1, 1};
  kernel.storesUnderMasks = vectorBits >= 512;
  kernel.maxPartialSum = 0;
  if (auto bytes = op->getAttrOfType<IntegerAttr>(streamingBytesAttrName))
    kernel.streamingBytes = bytes.getInt();

  if (auto limit = op->getAttrOfType<IntegerAttr>(partialSumsAttrName))
    kernel.maxPartialSum = limit.getInt();
  if (op.getNumReductionLoops() > 0) {
    for (unsigned index = 0; index < op.getNumDpsInits(); ++index) {
      FailureOr<Reduction> reduction =
          matchOutput(op, index, kernel.maxPartialSum);
      if (failed(reduction))
        return rewriter.notifyMatchFailure(
            op, "the order of a reduction is not free");
      kernel.reductions.push_back(*reduction);
    }
  }

  if (op.getNumLoops() == 0)
    return kernel;
  kernel.vectorDim = op.getNumLoops() - 1;
  if (!kernel.isReduced(*kernel.vectorDim) &&
      !llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &operand) {
        return kernel.variesAlongVectors(operand);
      }))
    return rewriter.notifyMatchFailure(
        op, "an output does not vary along the innermost loop");
  unsigned elementBits = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    StringRef problem = getAccessProblem(op, operand, *kernel.vectorDim);
    if (!problem.empty())
      return rewriter.notifyMatchFailure(op, problem);
    // Outputs count only where no input decides.
    bool decides = op.isDpsInput(&operand) || elementBits == 0;
    if (kernel.variesAlongVectors(operand) && decides)
      elementBits =
          std::max(elementBits,
                   getElementTypeOrSelf(operand.get()).getIntOrFloatBitWidth());
  }
  bool hasStreams = op->hasAttr(hasStreamsAttrName);
  if (hasStreams)
    elementBits =
        getElementTypeOrSelf(op.getDpsInputs().front()).getIntOrFloatBitWidth();
  kernel.schedule =
      getVectorSchedule(vectorBits, elementBits, kernel.loopSizes.back(),
                        op->hasAttr(coldAttrName));
  if (hasStreams)
    kernel.schedule =
        getStreamSchedule(kernel.schedule, vectorBits, elementBits);
  bool isPanel =
      !kernel.reductions.empty() && !kernel.isReduced(*kernel.vectorDim) &&
      llvm::none_of(kernel.reductions,
                    [](const Reduction &sum) { return sum.isCompensated; });
  if (isPanel)
    kernel.schedule =
        getPanelSchedule(kernel.schedule, vectorBits, kernel.loopSizes.back());
  flattenShortRows(kernel, vectorBits, elementBits);
  foldShortRows(kernel);
  kernel.pairsElements = canPairElements(kernel);
  return kernel;
}
