//===- NpyTest.cpp - Tests of NumPy array files ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Npy.h"
#include "TensorTesting.h"
#include "meanvar/TensorIO/Files.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir::meanvar;

namespace {
/// Builds a file of version 1.0 from the text of its header and its data.
std::string makeFile(const std::string &header, const std::string &data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  return file + header + data;
}

std::string makeHeader(const std::string &type, const std::string &shape,
                       const std::string &order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

std::string bytes(size_t count) { return std::string(count, '\0'); }

std::string readAndPrint(const std::string &file,
                         std::optional<ElementKind> wanted = std::nullopt) {
  return printOrError(readNpy(file, "file", wanted));
}

TEST(NpyTest, RoundTripsEveryTypeAndShape) {
  TemporaryDirectory directory;
  std::string path = directory.getPath("tensor.npy");
  for (ElementKind kind :
       {ElementKind::F16, ElementKind::BF16, ElementKind::F32, ElementKind::F64,
        ElementKind::I1, ElementKind::I8, ElementKind::I16, ElementKind::I32,
        ElementKind::I64, ElementKind::Index}) {
    for (llvm::SmallVector<int64_t> shape :
         {llvm::SmallVector<int64_t>{}, llvm::SmallVector<int64_t>{3},
          llvm::SmallVector<int64_t>{2, 3}, llvm::SmallVector<int64_t>{2, 0},
          llvm::SmallVector<int64_t>(40, 1)}) {
      HostTensor tensor = llvm::cantFail(HostTensor::create(kind, shape));
      for (int64_t i = 0; i < tensor.getNumElements(); ++i)
        tensor.setFloat(i, i % 2);
      ASSERT_EQ(errorText(writeNpyFile(path, tensor)), "");
      auto file = llvm::cantFail(readFile(path, 1 << 20));
      EXPECT_EQ(printOrError(readNpy(file->getBuffer(), "file", kind)),
                print(tensor));
    }
  }
}

TEST(NpyTest, ReadsFortranOrder) {
  std::string data("\0\1\2\3\4\5", 6);
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("|i1", "(2, 3)", "True"), data)),
            "2x3xi8=[[0,2,4],[1,3,5]]");
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("|i1", "(6,)", "True"), data)),
            "6xi8=[0,1,2,3,4,5]");
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("|u1", "(1,)", "False"), "\xff")),
            "1xui8=[255]");
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("<f4", "(0, 3)", "True"), "")),
            "0x3xf32=[]");
}

TEST(NpyTest, ReadsVersions2And3) {
  for (char version : {'\x02', '\x03'}) {
    std::string header = makeHeader("<i2", "()");
    std::string file("\x93NUMPY", 6);
    file += version;
    file += '\0';
    file += static_cast<char>(header.size());
    file += bytes(3) + header + std::string("\x05\x00", 2);
    EXPECT_EQ(readAndPrint(file), "i16=5");
  }
}

TEST(NpyTest, ReadsBFloat16OnlyWhereWanted) {
  for (const char *type : {"<u2", "<V2", "|V2"}) {
    std::string file =
        makeFile(makeHeader(type, "(1,)"), std::string("\x80\x3f", 2));
    EXPECT_EQ(readAndPrint(file, ElementKind::BF16), "1xbf16=[1]");
    EXPECT_EQ(readAndPrint(file, ElementKind::F16),
              "file: element type '" + std::string(type) +
                  "' is read as bf16 only, not as f16");
    EXPECT_EQ(readAndPrint(file), "file: element type '" + std::string(type) +
                                      "' is read as bf16 only: give shape and "
                                      "type, as in '2x3xbf16=@file.npy'");
  }
}

TEST(NpyTest, RefusesElementTypes) {
  EXPECT_EQ(readAndPrint(makeFile(makeHeader(">f4", "(1,)"), bytes(4))),
            "file: element type '>f4' is big-endian (allowed: little-endian)");
  EXPECT_THAT_TEXT(readAndPrint(makeFile(makeHeader("<c8", "(1,)"), bytes(8))),
                   "element type '<c8' is not supported");
  EXPECT_THAT_TEXT(
      readAndPrint(makeFile("{'descr': [('a', '<f4')], 'fortran_order': False, "
                            "'shape': (1,)}",
                            bytes(4))),
      "structured types are not supported");
}

TEST(NpyTest, RefusesDamagedHeaders) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "expected '{'"},
      {"{'descr': '<f4'", "expected ',' or '}'"},
      {"{'descr': '<f4", "unterminated string"},
      {"{'descr': '<f4', 'descr': '<f4'}", "repeated key 'descr'"},
      {"{'kind': 1}", "unknown key 'kind'"},
      {"{'a\n\x1b': 1}", "unknown key 'a\\0A\\1B'"},
      {"{'descr' '<f4'}", "expected ':' after 'descr'"},
      {"{'descr': '<f4', 'shape': ()}", "missing key 'fortran_order'"},
      {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "True or False"},
      {makeHeader("<f4", "(-1,)"), "sizes of at least 0"},
      {makeHeader("<f4", "(99999999999999999999,)"), "sizes of at least 0"},
      {makeHeader("<f4", "(1 2)"), "expected ',' or ')'"},
      {makeHeader("<f4", "3"), "expected a tuple"},
      {makeHeader("<f4", "()") + "x", "text after '}'"}};
  for (const auto &[header, message] : cases)
    EXPECT_THAT_TEXT(readAndPrint(makeFile(header, bytes(4))), message);
}

TEST(NpyTest, RefusesBytesThatAreNoBooleans) {
  std::string header = makeHeader("|b1", "(3,)");
  EXPECT_EQ(readAndPrint(makeFile(header, std::string("\0\1\1", 3))),
            "3xi1=[0,1,1]");
  EXPECT_EQ(readAndPrint(makeFile(header, std::string("\0\1\2", 3))),
            "file: element 2 of type i1 is 2 (allowed: 0, 1)");
}

TEST(NpyTest, ChecksLengthsBeforeAllocation) {
  EXPECT_EQ(readAndPrint("\x93NUMP"), "file: not a .npy file");
  EXPECT_EQ(readAndPrint(std::string("\x93NUMPY\x04\x00", 8)),
            "file: .npy version 4 is not supported (allowed: 1 to 3)");
  EXPECT_EQ(readAndPrint(std::string("\x93NUMPY\x01\x00\xff", 9)),
            "file: .npy header is cut short");
  EXPECT_EQ(readAndPrint(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13)),
            "file: .npy header of 4294967295 bytes is cut short");
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("<f4", "(2,)"), bytes(7))),
            "file: '2xf32' needs 8 bytes of data, but the file has 7");
  EXPECT_EQ(readAndPrint(makeFile(makeHeader("<f4", "(2,)"), bytes(9))),
            "file: '2xf32' needs 8 bytes of data, but the file has 9");
  EXPECT_THAT_TEXT(
      readAndPrint(makeFile(
          makeHeader("<f4", "(4611686018427387904, 4611686018427387904)"),
          bytes(8))),
      "exceeds the largest size allowed");
}

TEST(NpyTest, LeavesNoPartialFile) {
  TemporaryDirectory directory;
  HostTensor tensor = llvm::cantFail(HostTensor::create(ElementKind::F32, {2}));
  EXPECT_THAT_TEXT(
      errorText(writeNpyFile(directory.getPath("missing/x.npy"), tensor)),
      "missing/x.npy': No such file or directory");
  EXPECT_THAT_TEXT(errorText(writeNpyFile(directory.getPath(""), tensor)),
                   "Is a directory");
  std::error_code code;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(directory.getPath(""), code),
            llvm::sys::fs::directory_iterator());
}
} // namespace
