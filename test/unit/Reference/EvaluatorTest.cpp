//===- EvaluatorTest.cpp - Tests of functions evaluated by the reference --===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Evaluator.h"
#include "../TensorIO/TensorTesting.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {
class EvaluatorTest : public ::testing::Test {
protected:
  EvaluatorTest() {
    context.loadDialect<MeanVarDialect, arith::ArithDialect,
                        cf::ControlFlowDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
  }

  /// Evaluates the function @f of a module.
  llvm::Expected<std::vector<ReferenceTensor>>
  evaluate(const std::string &source, ArrayRef<StringRef> specs) {
    module = parseSourceString<ModuleOp>(source, ParserConfig(&context));
    std::vector<HostTensor> inputs;
    for (StringRef spec : specs)
      inputs.push_back(llvm::cantFail(parseTensorSpec(spec)));
    return evaluateFunction(module->lookupSymbol<func::FuncOp>("f"), inputs);
  }

  /// Returns the rounded results, one a line, or the message of an error.
  std::string run(const std::string &source, ArrayRef<StringRef> specs) {
    auto results = evaluate(source, specs);
    if (!results)
      return llvm::toString(results.takeError());
    std::string text;
    for (const ReferenceTensor &result : *results)
      text += printOrError(result.round()) + "\n";
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

TEST_F(EvaluatorTest, MeanBroadcasts) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<2x2xf32>, %y: tensor<f32>) -> tensor<2x2xf32> {
      %0 = meanvar.mean %x, %y : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    })mlir",
                {"2x2xf32=[[1,2],[3,4]]", "f32=10"}),
            "2x2xf32=[[5.5,6],[6.5,7]]\n");
}

constexpr const char *meanOfTwo = R"mlir(
  func.func @f(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
    %0 = meanvar.mean %x, %y : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  })mlir";

TEST_F(EvaluatorTest, MeanStretchesSizesKnownAtRunTime) {
  EXPECT_EQ(run(meanOfTwo, {"2x1xf32=[[1],[3]]", "3xf32=[1,3,5]"}),
            "2x3xf32=[[1,2,3],[2,3,4]]\n");
  EXPECT_EQ(run(meanOfTwo, {"0x3xf32=[]", "1xf32=[1]"}), "0x3xf32=[]\n");
  EXPECT_EQ(run(meanOfTwo, {"2x1xf32=[[1],[3]]", "0xf32=[]"}), "2x0xf32=[]\n");
}

TEST_F(EvaluatorTest, MeanOfSizesThatDisagree) {
  EXPECT_EQ(run(meanOfTwo, {"2x3xf32=1", "2xf32=1"}),
            "'meanvar.mean': sizes 3 and 2 do not broadcast");
  EXPECT_EQ(run(meanOfTwo, {"2x0xf32=[[],[]]", "2xf32=1"}),
            "'meanvar.mean': sizes 0 and 2 do not broadcast");
}

std::string normalizeAlong(const std::string &clauses) {
  return "func.func @f(%x: tensor<2x2x2xf64>) -> tensor<2x2x2xf64> {\n"
         "%0 = meanvar.mvn %x " +
         clauses +
         " epsilon = 0.0 : tensor<2x2x2xf64>\n"
         "return %0 : tensor<2x2x2xf64>\n}";
}

TEST_F(EvaluatorTest, MvnAxes) {
  StringRef x = "2x2x2xf64=[[[1,3],[9,15]],[[41,43],[-1,1]]]";
  EXPECT_EQ(run(normalizeAlong("axes = [2]"), x),
            "2x2x2xf64=[[[-1,1],[-1,1]],[[-1,1],[-1,1]]]\n");
  EXPECT_EQ(run(normalizeAlong("axes = [0]"), x),
            "2x2x2xf64=[[[-1,-1],[1,1]],[[1,1],[-1,-1]]]\n");
  EXPECT_EQ(run(normalizeAlong("axes = [-2]"), x),
            "2x2x2xf64=[[[-1,-1],[1,1]],[[1,1],[-1,-1]]]\n");
  StringRef y = "2x2x2xf64=[[[1,3],[5,5]],[[3,1],[5,5]]]";
  EXPECT_EQ(run(normalizeAlong("axes = [2, 0]"), y),
            "2x2x2xf64=[[[-1,1],[0,0]],[[1,-1],[0,0]]]\n");
}

TEST_F(EvaluatorTest, MvnOverAllAxes) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<2x2xf16>) -> tensor<2x2xf16> {
      %0 = meanvar.mvn %x axes = [] epsilon = 0.0 : tensor<2x2xf16>
      return %0 : tensor<2x2xf16>
    })mlir",
                {"2x2xf16=[[1,3],[3,1]]"}),
            "2x2xf16=[[-1,1],[1,-1]]\n");
}

TEST_F(EvaluatorTest, MvnStatistics) {
  const char *source = R"mlir(
    func.func @f(%x: tensor<2x?xf16>) -> (tensor<2x?xf16>, tensor<2x1xf32>, tensor<2x1xf32>) {
      %0, %1, %2 = meanvar.mvn %x axes = [1] epsilon = 1.0 statistics : tensor<2x?xf16>
      return %0, %1, %2 : tensor<2x?xf16>, tensor<2x1xf32>, tensor<2x1xf32>
    })mlir";
  EXPECT_EQ(run(source, {"2x2xf16=[[1,3],[2,8]]"}),
            "2x2xf16=[[-0.5,0.5],[-0.75,0.75]]\n"
            "2x1xf32=[[2],[5]]\n2x1xf32=[[0.5],[0.25]]\n");
  auto empty = llvm::cantFail(evaluate(source, {"2x0xf16=[[],[]]"}));
  EXPECT_TRUE(empty[0].elements.empty());
  ASSERT_EQ(empty[1].elements.size(), 2u);
  EXPECT_TRUE(empty[1].elements[0].isUnknown());
}

TEST_F(EvaluatorTest, MvnOfNoLanes) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %0 = meanvar.mvn %x axes = [1] center_only : tensor<?x3xf32>
      return %0 : tensor<?x3xf32>
    })mlir",
                {"0x3xf32=[]"}),
            "0x3xf32=[]\n");
}

//===----------------------------------------------------------------------===//
// Elementwise and structured operations
//===----------------------------------------------------------------------===//

TEST_F(EvaluatorTest, ErrorsGrowAlongAChain) {
  auto results = llvm::cantFail(evaluate(R"mlir(
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = meanvar.mvn %x axes = [0] epsilon = 0.0 : tensor<2xf32>
      %1 = arith.addf %0, %0 : tensor<2xf32>
      return %0, %1 : tensor<2xf32>, tensor<2xf32>
    })mlir",
                                         {"2xf32=[1,3]"}));
  EXPECT_EQ(results[0].elements[1].value, 1);
  EXPECT_EQ(results[0].elements[1].error, 1e-6L);
  EXPECT_EQ(results[1].elements[1].value, 2);
  EXPECT_EQ(results[1].elements[1].error, 2e-6L + 0x1p-23L);
}

TEST_F(EvaluatorTest, LinalgGeneric) {
  EXPECT_EQ(run(R"mlir(
    #row = affine_map<(i, j) -> (i)>
    func.func @f(%x: tensor<?x3xf32>, %scale: f32) -> tensor<?xf32> {
      %zero = arith.constant 0 : index
      %cst = arith.constant 1.0 : f32
      %n = tensor.dim %x, %zero : tensor<?x3xf32>
      %empty = tensor.empty(%n) : tensor<?xf32>
      %init = linalg.fill ins(%cst : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
      %0 = linalg.generic {
          indexing_maps = [affine_map<(i, j) -> (i, j)>, #row],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<?x3xf32>) outs(%init : tensor<?xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %half = arith.constant 0.5 : f32
        %1 = arith.mulf %in, %scale : f32
        %2 = arith.mulf %1, %half : f32
        %3 = arith.addf %sum, %2 : f32
        linalg.yield %3 : f32
      } -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })mlir",
                {"2x3xf32=[[1,2,3],[4,5,6]]", "f32=10"}),
            "2xf32=[31,76]\n");
}

TEST_F(EvaluatorTest, SumsKeepTheOrderOfTheLoops) {
  // In f32, 2^24 + 1 is 2^24.
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<f32> {
      %0 = linalg.reduce { arith.addf } ins(%x : tensor<3xf32>) outs(%y : tensor<f32>) dimensions = [0]
      return %0 : tensor<f32>
    })mlir",
                {"3xf32=[16777216,1,1]", "f32=0"}),
            "f32=16777216\n");
}

TEST_F(EvaluatorTest, NamedStructuredOperations) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %zero = arith.constant dense<0.0> : tensor<2x2xf32>
      %0 = linalg.matmul ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      %1 = linalg.transpose ins(%0 : tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) permutation = [1, 0]
      return %1 : tensor<2x2xf32>
    })mlir",
                {"2x2xf32=[[1,2],[3,4]]", "2x2xf32=[[1,10],[100,1000]]"}),
            "2x2xf32=[[201,403],[2010,4030]]\n");
}

/// A function with one linalg.generic from %x to a tensor of its shape.
std::string generic(const std::string &map, const std::string &body) {
  return R"mlir(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()mlir" +
         map +
         R"mlir()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        )mlir" +
         body + R"mlir(
        linalg.yield %in : f32
      } -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })mlir";
}

TEST_F(EvaluatorTest, StructuredOperationsThatAreRefused) {
  EXPECT_EQ(run(generic("i", ""), {"2xf32=1", "3xf32=1"}),
            "'linalg.generic': sizes 2 and 3 of one loop");
  EXPECT_EQ(run(generic("i + 1", ""), {"3xf32=1", "2xf32=1"}),
            "'linalg.generic': the reference takes only indexing maps that are "
            "projected permutations");
  // One message, however many elements there are.
  EXPECT_EQ(
      run(generic("i", "%1 = math.sin %in : f32"), {"9xf32=1", "9xf32=1"}),
      "'linalg.generic': the reference does not evaluate 'math.sin'");
  EXPECT_EQ(run(generic("i", "%c = linalg.index 0 : index\n"
                             "%1 = tensor.extract %x[%c] : tensor<?xf32>"),
                {"0xf32=[]", "0xf32=[]"}),
            "'linalg.generic': the reference does not evaluate 'linalg.index'");
  EXPECT_EQ(run(generic("i", "%1 = arith.constant 1 : i128"),
                {"0xf32=[]", "0xf32=[]"}),
            "'linalg.generic': the reference does not know constants such as "
            "1 : i128");
  EXPECT_EQ(run(generic("i", "%1 = arith.negf %x : tensor<?xf32>"),
                {"0xf32=[]", "0xf32=[]"}),
            "'linalg.generic': the reference does not evaluate 'arith.negf' of "
            "a tensor in a body");
}

TEST_F(EvaluatorTest, ElementwiseOperationsThatAreRefused) {
  const char *add = R"mlir(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = arith.addf %x, %y : tensor<?xf32>
      return %0 : tensor<?xf32>
    })mlir";
  EXPECT_EQ(run(add, {"2xf32=1", "2xf32=2"}), "2xf32=[3,3]\n");
  EXPECT_EQ(run(add, {"2xf32=1", "3xf32=1"}),
            "'arith.addf': operands of shapes [2] and [3]");
  // Also where there is nothing to evaluate.
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<0xf32>) -> tensor<0xf32> {
      %0 = math.sin %x : tensor<0xf32>
      return %0 : tensor<0xf32>
    })mlir",
                {"0xf32=[]"}),
            "'math.sin': the reference does not evaluate 'math.sin'");
}

//===----------------------------------------------------------------------===//
// Constants and shapes
//===----------------------------------------------------------------------===//

TEST_F(EvaluatorTest, Constants) {
  EXPECT_EQ(run(R"mlir(
    func.func @f() -> (tensor<2xbf16>, tensor<2xi32>, tensor<2xi1>, tensor<f64>) {
      %0 = arith.constant dense<[1.5, -2.0]> : tensor<2xbf16>
      %1 = arith.constant dense<-7> : tensor<2xi32>
      %2 = arith.constant dense<[true, false]> : tensor<2xi1>
      %3 = arith.constant dense<0x7FF0000000000000> : tensor<f64>
      return %0, %1, %2, %3 : tensor<2xbf16>, tensor<2xi32>, tensor<2xi1>, tensor<f64>
    })mlir",
                {}),
            "2xbf16=[1.5,-2]\n2xi32=[-7,-7]\n2xi1=[1,0]\nf64=inf\n");
}

std::string constant(const std::string &value) {
  return "func.func @f() {\n%0 = arith.constant " + value + "\nreturn\n}";
}

TEST_F(EvaluatorTest, ConstantsThatAreRefused) {
  EXPECT_EQ(run(constant("dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>"), {}),
            "'arith.constant': the reference does not know constants such as "
            "[1.000000e+00 : f32, 2.000000e+00 : f32]");
  EXPECT_EQ(run(constant("5 : i128"), {}),
            "'arith.constant': the reference does not know constants such as "
            "5 : i128");
  EXPECT_EQ(run(constant("dense<0.0> : tensor<9000x9000xf32>"), {}),
            "'arith.constant': tensor of shape [9000, 9000] is too large for "
            "the reference (allowed: up to 67108864 elements)");
}

TEST_F(EvaluatorTest, BooleanInputsAreTheSameAsConstants) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
      %true = arith.constant dense<true> : tensor<2xi1>
      %0 = arith.cmpi eq, %x, %true : tensor<2xi1>
      return %x, %0 : tensor<2xi1>, tensor<2xi1>
    })mlir",
                {"2xi1=[true,false]"}),
            "2xi1=[1,0]\n2xi1=[1,0]\n");
}

TEST_F(EvaluatorTest, Reshapes) {
  const char *source = R"mlir(
    func.func @f(%x: tensor<?x?xf32>, %n: index) -> (tensor<?xf32>, tensor<?x2x?xf32>) {
      %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
      %1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, %n] : tensor<?x?xf32> into tensor<?x2x?xf32>
      return %0, %1 : tensor<?xf32>, tensor<?x2x?xf32>
    })mlir";
  EXPECT_EQ(run(source, {"3x6xf32=1", "index=2"}),
            "'tensor.expand_shape': shape [3, 6] does not expand to [2, 2, 2]");
  EXPECT_EQ(run(source, {"3x6xf32=1", "index=-1"}),
            "'tensor.expand_shape': size -1 is negative");
  EXPECT_EQ(run(source, {"3x6xf32=[[0,1,2,3,4,5],[0,1,2,3,4,5],[0,1,2,3,4,5]]",
                         "index=3"}),
            "18xf32=[0,1,2,3,4,5,0,1,2,3,4,5,0,1,2,3,4,5]\n"
            "3x2x3xf32=[[[0,1,2],[3,4,5]],[[0,1,2],[3,4,5]],[[0,1,2],[3,4,5]]]"
            "\n");
}

constexpr const char *slice = R"mlir(
  func.func @f(%x: tensor<2x5xf32>, %offset: index, %stride: index) -> tensor<3xf32> {
    %0 = tensor.extract_slice %x[1, %offset] [1, 3] [1, %stride] : tensor<2x5xf32> to tensor<3xf32>
    return %0 : tensor<3xf32>
  })mlir";

TEST_F(EvaluatorTest, Slices) {
  StringRef x = "2x5xf32=[[0,1,2,3,4],[5,6,7,8,9]]";
  EXPECT_EQ(run(slice, {x, "index=1", "index=1"}), "3xf32=[6,7,8]\n");
  EXPECT_EQ(run(slice, {x, "index=0", "index=2"}), "3xf32=[5,7,9]\n");
  EXPECT_EQ(run(slice, {x, "index=4", "index=-2"}), "3xf32=[9,7,5]\n");
}

TEST_F(EvaluatorTest, SlicesOutOfBounds) {
  EXPECT_EQ(run(slice, {"2x5xf32=1", "index=3", "index=1"}),
            "'tensor.extract_slice': slice from 3 to 5 of a dimension of size "
            "5");
  EXPECT_EQ(run(slice, {"2x5xf32=1", "index=1", "index=-1"}),
            "'tensor.extract_slice': slice from 1 to -1 of a dimension of "
            "size 5");
}

TEST_F(EvaluatorTest, CastsCheckSizes) {
  const char *source = R"mlir(
    func.func @f(%x: tensor<?xf32>) -> tensor<3xf32> {
      %0 = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
      return %0 : tensor<3xf32>
    })mlir";
  EXPECT_EQ(run(source, {"3xf32=1"}), "3xf32=[1,1,1]\n");
  EXPECT_EQ(run(source, {"2xf32=1"}),
            "'tensor.cast': size 2 of dimension 0 where the type has 3");
}

TEST_F(EvaluatorTest, Dimensions) {
  const char *source = R"mlir(
    func.func @f(%x: tensor<?x4xf32>, %i: index) -> index {
      %0 = tensor.dim %x, %i : tensor<?x4xf32>
      return %0 : index
    })mlir";
  EXPECT_EQ(run(source, {"3x4xf32=1", "index=0"}), "index=3\n");
  EXPECT_EQ(run(source, {"3x4xf32=1", "index=1"}), "index=4\n");
  EXPECT_EQ(run(source, {"3x4xf32=1", "index=2"}),
            "'tensor.dim': dimension 2 is out of range for rank 2");
}

TEST_F(EvaluatorTest, EmptyTensorsAreUnknown) {
  const char *source = R"mlir(
    func.func @f(%n: index) -> tensor<?xf32> {
      %0 = tensor.empty(%n) : tensor<?xf32>
      return %0 : tensor<?xf32>
    })mlir";
  auto results = llvm::cantFail(evaluate(source, {"index=2"}));
  ASSERT_EQ(results[0].elements.size(), 2u);
  EXPECT_TRUE(results[0].elements[1].isUnknown());
  EXPECT_EQ(run(source, {"index=-1"}), "'tensor.empty': size -1 is negative");
  EXPECT_EQ(run(source, {"index=1000000000000"}),
            "'tensor.empty': tensor of shape [1000000000000] is too large for "
            "the reference (allowed: up to 67108864 elements)");
}

TEST_F(EvaluatorTest, Assertions) {
  const char *source = R"mlir(
    func.func @f(%n: index) -> index {
      %c4 = arith.constant 4 : index
      %0 = arith.cmpi eq, %n, %c4 : index
      cf.assert %0, "not %d four"
      return %n : index
    })mlir";
  EXPECT_EQ(run(source, {"index=4"}), "index=4\n");
  EXPECT_EQ(run(source, {"index=5"}), "'cf.assert': not %d four");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST_F(EvaluatorTest, Calls) {
  EXPECT_EQ(run(R"mlir(
    func.func private @swap(%x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
      return %y, %x : tensor<1xf32>, tensor<1xf32>
    }
    func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
      %0:2 = call @swap(%x, %y) : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
      %1:2 = call @swap(%0#0, %x) : (tensor<1xf32>, tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>)
      return %1#0, %1#1 : tensor<1xf32>, tensor<1xf32>
    })mlir",
                {"1xf32=[1]", "1xf32=[2]"}),
            "1xf32=[1]\n1xf32=[2]\n");
}

TEST_F(EvaluatorTest, CallsWithoutEnd) {
  EXPECT_EQ(run(R"mlir(
    func.func @g(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = call @f(%x) : (tensor<1xf32>) -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %0 = call @g(%x) : (tensor<1xf32>) -> tensor<1xf32>
      return %0 : tensor<1xf32>
    })mlir",
                {"1xf32=[1]"}),
            "'func.call': 'func.call': function 'f' calls itself");
}

TEST_F(EvaluatorTest, FunctionsThatAreRefused) {
  EXPECT_EQ(run("func.func private @f(tensor<f32>)", {"f32=1"}),
            "the reference does not evaluate function 'f', which has no body "
            "or several blocks");
  EXPECT_EQ(run("func.func @f(%x: tensor<f32>) {\n  cf.br ^next\n^next:\n"
                "  return\n}",
                {"f32=1"}),
            "the reference does not evaluate function 'f', which has no body "
            "or several blocks");
}

TEST_F(EvaluatorTest, InputsThatDoNotMatch) {
  const char *source = "func.func @f(%x: tensor<2xf32>) {\n  return\n}";
  EXPECT_EQ(run(source, {}), "function 'f' takes 1 inputs, not 0");
  EXPECT_EQ(run(source, {"3xf32=1"}),
            "size 3 of dimension 0 where the type has 2");
  EXPECT_EQ(run(source, {"2x1xf32=1"}), "rank 2 where the type has rank 1");
}

TEST_F(EvaluatorTest, UnknownOperations) {
  EXPECT_EQ(run(R"mlir(
    func.func @f(%x: tensor<1xf32>, %i: index) -> f32 {
      %0 = tensor.extract %x[%i] : tensor<1xf32>
      return %0 : f32
    })mlir",
                {"1xf32=[1]", "index=0"}),
            "'tensor.extract': the reference does not evaluate "
            "'tensor.extract'");
}

TEST_F(EvaluatorTest, RoundsResultsOnce) {
  ReferenceTensor tensor;
  tensor.kind = ElementKind::F16;
  tensor.shape = {2};
  tensor.elements = {{1.0L / 3, 0.1L}, {65519, 0}};
  EXPECT_EQ(printOrError(tensor.round()), "2xf16=[0.3333,6.55e+04]");
}
} // namespace
