//===- LinalgKernelPairs.cpp - Vectors of every other element -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bf16 number is the upper half of a f32 number. Where two of them share 32
// bits, a shift makes a f32 of one and a mask one of the other, while vectors
// of neighbours have to be spread over twice the width, and packed again, by
// shuffles. So two vectors of a chunk hold the even and the odd elements of the
// place that they would else hold one after the other. That is of no matter
// where all that varies along the vectors is split in the same way, and which
// elements are the even ones, either.
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::meanvar;

static constexpr int64_t bitsOfHalf = 16;

/// Returns true if the vectors of `chunk` hold even and odd elements in turn.
bool LinalgKernelEmitter::isPaired(const Chunk &chunk) const {
  return kernel.pairsElements && chunk.masks.empty() &&
         chunk.numVectors % 2 == 0;
}

Value LinalgKernelEmitter::createHalfShift() {
  return broadcast(arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(bitsOfHalf)));
}

/// Returns the type of both vectors of a pair.
static VectorType getPairType(Type elementType, int64_t vectorSize) {
  return VectorType::get(2 * vectorSize, elementType);
}

/// Reads the even elements of a pair of vectors for the first of them, and the
/// odd ones for the other. LLVM reads both at once.
Value LinalgKernelEmitter::loadOfPair(OpOperand &operand, const Chunk &chunk,
                                      int64_t vector) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  bool isOdd = vector % 2;
  Type elementType = getElementTypeOrSelf(operand.get());
  Value both = vector::LoadOp::create(
      builder, loc, getPairType(elementType, vectorSize), operand.get(),
      getIndices(operand, &chunk, vector - isOdd));
  Value words = vector::BitCastOp::create(
      builder, loc, getVectorType(builder.getI32Type()), both);
  if (isOdd)
    words = arith::ShRUIOp::create(builder, loc, words, createHalfShift());
  Value halves = arith::TruncIOp::create(
      builder, loc, getVectorType(builder.getI16Type()), words);
  return arith::BitcastOp::create(builder, loc, getVectorType(elementType),
                                  halves);
}

/// Stores the values of a pair of vectors, the first of which is number
/// `vector` of `chunk`.
void LinalgKernelEmitter::storePair(Value even, Value odd, OpOperand &operand,
                                    const Chunk &chunk, int64_t vector) {
  auto extend = [&](Value value) -> Value {
    Value halves = arith::BitcastOp::create(
        builder, loc, getVectorType(builder.getI16Type()), broadcast(value));
    return arith::ExtUIOp::create(builder, loc,
                                  getVectorType(builder.getI32Type()), halves);
  };
  Value upper =
      arith::ShLIOp::create(builder, loc, extend(odd), createHalfShift());
  Value words = arith::OrIOp::create(builder, loc, extend(even), upper);
  Value both =
      vector::BitCastOp::create(builder, loc,
                                getPairType(getElementTypeOrSelf(operand.get()),
                                            kernel.schedule.vectorSize),
                                words);
  storeVector(both, operand, chunk, vector);
}
