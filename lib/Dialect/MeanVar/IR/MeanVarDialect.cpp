//===- MeanVarDialect.cpp - The meanvar dialect ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"

#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::meanvar;

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.cpp.inc"

namespace {
/// Both operations are free of side effects, so any function that holds them
/// may be inlined anywhere.
struct MeanVarInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void MeanVarDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.cpp.inc"
      >();
  addInterfaces<MeanVarInlinerInterface>();
  // Implemented in MeanVarTransforms, so that parsing needs no SCF or Affine.
  declarePromisedInterface<TilingInterface, MvnOp>();
}
