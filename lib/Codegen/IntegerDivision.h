//===- IntegerDivision.h - Operations that trap on a zero -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_CODEGEN_INTEGERDIVISION_H
#define MEANVAR_LIB_CODEGEN_INTEGERDIVISION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

namespace mlir::meanvar {

/// Returns true for integer divisions and remainders. They trap on a divisor of
/// 0, so they must not run where they were not asked to; not all of them say so
/// through ConditionallySpeculatable.
inline bool isIntegerDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp, index::DivSOp, index::DivUOp, index::CeilDivSOp,
             index::CeilDivUOp, index::FloorDivSOp, index::RemSOp,
             index::RemUOp>(op);
}

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_CODEGEN_INTEGERDIVISION_H
