//===- Transforms.h - Patterns within the meanvar dialect -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_TRANSFORMS_TRANSFORMS_H
#define MEANVAR_DIALECT_MEANVAR_TRANSFORMS_TRANSFORMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
class RewritePatternSet;

namespace meanvar {

/// String attribute of a cf.assert that `meanvar-insert-shape-checks` has
/// inserted: the name of the operation that it checks.
constexpr llvm::StringLiteral checkedOpAttrName = "meanvar.checked_op";

/// Adds the patterns of `meanvar-collapse-dims`.
void populateCollapseDimsPatterns(RewritePatternSet &patterns);

/// Adds patterns that let results be computed in the shape of their operation
/// straight into a buffer of another shape, by reshaping the buffer.
void populateFoldReshapesIntoDestinationsPatterns(RewritePatternSet &patterns);

/// Adds patterns that replace reshapes of tensors with a static size of 0.
void populateFoldEmptyReshapesPatterns(RewritePatternSet &patterns);

/// Returns the elementwise operation that alone uses the elements of `value`
/// and walks them and its own results in the same order, so that it can be
/// computed along with `value`; null where there is none.
linalg::GenericOp getElementwiseConsumer(Value value);

/// Attaches TilingInterface to both operations. A tile of meanvar.mvn is
/// a smaller meanvar.mvn over whole lanes, so kept dimensions tile and reduced
/// ones do not; all dimensions of meanvar.mean do. Sizes `?` are compared by
/// the ValueBoundsOpInterface of what computes them.
void registerTilingInterfaceExternalModels(DialectRegistry &registry);

/// Attaches ValueBoundsOpInterface to both operations: sizes of results are
/// sizes of operands, where it is known of which.
void registerValueBoundsOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_DIALECT_MEANVAR_TRANSFORMS_TRANSFORMS_H
