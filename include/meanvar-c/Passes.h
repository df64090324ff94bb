/*===- meanvar-c/Passes.h - The passes for MLIR's C API -----------*- C -*-===*\
|*                                                                            *|
|* Part of the meanvar project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
\*===----------------------------------------------------------------------===*/

#ifndef MEANVAR_C_PASSES_H
#define MEANVAR_C_PASSES_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the meanvar passes known by their names, to mlirParsePassPipeline and
    mlirOpPassManagerAddPipeline. */
MLIR_CAPI_EXPORTED void meanvarRegisterAllPasses(void);

/** The same for the pipelines: meanvar-to-llvm and its four stages. */
MLIR_CAPI_EXPORTED void meanvarRegisterAllPipelines(void);

#ifdef __cplusplus
}
#endif

#endif /* MEANVAR_C_PASSES_H */
