//===- DistributeForall.cpp - Parallel loops over threads -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"
#include "StreamingStores.h"
#include "Threads.h"

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_DISTRIBUTEFORALLPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// Distributes one scf.forall without results over threads: its body goes to a
/// function that runs a range of the iterations, whose numbers count through
/// all dimensions.
class ForallDistribution {
public:
  ForallDistribution(RewriterBase &builder, scf::ForallOp loop,
                     unsigned numThreads, int64_t minBytes)
      : builder(builder), loop(loop), loc(loop.getLoc()),
        numThreads(numThreads), minBytes(minBytes) {}

  /// Replaces the loop; the function is inserted into `symbols`. `results` are
  /// the arguments that the function around it only writes.
  void emit(SymbolTable &symbols, const DenseSet<Value> &results);

private:
  void hoistTemporaries();
  void emitCounts();
  SmallVector<Value> emitIndices(Value iteration);
  void isolate(Region &region);
  func::FuncOp outlineBody(SymbolTable &symbols);
  void markRead(func::FuncOp function, const DenseSet<Value> &results);
  Value emitIsWorthwhile();
  Value emitThreadBegin(Value thread);
  Value emitTemporary(memref::AllocOp pool, Type type, Value thread);
  void emitCall(func::FuncOp function, Value begin, Value end, Value thread);
  void emitParallel(func::FuncOp function);

  template <typename Op>
  Value fold(Value lhs, Value rhs) {
    return builder.createOrFold<Op>(loc, lhs, rhs);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  RewriterBase &builder;
  scf::ForallOp loop;
  Location loc;
  unsigned numThreads;
  int64_t minBytes;
  /// The number of iterations of each dimension, and of all.
  SmallVector<Value> counts;
  Value total;
  /// What the body uses of the function around it.
  SmallVector<Value> captures;
  /// For each large temporary of the body, the buffer that holds one of each
  /// thread.
  llvm::SmallMapVector<Value, memref::AllocOp, 2> pools;
};

} // namespace

/// Takes temporaries that are too large for the stack out of the body. Only the
/// thread that runs the function can report that there is no memory for them.
void ForallDistribution::hoistTemporaries() {
  for (auto alloc :
       llvm::to_vector(loop.getBody()->getOps<memref::AllocOp>())) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !mayHaveBytes(type, maxStackBytes + 1))
      continue;
    int64_t bytes = llvm::alignTo(type.getNumElements() * getElementBytes(type),
                                  cacheLineBytes);
    auto poolType =
        MemRefType::get({numThreads * bytes}, builder.getIntegerType(8));
    alloc->moveBefore(loop);
    pools.insert(
        {alloc.getResult(),
         memref::AllocOp::create(builder, loc, poolType,
                                 builder.getI64IntegerAttr(cacheLineBytes))});
  }
}

void ForallDistribution::emitCounts() {
  total = index(1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getLowerBound(builder), loop.getUpperBound(builder),
                       loop.getStep(builder))) {
    Value extent = fold<arith::SubIOp>(upper, lower);
    Value count =
        fold<arith::MaxSIOp>(fold<arith::CeilDivSIOp>(extent, step), index(0));
    counts.push_back(count);
    total = fold<arith::MulIOp>(total, count);
  }
}

/// Emits the induction variables of the iteration with the given number.
SmallVector<Value> ForallDistribution::emitIndices(Value iteration) {
  SmallVector<Value> indices(counts.size());
  SmallVector<Value> lowerBounds = loop.getLowerBound(builder);
  SmallVector<Value> steps = loop.getStep(builder);
  Value rest = iteration;
  for (size_t dim = counts.size(); dim-- > 0;) {
    Value position = rest;
    if (dim > 0) {
      position = fold<arith::RemUIOp>(rest, counts[dim]);
      rest = fold<arith::DivUIOp>(rest, counts[dim]);
    }
    indices[dim] = fold<arith::AddIOp>(
        lowerBounds[dim], fold<arith::MulIOp>(position, steps[dim]));
  }
  return indices;
}

/// Makes arguments of what `region` uses of the function around it, and copies
/// of constants. Upstream's makeRegionIsolatedFromAbove leaves uses in nested
/// regions as they are.
void ForallDistribution::isolate(Region &region) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(region, used);
  Block &entry = region.front();
  builder.setInsertionPointToStart(&entry);
  for (Value value : used) {
    Value inside;
    if (matchPattern(value, m_Constant())) {
      inside = builder.clone(*value.getDefiningOp())->getResult(0);
    } else {
      captures.push_back(value);
      inside = entry.addArgument(value.getType(), loc);
    }
    builder.replaceUsesWithIf(value, inside, [&](OpOperand &use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  }
}

/// Moves the body into a function of two numbers of iterations, the first and
/// that behind the last, and of the captures.
func::FuncOp ForallDistribution::outlineBody(SymbolTable &symbols) {
  OpBuilder::InsertionGuard guard(builder);
  // A region in the function still, so that captures can be found.
  auto holder = scf::ExecuteRegionOp::create(builder, loc, TypeRange());
  Type indexType = builder.getIndexType();
  Block *entry = builder.createBlock(&holder.getRegion(), {},
                                     {indexType, indexType}, {loc, loc});
  auto range = scf::ForOp::create(builder, loc, entry->getArgument(0),
                                  entry->getArgument(1), index(1));
  builder.setInsertionPointToStart(range.getBody());
  SmallVector<Value> indices = emitIndices(range.getInductionVar());
  builder.eraseOp(loop.getTerminator());
  builder.inlineBlockBefore(loop.getBody(), range.getBody()->getTerminator(),
                            indices);
  isolate(holder.getRegion());

  auto parent = holder->getParentOfType<func::FuncOp>();
  builder.setInsertionPoint(parent);
  auto function = func::FuncOp::create(
      builder, loc, (parent.getName() + "_range").str(),
      builder.getFunctionType(holder.getRegion().front().getArgumentTypes(),
                              {}));
  function.setPrivate();
  MLIRContext *context = builder.getContext();
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
  // It is called twice, and large.
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  builder.inlineRegionBefore(holder.getRegion(), function.getBody(),
                             function.getBody().end());
  builder.setInsertionPointToEnd(&function.getBody().back());
  func::ReturnOp::create(builder, loc);
  builder.eraseOp(holder);
  symbols.insert(function);
  return function;
}

/// Marks the arguments of `function` that are not among the results.
void ForallDistribution::markRead(func::FuncOp function,
                                  const DenseSet<Value> &results) {
  for (auto [argument, capture] :
       llvm::zip_equal(function.getArguments().drop_front(2), captures))
    if (isa<MemRefType>(capture.getType()) &&
        !results.contains(getViewedBuffer(capture)))
      function.setArgAttr(argument.getArgNumber(), isReadAttrName,
                          builder.getUnitAttr());
}

/// Emits, as an i1, whether threads pay: the largest buffer has at least
/// `minBytes` bytes, and there is more than one iteration.
Value ForallDistribution::emitIsWorthwhile() {
  Value largest = index(0);
  for (Value capture : captures) {
    if (!isa<MemRefType>(capture.getType()) || pools.contains(capture))
      continue;
    largest = fold<arith::MaxSIOp>(largest, emitBytes(builder, loc, capture));
  }
  Value isLarge = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sge, largest, index(minBytes));
  Value hasSeveral = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::sgt, total, index(1));
  return fold<arith::AndIOp>(isLarge, hasSeveral);
}

/// Emits the first iteration of a thread: the iterations are dealt out evenly,
/// and the first threads take one more each of those that are left.
Value ForallDistribution::emitThreadBegin(Value thread) {
  Value threads = index(numThreads);
  Value share = fold<arith::DivUIOp>(total, threads);
  Value left = fold<arith::RemUIOp>(total, threads);
  return fold<arith::AddIOp>(fold<arith::MulIOp>(thread, share),
                             fold<arith::MinUIOp>(thread, left));
}

/// Emits the part of `pool` that is a temporary of `thread`.
Value ForallDistribution::emitTemporary(memref::AllocOp pool, Type type,
                                        Value thread) {
  int64_t bytes = pool.getType().getDimSize(0) / numThreads;
  return memref::ViewOp::create(builder, loc, type, pool,
                                fold<arith::MulIOp>(thread, index(bytes)),
                                /*sizes=*/ValueRange());
}

void ForallDistribution::emitCall(func::FuncOp function, Value begin, Value end,
                                  Value thread) {
  SmallVector<Value> arguments{begin, end};
  for (Value capture : captures) {
    auto *pool = pools.find(capture);
    arguments.push_back(
        pool == pools.end()
            ? capture
            : emitTemporary(pool->second, capture.getType(), thread));
  }
  func::CallOp::create(builder, loc, function, arguments);
}

void ForallDistribution::emitParallel(func::FuncOp function) {
  auto parallel = scf::ParallelOp::create(
      builder, loc, ValueRange{index(0)}, ValueRange{index(numThreads)},
      ValueRange{index(1)}, [&](OpBuilder &, Location, ValueRange) {});
  parallel->setAttr(numThreadsAttrName, builder.getI32IntegerAttr(numThreads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parallel.getBody());
  Value thread = parallel.getInductionVars().front();
  Value next = fold<arith::AddIOp>(thread, index(1));
  emitCall(function, emitThreadBegin(thread), emitThreadBegin(next), thread);
}

void ForallDistribution::emit(SymbolTable &symbols,
                              const DenseSet<Value> &results) {
  builder.setInsertionPoint(loop);
  hoistTemporaries();
  emitCounts();
  func::FuncOp function = outlineBody(symbols);
  markRead(function, results);
  builder.setInsertionPoint(loop);
  auto ifOp = scf::IfOp::create(builder, loc, emitIsWorthwhile(),
                                /*withElseRegion=*/true);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emitParallel(function);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  emitCall(function, index(0), total, index(0));
  builder.eraseOp(loop);
  for (auto [temporary, pool] : pools)
    builder.eraseOp(temporary.getDefiningOp());
}

/// Returns true where it is known at compile time that threads do not pay.
static bool isSmall(scf::ForallOp loop, int64_t minBytes) {
  SetVector<Value> captures;
  getUsedValuesDefinedAbove(loop.getRegion(), captures);
  return llvm::all_of(captures, [&](Value capture) {
    auto type = dyn_cast<MemRefType>(capture.getType());
    return !type || !mayHaveBytes(type, minBytes);
  });
}

namespace {

struct DistributeForallPass final
    : meanvar::impl::DistributeForallPassBase<DistributeForallPass> {
  using DistributeForallPassBase::DistributeForallPassBase;

  void runOnOperation() override {
    if (failed(verifyNumThreads(getOperation(), threads)))
      return signalPassFailure();
    if (threads == 1)
      return;
    // Before calls of functions take the place of what the loops do to them.
    DenseSet<Value> results;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (BlockArgument argument : function.getArguments())
        if (isa<MemRefType>(argument.getType()) && isOnlyWritten(argument))
          results.insert(argument);
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForallOp loop) {
      if (loop->getNumResults() != 0 || isSmall(loop, minBytes))
        return WalkResult::advance();
      loops.push_back(loop);
      // One level of threads.
      return WalkResult::skip();
    });
    IRRewriter builder(&getContext());
    SymbolTable symbols(getOperation());
    for (scf::ForallOp loop : loops)
      ForallDistribution(builder, loop, threads, minBytes)
          .emit(symbols, results);
  }
};

} // namespace
