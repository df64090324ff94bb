//===- MeanVarDialect.h - The meanvar dialect -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_H
#define MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_H

#include "mlir/IR/Dialect.h"

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h.inc"

#endif // MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_H
