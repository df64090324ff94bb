//===- SpecializeShortDims.cpp - Versions for short dimensions ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_SPECIALIZESHORTDIMSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

/// A function whose innermost size of an input decides on its kernels.
struct Candidate {
  func::FuncOp function;
  unsigned argument;
  ArrayRef<int64_t> sizes;
};

} // namespace

/// Returns the sizes of the innermost dimension of `op` for which there are
/// kernels of their own, if it is not known and the dimension before it is of
/// the other kind.
static ArrayRef<int64_t> getSpecialSizes(MvnOp op) {
  RankedTensorType type = op.getInput().getType();
  SmallVector<bool> reduced = op.getReducedDims();
  size_t rank = reduced.size();
  if (rank < 2 || !type.isDynamicDim(rank - 1) ||
      reduced[rank - 1] == reduced[rank - 2] || op.getStatistics())
    return {};
  if (!reduced.back())
    return shortKeptSizes;
  bool areOthersKept = llvm::none_of(ArrayRef(reduced).drop_back(),
                                     [](bool isReduced) { return isReduced; });
  return areOthersKept ? shortReducedSizes : ArrayRef<int64_t>();
}

/// Returns the only normalization of `function`, if it does nothing else: other
/// operations may tell that a size is not one of those special ones, and would
/// not be valid in their versions.
static MvnOp findOnlyMvn(func::FuncOp function) {
  MvnOp only;
  for (Operation &op : function.front()) {
    if (auto mvn = dyn_cast<MvnOp>(op); mvn && !only)
      only = mvn;
    else if (!isa<bufferization::ToTensorOp, func::ReturnOp,
                  bufferization::MaterializeInDestinationOp>(op))
      return nullptr;
  }
  return only;
}

/// Returns the argument of `function` that decides, if there is one.
static std::optional<Candidate> findCandidate(func::FuncOp function) {
  MvnOp mvn = findOnlyMvn(function);
  if (!mvn)
    return std::nullopt;
  auto tensor = mvn.getInput().getDefiningOp<bufferization::ToTensorOp>();
  auto argument =
      tensor ? dyn_cast<BlockArgument>(tensor.getBuffer()) : BlockArgument();
  ArrayRef<int64_t> sizes = getSpecialSizes(mvn);
  if (!argument || argument.getOwner() != &function.front() || sizes.empty())
    return std::nullopt;
  return Candidate{function, argument.getArgNumber(), sizes};
}

/// Makes `size` the innermost size of what `function` reads of an argument.
static void specialize(func::FuncOp function, unsigned argument, int64_t size) {
  for (Operation *user : function.getArgument(argument).getUsers()) {
    auto tensor = dyn_cast<bufferization::ToTensorOp>(user);
    if (!tensor)
      continue;
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = size;
    OpBuilder builder(tensor->getContext());
    builder.setInsertionPointAfter(tensor);
    // Canonicalization takes the casts to the operations between them.
    auto known = tensor::CastOp::create(builder, tensor.getLoc(),
                                        type.clone(shape), tensor.getResult());
    auto unknown =
        tensor::CastOp::create(builder, tensor.getLoc(), type, known);
    tensor.getResult().replaceAllUsesExcept(unknown, known);
  }
}

/// Calls a version of the function for each of the sizes, and the function
/// itself for others.
static void emitVersions(const Candidate &candidate, func::CallOp call,
                         ArrayRef<func::FuncOp> versions) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  Value buffer = call.getOperand(candidate.argument);
  int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
  Value size = memref::DimOp::create(builder, loc, buffer, rank - 1);
  for (auto [special, version] : llvm::zip_equal(candidate.sizes, versions)) {
    Value isSpecial = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, size,
        arith::ConstantIndexOp::create(builder, loc, special));
    auto ifOp = scf::IfOp::create(builder, loc, isSpecial,
                                  /*withElseRegion=*/true);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    func::CallOp::create(builder, loc, version, call.getOperands());
    builder.setInsertionPointToStart(ifOp.elseBlock());
  }
  call->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
}

namespace {

struct SpecializeShortDimsPass final
    : meanvar::impl::SpecializeShortDimsPassBase<SpecializeShortDimsPass> {
  using SpecializeShortDimsPassBase::SpecializeShortDimsPassBase;

  void runOnOperation() override {
    SmallVector<Candidate> candidates;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPrivate() && !function.isDeclaration() &&
          function.getNumResults() == 0)
        if (std::optional<Candidate> candidate = findCandidate(function))
          candidates.push_back(*candidate);
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (const Candidate &candidate : candidates)
      addVersions(candidate, users.getUsers(candidate.function));
  }

  void addVersions(const Candidate &candidate, ArrayRef<Operation *> users) {
    SymbolTable symbols(getOperation());
    func::FuncOp function = candidate.function;
    SmallVector<func::FuncOp> versions;
    for (int64_t size : candidate.sizes) {
      func::FuncOp version = function.clone();
      version.setName((function.getName() + "_" + Twine(size)).str());
      symbols.insert(version, std::next(function->getIterator()));
      specialize(version, candidate.argument, size);
      versions.push_back(version);
    }
    for (Operation *user : users)
      if (auto call = dyn_cast<func::CallOp>(user))
        emitVersions(candidate, call, versions);
  }
};

} // namespace
