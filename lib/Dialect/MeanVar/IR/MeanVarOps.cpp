//===- MeanVarOps.cpp - The meanvar operations ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Type inference, verifiers and result shapes. Folds and canonicalization
// patterns are in MeanVarCanonicalization.cpp.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// MeanOp
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>>
meanvar::inferMeanShape(ArrayRef<ArrayRef<int64_t>> shapes,
                        function_ref<InFlightDiagnostic()> emitError) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());

  // M2: 1 is neutral. M4: a static size other than 1 wins over `?`.
  SmallVector<int64_t> result(rank, 1);
  SmallVector<size_t> definingOperand(rank, 0);
  for (auto [operand, shape] : llvm::enumerate(shapes)) {
    size_t offset = rank - shape.size();
    for (auto [index, size] : llvm::enumerate(shape)) {
      int64_t &resultSize = result[offset + index];
      if (size == 1 || size == resultSize)
        continue;
      if (resultSize == 1 || ShapedType::isDynamic(resultSize)) {
        if (resultSize == 1 || !ShapedType::isDynamic(size)) {
          resultSize = size;
          definingOperand[offset + index] = operand;
        }
        continue;
      }
      if (ShapedType::isDynamic(size))
        continue;
      if (emitError)
        emitError() << "operand " << operand << " has size " << size
                    << " in result dimension " << offset + index
                    << ", which does not broadcast with size " << resultSize
                    << " of operand " << definingOperand[offset + index]
                    << " (allowed: 1 or equal sizes)";
      return failure();
    }
  }
  return result;
}

/// Collects the shapes of `types`, which must be ranked tensors.
static SmallVector<ArrayRef<int64_t>> getShapes(TypeRange types) {
  return llvm::map_to_vector(
      types, [](Type type) { return cast<RankedTensorType>(type).getShape(); });
}

void MeanOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange inputs) {
  FailureOr<SmallVector<int64_t>> shape =
      inferMeanShape(getShapes(inputs.getTypes()));
  assert(succeeded(shape) && "shapes of the operands do not broadcast");
  build(builder, state,
        RankedTensorType::get(*shape,
                              getElementTypeOrSelf(inputs.front().getType())),
        inputs);
}

/// Refuses encodings of tensor types, which no lowering would keep.
static LogicalResult verifyNoEncoding(Operation *op) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (cast<RankedTensorType>(type).getEncoding())
      return op->emitOpError("operand ")
             << index << " has type " << type
             << " (allowed: tensors without an encoding)";
  return success();
}

LogicalResult MeanOp::verify() {
  if (getInputs().empty())
    return emitOpError("requires at least one operand"); // M1
  if (failed(verifyNoEncoding(*this)))
    return failure();
  Type elementType = getElementTypeOrSelf(getResult().getType());
  for (auto [index, type] : llvm::enumerate(getInputs().getTypes()))
    if (Type got = getElementTypeOrSelf(type); got != elementType)
      return emitOpError("operand ")
             << index << " has element type " << got
             << ", but the result has element type " << elementType
             << " (allowed: one type for all)"; // M1

  FailureOr<SmallVector<int64_t>> shape = inferMeanShape(
      getShapes(getInputs().getTypes()), [&] { return emitOpError(); }); // M2
  if (failed(shape))
    return failure();
  auto resultType = cast<RankedTensorType>(getResult().getType());
  if (failed(verifyCompatibleShape(*shape, resultType.getShape())))
    return emitOpError("result type ")
           << resultType << " is not compatible with the inferred type "
           << RankedTensorType::get(*shape, elementType); // M4
  return success();
}

bool MeanOp::mayBeStretched(unsigned index, int64_t dim) {
  int64_t resultRank = cast<RankedTensorType>(getResult().getType()).getRank();
  auto getSize = [&](Value input, int64_t resultDim) -> int64_t {
    auto type = cast<RankedTensorType>(input.getType());
    int64_t inputDim = alignToOperand(resultDim, resultRank, type.getRank());
    return inputDim < 0 ? 1 : type.getDimSize(inputDim);
  };
  auto type = cast<RankedTensorType>(getInputs()[index].getType());
  if (!type.isDynamicDim(dim))
    return false;
  // Only another operand can give the result another size.
  int64_t resultDim = dim + resultRank - type.getRank();
  return llvm::any_of(llvm::enumerate(getInputs()), [&](auto input) {
    return input.index() != index && getSize(input.value(), resultDim) != 1;
  });
}

Speculation::Speculatability MeanOp::getSpeculatability() {
  // Sizes that are all static have been checked by the verifier. So has a
  // single operand, unless the result declares more than it.
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  bool checked = llvm::all_of(getInputs().getTypes(), isStatic) ||
                 (getInputs().size() == 1 &&
                  getInputs().front().getType() == getResult().getType());
  return checked ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

/// Returns the size of result dimension `dim` of a mean of `inputs`: that of
/// the first operand whose size is not 1, or 1. Sizes that do not broadcast are
/// not looked for.
static OpFoldResult reifyMeanDim(OpBuilder &builder, Location loc,
                                 ValueRange inputs, int64_t dim,
                                 int64_t resultRank) {
  OpFoldResult result = builder.getIndexAttr(1);
  Value one;
  for (Value input : llvm::reverse(inputs)) {
    int64_t operandDim = alignToOperand(
        dim, resultRank, cast<RankedTensorType>(input.getType()).getRank());
    if (operandDim < 0)
      continue;
    OpFoldResult size = tensor::getMixedSize(builder, loc, input, operandDim);
    if (std::optional<int64_t> constant = getConstantIntValue(size)) {
      if (*constant != 1)
        return size;
      continue;
    }
    if (getConstantIntValue(result) == 1) {
      result = size;
      continue;
    }
    if (!one)
      one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value sizeValue = getValueOrCreateConstantIndexOp(builder, loc, size);
    Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        sizeValue, one);
    result =
        arith::SelectOp::create(
            builder, loc, isOne,
            getValueOrCreateConstantIndexOp(builder, loc, result), sizeValue)
            .getResult();
  }
  return result;
}

LogicalResult
MeanOp::reifyResultShapes(OpBuilder &builder,
                          ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  auto type = cast<RankedTensorType>(getResult().getType());
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? reifyMeanDim(builder, getLoc(), getInputs(), dim, type.getRank())
            : builder.getIndexAttr(type.getDimSize(dim)));
  reifiedReturnShapes.push_back(std::move(sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// MvnOp
//===----------------------------------------------------------------------===//

FloatType MvnOp::getStatisticsElementType(Type elementType) {
  if (elementType.isF64())
    return cast<FloatType>(elementType);
  return Float32Type::get(elementType.getContext());
}

/// Marks in a vector of `rank` entries the dimensions that `axes` reduce (V2).
/// Axes out of range are left to the verifier.
static SmallVector<bool> getReducedDims(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<bool> reduced(rank, axes.empty());
  for (int64_t axis : axes)
    if (-rank <= axis && axis < rank)
      reduced[axis < 0 ? axis + rank : axis] = true;
  return reduced;
}

SmallVector<bool> MvnOp::getReducedDims() {
  return ::getReducedDims(getAxes(), getInput().getType().getRank());
}

LogicalResult
MvnOp::inferReturnTypes(MLIRContext *context, std::optional<Location>,
                        ValueRange operands, DictionaryAttr attributes,
                        OpaqueProperties properties, RegionRange regions,
                        SmallVectorImpl<Type> &results) {
  MvnOp::Adaptor adaptor(operands, attributes, properties, regions);
  auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
  if (!type)
    return failure();
  results.push_back(type); // V1
  if (!adaptor.getStatistics())
    return success();
  // The parser asks before it fills in what was left out.
  Properties complete = adaptor.getProperties();
  populateDefaultProperties(OperationName(getOperationName(), context),
                            complete);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, reduced] :
       llvm::enumerate(::getReducedDims(complete.axes, type.getRank())))
    if (reduced)
      shape[dim] = 1;
  auto statisticsType = RankedTensorType::get(
      shape, getStatisticsElementType(type.getElementType())); // V3
  results.append(2, statisticsType);
  return success();
}

LogicalResult MvnOp::verify() {
  if (failed(verifyNoEncoding(*this)))
    return failure();
  int64_t rank = getInput().getType().getRank();
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : getAxes()) { // V2
    if (axis < -rank || axis >= rank) {
      InFlightDiagnostic diagnostic =
          emitOpError("axis ") << axis << " is out of range for rank " << rank;
      if (rank == 0)
        return diagnostic << " (allowed: none)";
      return diagnostic << " (allowed: " << -rank << " to " << rank - 1 << ")";
    }
    int64_t dim = axis < 0 ? axis + rank : axis;
    if (seen.test(dim))
      return emitOpError("axis ")
             << axis << " repeats dimension " << dim << " of rank " << rank
             << " (allowed: each dimension once)";
    seen.set(dim);
  }
  double epsilon = getEpsilon().convertToDouble();
  if (!std::isfinite(epsilon) || epsilon < 0) // V3
    return emitOpError("epsilon is ")
           << epsilon << " (allowed: finite values of at least 0)";
  return success();
}

LogicalResult
MvnOp::reifyResultShapes(OpBuilder &builder,
                         ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, getLoc(), getInput());
  reifiedReturnShapes.push_back(sizes);
  if (!getStatistics())
    return success();
  for (auto [dim, reduced] : llvm::enumerate(getReducedDims()))
    if (reduced)
      sizes[dim] = builder.getIndexAttr(1);
  reifiedReturnShapes.append(2, sizes);
  return success();
}

#define GET_OP_CLASSES
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.cpp.inc"
