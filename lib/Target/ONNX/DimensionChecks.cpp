//===- DimensionChecks.cpp - Run-time checks of sizes ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimensionChecks.h"

#include "Names.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Replaces `{0}` and `{1}` in `message`.
static std::string formatMessage(StringRef message, int64_t first,
                                 int64_t second) {
  std::string text = message.str();
  const std::pair<StringRef, int64_t> replacements[] = {{"{0}", first},
                                                        {"{1}", second}};
  for (auto [placeholder, number] : replacements) {
    size_t position = text.find(placeholder.str());
    if (position != std::string::npos)
      text.replace(position, placeholder.size(), std::to_string(number));
  }
  return text;
}

LogicalResult meanvar::checkEqualSizes(OpBuilder &builder, Location loc,
                                       OpFoldResult lhs, OpFoldResult rhs,
                                       StringRef message) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    if (*left == *right)
      return success();
    return emitError(loc) << formatMessage(message, *left, *right);
  }
  Value leftSize = getValueOrCreateConstantIndexOp(builder, loc, lhs);
  Value rightSize = getValueOrCreateConstantIndexOp(builder, loc, rhs);
  Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        leftSize, rightSize);
  cf::AssertOp::create(builder, loc, isEqual, message);
  return success();
}

LogicalResult meanvar::checkEqualSizes(OpBuilder &builder, Location loc,
                                       const TensorSize &lhs,
                                       const TensorSize &rhs,
                                       StringRef message) {
  if (lhs == rhs)
    return success();
  OpFoldResult left = lhs.materialize(builder, loc);
  OpFoldResult right = rhs.materialize(builder, loc);
  return checkEqualSizes(builder, loc, left, right, message);
}

LogicalResult DimensionNames::add(OpBuilder &builder, Location loc,
                                  StringRef name, Value value, int64_t dim,
                                  const std::string &owner) {
  TensorSize size = sizes.get(value, dim);
  auto [entry, isNew] = firstUses.try_emplace(name, Use{size, dim, owner});
  if (isNew)
    return success();
  const Use &first = entry->second;
  std::string message = "dimension " + withoutBraces(quoteName(name)) +
                        " is {0} in " + withoutBraces(first.owner) +
                        " (dimension " + std::to_string(first.dim) +
                        ") and {1} in " + withoutBraces(owner) +
                        " (dimension " + std::to_string(dim) + ")";
  if (failed(checkEqualSizes(builder, loc, first.size, size, message)))
    return failure();
  if (!first.size.getConstant())
    sizes.set(value, dim, first.size);
  return success();
}
