//===- CaseTest.cpp - Tests that differences are seen ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Isolation.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>

using namespace mlir;
using namespace mlir::meanvar;

namespace {

std::string printFirst(uint64_t seed) {
  Choices choices(seed);
  return printCase(llvm::cantFail(makeCase(choices)), /*configuration=*/0);
}

TEST(CaseTest, FollowsFromItsSeed) {
  EXPECT_EQ(printFirst(3), printFirst(3));
  EXPECT_NE(printFirst(3), printFirst(4));
}

TEST(CaseTest, FollowsFromItsNumbers) {
  Choices random(12);
  Case first = llvm::cantFail(makeCase(random));
  Choices replayed(random.getTaken());
  Case second = llvm::cantFail(makeCase(replayed));
  EXPECT_EQ(printCase(first, 1), printCase(second, 1));
}

TEST(CaseTest, IsReadBackFromItsText) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    std::string text = printFirst(seed);
    Case testCase = llvm::cantFail(readCase(text));
    // The source is the whole text, comments and all.
    std::string again = printCase(testCase, 0);
    EXPECT_EQ(StringRef(again).take_front(text.find("\n\n")),
              StringRef(text).take_front(text.find("\n\n")));
  }
}

class CompareOutputsTest : public ::testing::Test {
protected:
  CompareOutputsTest()
      : tensor(llvm::cantFail(parseTensorSpec("3xf32=[1,2,nan]"))),
        expected(ReferenceTensor::get(tensor)) {}

  std::string compare() {
    return llvm::toString(compareOutputs(tensor, expected, tally));
  }

  HostTensor tensor;
  ReferenceTensor expected;
  Tally tally;
};

TEST_F(CompareOutputsTest, AcceptsWhatIsWithinItsBound) {
  EXPECT_EQ(compare(), "");
  expected.elements[1].error = 0.5;
  tensor.setFloat(1, 2.5);
  EXPECT_EQ(compare(), "");
  EXPECT_EQ(tally.numElements, 6U);
}

TEST_F(CompareOutputsTest, NamesTheElementThatIsNot) {
  expected.elements[1].error = 0.5;
  tensor.setFloat(1, 2.5000002);
  EXPECT_NE(compare().find("element 1 is 2.5"), std::string::npos);
}

TEST_F(CompareOutputsTest, TellsNaNsFromNumbers) {
  tensor.setFloat(2, 3);
  EXPECT_NE(compare().find("element 2 is 3.0"), std::string::npos);
  tensor.setFloat(2, std::nan(""));
  tensor.setFloat(0, std::nan(""));
  EXPECT_NE(compare().find("element 0 is nan"), std::string::npos);
}

TEST_F(CompareOutputsTest, ComparesShapes) {
  expected.shape = {3, 1};
  EXPECT_NE(compare().find("has shape 3xf32, expected 3x1xf32"),
            std::string::npos);
}

TEST_F(CompareOutputsTest, CountsUnknownElements) {
  expected.elements[0] = makeUnknown();
  tensor.setFloat(0, 17);
  EXPECT_EQ(compare(), "");
  EXPECT_EQ(tally.numUnknown, 1U);
}

class RunCaseTest : public ::testing::Test {
protected:
  RunCaseTest() : context(getRegistry(), MLIRContext::Threading::DISABLED) {}

  static DialectRegistry getRegistry() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }

  std::string run(StringRef text) {
    Case testCase = llvm::cantFail(readCase(text));
    return llvm::toString(runCase(testCase, 0, context, tally));
  }

  MLIRContext context;
  Tally tally;
};

TEST_F(RunCaseTest, ComparesWhatRuns) {
  EXPECT_EQ(run(R"(// input: 2x3xf16=[[1,2,3],[4,5,7]]
func.func @main(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
})"),
            "");
  EXPECT_EQ(tally.numElements, 6U);
}

TEST_F(RunCaseTest, TakesAnErrorOfBothAsAgreement) {
  EXPECT_EQ(run(R"(// input: 2xf32=0
// input: 3xf32=0
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
})"),
            "");
  EXPECT_EQ(tally.numErrors, 1U);
}

// The compiled function runs; the reference does not know the operation.
TEST_F(RunCaseTest, ReportsAnErrorOfOne) {
  std::string message = run(R"(// input: 2xf32=0
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.sin %a : tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  EXPECT_NE(message.find("one of two fails"), std::string::npos) << message;
  EXPECT_NE(message.find("math.sin"), std::string::npos) << message;
}

TEST_F(RunCaseTest, ReportsWhatDoesNotCompile) {
  std::string message = run(R"(// input: 2xf32=0
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = meanvar.mvn %a axes = [3] : tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  EXPECT_NE(message.find("axis 3 is out of range"), std::string::npos)
      << message;
}

TEST(IsolationTest, PassesOnErrorsAndCounts) {
  IsolatedResult result = runIsolated([](Tally &tally) {
    tally.numElements = 42;
    return llvm::createStringError("some message");
  });
  EXPECT_EQ(result.message, "some message");
  EXPECT_EQ(result.tally.numElements, 42U);
}

TEST(IsolationTest, SurvivesSignals) {
  IsolatedResult result = runIsolated([](Tally &) {
    raise(SIGKILL);
    return llvm::Error::success();
  });
  EXPECT_EQ(result.message, "ended by signal 'Killed'");
}

TEST(IsolationTest, SurvivesExits) {
  IsolatedResult result = runIsolated([](Tally &) {
    _Exit(3);
    return llvm::Error::success();
  });
  EXPECT_EQ(result.message, "ended with exit status 3");
}

} // namespace
