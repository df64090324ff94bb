//===- TemporaryDirectory.h - A directory for a test's files ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_UNIT_TARGET_ONNX_TEMPORARYDIRECTORY_H
#define MEANVAR_TEST_UNIT_TARGET_ONNX_TEMPORARYDIRECTORY_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <string>

/// A directory that disappears with the test.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("meanvar-onnx", path));
  }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }

  std::string getPath() const { return path.str().str(); }

  /// Returns the path of the file `name` of the directory.
  std::string getFile(llvm::StringRef name) const {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }

  /// Writes the file `name` and returns its path.
  std::string write(llvm::StringRef name, llvm::StringRef content) const {
    std::error_code error;
    llvm::raw_fd_ostream(getFile(name), error) << content;
    EXPECT_FALSE(error);
    return getFile(name);
  }

private:
  llvm::SmallString<128> path;
};

#endif // MEANVAR_TEST_UNIT_TARGET_ONNX_TEMPORARYDIRECTORY_H
