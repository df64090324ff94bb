//===- MeanVarToLinalg.h - Patterns from meanvar to linalg ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_CONVERSION_MEANVARTOLINALG_MEANVARTOLINALG_H
#define MEANVAR_CONVERSION_MEANVARTOLINALG_MEANVARTOLINALG_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
class RewritePatternSet;

namespace meanvar {

/// Integer attribute of a linalg.generic that adds terms: an accumulator may
/// take so many in the type of the terms, and the few accumulators of a lane
/// may be added pairwise, before they are added to the sum. Where accumulators
/// have at most half as many terms, so may their elements. The order of the
/// additions is free but fixed by the sizes.
constexpr llvm::StringLiteral partialSumsAttrName = "meanvar.partial_sums";

/// Unit attribute of a linalg.generic that runs in exceptional cases only and
/// is compiled for size.
constexpr llvm::StringLiteral coldAttrName = "meanvar.cold";

/// Unit attribute of the passes over a tile, in a loop over tiles: the input
/// with number 0 is followed by that of the next tile in memory.
constexpr llvm::StringLiteral hasNextTileAttrName = "meanvar.has_next_tile";

/// Unit attribute of an elementwise linalg.generic that reads many streams of
/// memory, of the type of its first input. It stays an operation of its own.
constexpr llvm::StringLiteral hasStreamsAttrName = "meanvar.has_streams";

/// Adds the patterns that turn meanvar.mean into an elementwise operation.
void populateMeanToLinalgPatterns(RewritePatternSet &patterns);

/// Adds the patterns that decompose meanvar.mvn into reductions and elementwise
/// operations.
void populateMvnToLinalgPatterns(RewritePatternSet &patterns);

/// Adds all patterns that `convert-meanvar-to-linalg` applies, those for
/// tensors without elements among them.
void populateMeanVarToLinalgPatterns(RewritePatternSet &patterns);

/// Attaches BufferizableOpInterface to both operations: what is left on tensors
/// is lowered where it is bufferized, into new buffers. The interfaces of
/// upstream operations that it is lowered to must be registered.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_CONVERSION_MEANVARTOLINALG_MEANVARTOLINALG_H
