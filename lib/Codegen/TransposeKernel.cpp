//===- TransposeKernel.cpp - Transposition in registers -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeKernel.h"
#include "BufferSizes.h"
#include "StreamingStores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::meanvar;

using Vectors = SmallVector<Value>;

namespace {

/// Shuffles between short rows that follow each other, n of them in as many
/// vectors as a row has elements, and columns, each a vector of n elements.
class RowShuffles {
public:
  RowShuffles(OpBuilder &builder, Location loc, int64_t vectorSize)
      : builder(builder), loc(loc), vectorSize(vectorSize) {}

  /// Returns the columns of the rows in `vectors`.
  Vectors split(ArrayRef<Value> vectors);

  /// Returns the rows of which `columns` are the columns.
  Vectors join(ArrayRef<Value> columns);

private:
  Value shuffle(Value lhs, Value rhs, ArrayRef<int64_t> places) {
    return vector::ShuffleOp::create(builder, loc, lhs, rhs, places);
  }
  Vectors splitOdd(ArrayRef<Value> vectors);
  Vectors joinOdd(ArrayRef<Value> columns);
  Vectors rotate(Vectors vectors, bool isBack);
  int64_t getFirstColumn(int64_t vector, int64_t rowSize) {
    return vectorSize * vector % rowSize;
  }

  OpBuilder &builder;
  Location loc;
  int64_t vectorSize;
};

} // namespace

/// Moves each place of n vectors, n odd, by as many vectors as brings to vector
/// v, and there to any place e, an element of the column that vector v begins
/// with: vector u holds column (size * u + e) mod n at place e, so the column
/// is found w * e vectors before v, with w the inverse of the size modulo n.
/// Bit by bit of the distance, each a selection from two vectors. With `isBack`
/// the other way. Together with a permutation of each vector this transposes,
/// as in Catanzaro, Keller and Garland ("A decomposition for in-place matrix
/// transposition", PPoPP 2014).
Vectors RowShuffles::rotate(Vectors vectors, bool isBack) {
  auto number = static_cast<int64_t>(vectors.size());
  int64_t inverse = 1;
  while (vectorSize * inverse % number != 1 % number)
    ++inverse;
  for (int64_t bit = 1; bit < number; bit *= 2) {
    SmallVector<int64_t> places;
    for (int64_t place = 0; place < vectorSize; ++place) {
      int64_t before = inverse * place % number;
      int64_t distance = (number - before) % number;
      places.push_back(distance & bit ? vectorSize + place : place);
    }
    Vectors moved;
    for (int64_t vector = 0; vector < number; ++vector) {
      int64_t other = vector + (isBack ? number - bit : bit);
      moved.push_back(
          shuffle(vectors[vector], vectors[other % number], places));
    }
    vectors = std::move(moved);
  }
  return vectors;
}

/// Splits rows of odd size.
Vectors RowShuffles::splitOdd(ArrayRef<Value> vectors) {
  auto rowSize = static_cast<int64_t>(vectors.size());
  Vectors columns(rowSize);
  for (auto [vector, value] :
       llvm::enumerate(rotate(Vectors(vectors), /*isBack=*/false))) {
    int64_t column = getFirstColumn(vector, rowSize);
    SmallVector<int64_t> places;
    for (int64_t row = 0; row < vectorSize; ++row)
      places.push_back((row * rowSize + column) % vectorSize);
    columns[column] = shuffle(value, value, places);
  }
  return columns;
}

/// Joins rows of odd size.
Vectors RowShuffles::joinOdd(ArrayRef<Value> columns) {
  auto rowSize = static_cast<int64_t>(columns.size());
  Vectors vectors;
  for (int64_t vector = 0; vector < rowSize; ++vector) {
    int64_t column = getFirstColumn(vector, rowSize);
    SmallVector<int64_t> places(vectorSize);
    for (int64_t row = 0; row < vectorSize; ++row)
      places[(row * rowSize + column) % vectorSize] = row;
    vectors.push_back(shuffle(columns[column], columns[column], places));
  }
  return rotate(std::move(vectors), /*isBack=*/true);
}

Vectors RowShuffles::split(ArrayRef<Value> vectors) {
  auto rowSize = static_cast<int64_t>(vectors.size());
  if (rowSize == 1)
    return {vectors.front()};
  if (rowSize % 2)
    return splitOdd(vectors);
  // Elements of even and of odd columns are rows of half the size.
  Vectors columns(rowSize);
  for (int64_t parity : {0, 1}) {
    Vectors half;
    SmallVector<int64_t> places;
    for (int64_t element = 0; element < vectorSize; ++element)
      places.push_back(2 * element + parity);
    for (int64_t vector = 0; vector < rowSize; vector += 2)
      half.push_back(shuffle(vectors[vector], vectors[vector + 1], places));
    for (auto [index, column] : llvm::enumerate(split(half)))
      columns[2 * index + parity] = column;
  }
  return columns;
}

Vectors RowShuffles::join(ArrayRef<Value> columns) {
  auto rowSize = static_cast<int64_t>(columns.size());
  if (rowSize == 1)
    return {columns.front()};
  if (rowSize % 2)
    return joinOdd(columns);
  Vectors vectors(rowSize), halves[2];
  for (int64_t parity : {0, 1}) {
    Vectors half;
    for (int64_t column = parity; column < rowSize; column += 2)
      half.push_back(columns[column]);
    halves[parity] = join(half);
  }
  for (int64_t part : {0, 1}) {
    SmallVector<int64_t> places;
    for (int64_t element = 0; element < vectorSize; ++element)
      places.push_back((part * vectorSize + element) / 2 +
                       element % 2 * vectorSize);
    for (int64_t index = 0; index < rowSize / 2; ++index)
      vectors[2 * index + part] =
          shuffle(halves[0][index], halves[1][index], places);
  }
  return vectors;
}

/// Rows of more elements are not unrolled.
static constexpr int64_t maxRow = 32;

/// Returns true if `type` is a matrix of static sizes, the rows of which are
/// vectors; with `isFlat` the rows follow each other without gaps, too.
static bool hasVectorRows(MemRefType type, bool isFlat) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.getRank() == 2 && type.hasStaticShape() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         strides[1] == 1 && (!isFlat || strides[0] == type.getDimSize(1));
}

FailureOr<TransposeKernel> TransposeKernel::analyze(RewriterBase &rewriter,
                                                    linalg::TransposeOp op,
                                                    unsigned vectorBits) {
  auto source = dyn_cast<MemRefType>(op.getInput().getType());
  auto destination = dyn_cast<MemRefType>(op.getInit().getType());
  if (!source || !destination)
    return rewriter.notifyMatchFailure(op, "operands are not buffers");
  if (op.getPermutation() != ArrayRef<int64_t>{1, 0})
    return rewriter.notifyMatchFailure(op, "is not that of a matrix");
  if (!isa<FloatType>(source.getElementType()))
    return rewriter.notifyMatchFailure(op, "elements are not floats");
  int64_t vectorSize =
      getVectorSize(vectorBits, source.getElementTypeBitWidth());
  for (bool splitsRows : {true, false}) {
    MemRefType rows = splitsRows ? source : destination;
    MemRefType columns = splitsRows ? destination : source;
    if (hasVectorRows(rows, /*isFlat=*/true) &&
        hasVectorRows(columns, /*isFlat=*/false) &&
        rows.getDimSize(0) % vectorSize == 0 && rows.getDimSize(1) >= 2 &&
        rows.getDimSize(1) <= maxRow)
      return TransposeKernel{op, splitsRows, vectorSize};
  }
  return rewriter.notifyMatchFailure(op, "rows are not short");
}

namespace {

/// Emits one transposition.
class TransposeEmitter {
public:
  TransposeEmitter(RewriterBase &rewriter, const TransposeKernel &kernel);

  void emit();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// Places of the vectors of the group of rows that begins with `row`.
  Vectors getPlaceInLine(int64_t row, int64_t vector) {
    return {index(row * rowSize + vector * vectorSize)};
  }
  Vectors getPlaceInColumns(int64_t row, int64_t column) {
    return {index(column), index(row)};
  }
  Vectors load(int64_t row);
  void prefetch(int64_t row);
  void store(ArrayRef<Value> vectors, int64_t row);
  void storeLine(ArrayRef<Value> vectors, int64_t row, bool isStreaming);
  Value emitIsStreaming();

  OpBuilder &builder;
  linalg::TransposeOp op;
  Location loc;
  bool splitsRows;
  /// The rows as a line, and the matrix of their columns.
  Value line, columns;
  int64_t numRows, rowSize, vectorSize, elementBytes;
  VectorType type;
  /// Whether rows are stored past the caches, or null if they never are.
  Value isStreaming;
};

} // namespace

TransposeEmitter::TransposeEmitter(RewriterBase &rewriter,
                                   const TransposeKernel &kernel)
    : builder(rewriter), op(kernel.op), loc(op.getLoc()),
      splitsRows(kernel.splitsRows), vectorSize(kernel.vectorSize) {
  Value rows = splitsRows ? op.getInput() : op.getInit();
  columns = splitsRows ? op.getInit() : op.getInput();
  auto rowsType = cast<MemRefType>(rows.getType());
  numRows = rowsType.getDimSize(0);
  rowSize = rowsType.getDimSize(1);
  elementBytes = getElementBytes(rowsType);
  type = VectorType::get(vectorSize, rowsType.getElementType());
  SmallVector<ReassociationIndices> all{{0, 1}};
  line = memref::CollapseShapeOp::create(builder, loc, rows, all);
}

/// Emits the vectors of a group of rows, or of their columns.
Vectors TransposeEmitter::load(int64_t row) {
  Vectors vectors;
  for (int64_t vector = 0; vector < rowSize; ++vector)
    vectors.push_back(
        vector::LoadOp::create(builder, loc, type, splitsRows ? line : columns,
                               splitsRows ? getPlaceInLine(row, vector)
                                          : getPlaceInColumns(row, vector)));
  return vectors;
}

/// Emits prefetches of what a tile soon to come has in place of a group of
/// rows. Between the loads of two tiles there is so much to compute that
/// hardware stops to follow them. Behind the last tile they have no effect.
void TransposeEmitter::prefetch(int64_t row) {
  constexpr int64_t distanceBytes = 4096;
  int64_t vectorsOfLine =
      std::max<int64_t>(cacheLineBytes / (vectorSize * elementBytes), 1);
  for (int64_t vector = 0; vector < rowSize; vector += vectorsOfLine) {
    Value place = index(row * rowSize + vector * vectorSize +
                        distanceBytes / elementBytes);
    memref::PrefetchOp::create(builder, loc, line, place, /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
  }
}

/// Emits whether the line is part of a result that bypasses the caches, and
/// aligned for that. Null where it is not.
Value TransposeEmitter::emitIsStreaming() {
  auto bytes = op->getAttrOfType<IntegerAttr>(streamingBytesAttrName);
  if (!bytes || splitsRows)
    return nullptr;
  Value isLarge = meanvar::emitIsStreaming(builder, loc, getViewedBuffer(line),
                                           bytes.getInt());
  Value isAligned = emitIsAligned(builder, loc, line, vectorSize);
  return builder.createOrFold<arith::AndIOp>(loc, isLarge, isAligned);
}

void TransposeEmitter::storeLine(ArrayRef<Value> vectors, int64_t row,
                                 bool isStreaming) {
  llvm::MaybeAlign alignment;
  if (isStreaming)
    alignment = llvm::Align(vectorSize * elementBytes);
  for (auto [vector, value] : llvm::enumerate(vectors))
    vector::StoreOp::create(builder, loc, value, line,
                            getPlaceInLine(row, vector), isStreaming,
                            alignment);
}

void TransposeEmitter::store(ArrayRef<Value> vectors, int64_t row) {
  if (splitsRows) {
    for (auto [column, value] : llvm::enumerate(vectors))
      vector::StoreOp::create(builder, loc, value, columns,
                              getPlaceInColumns(row, column));
    return;
  }
  if (!isStreaming)
    return storeLine(vectors, row, /*isStreaming=*/false);
  auto ifOp = scf::IfOp::create(builder, loc, isStreaming,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  storeLine(vectors, row, /*isStreaming=*/true);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  storeLine(vectors, row, /*isStreaming=*/false);
}

void TransposeEmitter::emit() {
  isStreaming = emitIsStreaming();
  RowShuffles shuffles(builder, loc, vectorSize);
  // As many rows at a time as a vector has elements.
  for (int64_t row = 0; row < numRows; row += vectorSize) {
    if (splitsRows)
      prefetch(row);
    Vectors vectors = load(row);
    store(splitsRows ? shuffles.split(vectors) : shuffles.join(vectors), row);
  }
}

void meanvar::emitTransposeKernel(RewriterBase &rewriter,
                                  const TransposeKernel &kernel) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(kernel.op);
  TransposeEmitter(rewriter, kernel).emit();
  rewriter.eraseOp(kernel.op);
}
