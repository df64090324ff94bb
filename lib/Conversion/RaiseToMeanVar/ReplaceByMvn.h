//===- ReplaceByMvn.h - From matches to meanvar.mvn -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_REPLACEBYMVN_H
#define MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_REPLACEBYMVN_H

#include "LaneAnalysis.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::meanvar {

/// Operands of a linalg operation and how it reads them.
struct IndexedInputs {
  SmallVector<Value> values;
  SmallVector<AffineMap> maps;
};

/// Replaces matched values, in the order of the program. Operations that have
/// lost their uses stay until the end, because matches refer to them.
class MvnReplacement {
public:
  explicit MvnReplacement(IRRewriter &rewriter) : rewriter(rewriter) {}

  /// Replaces the result of `match` by a meanvar.mvn, times the cofactors.
  void replace(const MvnMatch &match);
  /// Erases what has lost its uses.
  void eraseUnused();

private:
  Value getCurrent(Value value) const;
  void eraseFromBody(Operation *op);
  Value emitMvn(const MvnMatch &match, Type elementType);
  Value emitExtension(Location loc, Value tensor, Type elementType);
  void replaceResult(Value result, Value replacement);
  void replaceTensor(const MvnMatch &match, Value mvn);
  bool replaceYielded(const MvnMatch &match, linalg::LinalgOp op, Value mvn);
  void replaceScalar(const MvnMatch &match, linalg::LinalgOp op, Value mvn);
  void replaceOp(linalg::LinalgOp op, const IndexedInputs &inputs,
                 ValueRange inits);

  IRRewriter &rewriter;
  DenseMap<Value, Value> replacements;
  llvm::SetVector<Operation *> replaced;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CONVERSION_RAISETOMEANVAR_REPLACEBYMVN_H
