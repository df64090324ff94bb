//===- MeanVarPlugin.cpp - meanvar in an unmodified mlir-opt --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plugin for dialects and one for passes. A tool of the same LLVM release
// that links libMLIR.so, as Debian's do, loads it with
// --load-dialect-plugin and --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "meanvar/InitAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

static void registerDialect(DialectRegistry *registry) {
  meanvar::registerAllDialects(*registry);
  meanvar::registerAllExtensions(*registry);
}

static void registerPasses() {
  meanvar::registerAllPasses();
  meanvar::registerAllPipelines();
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "meanvar", MEANVAR_VERSION, registerDialect};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "meanvar", MEANVAR_VERSION, registerPasses};
}
