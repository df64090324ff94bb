//===- OutputFiles.cpp - Files that are written all or none ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFiles.h"
#include "meanvar/TensorIO/Npy.h"
#include "llvm/ADT/SmallString.h"

using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error createWriteError(StringRef path, std::error_code code) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + code.message());
}

OutputFiles::~OutputFiles() {
  for (StagedFile &file : stagedFiles)
    llvm::consumeError(file.temporary.discard());
}

Error OutputFiles::add(StringRef path, const HostTensor &tensor) {
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && status.type() == fs::file_type::directory_file)
    return createWriteError(path,
                            std::make_error_code(std::errc::is_a_directory));
  if (exists && status.type() != fs::file_type::regular_file) {
    directFiles.push_back({path.str(), &tensor});
    return Error::success();
  }

  // A symbolic link stays: what it points to is replaced.
  llvm::SmallString<256> target(path);
  if (exists)
    if (std::error_code code = fs::real_path(path, target))
      return createWriteError(path, code);
  Expected<fs::TempFile> temporary = fs::TempFile::create(
      target + ".%%%%%%%%.tmp", fs::all_read | fs::all_write);
  if (!temporary)
    return createWriteError(path,
                            llvm::errorToErrorCode(temporary.takeError()));
  stagedFiles.push_back(
      {path.str(), target.str().str(), std::move(*temporary)});
  return writeNpyFile(stagedFiles.back().temporary.TmpName, tensor);
}

Error OutputFiles::commit() {
  for (const DirectFile &file : directFiles)
    if (Error error = writeNpyFile(file.path, *file.tensor))
      return error;
  directFiles.clear();
  while (!stagedFiles.empty()) {
    StagedFile file = std::move(stagedFiles.back());
    stagedFiles.pop_back();
    if (Error error = file.temporary.keep(file.target)) {
      llvm::consumeError(file.temporary.discard());
      return createWriteError(file.path,
                              llvm::errorToErrorCode(std::move(error)));
    }
  }
  return Error::success();
}
