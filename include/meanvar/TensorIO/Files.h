//===- Files.h - Bounded reading and atomic writing -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_FILES_H
#define MEANVAR_TENSORIO_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::meanvar {

/// Reads a file, a pipe, or standard input ("-"), of at most `maxBytes` bytes.
/// Errors name the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, uint64_t maxBytes);

/// Writes a file through a temporary one beside it, which is renamed once
/// everything has been written: on failure the old file, or none, is left. What
/// is not a regular file, such as a device, is written directly. Errors name
/// the path.
llvm::Error
writeFileAtomically(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_FILES_H
