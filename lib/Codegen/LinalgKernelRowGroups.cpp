//===- LinalgKernelRowGroups.cpp - Sums of several rows at a time ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector of sums of a row is folded to one number in log2(size) steps, each
// of which leaves half of the vector unused. Of short rows that takes longer
// than adding their elements. So the vectors of a group of rows wait in a
// buffer, and are folded together: each step shuffles those of two rows so that
// one addition halves both. What remains is one vector, of a sum of each row.
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::meanvar;

static VectorType getVectorTypeOf(Value value) {
  return cast<VectorType>(value.getType());
}

/// Emits the sums of rows of contiguous elements, `kernel.rowGroup` at a time.
void LinalgKernelEmitter::emitRowGroups() {
  SmallVector<unsigned> keptDims =
      getDims([&](unsigned dim) { return !kernel.isReduced(dim); });
  unsigned rowDim = keptDims.pop_back_val();
  int64_t size = kernel.rowGroup;
  SmallVector<Value> buffers;
  for (const Reduction &reduction : kernel.reductions)
    for (int64_t part = 0; part < (reduction.isCompensated ? 2 : 1); ++part)
      buffers.push_back(createStackBuffer(
          builder, op, size,
          cast<VectorType>(getVectorType(reduction.laneType))));
  int64_t staticSize = kernel.loopSizes[rowDim];
  bool areWhole = !ShapedType::isDynamic(staticSize) && staticSize % size == 0;
  emitLoops(keptDims, [&] {
    emitLoop(index(0), sizes[rowDim], size, {}, [&](Value first, ValueRange) {
      Value numRows = index(size);
      if (!areWhole) {
        Value left =
            builder.createOrFold<arith::SubIOp>(loc, sizes[rowDim], first);
        numRows = builder.createOrFold<arith::MinUIOp>(loc, left, numRows);
      }
      emitRowsOfGroup(rowDim, first, numRows, buffers);
      storeRowGroup(rowDim, first, numRows, buffers);
      return SmallVector<Value>();
    });
  });
}

/// Emits the vectors of sums of `numRows` rows from `first` on.
void LinalgKernelEmitter::emitRowsOfGroup(unsigned rowDim, Value first,
                                          Value numRows,
                                          ArrayRef<Value> buffers) {
  emitLoop(index(0), numRows, 1, {}, [&](Value row, ValueRange) {
    Value place = builder.createOrFold<arith::AddIOp>(loc, first, row);
    emitAt(rowDim, place, [&] {
      for (auto [sum, buffer] : llvm::zip_equal(emitLaneSums(), buffers))
        vector::StoreOp::create(builder, loc, sum, buffer,
                                ValueRange{row, index(0)});
    });
    return SmallVector<Value>();
  });
}

/// Folds the sums of a group, and combines them with those in memory. Rows that
/// are not there leave something in the vectors that is not stored.
void LinalgKernelEmitter::storeRowGroup(unsigned rowDim, Value first,
                                        Value numRows,
                                        ArrayRef<Value> buffers) {
  // Of a whole group all are set, and masked accesses become plain ones.
  Value mask = vector::CreateMaskOp::create(
      builder, loc, VectorType::get(kernel.rowGroup, builder.getI1Type()),
      numRows);
  for (auto [reduction, operand] :
       llvm::zip_equal(kernel.reductions, op.getDpsInitsMutable())) {
    auto foldNext = [&, kind = reduction.kind] {
      Value buffer = buffers.front();
      buffers = buffers.drop_front();
      return foldRows(kind, buffer);
    };
    Value total = completeSum(reduction, foldNext);
    auto type = getVectorTypeOf(total);
    indices[rowDim] = first;
    SmallVector<Value> position = getIndices(operand, nullptr, 0);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Value init = vector::MaskedLoadOp::create(builder, loc, type, operand.get(),
                                              position, mask, zero);
    vector::MaskedStoreOp::create(builder, loc, operand.get(), position, mask,
                                  combine(reduction.kind, init, total));
  }
}

/// Returns how many elements have 128 bits, or all of a shorter vector.
static int64_t getLaneSize(VectorType type) {
  return std::min<int64_t>(128 / type.getElementTypeBitWidth(),
                           type.getNumElements());
}

/// Returns the vector that the rows of `buffer` are folded to, an element each.
/// A row is folded in the same order however many there are (V9).
Value LinalgKernelEmitter::foldRows(vector::CombiningKind kind, Value buffer) {
  int64_t numRows = cast<MemRefType>(buffer.getType()).getDimSize(0);
  Value folded = foldRange(kind, buffer, 0, numRows);
  int64_t laneSize = getLaneSize(getVectorTypeOf(folded));
  while (getVectorTypeOf(folded).getNumElements() > numRows) {
    folded = combineHalves(kind, folded, numRows, laneSize);
    if (numRows < laneSize)
      laneSize /= 2;
  }
  return folded;
}

/// Returns the vector that `numRows` rows from `first` on are folded to, as
/// many elements for each as there is room.
Value LinalgKernelEmitter::foldRange(vector::CombiningKind kind, Value buffer,
                                     int64_t first, int64_t numRows) {
  auto type = cast<MemRefType>(buffer.getType());
  if (numRows == 1)
    return vector::LoadOp::create(
        builder, loc,
        VectorType::get(type.getDimSize(1), type.getElementType()), buffer,
        ValueRange{index(first), index(0)});
  int64_t half = numRows / 2;
  Value lhs = foldRange(kind, buffer, first, half);
  Value rhs = foldRange(kind, buffer, first + half, half);
  return combineHalves(kind, {lhs, rhs}, half,
                       getLaneSize(getVectorTypeOf(lhs)));
}

/// Appends the places of the first or second half of each segment of a vector
/// that consists of blocks of `numSegments` segments.
static void appendHalves(SmallVectorImpl<int64_t> &places, int64_t begin,
                         int64_t blockSize, int64_t numSegments, bool second) {
  int64_t segmentSize = blockSize / numSegments;
  for (int64_t segment = 0; segment < numSegments; ++segment)
    for (int64_t place = 0; place < segmentSize / 2; ++place)
      places.push_back(begin + segment * segmentSize + place +
                       (second ? segmentSize / 2 : 0));
}

/// Combines the halves of the parts of each row in one or two vectors, which
/// have `numRows` rows each. Processors shuffle within 128 bits, `laneSize`
/// elements, for less than across them: there the rows are side by side first,
/// several times in a vector.
Value LinalgKernelEmitter::combineHalves(vector::CombiningKind kind,
                                         ArrayRef<Value> vectors,
                                         int64_t numRows, int64_t laneSize) {
  int64_t size = getVectorTypeOf(vectors.front()).getNumElements();
  int64_t end = size * static_cast<int64_t>(vectors.size());
  auto shuffle = [&](bool second) -> Value {
    SmallVector<int64_t> places;
    if (numRows < laneSize) {
      for (int64_t lane = 0; lane < size; lane += laneSize)
        for (int64_t begin = lane; begin < end; begin += size)
          appendHalves(places, begin, laneSize, numRows, second);
    } else {
      for (int64_t begin = 0; begin < end; begin += size)
        appendHalves(places, begin, size, numRows / laneSize, second);
    }
    return vector::ShuffleOp::create(builder, loc, vectors.front(),
                                     vectors.back(), places);
  };
  return combine(kind, shuffle(false), shuffle(true));
}
