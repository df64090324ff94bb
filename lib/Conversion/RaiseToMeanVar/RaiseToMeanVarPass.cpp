//===- RaiseToMeanVarPass.cpp - Raising of decomposed normalizations ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor that is summed over some dimensions may be what is normalized, and
// so may one that it is computed from element by element. Each is tried: the
// analysis ends soon where it is not.
//
//===----------------------------------------------------------------------===//

#include "LaneAnalysis.h"
#include "ReplaceByMvn.h"
#include "meanvar/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_RAISETOMEANVARPASS
#include "meanvar/Conversion/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if meanvar.mvn takes `value`.
static bool isNormalizable(Value value) {
  constexpr int64_t maxRank = 63;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getEncoding() || type.getRank() > maxRank)
    return false;
  Type element = type.getElementType();
  return element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64();
}

/// Returns the only tensor that `tensor` is computed from, element by element
/// or by a reshape, or null.
static Value getSource(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return {};
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    bool hasOneInput = linalgOp.getNumDpsInputs() != 0 &&
                       llvm::all_equal(linalgOp.getDpsInputs());
    return hasOneInput && linalgOp.getNumReductionLoops() == 0
               ? linalgOp.getDpsInputs().front()
               : Value();
  }
  if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return op->getOperand(0);
  bool isElementwise = OpTrait::hasElementwiseMappableTraits(op);
  return isElementwise && llvm::all_equal(op->getOperands()) ? op->getOperand(0)
                                                             : Value();
}

/// Adds `tensor`, after what it is computed from.
static void addCandidates(Value tensor, SetVector<Value> &candidates) {
  SmallVector<Value> chain;
  while (tensor && isNormalizable(tensor) && !candidates.contains(tensor)) {
    chain.push_back(tensor);
    tensor = getSource(tensor);
  }
  for (Value candidate : llvm::reverse(chain))
    candidates.insert(candidate);
}

/// Returns the tensors that sums in `block` are made of.
static SetVector<Value> getCandidates(Block &block) {
  SetVector<Value> candidates;
  for (auto op : block.getOps<linalg::LinalgOp>())
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() != 0)
      for (Value operand : op.getDpsInputs())
        addCandidates(operand, candidates);
  return candidates;
}

/// Returns the matches in `block`, in order, one for each value: preferably of
/// an input with the type of the result.
static SmallVector<MvnMatch, 0> findMatches(Block &block,
                                            bool matchesCentered) {
  DenseMap<Operation *, unsigned> order;
  for (Operation &op : block)
    order.insert({&op, order.size()});
  DenseMap<Value, MvnMatch> found;
  auto isExact = [](const MvnMatch &match) {
    return getElementTypeOrSelf(match.input) ==
           getElementTypeOrSelf(match.result);
  };
  for (Value candidate : getCandidates(block)) {
    LaneAnalysis analysis(candidate, order, matchesCentered);
    for (MvnMatch &match : analysis.run()) {
      auto [entry, isNew] = found.try_emplace(match.result, match);
      if (!isNew && !isExact(entry->second) && isExact(match))
        entry->second = match;
    }
  }
  SmallVector<MvnMatch, 0> matches;
  block.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto entry = found.find(result); entry != found.end())
        matches.push_back(entry->second);
  });
  return matches;
}

namespace {

struct RaiseToMeanVarPass final
    : meanvar::impl::RaiseToMeanVarPassBase<RaiseToMeanVarPass> {
  using RaiseToMeanVarPassBase::RaiseToMeanVarPassBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!isa<linalg::LinalgOp>(block->getParentOp()))
        blocks.push_back(block);
    });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks) {
      MvnReplacement replacement(rewriter);
      for (const MvnMatch &match : findMatches(*block, centerOnly))
        replacement.replace(match);
      replacement.eraseUnused();
    }
  }
};

} // namespace
