//===- LinalgKernelEmitter.h - Loops over vectors ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the loops of a LinalgKernel. The vectorized dimension is walked in
// chunks of several vectors, then of one, then of a masked one. Everything that
// is read but does not change in a loop is read before it. Chunks start at an
// index, not at an aligned address, so the order of a sum depends on the sizes
// alone and the bits are the same for every alignment (V9).
//
// * Vectorized dimension reduced (lanes): kept dimensions outermost, sums in
//   registers through all reduction loops. Those of several lanes are folded
//   together.
// * Nothing reduced (elementwise): row by row, chunk by chunk.
// * Vectorized dimension kept (panels): around it blocks of rows, the other
//   dimension that matters. Each block is walked chunk by chunk and each chunk
//   row by row, so that the sums of a chunk stay in registers for a block.
// * Vectorized dimension kept, but short (short rows): it and the dimension
//   before it are taken as one. What varies along it alone is periodic and
//   becomes a few vectors that are read before the loops. Sums are those of
//   lanes, with a vector for each place of the period, and are folded at the
//   end.
// * Vectorized dimension kept and sums with rounding errors beside them
//   (compensated panels): as panels, with the errors on the stack, or in
//   registers through all rows where there is one chunk.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_LINALGKERNELEMITTER_H
#define MEANVAR_LIB_CODEGEN_LINALGKERNELEMITTER_H

#include "LinalgKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::meanvar {

/// A piece of the vectorized dimension: `numVectors` vectors from `begin` on,
/// of which the elements outside the masks, one for each vector if there are
/// any, are not touched.
struct Chunk {
  Value begin;
  int64_t numVectors;
  SmallVector<Value> masks;

  Value getMask(int64_t vector) const {
    return masks.empty() ? Value() : masks[vector];
  }
};

/// A part of the vectorized dimension from `begin` on, the chunks of which take
/// turns: for each output a buffer of vectors with the rounding errors of its
/// sums, or null.
struct Strip {
  ArrayRef<Value> errors;
  Value begin;
};

/// Where the elements of an operand are.
struct Access {
  OpOperand *operand;
  /// The buffer that is read or written: the operand, or where vectors run
  /// along two dimensions, a view of it in which they are one.
  Value buffer;
  /// Set where the stride of the vectorized dimension is known at run time
  /// only: whether it is 1, and the buffer as one for which it is.
  Value isContiguous, contiguous;
};

/// Creates a buffer of `numVectors` vectors on the stack; not in a loop around
/// `op`, where each iteration would take more of it.
Value createStackBuffer(OpBuilder &builder, Operation *op, int64_t numVectors,
                        VectorType type);

/// Emits the loops of one kernel in place of its operation.
class LinalgKernelEmitter {
public:
  LinalgKernelEmitter(RewriterBase &builder, const LinalgKernel &kernel)
      : builder(builder), kernel(kernel), op(kernel.op), loc(op.getLoc()),
        indices(op.getNumLoops()), bound(op.getNumLoops(), false) {}

  void emit();

private:
  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;
  using ChunkBody = function_ref<SmallVector<Value>(const Chunk &, ValueRange)>;

  // Loops.
  SmallVector<Value> emitLoop(Value begin, Value end, int64_t step,
                              ValueRange inits, LoopBody body);
  SmallVector<Value> emitRows(Value begin, Value end, ValueRange inits,
                              LoopBody body);
  LLVM::LoopAnnotationAttr getLoopAnnotation();
  void emitAt(unsigned dim, Value place, function_ref<void()> body);
  SmallVector<Value> emitDimLoop(unsigned dim, ValueRange inits, LoopBody body);
  void emitLoops(ArrayRef<unsigned> dims, function_ref<void()> innermost);
  SmallVector<Value> emitReductionLoops(ArrayRef<unsigned> dims,
                                        ValueRange sums, LoopBody innermost);
  Value createMask(Value count);
  Chunk createMaskedChunk(Value begin, Value count);
  Chunk createRowChunk();
  SmallVector<Value> emitTail(ValueRange inits, ChunkBody body,
                              Value begin = Value());
  void emitChunks(function_ref<void(const Chunk &)> body,
                  Value begin = Value());
  void emitChunkLoop(Value begin, Value end, int64_t numVectors,
                     function_ref<void(const Chunk &)> body);
  Value getMainEnd(Value begin);
  void emitRest(Value begin, Value mainEnd,
                function_ref<void(const Chunk &)> body);
  void emitTail(Value begin, function_ref<void(const Chunk &)> body);
  void emitIf(Value condition, function_ref<void()> thenBody,
              function_ref<void()> elseBody = nullptr);

  // Kinds of kernels.
  void prepareStreaming();
  Value emitFillsAlignedVectors(Value output, Value size);
  void preparePrefetches();
  Value emitDistanceInRow(OpOperand &input);
  Value emitDistanceOfTile(OpOperand &input, Value bytes);
  void emitPrefetches(const Chunk &chunk);
  void emitBlockPrefetches(Value begin, int64_t block);
  void emitPrefetch(OpOperand &input, Value place);
  void emitStreamingRow(function_ref<void(const Chunk &)> body);
  Value emitMisalignment(int64_t unit);
  int64_t getStreamedElements();
  std::pair<Value, Value> emitStreamedBegin(int64_t unit);
  void emitPanels();
  SmallVector<unsigned> getDims(function_ref<bool(unsigned)> isWanted);
  void emitElementwise();
  void emitElementwiseChunk(const Chunk &chunk);
  void emitRowBlocks(unsigned rowDim, int64_t block, const Strip *strip);
  void emitPanelReduction(const Chunk &chunk, unsigned rowDim, Value begin,
                          Value end, const Strip *strip);
  void emitCompensatedPanels();
  void emitCompensatedChunk(const Chunk &chunk);
  void emitCompensatedStrips(ArrayRef<Value> errors);
  void emitCompensatedStrip(const Strip &strip);
  SmallVector<Value> loadSums(const Chunk &chunk, const Strip *strip);
  void storeSums(const Chunk &chunk, ValueRange sums, const Strip *strip);
  SmallVector<Value> getPlaceInStrip(const Chunk &chunk, int64_t vector,
                                     const Strip &strip);
  SmallVector<Value> emitLaneSums();
  void storeLaneSums(ValueRange sums);
  Value completeSum(const Reduction &reduction, function_ref<Value()> foldNext);
  Value fold(vector::CombiningKind kind, ValueRange sums);
  SmallVector<Value> emitLaneBlocks(ValueRange sums);

  // Groups of rows.
  void emitRowGroups();
  void emitRowsOfGroup(unsigned rowDim, Value first, Value numRows,
                       ArrayRef<Value> buffers);
  void storeRowGroup(unsigned rowDim, Value first, Value numRows,
                     ArrayRef<Value> buffers);
  Value foldRows(vector::CombiningKind kind, Value buffer);
  Value foldRange(vector::CombiningKind kind, Value buffer, int64_t first,
                  int64_t numRows);
  Value combineHalves(vector::CombiningKind kind, ArrayRef<Value> vectors,
                      int64_t numRows, int64_t laneSize);

  // Accumulation.
  SmallVector<Value> createNeutralTerms(int64_t numVectors);
  SmallVector<Value> accumulate(const Chunk &chunk, ValueRange partials);
  SmallVector<Value> accumulateRows(const Chunk &chunk, unsigned rowDim,
                                    Value begin, Value end);
  SmallVector<Value> flush(ValueRange sums, ValueRange partials,
                           int64_t numVectors);
  SmallVector<Value> flushMerged(ValueRange sums, ValueRange partials,
                                 int64_t numVectors);
  Value combine(vector::CombiningKind kind, Value lhs, Value rhs,
                arith::FastMathFlags fastMath = arith::FastMathFlags::none);
  Value combinePairwise(vector::CombiningKind kind, SmallVector<Value> level);
  Value widen(const Reduction &reduction, Value term);
  std::pair<Value, Value> addWithError(Value sum, Value term);
  Value createNeutral(vector::CombiningKind kind, Type type);

  // The body.
  struct Point {
    const Chunk &chunk;
    int64_t vector;
    DenseMap<Value, Value> values;
  };
  Value evaluate(Value value, Point &point);
  Value evaluateOperation(Operation *bodyOp, Point &point);
  Value evaluateStored(Value value, Point &point);
  Value evaluateArgument(BlockArgument argument, Point &point);

  // Memory.
  void prepareAccesses();
  void preload(const Chunk *chunk);
  void preloadPeriods();
  Value flatten(Value buffer);
  bool isBound(OpOperand &operand);
  SmallVector<Value> getIndices(OpOperand &operand, const Chunk *chunk,
                                int64_t vector);
  Value load(OpOperand &operand, const Chunk *chunk, int64_t vector);
  Value loadPeriod(OpOperand &operand, int64_t vector);
  Value loadVector(const Access &access, const Chunk &chunk, int64_t vector);
  Value loadStrided(const Access &access, const Chunk &chunk, int64_t vector,
                    VectorType type);
  void store(Value value, OpOperand &operand, const Chunk *chunk,
             int64_t vector);
  void storePart(Value value, Value buffer, SmallVector<Value> position,
                 int64_t count);
  void storeVector(Value value, OpOperand &operand, const Chunk &chunk,
                   int64_t vector);

  // Vectors of every other element.
  bool isPaired(const Chunk &chunk) const;
  Value createHalfShift();
  Value loadOfPair(OpOperand &operand, const Chunk &chunk, int64_t vector);
  void storePair(Value even, Value odd, OpOperand &operand, const Chunk &chunk,
                 int64_t vector);

  // Types and constants.
  Type getVectorType(Type elementType) const {
    if (kernel.schedule.vectorSize == 1)
      return elementType;
    return VectorType::get(kernel.schedule.vectorSize, elementType);
  }
  Value broadcast(Value value);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value addIndex(Value lhs, int64_t rhs) {
    return rhs == 0 ? lhs
                    : builder.createOrFold<arith::AddIOp>(loc, lhs, index(rhs));
  }
  /// Returns the end of the last step from `begin` on, or from 0, that fits the
  /// vectorized dimension.
  /// Returns the end of a block from `begin` on, of which `limit` may cut off a
  /// part.
  Value getBlockEnd(Value begin, int64_t block, Value limit) {
    return builder.createOrFold<arith::MinUIOp>(loc, addIndex(begin, block),
                                                limit);
  }
  Value roundDown(int64_t step, Value begin = Value());

  RewriterBase &builder;
  const LinalgKernel &kernel;
  linalg::GenericOp op;
  Location loc;
  SmallVector<Value> sizes;
  /// The index of each loop, and whether it is set at the place of emission.
  SmallVector<Value> indices;
  SmallVector<bool> bound;
  SmallVector<Access> accesses;
  /// The number of elements after which follows what is to be read early; 0 or
  /// null where nothing is.
  Value prefetchDistance;
  /// Whether rows of the output bypass the caches (i1) once they are aligned;
  /// null if it never does. And whether it does at the place of emission.
  Value isStreaming;
  bool storesStream = false;
  /// Of rows of whole vectors, whether all are aligned and bypass the caches
  /// (i1), or null.
  Value areRowsAligned;
  /// Operands read before the loops around the place of emission; by operand
  /// number and vector.
  DenseMap<std::pair<unsigned, int64_t>, Value> preloaded;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_LINALGKERNELEMITTER_H
