//===- RefuseRecursion.cpp - Functions that call themselves
//---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"

#include "meanvar/Codegen/Passes.h"
#include "mlir/Analysis/CallGraph.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_REFUSERECURSIONPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

/// Maps each function that calls itself, be it by way of others, to one of its
/// callees that leads back to it.
using RecursiveCalls = llvm::DenseMap<CallGraphNode *, CallGraphNode *>;

static RecursiveCalls findRecursiveCalls(const CallGraph &graph) {
  RecursiveCalls calls;
  for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle())
      continue;
    llvm::SmallPtrSet<CallGraphNode *, 8> nodes(cycle->begin(), cycle->end());
    for (CallGraphNode *node : nodes)
      for (const CallGraphNode::Edge &edge : *node)
        if (nodes.contains(edge.getTarget()))
          calls.try_emplace(node, edge.getTarget());
  }
  return calls;
}

/// Returns what is called from `function`, and itself first.
static llvm::SetVector<CallGraphNode *> findCallees(const CallGraph &graph,
                                                    func::FuncOp function) {
  llvm::SetVector<CallGraphNode *> nodes;
  nodes.insert(graph.lookupNode(&function.getBody()));
  for (size_t next = 0; next < nodes.size(); ++next)
    for (const CallGraphNode::Edge &edge : *nodes[next])
      nodes.insert(edge.getTarget());
  return nodes;
}

/// Refuses recursion in entry points and in what they call.
static LogicalResult verifyNoRecursion(ModuleOp module) {
  CallGraph graph(module);
  RecursiveCalls calls = findRecursiveCalls(graph);
  auto getFunction = [](CallGraphNode *node) {
    return node->getCallableRegion()->getParentOfType<SymbolOpInterface>();
  };
  for (func::FuncOp entryPoint : getEntryPoints(module)) {
    for (CallGraphNode *node : findCallees(graph, entryPoint)) {
      CallGraphNode *callee = calls.lookup(node);
      if (!callee)
        continue;
      SymbolOpInterface function = getFunction(node);
      auto error = function->emitError("function '")
                   << function.getName() << "' calls itself";
      if (callee != node)
        error << " by way of '" << getFunction(callee).getName() << "'";
      return error << " (allowed: no recursion in public functions with tensor "
                      "results, and in what they call)";
    }
  }
  return success();
}

namespace {

struct RefuseRecursionPass final
    : meanvar::impl::RefuseRecursionPassBase<RefuseRecursionPass> {
  using RefuseRecursionPassBase::RefuseRecursionPassBase;

  void runOnOperation() override {
    if (failed(verifyNoRecursion(getOperation())))
      signalPassFailure();
  }
};

} // namespace
