//===- LinalgKernelBody.cpp - Body and memory -----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "LinalgKernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

/// Emits `value` of the body for one vector: a vector, or a scalar where it is
/// the same in all lanes.
Value LinalgKernelEmitter::evaluate(Value value, Point &point) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isArgument = argument && argument.getOwner() == op.getBody();
  bool isInBody = isArgument || value.getParentBlock() == op.getBody();
  if (!isInBody)
    return value;
  if (Value known = point.values.lookup(value))
    return known;
  Value result = isArgument ? evaluateArgument(argument, point)
                            : evaluateOperation(value.getDefiningOp(), point);
  point.values[value] = result;
  return result;
}

Value LinalgKernelEmitter::evaluateArgument(BlockArgument argument,
                                            Point &point) {
  OpOperand &operand = *op.getMatchingOpOperand(argument);
  bool varies = kernel.variesAlongVectors(operand);
  auto key = std::make_pair(operand.getOperandNumber(),
                            varies ? point.vector : int64_t(0));
  if (Value known = preloaded.lookup(key))
    return known;
  return load(operand, &point.chunk, point.vector);
}

Value LinalgKernelEmitter::evaluateOperation(Operation *bodyOp, Point &point) {
  if (bodyOp->hasTrait<OpTrait::ConstantLike>())
    return builder.clone(*bodyOp)->getResult(0);
  SmallVector<Value> operands;
  for (Value operand : bodyOp->getOperands())
    operands.push_back(evaluate(operand, point));
  bool isVector = llvm::any_of(
      operands, [](Value value) { return isa<VectorType>(value.getType()); });
  SmallVector<Type> types(bodyOp->getResultTypes());
  if (isVector) {
    for (Value &operand : operands)
      operand = broadcast(operand);
    for (Type &type : types)
      type = getVectorType(type);
  }
  Operation *result = builder.create(loc, bodyOp->getName().getIdentifier(),
                                     operands, types, bodyOp->getAttrs());
  return result->getResult(0);
}

Value LinalgKernelEmitter::broadcast(Value value) {
  Type type = value.getType();
  if (isa<VectorType>(type) || kernel.schedule.vectorSize == 1)
    return value;
  return builder.createOrFold<vector::BroadcastOp>(loc, getVectorType(type),
                                                   value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Emits what reading inputs whose stride is known at run time only needs.
void LinalgKernelEmitter::prepareAccesses() {
  for (OpOperand &operand : op->getOpOperands()) {
    Access &access = accesses.emplace_back();
    access.operand = &operand;
    access.buffer = operand.get();
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !kernel.variesAlongVectors(operand))
      continue;
    if (kernel.period && !kernel.isPeriodic(operand)) {
      access.buffer = flatten(operand.get());
      continue;
    }
    if (type.isLastDimUnitStride())
      continue;
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, operand.get());
    access.isContiguous =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                              metadata.getStrides().back(), index(1));
    SmallVector<OpFoldResult> unitStrides =
        metadata.getConstifiedMixedStrides();
    unitStrides.back() = builder.getIndexAttr(1);
    access.contiguous = memref::ReinterpretCastOp::create(
        builder, loc, metadata.getBaseBuffer(),
        metadata.getConstifiedMixedOffset(), metadata.getConstifiedMixedSizes(),
        unitStrides);
  }
}

/// Returns a view of `buffer` in which the last two dimensions, which leave no
/// gap, are one.
Value LinalgKernelEmitter::flatten(Value buffer) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  SmallVector<OpFoldResult> sizesOfView = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  sizesOfView.pop_back();
  sizesOfView.back() = getAsOpFoldResult(sizes[*kernel.vectorDim]);
  strides.erase(std::prev(strides.end(), 2));
  return memref::ReinterpretCastOp::create(
      builder, loc, metadata.getBaseBuffer(),
      metadata.getConstifiedMixedOffset(), sizesOfView, strides);
}

/// Returns true if the indices of `operand` are set at the place of emission,
/// apart from that of the vectorized dimension.
bool LinalgKernelEmitter::isBound(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned dim = 0; dim < bound.size(); ++dim)
    if (!kernel.isAlongVectors(dim) && map.isFunctionOfDim(dim) && !bound[dim])
      return false;
  return true;
}

/// Reads the inputs that do not change in the loops about to be emitted: those
/// that do not vary along the vectors, and with a chunk of kept elements also
/// the others.
void LinalgKernelEmitter::preload(const Chunk *chunk) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    bool varies = kernel.variesAlongVectors(*operand);
    if (!isBound(*operand) || (varies && !chunk))
      continue;
    int64_t numVectors = varies ? chunk->numVectors : 1;
    for (int64_t vector = 0; vector < numVectors; ++vector) {
      Value &value = preloaded[{operand->getOperandNumber(), vector}];
      if (!value)
        value = load(*operand, chunk, vector);
    }
  }
}

/// Reads the inputs that are periodic along the vectors.
void LinalgKernelEmitter::preloadPeriods() {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!kernel.isPeriodic(*operand))
      continue;
    for (int64_t vector = 0; vector < kernel.schedule.unroll; ++vector) {
      int64_t place = vector % kernel.schedule.periodVectors;
      preloaded[{operand->getOperandNumber(), vector}] =
          vector == place
              ? loadPeriod(*operand, place)
              : preloaded.lookup({operand->getOperandNumber(), place});
    }
  }
}

/// Reads a row, and repeats it as it stands in the vector number `vector` of a
/// period.
Value LinalgKernelEmitter::loadPeriod(OpOperand &operand, int64_t vector) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  Value row =
      loadVector(accesses[operand.getOperandNumber()], createRowChunk(), 0);
  SmallVector<int64_t> places;
  for (int64_t element = 0; element < vectorSize; ++element)
    places.push_back((vector * vectorSize + element) % *kernel.period);
  return vector::ShuffleOp::create(builder, loc, row, row, places);
}

SmallVector<Value> LinalgKernelEmitter::getIndices(OpOperand &operand,
                                                   const Chunk *chunk,
                                                   int64_t vector) {
  SmallVector<Value> result;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim != kernel.vectorDim && kernel.isAlongVectors(dim))
      continue; // one with the vectorized dimension in the view
    result.push_back(
        dim == kernel.vectorDim
            ? addIndex(chunk->begin, vector * kernel.schedule.vectorSize)
            : indices[dim]);
  }
  return result;
}

Value LinalgKernelEmitter::load(OpOperand &operand, const Chunk *chunk,
                                int64_t vector) {
  if (!isa<MemRefType>(operand.get().getType()))
    return operand.get(); // a scalar input
  if (kernel.variesAlongVectors(operand) && kernel.schedule.vectorSize > 1)
    return loadVector(accesses[operand.getOperandNumber()], *chunk, vector);
  return memref::LoadOp::create(builder, loc, operand.get(),
                                getIndices(operand, chunk, vector));
}

Value LinalgKernelEmitter::loadVector(const Access &access, const Chunk &chunk,
                                      int64_t vector) {
  OpOperand &operand = *access.operand;
  if (isPaired(chunk))
    return loadOfPair(operand, chunk, vector);
  auto type = cast<VectorType>(getVectorType(
      cast<MemRefType>(operand.get().getType()).getElementType()));
  auto loadContiguous = [&](Value buffer) -> Value {
    SmallVector<Value> position = getIndices(operand, &chunk, vector);
    Value mask = chunk.getMask(vector);
    if (!mask)
      return vector::LoadOp::create(builder, loc, type, buffer, position);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, loc, type, buffer, position,
                                        mask, zero);
  };
  if (!access.isContiguous)
    return loadContiguous(access.buffer);
  auto ifOp = scf::IfOp::create(builder, loc, type, access.isContiguous,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  Value contiguous = loadContiguous(access.contiguous);
  scf::YieldOp::create(builder, loc, contiguous);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  Value strided = loadStrided(access, chunk, vector, type);
  scf::YieldOp::create(builder, loc, strided);
  return ifOp.getResult(0);
}

/// Reads a vector element by element; those outside the mask read the last one.
Value LinalgKernelEmitter::loadStrided(const Access &access, const Chunk &chunk,
                                       int64_t vector, VectorType type) {
  Value last = builder.createOrFold<arith::SubIOp>(
      loc, sizes[*kernel.vectorDim], index(1));
  SmallVector<Value> position = getIndices(*access.operand, &chunk, vector);
  Value begin = position.back();
  SmallVector<Value> elements;
  for (int64_t element = 0; element < type.getNumElements(); ++element) {
    position.back() = addIndex(begin, element);
    if (chunk.getMask(vector))
      position.back() =
          arith::MinUIOp::create(builder, loc, position.back(), last);
    elements.push_back(
        memref::LoadOp::create(builder, loc, access.operand->get(), position));
  }
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

void LinalgKernelEmitter::store(Value value, OpOperand &operand,
                                const Chunk *chunk, int64_t vector) {
  if (kernel.variesAlongVectors(operand) && kernel.schedule.vectorSize > 1)
    return storeVector(broadcast(value), operand, *chunk, vector);
  memref::StoreOp::create(builder, loc, value,
                          accesses[operand.getOperandNumber()].buffer,
                          getIndices(operand, chunk, vector));
}

/// Returns how many elements `mask` has, where that is known.
static std::optional<int64_t> getConstantMaskSize(Value mask) {
  auto op = mask.getDefiningOp<vector::CreateMaskOp>();
  if (!op)
    return std::nullopt;
  std::optional<int64_t> count = getConstantIntValue(op.getOperands().front());
  if (!count)
    return std::nullopt;
  return std::clamp<int64_t>(*count, 0, op.getType().getNumElements());
}

/// Stores the first `count` elements of a vector in pieces, the sizes of which
/// are powers of two.
void LinalgKernelEmitter::storePart(Value value, Value buffer,
                                    SmallVector<Value> position,
                                    int64_t count) {
  Value first = position.back();
  for (int64_t begin = 0; begin < count;) {
    int64_t size = llvm::bit_floor(static_cast<uint64_t>(count - begin));
    Value piece = vector::ExtractStridedSliceOp::create(
        builder, loc, value, begin, size, /*strides=*/1);
    position.back() = addIndex(first, begin);
    vector::StoreOp::create(builder, loc, piece, buffer, position);
    begin += size;
  }
}

void LinalgKernelEmitter::storeVector(Value value, OpOperand &operand,
                                      const Chunk &chunk, int64_t vector) {
  SmallVector<Value> position = getIndices(operand, &chunk, vector);
  Value buffer = accesses[operand.getOperandNumber()].buffer;
  Value mask = chunk.getMask(vector);
  std::optional<int64_t> part;
  if (mask && !kernel.storesUnderMasks)
    part = getConstantMaskSize(mask);
  if (part)
    storePart(value, buffer, position, *part);
  else if (mask)
    vector::MaskedStoreOp::create(builder, loc, buffer, position, mask, value);
  else if (storesStream)
    vector::StoreOp::create(
        builder, loc, value, buffer, position,
        /*nontemporal=*/true,
        llvm::MaybeAlign(kernel.schedule.vectorSize * getElementBytes(buffer)));
  else
    vector::StoreOp::create(builder, loc, value, buffer, position);
}
