//===- LoadModule.cpp - Modules from files --------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/LoadModule.h"
#include "meanvar/Compiler/ParseModule.h"
#include "meanvar/Target/ONNX/ImportONNX.h"
#include "meanvar/TensorIO/Files.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <sys/resource.h>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::MemoryBuffer;

/// An ONNX model starts with its field 1, a number: the byte 8, which no text
/// contains. Writers may order fields as they like, so that the name counts
/// too. So it does for models as text.
static bool isONNX(StringRef content, StringRef path) {
  return content.starts_with("\x08") || path.ends_with(".onnx") ||
         path.ends_with(".onnxtxt") || path.ends_with(".onnxtext");
}

namespace {
/// Limits the memory of the process while it lives. The reader of bytecode
/// takes memory for whatever counts it reads before it looks whether the file
/// can hold as many; out of memory, it ends in crash recovery.
class MemoryLimit {
public:
  explicit MemoryLimit(uint64_t bytes) {
    getrlimit(RLIMIT_DATA, &previous);
    rlimit limit = previous;
    // The sanitizers reserve far more than they use.
    if (!LLVM_ADDRESS_SANITIZER_BUILD)
      limit.rlim_cur = std::min<rlim_t>(previous.rlim_cur, bytes);
    setrlimit(RLIMIT_DATA, &limit);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_DATA, &previous); }

private:
  rlimit previous = {};
};
} // namespace

static OwningOpRef<ModuleOp> parseBytecode(std::unique_ptr<MemoryBuffer> buffer,
                                           MLIRContext *context) {
  // Far more than the operations, attributes and types that the bytes encode.
  constexpr uint64_t bytesOfProcess = uint64_t(4) << 30, bytesPerByte = 256;
  MemoryLimit limit(bytesOfProcess + bytesPerByte * buffer->getBufferSize());
  return parseModule(std::move(buffer), context);
}

OwningOpRef<ModuleOp> mlir::meanvar::loadModule(StringRef path,
                                                MLIRContext *context) {
  auto buffer = readFile(path, maxModuleBytes);
  if (!buffer) {
    emitError(UnknownLoc::get(context), llvm::toString(buffer.takeError()));
    return {};
  }
  StringRef content = (*buffer)->getBuffer();
  if (isBytecode(**buffer))
    return parseBytecode(std::move(*buffer), context);
  if (!isONNX(content, path))
    return parseModule(std::move(*buffer), context);
  StringRef directory = llvm::sys::path::parent_path(path);
  return importONNXModel((*buffer)->getMemBufferRef(), context,
                         directory.empty() ? "." : directory);
}
