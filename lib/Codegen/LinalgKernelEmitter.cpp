//===- LinalgKernelEmitter.cpp - Loops over vectors -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the loops of a LinalgKernel. The vectorized dimension is walked in
// chunks of several vectors, then of one, then of a masked one. Everything that
// is read but does not change in a loop is read before it.
//
// * Vectorized dimension reduced (lanes): kept dimensions outermost, sums in
// registers
//   through all reduction loops.
// * Vectorized dimension kept (panels): around it blocks of rows, the other
// dimension
//   that matters. Each block is walked chunk by chunk and each chunk row by
//   row, so that what belongs to a chunk, sums or parameters, stays in
//   registers for a block, and the rows of a block stay in a cache.
//
//===----------------------------------------------------------------------===//

#include "LinalgKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// A piece of the vectorized dimension: `numVectors` vectors from `begin` on,
/// of which the elements outside `mask`, if there is one, are not touched.
struct Chunk {
  Value begin;
  int64_t numVectors;
  Value mask;
};

/// Where the elements of an operand are.
struct Access {
  OpOperand *operand;
  /// Set where the stride of the vectorized dimension is known at run time
  /// only: whether it is 1, and the buffer as one for which it is.
  Value isContiguous, contiguous;
};

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
  LLVM::LoopAnnotationAttr getLoopAnnotation();
  SmallVector<Value> emitDimLoop(unsigned dim, ValueRange inits, LoopBody body);
  void emitLoops(ArrayRef<unsigned> dims, function_ref<void()> innermost);
  SmallVector<Value> emitReductionLoops(ArrayRef<unsigned> dims,
                                        ValueRange sums, LoopBody innermost);
  SmallVector<Value> emitTail(ValueRange inits, ChunkBody body);
  void emitChunks(function_ref<void(const Chunk &)> body);

  // Kinds of kernels.
  void emitPanels();
  void emitChunk(const Chunk &chunk, std::optional<unsigned> rowDim,
                 Value begin, Value end);
  std::optional<unsigned> findRowDim();
  SmallVector<unsigned> getDims(function_ref<bool(unsigned)> isWanted);
  void emitElementwise(const Chunk &chunk);
  void emitPanelReduction(const Chunk &chunk, unsigned rowDim, Value begin,
                          Value end);
  void emitCompensatedPanels();
  void emitCompensatedPanel(const Chunk &chunk);
  void emitLaneReduction();
  SmallVector<Value> emitLaneBlocks(ValueRange sums);

  // Accumulation.
  SmallVector<Value> createNeutralTerms(int64_t numVectors);
  SmallVector<Value> accumulate(const Chunk &chunk, ValueRange partials);
  SmallVector<Value> emitPartials(Value begin, Value end, int64_t step,
                                  int64_t numVectors, ValueRange sums,
                                  LoopBody body);
  SmallVector<Value> flush(ValueRange sums, ValueRange partials,
                           int64_t numVectors);
  SmallVector<Value> flushMerged(ValueRange sums, ValueRange partials,
                                 int64_t numVectors);
  Value combine(vector::CombiningKind kind, Value lhs, Value rhs,
                arith::FastMathFlags fastMath = arith::FastMathFlags::none);
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
  Value evaluateArgument(BlockArgument argument, Point &point);

  // Memory.
  void prepareAccesses();
  void preload(const Chunk *chunk);
  bool isBound(OpOperand &operand);
  SmallVector<Value> getIndices(OpOperand &operand, const Chunk *chunk,
                                int64_t vector);
  Value load(OpOperand &operand, const Chunk *chunk, int64_t vector);
  Value loadVector(const Access &access, const Chunk &chunk, int64_t vector);
  Value loadStrided(const Access &access, const Chunk &chunk, int64_t vector,
                    VectorType type);
  void store(Value value, OpOperand &operand, const Chunk *chunk,
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
  /// Rounds the size of the vectorized dimension down to a multiple of `step`.
  Value roundDown(int64_t step);
  int64_t getNumSums() const {
    int64_t number = 0;
    for (const Reduction &reduction : kernel.reductions)
      number += reduction.isCompensated ? 2 : 1;
    return number;
  }

  RewriterBase &builder;
  const LinalgKernel &kernel;
  linalg::GenericOp op;
  Location loc;
  SmallVector<Value> sizes;
  /// The index of each loop, and whether it is set at the place of emission.
  SmallVector<Value> indices;
  SmallVector<bool> bound;
  SmallVector<Access> accesses;
  /// Operands read before the loops around the place of emission; by operand
  /// number and vector.
  DenseMap<std::pair<unsigned, int64_t>, Value> preloaded;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Emits a loop that carries values, or its body alone where it is known to run
/// once, or nothing where it is known not to run.
SmallVector<Value> LinalgKernelEmitter::emitLoop(Value begin, Value end,
                                                 int64_t step, ValueRange inits,
                                                 LoopBody body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last)
    return SmallVector<Value>(inits);
  if (first && last && *first + step >= *last)
    return body(begin, inits);
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, index(step), inits,
      [&](OpBuilder &bodyBuilder, Location, Value iv, ValueRange args) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(bodyBuilder.getInsertionBlock(),
                                  bodyBuilder.getInsertionPoint());
        SmallVector<Value> results = body(iv, args);
        scf::YieldOp::create(builder, loc, results);
      });
  loop->setAttr("llvm.loop_annotation", getLoopAnnotation());
  return SmallVector<Value>(loop.getResults());
}

/// The loops are unrolled and vectorized as the schedule says. LLVM would
/// unroll those with a constant number of iterations altogether.
LLVM::LoopAnnotationAttr LinalgKernelEmitter::getLoopAnnotation() {
  MLIRContext *context = builder.getContext();
  auto disable = BoolAttr::get(context, true);
  LLVM::LoopUnrollAttr unroll =
      LLVM::LoopUnrollAttr::get(context, disable, {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

/// Emits the loop of dimension `dim`, one index at a time.
SmallVector<Value> LinalgKernelEmitter::emitDimLoop(unsigned dim,
                                                    ValueRange inits,
                                                    LoopBody body) {
  return emitLoop(index(0), sizes[dim], 1, inits,
                  [&](Value iv, ValueRange args) {
                    auto outer = preloaded;
                    indices[dim] = iv;
                    bound[dim] = true;
                    SmallVector<Value> results = body(iv, args);
                    bound[dim] = false;
                    preloaded = std::move(outer);
                    return results;
                  });
}

/// Emits loops of the dimensions `dims` around `innermost`.
void LinalgKernelEmitter::emitLoops(ArrayRef<unsigned> dims,
                                    function_ref<void()> innermost) {
  preload(nullptr);
  if (dims.empty())
    return innermost();
  emitDimLoop(dims.front(), {}, [&](Value, ValueRange) {
    emitLoops(dims.drop_front(), innermost);
    return SmallVector<Value>();
  });
}

/// Emits loops of reduced dimensions around `innermost`.
SmallVector<Value>
LinalgKernelEmitter::emitReductionLoops(ArrayRef<unsigned> dims,
                                        ValueRange sums, LoopBody innermost) {
  preload(nullptr);
  if (dims.empty())
    return innermost(Value(), sums);
  return emitDimLoop(dims.front(), sums, [&](Value, ValueRange args) {
    return emitReductionLoops(dims.drop_front(), args, innermost);
  });
}

Value LinalgKernelEmitter::roundDown(int64_t step) {
  Value size = sizes[*kernel.vectorDim];
  if (step == 1)
    return size;
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, size, index(step));
  return builder.createOrFold<arith::SubIOp>(loc, size, rest);
}

/// Emits the masked rest of the vectorized dimension, unless it is known that
/// there is none.
SmallVector<Value> LinalgKernelEmitter::emitTail(ValueRange inits,
                                                 ChunkBody body) {
  if (kernel.schedule.vectorSize == 1)
    return SmallVector<Value>(inits);
  Value size = sizes[*kernel.vectorDim];
  Value begin = roundDown(kernel.schedule.vectorSize);
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(size);
  if (first && last && *first == *last)
    return SmallVector<Value>(inits);
  auto emitBody = [&] {
    Value rest = builder.createOrFold<arith::SubIOp>(loc, size, begin);
    Value mask = vector::CreateMaskOp::create(
        builder, loc, cast<VectorType>(getVectorType(builder.getI1Type())),
        rest);
    return body({begin, 1, mask}, inits);
  };
  if (first && last)
    return emitBody();
  Value hasTail = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        begin, size);
  auto ifOp = scf::IfOp::create(builder, loc, inits.getTypes(), hasTail,
                                /*addThenBlock=*/true,
                                /*addElseBlock=*/!inits.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> results = emitBody();
  builder.setInsertionPointToEnd(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, results);
  if (!inits.empty()) {
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, inits);
  }
  return SmallVector<Value>(ifOp.getResults());
}

/// Emits `body` for chunks that cover the vectorized dimension.
void LinalgKernelEmitter::emitChunks(function_ref<void(const Chunk &)> body) {
  if (!kernel.vectorDim)
    return body({Value(), 1, Value()});
  int64_t vectorSize = kernel.schedule.vectorSize;
  int64_t unroll = kernel.schedule.unroll;
  auto emitRange = [&](Value begin, Value end, int64_t numVectors) {
    emitLoop(begin, end, numVectors * vectorSize, {},
             [&](Value iv, ValueRange) {
               body({iv, numVectors, Value()});
               return SmallVector<Value>();
             });
  };
  Value mainEnd = roundDown(vectorSize * unroll);
  emitRange(index(0), mainEnd, unroll);
  if (unroll > 1)
    emitRange(mainEnd, roundDown(vectorSize), 1);
  emitTail({}, [&](const Chunk &chunk, ValueRange) {
    body(chunk);
    return SmallVector<Value>();
  });
}

//===----------------------------------------------------------------------===//
// Kinds of kernels
//===----------------------------------------------------------------------===//

/// Returns the dimensions other than the vectorized one that `isWanted`
/// selects.
SmallVector<unsigned>
LinalgKernelEmitter::getDims(function_ref<bool(unsigned)> isWanted) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (dim != kernel.vectorDim && isWanted(dim))
      dims.push_back(dim);
  return dims;
}

/// Returns the dimension along which what belongs to a chunk does not change:
/// the innermost that is reduced, or if none is, the innermost along which some
/// input that varies along the vectors does not vary.
std::optional<unsigned> LinalgKernelEmitter::findRowDim() {
  SmallVector<unsigned> dims = getDims([&](unsigned dim) {
    if (!kernel.reductions.empty())
      return kernel.isReduced(dim);
    return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      return kernel.variesAlongVectors(*operand) &&
             !op.getMatchingIndexingMap(operand).isFunctionOfDim(dim);
    });
  });
  if (dims.empty())
    return std::nullopt;
  return dims.back();
}

/// The vectorized dimension is kept, or there is none.
void LinalgKernelEmitter::emitPanels() {
  std::optional<unsigned> rowDim = findRowDim();
  // As many streams as hardware prefetches; and no more terms than a partial
  // sum may take.
  int64_t block = 8;
  if (kernel.maxPartialSum > 0)
    block = std::min(block, kernel.maxPartialSum);
  emitLoops(getDims([&](unsigned dim) { return dim != rowDim; }), [&] {
    if (!rowDim)
      return emitChunks([&](const Chunk &chunk) {
        emitChunk(chunk, rowDim, Value(), Value());
      });
    emitLoop(index(0), sizes[*rowDim], block, {}, [&](Value begin, ValueRange) {
      Value end = builder.createOrFold<arith::MinUIOp>(
          loc, addIndex(begin, block), sizes[*rowDim]);
      emitChunks(
          [&](const Chunk &chunk) { emitChunk(chunk, rowDim, begin, end); });
      return SmallVector<Value>();
    });
  });
}

/// Emits the rows from `begin` to `end` of a chunk.
void LinalgKernelEmitter::emitChunk(const Chunk &chunk,
                                    std::optional<unsigned> rowDim, Value begin,
                                    Value end) {
  auto outer = preloaded;
  preload(&chunk);
  if (!rowDim) {
    emitElementwise(chunk);
  } else if (!kernel.reductions.empty()) {
    emitPanelReduction(chunk, *rowDim, begin, end);
  } else {
    emitLoop(begin, end, 1, {}, [&](Value row, ValueRange) {
      indices[*rowDim] = row;
      emitElementwise(chunk);
      return SmallVector<Value>();
    });
  }
  preloaded = std::move(outer);
}

/// Elementwise: each vector of the outputs is computed and stored.
void LinalgKernelEmitter::emitElementwise(const Chunk &chunk) {
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  SmallVector<SmallVector<Value>> results(chunk.numVectors);
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector) {
    Point point{chunk, vector, DenseMap<Value, Value>()};
    for (Value value : yield.getValues())
      results[vector].push_back(evaluate(value, point));
  }
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
    for (auto [value, operand] :
         llvm::zip_equal(results[vector], op.getDpsInitsMutable()))
      store(value, operand, &chunk, vector);
}

/// Emits the sums of rows of a chunk, each vector of which is a vector of sums,
/// and adds them to those in memory.
void LinalgKernelEmitter::emitPanelReduction(const Chunk &chunk,
                                             unsigned rowDim, Value begin,
                                             Value end) {
  SmallVector<Value> partials =
      emitLoop(begin, end, 1, createNeutralTerms(chunk.numVectors),
               [&](Value row, ValueRange args) {
                 indices[rowDim] = row;
                 return accumulate(chunk, args);
               });
  SmallVector<Value> sums;
  for (OpOperand &operand : op.getDpsInitsMutable())
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      sums.push_back(load(operand, &chunk, vector));
  sums = flush(sums, partials, chunk.numVectors);
  for (auto [index, operand] : llvm::enumerate(op.getDpsInitsMutable()))
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      store(sums[index * chunk.numVectors + vector], operand, &chunk, vector);
}

/// The vectorized dimension is kept and some sum keeps its rounding errors.
void LinalgKernelEmitter::emitCompensatedPanels() {
  emitLoops(getDims([&](unsigned dim) { return !kernel.isReduced(dim); }), [&] {
    emitChunks([&](const Chunk &chunk) {
      auto outer = preloaded;
      preload(&chunk);
      emitCompensatedPanel(chunk);
      preloaded = std::move(outer);
    });
  });
}

/// Emits the sums of a chunk over all rows, with their rounding errors, which
/// have no place in memory: they stay in registers through all reduction loops.
void LinalgKernelEmitter::emitCompensatedPanel(const Chunk &chunk) {
  SmallVector<unsigned> reducedDims;
  op.getReductionDims(reducedDims);
  unsigned innermost = reducedDims.pop_back_val();

  // One sum after the other, and for each all vectors.
  SmallVector<Value> sums;
  for (auto [reduction, operand] :
       llvm::zip_equal(kernel.reductions, op.getDpsInitsMutable())) {
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector)
      sums.push_back(load(operand, &chunk, vector));
    if (reduction.isCompensated)
      sums.append(chunk.numVectors,
                  broadcast(createNeutral(vector::CombiningKind::ADD,
                                          reduction.sumType)));
  }

  sums =
      emitReductionLoops(reducedDims, sums, [&](Value, ValueRange outerSums) {
        int64_t block = kernel.maxPartialSum;
        auto emitBlock = [&](Value begin, Value end, ValueRange blockSums) {
          SmallVector<Value> partials =
              emitLoop(begin, end, 1, createNeutralTerms(chunk.numVectors),
                       [&](Value iv, ValueRange args) {
                         indices[innermost] = iv;
                         return accumulate(chunk, args);
                       });
          return flush(blockSums, partials, chunk.numVectors);
        };
        if (block == 0)
          return emitBlock(index(0), sizes[innermost], outerSums);
        return emitLoop(
            index(0), sizes[innermost], block, outerSums,
            [&](Value begin, ValueRange blockSums) {
              Value end = builder.createOrFold<arith::MinUIOp>(
                  loc,
                  builder.createOrFold<arith::AddIOp>(loc, begin, index(block)),
                  sizes[innermost]);
              return emitBlock(begin, end, blockSums);
            });
      });

  ValueRange rest = sums;
  for (auto [reduction, operand] :
       llvm::zip_equal(kernel.reductions, op.getDpsInitsMutable())) {
    ValueRange values = rest.take_front(chunk.numVectors);
    rest = rest.drop_front(chunk.numVectors);
    ValueRange errors;
    if (reduction.isCompensated) {
      errors = rest.take_front(chunk.numVectors);
      rest = rest.drop_front(chunk.numVectors);
    }
    for (int64_t vector = 0; vector < chunk.numVectors; ++vector) {
      Value value = values[vector];
      if (reduction.isCompensated)
        value = arith::AddFOp::create(builder, loc, value, errors[vector]);
      store(value, operand, &chunk, vector);
    }
  }
}

/// The vectorized dimension is reduced: vectors of sums are carried through all
/// reduction loops and reduced horizontally after them.
void LinalgKernelEmitter::emitLaneReduction() {
  SmallVector<unsigned> reducedDims;
  op.getReductionDims(reducedDims);
  reducedDims.pop_back(); // the vectorized one

  SmallVector<Value> sums;
  for (const Reduction &reduction : kernel.reductions)
    sums.append(reduction.isCompensated ? 2 : 1,
                broadcast(createNeutral(reduction.kind, reduction.sumType)));
  sums = emitReductionLoops(reducedDims, sums, [&](Value, ValueRange args) {
    return emitLaneBlocks(args);
  });

  auto reduceHorizontally = [&](vector::CombiningKind kind, Value value) {
    if (kernel.schedule.vectorSize == 1)
      return value;
    // A tree of shuffles in a fixed order, instead of a chain.
    auto flags = isa<FloatType>(getElementTypeOrSelf(value))
                     ? arith::FastMathFlags::reassoc
                     : arith::FastMathFlags::none;
    return vector::ReductionOp::create(builder, loc, kind, value, flags)
        .getResult();
  };
  ValueRange rest = sums;
  for (auto [reduction, operand] :
       llvm::zip_equal(kernel.reductions, op.getDpsInitsMutable())) {
    Value total = reduceHorizontally(reduction.kind, rest.front());
    rest = rest.drop_front();
    if (reduction.isCompensated) {
      Value error = reduceHorizontally(reduction.kind, rest.front());
      total = arith::AddFOp::create(builder, loc, total, error);
      rest = rest.drop_front();
    }
    Value init = load(operand, nullptr, 0);
    store(combine(reduction.kind, init, total), operand, nullptr, 0);
  }
}

/// Emits the vectorized loop of a lane: blocks of bounded partial sums in
/// several vectors, then the vectors that are left.
SmallVector<Value> LinalgKernelEmitter::emitLaneBlocks(ValueRange initialSums) {
  int64_t vectorSize = kernel.schedule.vectorSize;
  int64_t unroll = kernel.schedule.unroll;
  int64_t step = vectorSize * unroll;
  Value mainEnd = roundDown(step);
  auto emitBlock = [&](Value begin, Value end, ValueRange blockSums) {
    SmallVector<Value> partials =
        emitLoop(begin, end, step, createNeutralTerms(unroll),
                 [&](Value iv, ValueRange args) {
                   return accumulate({iv, unroll, Value()}, args);
                 });
    return flushMerged(blockSums, partials, unroll);
  };

  SmallVector<Value> sums;
  int64_t block = kernel.maxPartialSum * step;
  if (block == 0) {
    sums = emitBlock(index(0), mainEnd, initialSums);
  } else {
    sums = emitLoop(index(0), mainEnd, block, initialSums,
                    [&](Value begin, ValueRange blockSums) {
                      Value end = builder.createOrFold<arith::MinUIOp>(
                          loc, addIndex(begin, block), mainEnd);
                      return emitBlock(begin, end, blockSums);
                    });
  }
  if (vectorSize == 1 && unroll == 1)
    return sums;

  SmallVector<Value> partials = createNeutralTerms(1);
  if (unroll > 1)
    partials = emitLoop(mainEnd, roundDown(vectorSize), vectorSize, partials,
                        [&](Value iv, ValueRange args) {
                          return accumulate({iv, 1, Value()}, args);
                        });
  partials = emitTail(partials, [&](const Chunk &chunk, ValueRange args) {
    return accumulate(chunk, args);
  });
  return flush(sums, partials, 1);
}

//===----------------------------------------------------------------------===//
// Accumulation
//===----------------------------------------------------------------------===//

Value LinalgKernelEmitter::createNeutral(vector::CombiningKind kind,
                                         Type type) {
  switch (kind) {
  case vector::CombiningKind::MAXIMUMF:
  case vector::CombiningKind::MINIMUMF: {
    auto floatType = cast<FloatType>(type);
    bool negative = kind == vector::CombiningKind::MAXIMUMF;
    return arith::ConstantOp::create(
        builder, loc,
        FloatAttr::get(floatType, APFloat::getInf(floatType.getFloatSemantics(),
                                                  negative)));
  }
  case vector::CombiningKind::AND:
  case vector::CombiningKind::MINUI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(type,
                         APInt::getAllOnes(type.getIntOrFloatBitWidth())));
  case vector::CombiningKind::MAXSI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(
            type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth())));
  case vector::CombiningKind::MINSI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(
            type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth())));
  default:
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
}

/// Returns the neutral value of each output's terms, `numVectors` of each.
SmallVector<Value> LinalgKernelEmitter::createNeutralTerms(int64_t numVectors) {
  SmallVector<Value> terms;
  for (const Reduction &reduction : kernel.reductions)
    terms.append(numVectors,
                 broadcast(createNeutral(reduction.kind, reduction.termType)));
  return terms;
}

/// Combines the terms at `chunk` into `partials`.
SmallVector<Value> LinalgKernelEmitter::accumulate(const Chunk &chunk,
                                                   ValueRange partials) {
  SmallVector<Value> results(partials);
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector) {
    Point point{chunk, vector, DenseMap<Value, Value>()};
    for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
      Value term = broadcast(evaluate(reduction.term, point));
      if (chunk.mask && kernel.isReduced(*kernel.vectorDim))
        term = arith::SelectOp::create(
            builder, loc, chunk.mask, term,
            broadcast(createNeutral(reduction.kind, reduction.termType)));
      Value &partial = results[index * chunk.numVectors + vector];
      partial = combine(reduction.kind, partial, term, reduction.fastMath);
    }
  }
  return results;
}

Value LinalgKernelEmitter::combine(vector::CombiningKind kind, Value lhs,
                                   Value rhs, arith::FastMathFlags fastMath) {
  auto flags = arith::FastMathFlagsAttr::get(builder.getContext(), fastMath);
  return vector::makeArithReduction(builder, loc, kind, lhs, rhs, flags);
}

Value LinalgKernelEmitter::widen(const Reduction &reduction, Value term) {
  if (!reduction.isWidened())
    return term;
  return arith::ExtFOp::create(builder, loc, getVectorType(reduction.sumType),
                               term);
}

/// TwoSum (Knuth, The Art of Computer Programming 2, 4.2.2): the rounded sum,
/// and what the rounding lost.
std::pair<Value, Value> LinalgKernelEmitter::addWithError(Value sum,
                                                          Value term) {
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  };
  auto sub = [&](Value lhs, Value rhs) -> Value {
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  };
  Value total = add(sum, term);
  Value termPart = sub(total, sum);
  Value sumPart = sub(total, termPart);
  Value error = add(sub(sum, sumPart), sub(term, termPart));
  return {total, error};
}

/// Combines `partials`, `numVectors` for each output, into as many sums.
SmallVector<Value> LinalgKernelEmitter::flush(ValueRange sums,
                                              ValueRange partials,
                                              int64_t numVectors) {
  SmallVector<Value> results;
  ValueRange rest = sums;
  for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
    SmallVector<Value> totals, errors;
    for (int64_t vector = 0; vector < numVectors; ++vector) {
      Value term = widen(reduction, partials[index * numVectors + vector]);
      if (!reduction.isCompensated) {
        totals.push_back(combine(reduction.kind, rest[vector], term));
        continue;
      }
      auto [total, error] = addWithError(rest[vector], term);
      totals.push_back(total);
      errors.push_back(arith::AddFOp::create(builder, loc,
                                             rest[numVectors + vector], error));
    }
    llvm::append_range(results, totals);
    llvm::append_range(results, errors);
    rest = rest.drop_front(totals.size() + errors.size());
  }
  return results;
}

/// Merges `partials`, `numVectors` for each output, pairwise into one and
/// combines that into the sum.
SmallVector<Value> LinalgKernelEmitter::flushMerged(ValueRange sums,
                                                    ValueRange partials,
                                                    int64_t numVectors) {
  SmallVector<Value> merged;
  for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
    SmallVector<Value> level(partials.slice(index * numVectors, numVectors));
    while (level.size() > 1) {
      SmallVector<Value> next;
      for (size_t pair = 0; pair + 1 < level.size(); pair += 2)
        next.push_back(combine(reduction.kind, level[pair], level[pair + 1]));
      if (level.size() % 2)
        next.push_back(level.back());
      level = std::move(next);
    }
    merged.push_back(level.front());
  }
  return flush(sums, merged, 1);
}

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
  return vector::BroadcastOp::create(builder, loc, getVectorType(type), value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Emits what reading inputs whose stride is known at run time only needs.
void LinalgKernelEmitter::prepareAccesses() {
  for (OpOperand &operand : op->getOpOperands()) {
    Access &access = accesses.emplace_back();
    access.operand = &operand;
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !kernel.variesAlongVectors(operand))
      continue;
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)type.getStridesAndOffset(strides, offset); // checked by the analysis
    if (strides.back() == 1)
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

/// Returns true if the indices of `operand` are set at the place of emission,
/// apart from that of the vectorized dimension.
bool LinalgKernelEmitter::isBound(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (unsigned dim = 0; dim < bound.size(); ++dim)
    if (dim != kernel.vectorDim && map.isFunctionOfDim(dim) && !bound[dim])
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

SmallVector<Value> LinalgKernelEmitter::getIndices(OpOperand &operand,
                                                   const Chunk *chunk,
                                                   int64_t vector) {
  SmallVector<Value> result;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
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
  auto type = cast<VectorType>(getVectorType(
      cast<MemRefType>(operand.get().getType()).getElementType()));
  auto loadContiguous = [&](Value buffer) -> Value {
    SmallVector<Value> position = getIndices(operand, &chunk, vector);
    if (!chunk.mask)
      return vector::LoadOp::create(builder, loc, type, buffer, position);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, loc, type, buffer, position,
                                        chunk.mask, zero);
  };
  if (!access.isContiguous)
    return loadContiguous(operand.get());
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
    if (chunk.mask)
      position.back() =
          arith::MinUIOp::create(builder, loc, position.back(), last);
    elements.push_back(
        memref::LoadOp::create(builder, loc, access.operand->get(), position));
  }
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

void LinalgKernelEmitter::store(Value value, OpOperand &operand,
                                const Chunk *chunk, int64_t vector) {
  SmallVector<Value> position = getIndices(operand, chunk, vector);
  bool isVector =
      kernel.variesAlongVectors(operand) && kernel.schedule.vectorSize > 1;
  if (!isVector)
    memref::StoreOp::create(builder, loc, value, operand.get(), position);
  else if (chunk->mask)
    vector::MaskedStoreOp::create(builder, loc, operand.get(), position,
                                  chunk->mask, broadcast(value));
  else
    vector::StoreOp::create(builder, loc, broadcast(value), operand.get(),
                            position);
}

void LinalgKernelEmitter::emit() {
  for (Range range :
       cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(builder, loc))
    sizes.push_back(getValueOrCreateConstantIndexOp(builder, loc, range.size));
  prepareAccesses();
  if (kernel.vectorDim && kernel.isReduced(*kernel.vectorDim))
    return emitLoops(
        getDims([&](unsigned dim) { return !kernel.isReduced(dim); }),
        [&] { emitLaneReduction(); });
  if (llvm::any_of(kernel.reductions, [](const Reduction &reduction) {
        return reduction.isCompensated;
      }))
    return emitCompensatedPanels();
  emitPanels();
}

void meanvar::emitLinalgKernel(RewriterBase &rewriter,
                               const LinalgKernel &kernel) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(kernel.op);
  LinalgKernelEmitter(rewriter, kernel).emit();
  rewriter.eraseOp(kernel.op);
}
