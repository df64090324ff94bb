//===- TensorTesting.h - Short forms for tests of tensors -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_UNIT_TENSORIO_TENSORTESTING_H
#define MEANVAR_TEST_UNIT_TENSORIO_TENSORTESTING_H

#include "meanvar/TensorIO/HostTensor.h"
#include "meanvar/TensorIO/Print.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

/// Expects that `text`, such as a message, contains `part`.
#define EXPECT_THAT_TEXT(text, part)                                           \
  EXPECT_PRED2(::mlir::meanvar::containsText, std::string(text),               \
               std::string(part))

namespace mlir::meanvar {

inline bool containsText(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

inline std::string print(const HostTensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printTensor(stream, tensor);
  return text;
}

/// Returns the printed tensor, or the message of the error.
inline std::string printOrError(llvm::Expected<HostTensor> tensor) {
  return tensor ? print(*tensor) : llvm::toString(tensor.takeError());
}

/// Returns the message of an error, or an empty string.
inline std::string errorText(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// A directory that lives as long as the object.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    if (llvm::sys::fs::createUniqueDirectory("meanvar-test", path))
      path.clear();
  }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }

  std::string getPath(llvm::StringRef name) const {
    llvm::SmallString<128> result(path);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

private:
  llvm::SmallString<128> path;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_UNIT_TENSORIO_TENSORTESTING_H
