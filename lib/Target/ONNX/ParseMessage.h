//===- ParseMessage.h - Protocol buffers of untrusted files -----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_PARSEMESSAGE_H
#define MEANVAR_LIB_TARGET_ONNX_PARSEMESSAGE_H

#include "llvm/ADT/StringRef.h"

#include <google/protobuf/io/coded_stream.h>

#include <cstdint>

namespace mlir::meanvar {

/// The largest serialized message: the limit of protocol buffers themselves.
constexpr uint64_t maxMessageBytes = INT32_MAX;

/// Parses the serialized `message` of at most `maxMessageBytes`. Returns false
/// if the bytes are not exactly one message, or nest too deeply.
template <typename Message>
bool parseMessage(llvm::StringRef bytes, Message &message) {
  // Deep enough for ONNX, whose types and subgraphs nest, and far from the end
  // of the stack.
  constexpr int maxNesting = 100;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(maxNesting);
  return message.ParseFromCodedStream(&stream) &&
         stream.ConsumedEntireMessage();
}

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_PARSEMESSAGE_H
