//===- ReportONNX.h - What keeps an ONNX model from import ------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The import of a model stops at the first node that is not supported. This
// looks at all nodes, and says which are not.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TARGET_ONNX_REPORTONNX_H
#define MEANVAR_TARGET_ONNX_REPORTONNX_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;

namespace meanvar {

/// A node that is not supported.
struct UnsupportedONNXNode {
  /// The quoted name of the node, or its number in the graph, counted from 0.
  std::string node;
  /// The operator, and its domain: "ai.onnx" for the standard one.
  std::string opType, domain;
  /// The imported version of the domain; 0 where there is none.
  int64_t opset = 0;
  /// The quoted name of the function of the model that the node belongs to, or
  /// empty.
  std::string function;
  /// Why it is not supported, as the import would say.
  std::string reason;
};

/// What a report says about one model.
struct ONNXReport {
  /// All nodes, those of functions of the model once for each call, and those
  /// of subgraphs.
  uint64_t numNodes = 0;
  std::vector<UnsupportedONNXNode> unsupported;
  /// Nodes behind unsupported ones: the types of their inputs are not known, so
  /// that only the operator and its attributes could be checked.
  uint64_t numPartlyChecked = 0;
  /// Errors about the model that belong to no node, such as one about the type
  /// of an input.
  std::vector<std::string> otherErrors;

  bool isSupported() const {
    return unsupported.empty() && otherErrors.empty();
  }
};

/// Checks every node of the model in the file `path`. Calls `progress` with the
/// number of nodes so far, for every node. Fails after a diagnostic if the file
/// is not a model that could be looked through.
FailureOr<ONNXReport>
reportONNXModel(llvm::StringRef path, MLIRContext *context,
                llvm::function_ref<void(uint64_t)> progress);

/// As above, of the model in `buffer`; external data is read from files below
/// `directory`, and refused where that is empty.
FailureOr<ONNXReport>
reportONNXModel(llvm::MemoryBufferRef buffer, MLIRContext *context,
                llvm::StringRef directory,
                llvm::function_ref<void(uint64_t)> progress);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_TARGET_ONNX_REPORTONNX_H
