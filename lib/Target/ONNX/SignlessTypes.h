//===- SignlessTypes.h - Integers as compiled code has them -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_SIGNLESSTYPES_H
#define MEANVAR_LIB_TARGET_ONNX_SIGNLESSTYPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::meanvar {

/// Gives the values of unsigned types in an imported function signless ones,
/// which are all that operations of `arith` take. The attributes
/// `meanvar.unsigned_inputs` and `meanvar.unsigned_outputs` list which inputs
/// and outputs had them.
void makeSignless(func::FuncOp function);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_SIGNLESSTYPES_H
