//===- OutputFiles.h - Files that are written all or none -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_RUNNER_OUTPUTFILES_H
#define MEANVAR_TOOLS_MEANVAR_RUNNER_OUTPUTFILES_H

#include "meanvar/TensorIO/HostTensor.h"
#include "llvm/Support/FileSystem.h"

#include <string>
#include <vector>

namespace mlir::meanvar {

/// The `.npy` files of one run. Each is written to a temporary file beside it
/// first, and all are renamed once every one has been written: on failure the
/// old files, or none, are left.
class OutputFiles {
public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;
  /// Removes what has not been renamed.
  ~OutputFiles();

  /// Writes `tensor`, which is to become the file `path`, and must live until
  /// `commit`: what is not a regular file, such as a device, is written then.
  /// Errors name the path.
  llvm::Error add(llvm::StringRef path, const HostTensor &tensor);

  /// Gives all files their names.
  llvm::Error commit();

private:
  struct StagedFile {
    std::string path;
    /// The path behind symbolic links.
    std::string target;
    llvm::sys::fs::TempFile temporary;
  };
  struct DirectFile {
    std::string path;
    const HostTensor *tensor;
  };
  std::vector<StagedFile> stagedFiles;
  std::vector<DirectFile> directFiles;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_RUNNER_OUTPUTFILES_H
