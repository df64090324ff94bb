//===- ConvertParallelToOpenMP.cpp - Threads by OpenMP --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "meanvar/Codegen/Passes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_CONVERTPARALLELTOOPENMPPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if a function that `loop` calls takes memory from the heap. A
/// call that cannot have it is ended by its own thread only.
static bool usesHeap(scf::ParallelOp loop, SymbolTableCollection &symbols) {
  WalkResult result = loop.walk([&](func::CallOp call) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee.walk([](memref::AllocOp) { return WalkResult::interrupt(); });
  });
  return result.wasInterrupted();
}

/// Makes one parallel region of `loop`, in which each thread runs one
/// iteration: more, should the run-time library have fewer threads.
static void convert(RewriterBase &builder, scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  auto numThreads = loop->getAttrOfType<IntegerAttr>(numThreadsAttrName);
  builder.setInsertionPoint(loop);
  omp::ParallelOperands parallelClauses;
  parallelClauses.numThreads =
      LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), numThreads);
  auto parallel = omp::ParallelOp::create(builder, loc, parallelClauses);
  builder.createBlock(&parallel.getRegion());
  omp::WsloopOperands loopClauses;
  // The end of the region is a barrier by itself.
  loopClauses.nowait = builder.getUnitAttr();
  auto wsloop = omp::WsloopOp::create(builder, loc, loopClauses);
  omp::TerminatorOp::create(builder, loc);
  builder.createBlock(&wsloop.getRegion());
  omp::LoopNestOperands bounds;
  bounds.loopLowerBounds = llvm::to_vector(loop.getLowerBound());
  bounds.loopUpperBounds = llvm::to_vector(loop.getUpperBound());
  bounds.loopSteps = llvm::to_vector(loop.getStep());
  auto nest = omp::LoopNestOp::create(builder, loc, bounds);
  builder.inlineRegionBefore(loop.getRegion(), nest.getRegion(),
                             nest.getRegion().end());
  Operation *reduce = nest.getRegion().back().getTerminator();
  builder.setInsertionPoint(reduce);
  builder.replaceOpWithNewOp<omp::YieldOp>(reduce, ValueRange());
  builder.eraseOp(loop);
}

namespace {

struct ConvertParallelToOpenMPPass final
    : meanvar::impl::ConvertParallelToOpenMPPassBase<
          ConvertParallelToOpenMPPass> {
  using ConvertParallelToOpenMPPassBase::ConvertParallelToOpenMPPassBase;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    SymbolTableCollection symbols;
    getOperation()->walk([&](scf::ParallelOp loop) {
      if (loop->hasAttr(numThreadsAttrName) && !usesHeap(loop, symbols))
        loops.push_back(loop);
    });
    IRRewriter builder(&getContext());
    for (scf::ParallelOp loop : loops)
      convert(builder, loop);
  }
};

} // namespace
