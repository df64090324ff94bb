//===- CompareTest.cpp - Tests of comparison within tolerances ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Compare.h"
#include "TensorTesting.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::meanvar;

namespace {
HostTensor parse(llvm::StringRef spec) {
  return llvm::cantFail(parseTensorSpec(spec));
}

Comparison compare(llvm::StringRef actual, llvm::StringRef expected,
                   Tolerance tolerance = {}) {
  return llvm::cantFail(
      compareTensors(parse(actual), parse(expected), tolerance));
}

TEST(CompareTest, AcceptsEqualTensors) {
  for (const char *spec : {"4xf32=[nan,inf,-inf,1]", "0x2xf16=[]", "f64=1",
                           "2xi32=[1,2]", "2xi1=[0,1]"}) {
    Comparison result = compare(spec, spec);
    EXPECT_FALSE(result.firstWrong);
    EXPECT_EQ(result.largestError, 0);
  }
  EXPECT_FALSE(compare("f32=-0", "f32=0").firstWrong);
}

TEST(CompareTest, FindsTheFirstAndTheLargest) {
  Comparison result =
      compare("2x2xf32=[[1,2.5],[3,7]]", "2x2xf32=[[1,2],[3,4]]", {0.1, 0, 0});
  EXPECT_EQ(result.numWrong, 2);
  EXPECT_EQ(result.firstWrong, 1);
  EXPECT_EQ(result.largestError, 3);
  EXPECT_EQ(result.largestErrorUlps, 3 * 0x1p21);
  EXPECT_EQ(result.largestErrorAt, 3);
  EXPECT_EQ(describeMismatch(result, parse("2x2xf32=[[1,2.5],[3,7]]"),
                             parse("2x2xf32=[[1,2],[3,4]]")),
            "2 of 4 elements are wrong: the first is [0,1], got 2.5, expected "
            "2; the largest error is 3.000e+00 (6.291e+06 ulp) at [1,1]");
}

TEST(CompareTest, TreatsValuesThatAreNotFinite) {
  for (auto [actual, expected] :
       {std::pair("f32=nan", "f32=1"), std::pair("f32=1", "f32=nan"),
        std::pair("f32=inf", "f32=-inf"), std::pair("f32=inf", "f32=1"),
        std::pair("f32=1", "f32=inf")}) {
    Comparison result = compare(actual, expected, {1e30, 1, 0});
    EXPECT_EQ(result.firstWrong, 0);
    EXPECT_TRUE(std::isinf(result.largestError));
  }
}

TEST(CompareTest, TakesTheLargerOfBothTolerances) {
  EXPECT_FALSE(compare("f64=1.5", "f64=1", {0.5, 0, 0}).firstWrong);
  EXPECT_FALSE(compare("f64=15", "f64=10", {0, 0.5, 0}).firstWrong);
  EXPECT_TRUE(compare("f64=15.1", "f64=10", {0.2, 0.5, 0}).firstWrong);
  EXPECT_FALSE(compare("i32=12", "i32=10", {2, 0, 0}).firstWrong);
  EXPECT_TRUE(compare("i32=13", "i32=10", {2, 0, 0}).firstWrong);
}

TEST(CompareTest, DefaultsToTheBoundsOfTheSpecification) {
  auto isWithin = [](ElementKind kind, const char *actual,
                     const char *expected) {
    return !compare(actual, expected, getDefaultTolerance(kind)).firstWrong;
  };
  EXPECT_TRUE(isWithin(ElementKind::F32, "f32=0.0000009", "f32=0"));
  EXPECT_FALSE(isWithin(ElementKind::F32, "f32=0.0000011", "f32=0"));
  EXPECT_TRUE(isWithin(ElementKind::F32, "f32=10.000009", "f32=10"));
  EXPECT_FALSE(isWithin(ElementKind::F32, "f32=10.000012", "f32=10"));
  EXPECT_TRUE(isWithin(ElementKind::F64, "f64=9e-15", "f64=0"));
  EXPECT_FALSE(isWithin(ElementKind::F64, "f64=11e-15", "f64=0"));
  // One ulp of f16 at 1 is 2^-10.
  EXPECT_TRUE(isWithin(ElementKind::F16, "f16=0x1.004p0", "f16=1"));
  EXPECT_FALSE(isWithin(ElementKind::F16, "f16=0x1.008p0", "f16=1"));
  EXPECT_TRUE(isWithin(ElementKind::BF16, "bf16=0x1.02p0", "bf16=1"));
  EXPECT_FALSE(isWithin(ElementKind::BF16, "bf16=0x1.04p0", "bf16=1"));
}

TEST(CompareTest, DistinguishesLargeIntegers) {
  EXPECT_TRUE(
      compare("i64=9007199254740993", "i64=9007199254740992").firstWrong);
}

TEST(CompareTest, RefusesOtherTypes) {
  auto result = compareTensors(parse("2xf32=1"), parse("2xf16=1"), {});
  EXPECT_EQ(errorText(result.takeError()), "expected '2xf16', but got '2xf32'");
}
} // namespace
