//===- Files.h - Bounded reading and atomic writing -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_FILES_H
#define MEANVAR_TENSORIO_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <memory>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::meanvar {

/// Reads a file, a pipe, or standard input ("-"), of at most `maxBytes` bytes.
/// Errors name the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, uint64_t maxBytes);

/// A file that has been written to a temporary one beside the place it is to
/// take: on failure the old file, or none, is left. Several files are written
/// all or none by committing them when each has been created.
class StagedFile {
public:
  using Writer = std::function<void(llvm::raw_ostream &)>;

  /// Writes the contents of the file `path` beside it. Of what is not a regular
  /// file, such as a device, only `commit` writes them; what `write` refers to
  /// must live until then. Errors name the path.
  static llvm::Expected<StagedFile> create(llvm::StringRef path, Writer write);

  StagedFile(StagedFile &&other) = default;
  StagedFile &operator=(StagedFile &&other) = delete;
  /// Removes the temporary file unless it has been committed.
  ~StagedFile();

  /// Returns true for what is not a regular file, and is written by `commit`.
  bool isDirect() const { return static_cast<bool>(write); }

  /// Gives the file its name.
  llvm::Error commit();

private:
  explicit StagedFile(llvm::StringRef path) : path(path) {}

  std::string path;
  /// The path behind symbolic links.
  std::string target;
  /// Null for direct files, and once committed.
  std::unique_ptr<llvm::sys::fs::TempFile> temporary;
  /// Null for all others.
  Writer write;
};

/// Creates and commits one StagedFile.
llvm::Error writeFileAtomically(llvm::StringRef path, StagedFile::Writer write);

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_FILES_H
