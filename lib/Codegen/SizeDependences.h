//===- SizeDependences.h - What sizes and checks depend on ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_SIZEDEPENDENCES_H
#define MEANVAR_LIB_CODEGEN_SIZEDEPENDENCES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::meanvar {

/// The operations of a function that the sizes it returns and its checks are
/// computed from. Of loops and branches only those values are followed that
/// matter.
class SizeDependences {
public:
  /// `name` is the public function that `function` is a copy of.
  SizeDependences(func::FuncOp function, StringRef name)
      : function(function), name(name) {}

  /// Fails with a diagnostic where a size or a check needs more than the sizes
  /// and scalars that the function is called with.
  LogicalResult collect();

  bool contains(Operation *op) const { return needed.contains(op); }

private:
  void addOperation(Operation *op);
  void addCarried(scf::ForOp loop, unsigned number);
  void addValue(Value value);
  void addOperandsOf(Operation *op);
  LogicalResult verify(Operation *op);
  LogicalResult refuse(Operation *op);

  func::FuncOp function;
  StringRef name;
  /// The size or check whose dependences are followed.
  Operation *root = nullptr;
  SmallVector<Operation *> worklist;
  DenseSet<Operation *> needed;
  DenseSet<Value> seen;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_SIZEDEPENDENCES_H
