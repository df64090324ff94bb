//===- Passes.h - Conversions from and to meanvar ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_CONVERSION_PASSES_H
#define MEANVAR_CONVERSION_PASSES_H

#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace mlir::meanvar {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "meanvar/Conversion/Passes.h.inc"

} // namespace mlir::meanvar

#endif // MEANVAR_CONVERSION_PASSES_H
