//===- TensorProto.h - Tensors of ONNX files --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TARGET_ONNX_TENSORPROTO_H
#define MEANVAR_TARGET_ONNX_TENSORPROTO_H

#include "meanvar/TensorIO/HostTensor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnx {
class TensorProto;
} // namespace onnx

namespace mlir::meanvar {

/// Converts an ONNX TensorProto of a type that HostTensor holds. Checks the
/// number of elements against the shape, in raw_data and in every typed field.
/// External data is read from files below `directory` only; an empty directory
/// refuses it. Errors name the tensor.
llvm::Expected<HostTensor> convertTensorProto(const onnx::TensorProto &proto,
                                              llvm::StringRef directory);

/// Reads the content of a file that holds one serialized ONNX TensorProto.
/// External data is read as in convertTensorProto. Errors start with `name`.
llvm::Expected<HostTensor> readTensorProto(llvm::StringRef content,
                                           llvm::StringRef name,
                                           llvm::StringRef directory);

/// Reads a file that holds one serialized ONNX TensorProto, such as the
/// `input_0.pb` of a model's published test data. Errors name the file.
llvm::Expected<HostTensor> readTensorProtoFile(llvm::StringRef path);

} // namespace mlir::meanvar

#endif // MEANVAR_TARGET_ONNX_TENSORPROTO_H
