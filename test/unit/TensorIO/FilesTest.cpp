//===- FilesTest.cpp - Tests of reading and writing of files --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Files.h"
#include "TensorTesting.h"
#include "gtest/gtest.h"

using namespace mlir::meanvar;

namespace {
std::string read(llvm::StringRef path, uint64_t maxBytes = 1000) {
  auto buffer = readFile(path, maxBytes);
  return buffer ? (*buffer)->getBuffer().str()
                : llvm::toString(buffer.takeError());
}

std::string write(llvm::StringRef path, llvm::StringRef content) {
  return errorText(writeFileAtomically(
      path, [&](llvm::raw_ostream &stream) { stream << content; }));
}

TEST(FilesTest, LimitsWhatIsRead) {
  TemporaryDirectory directory;
  std::string path = directory.getPath("file");
  EXPECT_EQ(write(path, "12345"), "");
  EXPECT_EQ(read(path, 5), "12345");
  EXPECT_EQ(read(path, 4), "cannot read '" + path + "': more than 4 bytes");
  // A stream without end.
  EXPECT_EQ(read("/dev/zero", 100000),
            "cannot read '/dev/zero': more than 100000 bytes");
  EXPECT_EQ(read("/dev/null"), "");
}

TEST(FilesTest, ReplacesFilesAndKeepsLinks) {
  TemporaryDirectory directory;
  std::string path = directory.getPath("file");
  std::string link = directory.getPath("link");
  EXPECT_EQ(write(path, "old and long"), "");
  ASSERT_FALSE(llvm::sys::fs::create_link("file", link));
  EXPECT_EQ(write(link, "new"), "");
  EXPECT_EQ(read(path), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
}

TEST(FilesTest, ReportsFullDevices) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full on this system";
  EXPECT_EQ(write("/dev/full", "content"),
            "cannot write '/dev/full': No space left on device");
}
} // namespace
