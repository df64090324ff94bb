//===- SizeDependences.cpp - What sizes and checks depend on --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeDependences.h"

#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns true if `op` reads the size of an argument of `function`.
static bool isInputSize(Operation *op, func::FuncOp function) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  if (!dim)
    return false;
  auto argument = dyn_cast<BlockArgument>(dim.getSource());
  return argument && argument.getOwner() == &function.front();
}

LogicalResult SizeDependences::collect() {
  SmallVector<Operation *> roots{function.front().getTerminator()};
  function.walk([&](cf::AssertOp op) { roots.push_back(op); });
  for (Operation *op : roots) {
    root = op;
    addOperation(op);
    while (!worklist.empty()) {
      Operation *next = worklist.pop_back_val();
      if (failed(verify(next)))
        return failure();
      addOperandsOf(next);
    }
  }
  return success();
}

void SizeDependences::addOperation(Operation *op) {
  if (op != function && needed.insert(op).second)
    worklist.push_back(op);
}

/// Adds what a value is that `loop` carries under number `number`.
void SizeDependences::addCarried(scf::ForOp loop, unsigned number) {
  addOperation(loop);
  addValue(loop.getInitArgs()[number]);
  addValue(loop.getYieldedValues()[number]);
}

void SizeDependences::addValue(Value value) {
  if (!seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument != loop.getInductionVar())
      return addCarried(loop,
                        argument.getArgNumber() - loop.getNumInductionVars());
    return addOperation(argument.getOwner()->getParentOp());
  }
  Operation *producer = value.getDefiningOp();
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(producer))
    return addCarried(loop, number);
  addOperation(producer);
  if (auto branch = dyn_cast<scf::IfOp>(producer)) {
    addValue(branch.thenYield().getOperand(number));
    addValue(branch.elseYield().getOperand(number));
  }
}

void SizeDependences::addOperandsOf(Operation *op) {
  addOperation(op->getParentOp());
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (Value value :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      addValue(value);
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return addValue(branch.getCondition());
  for (Value operand : op->getOperands())
    addValue(operand);
  op->walk([&](Operation *nested) { addOperation(nested); });
}

LogicalResult SizeDependences::verify(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp>(op))
    return success();
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  bool isAllowed = isa<cf::AssertOp>(op) ||
                   op->hasTrait<OpTrait::IsTerminator>() ||
                   isInputSize(op, function) ||
                   (op->getNumRegions() > 0 &&
                    op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) ||
                   isMemoryEffectFree(op);
  bool usesTensors = !isInputSize(op, function) &&
                     (llvm::any_of(op->getOperandTypes(), isTensor) ||
                      llvm::any_of(op->getResultTypes(), isTensor));
  return isAllowed && !usesTensors ? success() : refuse(op);
}

LogicalResult SizeDependences::refuse(Operation *op) {
  // To blame is what has made the tensor whose size is asked for, and not a
  // terminator that only hands it on.
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Operation *producer = dim.getSource().getDefiningOp();
    op = producer ? producer : dim.getSource().getParentBlock()->getParentOp();
  }
  if (op->hasTrait<OpTrait::IsTerminator>())
    op = op->getParentOp();
  StringRef allowed = op->getNumRegions() > 0
                          ? "on the sizes of its inputs, through scf.for and "
                            "scf.if"
                          : "on the sizes of its inputs";
  auto checkedOp = root->getAttrOfType<StringAttr>(checkedOpAttrName);
  if (!checkedOp)
    return op->emitOpError("makes a result size or a run-time check of public "
                           "function '")
           << name << "' depend on data (allowed: " << allowed << ")";
  return root->emitError("'")
         << checkedOp.getValue() << "' op needs a run-time check in public "
         << "function '" << name << "' that depends on data by '"
         << op->getName() << "' (allowed: " << allowed << ")";
}
