//===- Inputs.h - Random elements of tensors --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_DIFFERENTIAL_INPUTS_H
#define MEANVAR_TEST_DIFFERENTIAL_INPUTS_H

#include "Choices.h"
#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// Fills a tensor of a float type with values of one of the kinds that break
/// implementations: constant, nearly constant, far from 0, with outliers, huge,
/// subnormal, NaN and infinite ones among them.
void fillAtRandom(HostTensor &tensor, Choices &choices);

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_DIFFERENTIAL_INPUTS_H
