//===- ParseText.h - The textual form of ONNX models ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ONNX defines a syntax for models that is written by hand and by
// onnx.printer.to_text:
//
//   <ir_version: 8, opset_import: ["" : 13]>
//   g (float[N, 4] x) => (float[N, 4] y) {
//     y = MeanVarianceNormalization <axes = [1]> (x)
//   }
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_PARSETEXT_H
#define MEANVAR_LIB_TARGET_ONNX_PARSETEXT_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <onnx/onnx_pb.h>

#include <memory>

namespace mlir::meanvar {

/// Returns true if a file with this content is a model as text: no serialized
/// model starts with `<`, or with spaces and `<`.
inline bool isTextModel(StringRef content) {
  return content.ltrim().starts_with("<");
}

/// Parses the model `text`. Emits one diagnostic with line and column of the
/// file `path` if it cannot.
FailureOr<std::unique_ptr<onnx::ModelProto>>
parseTextModel(StringRef text, StringRef path, MLIRContext *context);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_PARSETEXT_H
