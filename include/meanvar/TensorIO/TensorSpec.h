//===- TensorSpec.h - Tensors given on a command line -----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_TENSORSPEC_H
#define MEANVAR_TENSORIO_TENSORSPEC_H

#include "meanvar/TensorIO/HostTensor.h"

namespace mlir::meanvar {

/// Reads a tensor from its specification:
///
///   spec  ::= type `=` value | `@` file
///   type  ::= (size `x`)* element-type
///   value ::= literal            every element, or the one of rank 0
///           | list               nested as the shape is; `[]`: no elements
///           | `random(` seed `)` standard normal, see NormalGenerator
///           | `@` file           checked against the type
///
/// A file is a `.npy` array or, when its name ends in `.pb`, an ONNX
/// TensorProto. Spaces may surround every token. `wanted` is the element type
/// that the caller needs, if known; it decides how 16-bit words of a file
/// without a type are read. Errors name `spec` or the part of it that is wrong,
/// and what is allowed there.
llvm::Expected<HostTensor>
parseTensorSpec(llvm::StringRef spec,
                std::optional<ElementKind> wanted = std::nullopt);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_TENSORSPEC_H
