//===- DimensionChecks.h - Run-time checks of sizes -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX gives dimensions names; equal names are equal sizes. Where that cannot
// be decided at import, the function checks it when it runs.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_DIMENSIONCHECKS_H
#define MEANVAR_LIB_TARGET_ONNX_DIMENSIONCHECKS_H

#include "TensorSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace mlir::meanvar {

/// Checks that the sizes `lhs` and `rhs` are equal: now if both are constants,
/// otherwise by a `cf.assert` of their comparison. `message` is the template of
/// the error; the compiled function replaces `{0}` and `{1}` by the two sizes.
LogicalResult checkEqualSizes(OpBuilder &builder, Location loc,
                              OpFoldResult lhs, OpFoldResult rhs,
                              StringRef message);

/// As above, for sizes that the importer keeps.
LogicalResult checkEqualSizes(OpBuilder &builder, Location loc,
                              const TensorSize &lhs, const TensorSize &rhs,
                              StringRef message);

/// The named dimensions of a graph.
class DimensionNames {
public:
  explicit DimensionNames(TensorSizes &sizes) : sizes(sizes) {}

  /// Records that dimension `dim` of `value` is called `name`, and checks it
  /// against the first dimension of that name, whose size it has from then on.
  /// `owner`, such as "input 'x'", names the value in messages.
  LogicalResult add(OpBuilder &builder, Location loc, StringRef name,
                    Value value, int64_t dim, const std::string &owner);

private:
  struct Use {
    TensorSize size;
    int64_t dim;
    std::string owner;
  };
  TensorSizes &sizes;
  llvm::StringMap<Use> firstUses;
};

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_DIMENSIONCHECKS_H
