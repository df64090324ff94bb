//===- Model.h - Reading the parts of an ONNX model -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_MODEL_H
#define MEANVAR_LIB_TARGET_ONNX_MODEL_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>

namespace mlir::meanvar {

/// The version of each imported operator set, by normalized domain.
using OpsetImports = llvm::StringMap<int64_t>;

/// Attributes by name, in the order of the node. The name an attribute goes by
/// may differ from the name in the message, which a caller may have given.
using AttributeMap = llvm::MapVector<StringRef, const onnx::AttributeProto *>;

/// A function of the model with what newer file formats add to it.
struct ModelFunction {
  const onnx::FunctionProto *proto = nullptr;
  /// Operator sets that the body is written against.
  OpsetImports opsets;
  /// Names of all attributes, with the default value or null.
  AttributeMap attributes;
  /// Owner of the default values.
  std::vector<std::unique_ptr<onnx::AttributeProto>> defaults;
};

/// Returns `domain` with the two spellings of the standard one, "" and
/// "ai.onnx", made equal: "".
StringRef normalizeDomain(StringRef domain);

/// Parses the serialized model `bytes`. Emits the diagnostic of a failure at
/// `loc`.
FailureOr<std::unique_ptr<onnx::ModelProto>> parseModel(StringRef bytes,
                                                        Location loc);

/// Checks that the version of the file format is one that is imported.
LogicalResult checkFormatVersion(const onnx::ModelProto &model, Location loc);

/// Reads `imports`, which the model or a function declares; `owner` names which
/// in a diagnostic.
FailureOr<OpsetImports> readOpsetImports(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &imports,
    const Twine &owner, Location loc);

/// Reads the signature of the function `proto`.
FailureOr<ModelFunction> readFunction(const onnx::FunctionProto &proto,
                                      Location loc);

/// Returns what tells overloads of one operator apart (since format 10).
std::string getOverload(const onnx::NodeProto &node);
std::string getOverload(const onnx::FunctionProto &function);

/// Returns the name of an operator or function for messages: "local.F", and
/// without domain for the standard one.
std::string getQualifiedName(StringRef domain, StringRef name);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_MODEL_H
