/*===- meanvar-c/Dialects.h - The dialect for MLIR's C API --------*- C -*-===*\
|*                                                                            *|
|* Part of the meanvar project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* For programs that hold modules themselves, through mlir-c. Programs that   *|
|* only compile and call use meanvar-c/Embedding.h.                           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef MEANVAR_C_DIALECTS_H
#define MEANVAR_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/** mlirGetDialectHandle__meanvar__: the meanvar dialect. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(MeanVar, meanvar);

/** Adds to `registry` the interfaces of the dialect's operations that live in
    libraries of their own, such as TilingInterface. The pipelines need them,
   and upstream's dialects and extensions (mlirRegisterAllDialects). */
MLIR_CAPI_EXPORTED void
meanvarRegisterAllExtensions(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif

#endif /* MEANVAR_C_DIALECTS_H */
