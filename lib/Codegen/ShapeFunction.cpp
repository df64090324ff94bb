//===- ShapeFunction.cpp - Shape functions of public functions ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryPoint.h"
#include "SizeDependences.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// Parameters and checks
//===----------------------------------------------------------------------===//

MemRefType meanvar::getOutputType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return MemRefType::get({}, type);
  SmallVector<int64_t> shape(tensor.getRank(), ShapedType::kDynamic);
  return MemRefType::get(shape, tensor.getElementType());
}

Type meanvar::getParameterType(Type type) {
  return isa<RankedTensorType>(type) ? Type(getOutputType(type)) : type;
}

StatusChecks::StatusChecks(OpBuilder &builder, Location loc, Value detail,
                           SmallVector<std::string> &messages)
    : detail(detail), messages(messages) {
  status = memref::AllocaOp::create(builder, loc,
                                    MemRefType::get({}, builder.getI32Type()));
  setStatus(builder, loc, arith::ConstantIntOp::create(builder, loc, 0, 32));
}

void StatusChecks::setStatus(OpBuilder &builder, Location loc, Value value) {
  memref::StoreOp::create(builder, loc, value, status);
}

Value StatusChecks::getStatus(OpBuilder &builder, Location loc) {
  return memref::LoadOp::create(builder, loc, status);
}

void StatusChecks::require(OpBuilder &builder, Location loc, Value condition,
                           Value first, Value second, const Twine &message) {
  messages.push_back(message.str());
  Value success = arith::ConstantIntOp::create(builder, loc, 0, 32);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        getStatus(builder, loc), success);
  Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value fails = arith::XOrIOp::create(builder, loc, condition, isTrue);
  Value reports = arith::AndIOp::create(builder, loc, isFirst, fails);
  auto ifOp = scf::IfOp::create(builder, loc, reports);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  setStatus(builder, loc,
            arith::ConstantIntOp::create(
                builder, loc, static_cast<int64_t>(messages.size()), 32));
  storeDetail(builder, loc, first, 0);
  storeDetail(builder, loc, second, 1);
}

/// Returns `value`, an index or an integer, as an i64.
static Value toInt64(OpBuilder &builder, Location loc, Value value) {
  Type type = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width < 64)
    return arith::ExtSIOp::create(builder, loc, type, value);
  if (width > 64)
    return arith::TruncIOp::create(builder, loc, type, value);
  return value;
}

void StatusChecks::storeDetail(OpBuilder &builder, Location loc, Value value,
                               int64_t index) {
  memref::StoreOp::create(
      builder, loc, toInt64(builder, loc, value), detail,
      arith::ConstantIndexOp::create(builder, loc, index).getResult());
}

/// Finds the comparison whose operands the message of a check names: the first
/// one of integers in the expression of its condition. `seen` holds the values
/// that have been searched in vain.
static arith::CmpIOp findComparison(Value condition, DenseSet<Value> &seen) {
  Operation *op = condition.getDefiningOp();
  if (!op || !seen.insert(condition).second)
    return nullptr;
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return comparison.getLhs().getType().isIntOrIndex() ? comparison : nullptr;
  if (!isa<arith::OrIOp, arith::AndIOp, arith::XOrIOp, arith::SelectOp>(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (arith::CmpIOp comparison = findComparison(operand, seen))
      return comparison;
  return nullptr;
}

/// Keeps the sizes that messages name beside the conditions of the checks,
/// whatever becomes of those: a cast of the three has no fold.
static void keepComparedSizes(func::FuncOp function) {
  function.walk([](cf::AssertOp op) {
    DenseSet<Value> seen;
    arith::CmpIOp comparison = findComparison(op.getArg(), seen);
    if (!comparison)
      return;
    OpBuilder builder(op);
    auto kept = UnrealizedConversionCastOp::create(
        builder, op.getLoc(), op.getArg().getType(),
        ValueRange{op.getArg(), comparison.getLhs(), comparison.getRhs()});
    op.getArgMutable().assign(kept.getResult(0));
  });
}

/// Finds in the expression of a condition what keepComparedSizes has put there.
static UnrealizedConversionCastOp findKeptSizes(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (auto kept = dyn_cast_or_null<UnrealizedConversionCastOp>(op))
    return kept;
  // A check that has left a loop holds if the loop does not run, too.
  if (!isa_and_nonnull<arith::OrIOp>(op))
    return nullptr;
  for (Value operand : op->getOperands())
    if (UnrealizedConversionCastOp kept = findKeptSizes(operand))
      return kept;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What sizes and checks depend on
//===----------------------------------------------------------------------===//

/// Replaces the results of `function` by their sizes, one index after the
/// other.
static void returnSizes(func::FuncOp function) {
  auto returnOp = cast<func::ReturnOp>(function.front().getTerminator());
  OpBuilder builder(returnOp);
  SmallVector<Value> sizes;
  for (Value value : returnOp.getOperands())
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(
            builder.createOrFold<tensor::DimOp>(returnOp.getLoc(), value, dim));
  returnOp.getOperandsMutable().assign(sizes);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(sizes).getTypes()));
}

/// Expresses sizes of results by sizes of operands wherever operations know
/// how.
static LogicalResult resolveSizes(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    name.getCanonicalizationPatterns(patterns, context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  memref::populateResolveShapedTypeResultDimsPatterns(patterns);
  scf::populateSCFForLoopCanonicalizationPatterns(patterns);
  populateResolveSizesOfControlFlowPatterns(patterns);
  return applyPatternsGreedily(function, std::move(patterns));
}

/// Drops the tensors that loops carry, which nothing depends on but their
/// sizes, and all that is not needed.
static LogicalResult dropData(func::FuncOp function,
                              const SizeDependences &dependences) {
  function.walk([](scf::ForOp loop) {
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    for (auto [operand, argument] :
         llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs()))
      if (isa<TensorType>(argument.getType()))
        operand.set(argument);
  });
  function.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    bool isUnused = op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>();
    if (op != function && isUnused && !dependences.contains(op))
      op->erase();
  });
  return resolveSizes(function);
}

//===----------------------------------------------------------------------===//
// The shape function
//===----------------------------------------------------------------------===//

namespace {

/// Emits the body of a shape function (F3) from a function that returns sizes.
class ShapeFunctionBuilder {
public:
  ShapeFunctionBuilder(func::FuncOp source, func::FuncOp target,
                       SmallVector<std::string> &messages)
      : source(source), target(target), loc(source.getLoc()),
        builder(OpBuilder::atBlockEnd(target.addEntryBlock())),
        checks(builder, loc, target.getArguments().back(), messages) {}

  void build() {
    for (auto [from, to] :
         llvm::zip(source.getArguments(), target.getArguments()))
      mapping.map(from, to);
    checkInputs();
    for (Operation &op : source.front().without_terminator())
      emit(op);
    target.walk([](UnrealizedConversionCastOp kept) {
      kept.getResult(0).replaceAllUsesWith(kept.getInputs().front());
      kept.erase();
    });
    storeSizes();
    func::ReturnOp::create(builder, loc, checks.getStatus(builder, loc));
  }

private:
  /// Checks the sizes that the types of the inputs fix.
  void checkInputs() {
    for (BlockArgument argument : source.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type)
        continue;
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        if (type.isDynamicDim(dim))
          continue;
        Value got =
            memref::DimOp::create(builder, loc, mapping.lookup(argument), dim);
        Value want =
            arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
        Value isEqual = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, got, want);
        checks.require(builder, loc, isEqual, got, want,
                       llvm::formatv("input {0} has size {{0} in dimension "
                                     "{1} (allowed: {{1})",
                                     argument.getArgNumber(), dim)
                           .str());
      }
    }
  }

  void emit(Operation &op) {
    if (auto assertOp = dyn_cast<cf::AssertOp>(op))
      return emitCheck(builder, assertOp, mapping.lookup(assertOp.getArg()));
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      Value size = memref::DimOp::create(builder, dim.getLoc(),
                                         mapping.lookup(dim.getSource()),
                                         mapping.lookup(dim.getIndex()));
      mapping.map(dim.getResult(), size);
      return;
    }
    Operation *copy = builder.clone(op, mapping);
    copy->walk([](tensor::DimOp dim) {
      OpBuilder nested(dim);
      Value size = memref::DimOp::create(nested, dim.getLoc(), dim.getSource(),
                                         dim.getIndex());
      dim.replaceAllUsesWith(size);
      dim.erase();
    });
    copy->walk([&](cf::AssertOp assertOp) {
      OpBuilder nested(assertOp);
      emitCheck(nested, assertOp, assertOp.getArg());
      assertOp.erase();
    });
  }

  void emitCheck(OpBuilder &at, cf::AssertOp assertOp, Value condition) {
    Value first, second;
    if (UnrealizedConversionCastOp kept = findKeptSizes(condition)) {
      first = kept.getInputs()[1];
      second = kept.getInputs()[2];
    } else {
      first = second = arith::ConstantIndexOp::create(at, assertOp.getLoc(), 0);
    }
    checks.require(at, assertOp.getLoc(), condition, first, second,
                   assertOp.getMsg());
  }

  void storeSizes() {
    Value sizes = target.getArguments().drop_back().back();
    for (auto [index, size] :
         llvm::enumerate(source.front().getTerminator()->getOperands())) {
      Value integer = toInt64(builder, loc, mapping.lookup(size));
      Value position = arith::ConstantIndexOp::create(
          builder, loc, static_cast<int64_t>(index));
      memref::StoreOp::create(builder, loc, integer, sizes, position);
    }
  }

  func::FuncOp source, target;
  Location loc;
  OpBuilder builder;
  StatusChecks checks;
  IRMapping mapping;
};

} // namespace

FailureOr<func::FuncOp>
meanvar::createShapeFunction(func::FuncOp function, StringRef name,
                             SmallVector<std::string> &messages) {
  OpBuilder builder(function);
  auto sizes = cast<func::FuncOp>(builder.clone(*function));
  llvm::scope_exit eraseSizes([&] { sizes.erase(); });
  returnSizes(sizes);
  keepComparedSizes(sizes);
  if (failed(resolveSizes(sizes)))
    return function.emitError("failed to simplify the sizes of the results");
  SizeDependences dependences(sizes, function.getName());
  if (failed(dependences.collect()))
    return failure();
  if (failed(dropData(sizes, dependences)))
    return function.emitError("failed to simplify the sizes of the results");

  SmallVector<Type> types =
      llvm::map_to_vector(function.getArgumentTypes(),
                          [](Type type) { return getParameterType(type); });
  Type int64Type = builder.getI64Type();
  types.push_back(MemRefType::get({ShapedType::kDynamic}, int64Type));
  types.push_back(MemRefType::get({2}, int64Type));
  auto shape = func::FuncOp::create(
      builder, function.getLoc(), name,
      builder.getFunctionType(types, builder.getI32Type()));
  ShapeFunctionBuilder(sizes, shape, messages).build();
  return shape;
}
