//===- StructuredOperations.cpp - Operations of linalg --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredOperations.h"
#include "Indexing.h"
#include "ScalarOperations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the sizes of the loops of `op`. Fails where two operands disagree
/// about one.
static Expected<SmallVector<int64_t>>
getLoopSizes(linalg::LinalgOp op, ArrayRef<const ReferenceTensor *> operands) {
  SmallVector<int64_t> loopSizes(op.getNumLoops(), -1);
  for (auto [map, operand] :
       llvm::zip_equal(op.getIndexingMapsArray(), operands)) {
    if (!map.isProjectedPermutation())
      return createStringError("the reference takes only indexing maps that "
                               "are projected permutations");
    for (auto [expression, size] :
         llvm::zip_equal(map.getResults(), operand->shape)) {
      int64_t &loopSize =
          loopSizes[cast<AffineDimExpr>(expression).getPosition()];
      if (loopSize >= 0 && loopSize != size)
        return createStringError("sizes " + Twine(loopSize) + " and " +
                                 Twine(size) + " of one loop");
      loopSize = size;
    }
  }
  return loopSizes;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

namespace {
/// The body of a structured operation, which computes with scalars.
class ScalarBody {
public:
  static Expected<ScalarBody>
  get(Block &block, function_ref<Approximation(Value)> getOuterScalar);

  /// Returns what the body yields for its arguments.
  SmallVector<Approximation> evaluate(ArrayRef<Approximation> arguments);

private:
  explicit ScalarBody(Block &block) : block(&block) {}
  /// Sets the operands of `op` that are defined outside of the body.
  Error capture(Operation &op,
                function_ref<Approximation(Value)> getOuterScalar);
  SmallVector<Approximation> getOperands(Operation *op) {
    return llvm::map_to_vector(
        op->getOperands(), [&](Value operand) { return scalars.at(operand); });
  }

  Block *block;
  SmallVector<std::pair<Operation *, ScalarFunction>> operations;
  llvm::DenseMap<Value, Approximation> scalars;
};
} // namespace

Error ScalarBody::capture(Operation &op,
                          function_ref<Approximation(Value)> getOuterScalar) {
  for (Value operand : op.getOperands()) {
    if (operand.getParentBlock() == block)
      continue;
    if (isa<ShapedType>(operand.getType()))
      return createStringError("the reference does not evaluate '" +
                               op.getName().getStringRef() +
                               "' of a tensor in a body");
    scalars[operand] = getOuterScalar(operand);
  }
  return Error::success();
}

Expected<ScalarBody>
ScalarBody::get(Block &block,
                function_ref<Approximation(Value)> getOuterScalar) {
  ScalarBody body(block);
  for (Operation &op : block) {
    if (Error error = body.capture(op, getOuterScalar))
      return std::move(error);
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      std::optional<Approximation> number = getNumber(constant.getValue());
      if (!number)
        return createStringError(
            llvm::formatv("the reference does not know constants such as {0}",
                          constant.getValue()));
      body.scalars[constant] = *number;
      continue;
    }
    Expected<ScalarFunction> function = getScalarFunction(&op);
    if (!function)
      return function.takeError();
    body.operations.emplace_back(&op, *function);
  }
  return body;
}

SmallVector<Approximation>
ScalarBody::evaluate(ArrayRef<Approximation> arguments) {
  for (auto [argument, number] :
       llvm::zip_equal(block->getArguments(), arguments))
    scalars[argument] = number;
  for (auto [op, function] : operations)
    scalars[op->getResult(0)] = function(op, getOperands(op));
  return getOperands(block->getTerminator());
}

Expected<std::vector<std::vector<Approximation>>>
mlir::meanvar::evaluateStructuredOperation(
    linalg::LinalgOp op, ArrayRef<const ReferenceTensor *> operands,
    function_ref<Approximation(Value)> getOuterScalar) {
  Expected<SmallVector<int64_t>> loopSizes = getLoopSizes(op, operands);
  if (!loopSizes)
    return loopSizes.takeError();
  Expected<ScalarBody> body = ScalarBody::get(*op.getBlock(), getOuterScalar);
  if (!body)
    return body.takeError();

  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t numInputs = op.getNumDpsInputs();
  std::vector<std::vector<Approximation>> results;
  for (const ReferenceTensor *output : operands.drop_front(numInputs))
    results.push_back(output->elements);
  forEachIndex(*loopSizes, [&](ArrayRef<int64_t> point) {
    SmallVector<int64_t> positions;
    SmallVector<Approximation> arguments;
    for (auto [number, operand] : llvm::enumerate(operands)) {
      positions.push_back(
          getPosition(maps[number].compose(point), operand->shape));
      ArrayRef<Approximation> elements =
          number < numInputs ? operand->elements : results[number - numInputs];
      arguments.push_back(elements[positions.back()]);
    }
    for (auto [number, value] : llvm::enumerate(body->evaluate(arguments)))
      results[number][positions[numInputs + number]] = value;
  });
  return results;
}
