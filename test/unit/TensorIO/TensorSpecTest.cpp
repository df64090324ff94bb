//===- TensorSpecTest.cpp - Tests of tensors given as text ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/TensorSpec.h"
#include "TensorTesting.h"
#include "meanvar/TensorIO/Npy.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir::meanvar;

namespace {
std::string parse(llvm::StringRef spec,
                  std::optional<ElementKind> wanted = std::nullopt) {
  return printOrError(parseTensorSpec(spec, wanted));
}

TEST(TensorSpecTest, ParsesLists) {
  EXPECT_EQ(parse("2x2xf32=[[1,2],[3,4]]"), "2x2xf32=[[1,2],[3,4]]");
  EXPECT_EQ(parse(" 2x1x2xf64 = [ [[1 , 2]] , [ [ 3,4 ] ] ] "),
            "2x1x2xf64=[[[1,2]],[[3,4]]]");
  EXPECT_EQ(parse("5xf16=[nan,inf,-inf,-0,0x1.8p3]"),
            "5xf16=[nan,inf,-inf,-0,12]");
  EXPECT_EQ(parse("2xf32=[0x10,+.5e1]"), "2xf32=[16,5]");
  EXPECT_EQ(parse("3xi1=[true,false,1]"), "3xi1=[1,0,1]");
  EXPECT_EQ(parse("2xi8=[-128,127]"), "2xi8=[-128,127]");
  EXPECT_EQ(parse("2xui8=[0,255]"), "2xui8=[0,255]");
  EXPECT_EQ(parse("2xi64=[-9223372036854775808,9223372036854775807]"),
            "2xi64=[-9223372036854775808,9223372036854775807]");
}

TEST(TensorSpecTest, ParsesSplatsAndRankZero) {
  EXPECT_EQ(parse("4xf16=7"), "4xf16=[7,7,7,7]");
  EXPECT_EQ(parse("f32=10"), "f32=10");
  EXPECT_EQ(parse("index=3"), "index=3");
  EXPECT_EQ(parse("2xbf16=nan"), "2xbf16=[nan,nan]");
}

TEST(TensorSpecTest, ParsesTensorsWithoutElements) {
  EXPECT_EQ(parse("0xf32=[]"), "0xf32=[]");
  EXPECT_EQ(parse("2x0xf32=[[],[]]"), "2x0xf32=[]");
  EXPECT_EQ(parse("2x0xf32=[ ]"), "2x0xf32=[]");
  EXPECT_EQ(parse("0x9223372036854775807x9223372036854775807xf32=1"),
            "0x9223372036854775807x9223372036854775807xf32=[]");
  EXPECT_EQ(parse("0x3xf64=random(1)"), "0x3xf64=[]");
}

TEST(TensorSpecTest, RoundsLiteralsOnce) {
  // Just above the middle of 1 and the next f16, f32 or bf16, by less than any
  // intermediate rounding to f64 or f32 would keep.
  EXPECT_EQ(parse("f16=1.00048828125000000000000000001"), "f16=1.001");
  EXPECT_EQ(parse("f16=1.00048828125"), "f16=1");
  EXPECT_EQ(parse("bf16=1.00390625000000000000000000001"), "bf16=1.01");
  EXPECT_EQ(parse("f32=1.000000059604644775390625000000000001"),
            "f32=1.0000001");
  EXPECT_EQ(parse("f16=65520"), "f16=inf");
  EXPECT_EQ(parse("f16=65519.99999999999999999"), "f16=6.55e+04");
  EXPECT_EQ(parse("f64=1e-400"), "f64=0");
  EXPECT_EQ(parse("f64=1e999999999999"), "f64=inf");
}

TEST(TensorSpecTest, RoundTripsEverySmallFloat) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16}) {
    HostTensor all = llvm::cantFail(HostTensor::create(kind, {0x10000}));
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      auto word = static_cast<uint16_t>(bits);
      std::memcpy(all.getData() + 2 * bits, &word, 2);
    }
    HostTensor read = llvm::cantFail(parseTensorSpec(print(all)));
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      if (std::isnan(all.getFloat(bits)))
        EXPECT_TRUE(std::isnan(read.getFloat(bits)));
      else
        EXPECT_EQ(
            std::memcmp(all.getData() + 2 * bits, read.getData() + 2 * bits, 2),
            0)
            << bits;
    }
  }
}

TEST(TensorSpecTest, RoundTripsRandomBits) {
  for (const char *spec :
       {"4096xf32=random(7)", "4096xf64=random(7)", "64x64xf32=random(8)"}) {
    HostTensor tensor = llvm::cantFail(parseTensorSpec(spec));
    // Scaled over the whole range of exponents, subnormal numbers included.
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.setFloat(
          i, std::ldexp(tensor.getFloat(i), static_cast<int>(i % 276) - 148));
    HostTensor read = llvm::cantFail(parseTensorSpec(print(tensor)));
    EXPECT_EQ(
        std::memcmp(tensor.getData(), read.getData(), tensor.getNumBytes()), 0);
  }
}

TEST(TensorSpecTest, ReadsFiles) {
  TemporaryDirectory directory;
  std::string path = directory.getPath("x.npy");
  HostTensor tensor = llvm::cantFail(parseTensorSpec("2xbf16=[1,2]"));
  llvm::cantFail(writeNpyFile(path, tensor));
  EXPECT_EQ(parse("2xbf16=@" + path), "2xbf16=[1,2]");
  EXPECT_EQ(parse("@" + path, ElementKind::BF16), "2xbf16=[1,2]");
  EXPECT_THAT_TEXT(parse("@" + path), "is read as bf16 only");
  EXPECT_THAT_TEXT(parse("3xbf16=@" + path), "holds '2xbf16', not '3xbf16'");
  EXPECT_THAT_TEXT(parse("@" + directory.getPath("y.npy")),
                   "No such file or directory");
  EXPECT_EQ(parse("@"), "expected a file name after '@'");
}

TEST(TensorSpecTest, RefusesTypes) {
  EXPECT_THAT_TEXT(parse("1,2"), "'1,2' is not a tensor");
  EXPECT_THAT_TEXT(parse("2xf8=1"), "element type 'f8'");
  EXPECT_THAT_TEXT(parse("2x=1"), "element type ''");
  EXPECT_THAT_TEXT(parse("-2xf32=1"), "size '-2'");
  EXPECT_THAT_TEXT(parse("99999999999999999999xf32=1"),
                   "size '99999999999999999999'");
  EXPECT_THAT_TEXT(parse("2f32=1"), "size '2f32'");
  EXPECT_THAT_TEXT(parse("1000000x1000000x1000000xf32=1"), "has more than");
}

TEST(TensorSpecTest, RefusesValues) {
  const std::pair<const char *, const char *> cases[] = {
      {"2xf32=", "expected a value after '='"},
      {"2xf32=[1]", "has 1 entries in dimension 0 (allowed: 2)"},
      {"2xf32=[1,2,3]", "has more than 2 entries in dimension 0"},
      {"2xf32=[[1,2]]", "is nested more deeply than the rank, 1"},
      {"2x1xf32=[1,2]", "has value '1' at depth 1 (allowed: depth 2)"},
      {"2xf32=[1,]", "lacks a value before ']'"},
      {"2xf32=[,1]", "lacks a value before ','"},
      {"2xf32=[1,2", "expects ',' or ']' before its end"},
      {"2xf32=[1,", "lacks a value before its end"},
      {"2xf32=[1,2]]", "is followed by ']'"},
      {"2xf32=[1,2] 3", "is followed by '3'"},
      {"1x1xf32=[[1]2]", "expects ',' or ']' before '2]'"},
      {"f32=[1]", "is nested more deeply than the rank, 0"},
      {"1000000x1000xf32=[1,2]", "has fewer elements than the shape"},
      {"2xf32=[1,abc]", "'abc' is not a value of type f32"},
      {"f32=1e", "'1e' is not a value of type f32"},
      {"f32=snan", "'snan' is not a value of type f32"},
      {"f32=0x", "'0x' is not a value of type f32"},
      {"f32=1 2", "'1 2' is not a value of type f32"},
      {"i8=128", "'128' is not a value of type i8 (allowed: -128 to 127)"},
      {"ui8=256", "'256' is not a value of type ui8 (allowed: 0 to 255)"},
      {"ui8=-1", "'-1' is not a value of type ui8 (allowed: 0 to 255)"},
      {"i1=2", "'2' is not a value of type i1 (allowed: 0 to 1)"},
      {"i32=1.5", "'1.5' is not a value of type i32"},
      {"2xi32=random(1)", "random tensors of type i32 are not supported"},
      {"2xf32=random(-1)", "'random(-1)' is not a random tensor"},
      {"2xf32=random(1", "'random(1' is not a random tensor"}};
  for (const auto &[spec, message] : cases)
    EXPECT_THAT_TEXT(parse(spec), message);
}

TEST(TensorSpecTest, SurvivesDeepNesting) {
  std::string spec = "f32=" + std::string(1000000, '[');
  EXPECT_THAT_TEXT(parse(spec), "is nested more deeply than the rank, 0");
  std::string type;
  for (int i = 0; i < 100000; ++i)
    type += "1x";
  spec =
      type + "f32=" + std::string(100000, '[') + "5" + std::string(100000, ']');
  EXPECT_EQ(parse(spec), spec);
}
} // namespace
