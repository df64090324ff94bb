//===- Print.h - Tensors as text --------------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_PRINT_H
#define MEANVAR_TENSORIO_PRINT_H

#include "meanvar/TensorIO/HostTensor.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::meanvar {

/// Prints shape, type and every element of `tensor` such that parseTensorSpec
/// reads the same bits back (any NaN as "nan"): "2x2xf32=[[1,2],[3,0.1]]". A
/// tensor without elements prints as "2x0xf32=[]".
void printTensor(llvm::raw_ostream &stream, const HostTensor &tensor);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_PRINT_H
