//===- InitAll.h - Registration of everything -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools and embedders that want all of meanvar; each part can be registered
// on its own through the headers included here.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_INITALL_H
#define MEANVAR_INITALL_H

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Conversion/Passes.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h"
#include "meanvar/Dialect/MeanVar/Transforms/Transforms.h"
#include "meanvar/Pipelines/Pipelines.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::meanvar {

/// Registers the meanvar dialect.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<MeanVarDialect>();
}

/// Registers the interfaces of the meanvar operations that live in libraries of
/// their own. The pipelines need those of upstream operations, too
/// (mlir::registerAllDialects and mlir::registerAllExtensions).
inline void registerAllExtensions(DialectRegistry &registry) {
  registerBufferizableOpInterfaceExternalModels(registry);
  registerTilingInterfaceExternalModels(registry);
  registerValueBoundsOpInterfaceExternalModels(registry);
}

/// Registers the meanvar passes.
inline void registerAllPasses() {
  registerMeanVarTransformsPasses();
  registerMeanVarConversionPasses();
  registerMeanVarCodegenPasses();
}

/// Registers the meanvar pipelines.
inline void registerAllPipelines() { registerPipelines(); }

} // namespace mlir::meanvar

#endif // MEANVAR_INITALL_H
