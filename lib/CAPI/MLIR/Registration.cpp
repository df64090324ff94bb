//===- Registration.cpp - The dialect and its passes for C ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/Registration.h"
#include "meanvar-c/Dialects.h"
#include "meanvar-c/Passes.h"
#include "meanvar/InitAll.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MeanVar, meanvar,
                                      mlir::meanvar::MeanVarDialect)

void meanvarRegisterAllExtensions(MlirDialectRegistry registry) {
  mlir::meanvar::registerAllExtensions(*unwrap(registry));
}

void meanvarRegisterAllPasses() { mlir::meanvar::registerAllPasses(); }

void meanvarRegisterAllPipelines() { mlir::meanvar::registerAllPipelines(); }
