//===- Passes.h - Passes within the meanvar dialect -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_H
#define MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::meanvar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h.inc"

} // namespace mlir::meanvar

#endif // MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_H
