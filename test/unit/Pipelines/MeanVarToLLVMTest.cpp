//===- MeanVarToLLVMTest.cpp - Tests of functions compiled as a whole -----===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a caller of compiled functions relies on and no command line can ask
// for: where buffers lie, and what is written to them (rules V9 and F2 to F4).
//
//===----------------------------------------------------------------------===//

#include "../TensorIO/TensorTesting.h"
#include "PipelineTesting.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using namespace mlir;
using namespace mlir::meanvar;

namespace {
using MeanVarToLLVMTest = PipelineTest;

//===----------------------------------------------------------------------===//
// Functions and buffers
//===----------------------------------------------------------------------===//

std::string makeMvn(const std::string &elementType, int64_t axis) {
  std::string type = "tensor<?x?x" + elementType + ">";
  return "func.func @f(%x: " + type + ") -> " + type +
         " {\n  %0 = meanvar.mvn %x axes = [" + std::to_string(axis) +
         "] : " + type + "\n  return %0 : " + type + "\n}\n";
}

/// Either operand may turn out to be stretched.
constexpr const char *mean = R"mlir(
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mean %x, %y
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
)mlir";

/// Reads its input again after the first operation.
constexpr const char *chain = R"mlir(
func.func @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  %1 = meanvar.mean %0, %x
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
)mlir";

/// Two results, of which the second can fail.
constexpr const char *pair = R"mlir(
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  %1 = meanvar.mean %x, %y
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
)mlir";

/// The same types and sizes, but nothing that can fail.
constexpr const char *pairWithoutChecks = R"mlir(
func.func @g(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0, %0 : tensor<?x?xf32>, tensor<?x?xf32>
}
)mlir";

/// A tensor at an offset of some elements from an aligned address, between
/// bytes that nobody should write.
class Buffer {
public:
  Buffer(ElementKind kind, ArrayRef<int64_t> shape, int64_t offset = 0)
      : kind(kind), shape(shape),
        numBytes(countElements(shape) * getElementSize(kind)),
        begin(offset * getElementSize(kind)) {
    int64_t numBytesAround =
        static_cast<int64_t>(2 * margin + begin + numBytes);
    bytes =
        llvm::cantFail(HostTensor::create(ElementKind::I8, {numBytesAround}));
    std::memset(bytes.getData(), unwritten, numBytesAround);
    begin += margin;
  }

  Buffer(const HostTensor &tensor, int64_t offset = 0)
      : Buffer(tensor.getKind(), tensor.getShape(), offset) {
    std::memcpy(getData(), tensor.getData(), numBytes);
  }

  std::byte *getData() { return bytes.getData() + begin; }
  TensorView view() { return TensorView(kind, shape, getData()); }

  bool hasBitsOf(const HostTensor &tensor) {
    return tensor.getNumBytes() == numBytes &&
           !std::memcmp(getData(), tensor.getData(), numBytes);
  }
  bool isUnwritten() {
    return areUnwritten(getData(), getData() + numBytes) && isUnwrittenAround();
  }
  bool isUnwrittenAround() {
    return areUnwritten(bytes.getData(), getData()) &&
           areUnwritten(getData() + numBytes,
                        bytes.getData() + bytes.getNumBytes());
  }

private:
  // A multiple of the alignment of HostTensor that holds the largest vector.
  static constexpr size_t margin = 256;
  static constexpr unsigned char unwritten = 0x5a;

  static bool areUnwritten(const std::byte *first, const std::byte *last) {
    return std::all_of(first, last, [](std::byte value) {
      return value == std::byte(unwritten);
    });
  }

  ElementKind kind;
  SmallVector<int64_t> shape;
  size_t numBytes;
  size_t begin;
  HostTensor bytes;
};

//===----------------------------------------------------------------------===//
// Expected values
//===----------------------------------------------------------------------===//

/// Normalizes a matrix along `axis`, in double.
HostTensor normalize(const HostTensor &x, int64_t axis) {
  HostTensor y = llvm::cantFail(HostTensor::create(x.getKind(), x.getShape()));
  int64_t numColumns = x.getShape()[1];
  int64_t length = x.getShape()[axis], stride = axis == 0 ? numColumns : 1;
  int64_t numLanes = x.getShape()[1 - axis];
  for (int64_t lane = 0; lane < numLanes; ++lane) {
    int64_t start = axis == 0 ? lane : lane * numColumns;
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += x.getFloat(start + i * stride);
    double center = sum / static_cast<double>(length);
    for (int64_t i = 0; i < length; ++i)
      squares += std::pow(x.getFloat(start + i * stride) - center, 2);
    double deviation = std::sqrt(squares / static_cast<double>(length)) + 1e-9;
    for (int64_t i = 0; i < length; ++i)
      y.setFloat(start + i * stride,
                 (x.getFloat(start + i * stride) - center) / deviation);
  }
  return y;
}

HostTensor average(const HostTensor &lhs, const HostTensor &rhs) {
  HostTensor y =
      llvm::cantFail(HostTensor::create(lhs.getKind(), lhs.getShape()));
  for (int64_t i = 0; i < y.getNumElements(); ++i)
    y.setFloat(i, (lhs.getFloat(i) + rhs.getFloat(i)) / 2);
  return y;
}

/// Runs a function with one result into a buffer of its own.
HostTensor run(const CompiledFunction &function, ArrayRef<TensorView> inputs) {
  auto outputs = function.run(inputs);
  EXPECT_TRUE(static_cast<bool>(outputs));
  return std::move(llvm::cantFail(std::move(outputs)).front());
}

//===----------------------------------------------------------------------===//
// F2: buffers
//===----------------------------------------------------------------------===//

TEST_F(MeanVarToLLVMTest, F2NormalizesInPlace) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16,
                           ElementKind::F32, ElementKind::F64})
    for (int64_t axis : {0, 1}) {
      SCOPED_TRACE(getElementName(kind).str() + " along axis " +
                   std::to_string(axis));
      auto module = compile(makeMvn(getElementName(kind).str(), axis));
      ASSERT_NE(module, nullptr);
      const CompiledFunction &function = *module->lookup("f");
      for (auto [rows, columns] : {std::pair<int64_t, int64_t>(37, 1337),
                                   {1, 1},
                                   {3, 1},
                                   {1, 3},
                                   {1025, 7}}) {
        HostTensor x = makeRandom(kind, {rows, columns}, 1);
        HostTensor y = run(function, {x});
        EXPECT_EQ(describeDifference(y, normalize(x, axis)), "");

        Buffer buffer(x);
        EXPECT_EQ(errorText(function.run({buffer.view()}, {buffer.view()})),
                  "");
        EXPECT_TRUE(buffer.hasBitsOf(y));
        EXPECT_TRUE(buffer.isUnwrittenAround());
      }
    }
}

TEST_F(MeanVarToLLVMTest, F2AveragesInPlace) {
  auto module = compile(mean);
  ASSERT_NE(module, nullptr);
  const CompiledFunction &function = *module->lookup("f");
  HostTensor x = makeRandom(ElementKind::F32, {13, 77}, 1);
  HostTensor y = makeRandom(ElementKind::F32, {13, 77}, 2);
  HostTensor expected = average(x, y);
  EXPECT_EQ(describeDifference(run(function, {x, y}), expected), "");
  for (bool first : {true, false}) {
    Buffer left(x), right(y);
    TensorView output = first ? left.view() : right.view();
    EXPECT_EQ(errorText(function.run({left.view(), right.view()}, {output})),
              "");
    EXPECT_TRUE((first ? left : right).hasBitsOf(run(function, {x, y})));
    EXPECT_TRUE((first ? right : left).hasBitsOf(first ? y : x));
  }
}

TEST_F(MeanVarToLLVMTest, F2CopiesInputsThatAreReadAgain) {
  auto module = compile(chain);
  ASSERT_NE(module, nullptr);
  const CompiledFunction &function = *module->lookup("f");
  HostTensor x = makeRandom(ElementKind::F32, {31, 77}, 1);
  HostTensor y = run(function, {x});
  EXPECT_EQ(describeDifference(y, average(normalize(x, 1), x)), "");

  Buffer buffer(x);
  EXPECT_EQ(errorText(function.run({buffer.view()}, {buffer.view()})), "");
  EXPECT_TRUE(buffer.hasBitsOf(y));
}

/// The loop branches on the stride of a row that is read for all others.
TEST_F(MeanVarToLLVMTest, F2AveragesStretchedRowsInPlace) {
  auto module = compile(mean);
  ASSERT_NE(module, nullptr);
  const CompiledFunction &function = *module->lookup("f");
  HostTensor x = makeRandom(ElementKind::F32, {13, 77}, 1);
  HostTensor row = makeRandom(ElementKind::F32, {1, 77}, 2);
  HostTensor y = run(function, {x, row});
  Buffer buffer(x), rowBuffer(row);
  EXPECT_EQ(errorText(function.run({buffer.view(), rowBuffer.view()},
                                   {buffer.view()})),
            "");
  EXPECT_TRUE(buffer.hasBitsOf(y));
  EXPECT_TRUE(rowBuffer.hasBitsOf(row));
}

TEST_F(MeanVarToLLVMTest, F2RefusesPartialOverlap) {
  auto module = compile(makeMvn("f32", 1));
  ASSERT_NE(module, nullptr);
  const CompiledFunction &function = *module->lookup("f");
  HostTensor x = makeRandom(ElementKind::F32, {5, 8}, 1);
  Buffer buffer(x);
  SmallVector<int64_t> shape = {4, 8};
  TensorView input(ElementKind::F32, shape, buffer.getData());
  TensorView output(ElementKind::F32, shape,
                    buffer.getData() + 8 * sizeof(float));
  std::string message =
      "output 0 of function 'f' overlaps input 0 (allowed: no "
      "overlap, or exactly the buffer of an input of the "
      "same type)";
  EXPECT_EQ(errorText(function.run({input}, {output})), message);
  EXPECT_EQ(errorText(function.run({output}, {input})), message);
  EXPECT_TRUE(buffer.hasBitsOf(x));
}

TEST_F(MeanVarToLLVMTest, F2LeavesInputsAsTheyAre) {
  HostTensor x = makeRandom(ElementKind::F32, {31, 1337}, 1);
  HostTensor y = makeRandom(ElementKind::F32, {31, 1337}, 2);
  for (const std::string &source :
       {makeMvn("f32", 0), makeMvn("f32", 1), std::string(chain),
        std::string(mean), std::string(pair)}) {
    SCOPED_TRACE(source);
    auto module = compile(source);
    ASSERT_NE(module, nullptr);
    const CompiledFunction &function = *module->lookup("f");
    Buffer left(x, /*offset=*/3), right(y, /*offset=*/1);
    SmallVector<TensorView> inputs = {left.view(), right.view()};
    inputs.truncate(function.getSignature().inputs.size());
    EXPECT_TRUE(static_cast<bool>(function.run(inputs)));
    EXPECT_TRUE(left.hasBitsOf(x) && left.isUnwrittenAround());
    EXPECT_TRUE(right.hasBitsOf(y) && right.isUnwrittenAround());
  }
}

//===----------------------------------------------------------------------===//
// F3 and F4: sizes and checks
//===----------------------------------------------------------------------===//

TEST_F(MeanVarToLLVMTest, F3ComputesOutputShapesWithoutElements) {
  auto module = compile(pair);
  ASSERT_NE(module, nullptr);
  const CompiledFunction &function = *module->lookup("f");
  SmallVector<int64_t> shape = {3, 5}, column = {3, 1}, other = {4, 5};
  auto view = [](ArrayRef<int64_t> shape) {
    return TensorView(ElementKind::F32, shape, nullptr);
  };
  auto shapes =
      llvm::cantFail(function.computeOutputShapes({view(column), view(shape)}));
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0], column);
  EXPECT_EQ(shapes[1], shape);

  auto wrong = function.computeOutputShapes({view(shape), view(other)});
  ASSERT_FALSE(static_cast<bool>(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "function 'f': 'meanvar.mean' operand 1 has size 4 in result "
            "dimension 0, which does not broadcast with size 3 of the other "
            "operands");
}

/// The outputs have the sizes that another function computes, so that the check
/// which fails is the one in the compiled function itself.
TEST_F(MeanVarToLLVMTest, F4WritesNothingWhenACheckFails) {
  auto useOtherShapes = [](ModuleOp module) {
    module.lookupSymbol("f")->setAttr(
        "meanvar.shape_function",
        module.lookupSymbol("g")->getAttr("meanvar.shape_function"));
  };
  auto module = compile(std::string(pair) + pairWithoutChecks, useOtherShapes);
  ASSERT_NE(module, nullptr);
  HostTensor x = makeRandom(ElementKind::F32, {16, 77}, 1);
  HostTensor y = makeRandom(ElementKind::F32, {15, 77}, 2);
  Buffer first(ElementKind::F32, x.getShape());
  Buffer second(ElementKind::F32, x.getShape());
  EXPECT_THAT_TEXT(errorText(module->lookup("f")->run(
                       {x, y}, {first.view(), second.view()})),
                   "'meanvar.mean' operand 1 has size 15 in result dimension "
                   "0, which does not broadcast with size 16");
  EXPECT_TRUE(first.isUnwritten());
  EXPECT_TRUE(second.isUnwritten());

  EXPECT_EQ(errorText(module->lookup("f")->run({x, x},
                                               {first.view(), second.view()})),
            "");
  EXPECT_FALSE(first.isUnwritten());
  EXPECT_FALSE(second.isUnwritten());
}

//===----------------------------------------------------------------------===//
// F5: reproducible code
//===----------------------------------------------------------------------===//

TEST_F(MeanVarToLLVMTest, F5SameCodeEveryTime) {
  for (const std::string &source : {makeMvn("f16", 0), std::string(pair)}) {
    std::string texts[2];
    for (std::string &text : texts) {
      OwningOpRef<ModuleOp> module = lower(source);
      ASSERT_TRUE(module);
      llvm::raw_string_ostream(text) << *module;
    }
    EXPECT_EQ(texts[0], texts[1]);
  }
}

//===----------------------------------------------------------------------===//
// V9: the same bits
//===----------------------------------------------------------------------===//

TEST_F(MeanVarToLLVMTest, V9SameBitsAtEveryAlignment) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16,
                           ElementKind::F32, ElementKind::F64}) {
    for (int64_t axis : {0, 1}) {
      SCOPED_TRACE(getElementName(kind).str() + " along axis " +
                   std::to_string(axis));
      auto module = compile(makeMvn(getElementName(kind).str(), axis));
      ASSERT_NE(module, nullptr);
      const CompiledFunction &function = *module->lookup("f");
      HostTensor x = makeRandom(kind, {131, 1077}, 3);
      HostTensor y = run(function, {x});
      EXPECT_EQ(describeDifference(y, normalize(x, axis)), "");
      for (int64_t offset : {0, 1, 3, 7, 15}) {
        SCOPED_TRACE(offset);
        Buffer input(x, offset), output(kind, x.getShape(), 15 - offset);
        EXPECT_EQ(errorText(function.run({input.view()}, {output.view()})), "");
        EXPECT_TRUE(output.hasBitsOf(y));
        EXPECT_TRUE(output.isUnwrittenAround());
      }
    }
  }
}

TEST_F(MeanVarToLLVMTest, V9SameBitsOnEveryRun) {
  for (int64_t axis : {0, 1}) {
    SmallVector<HostTensor> results;
    HostTensor x = makeRandom(ElementKind::F32, {37, 1337}, 4);
    // A module compiled again is the same function.
    for (int compilation = 0; compilation < 2; ++compilation) {
      auto module = compile(makeMvn("f32", axis));
      ASSERT_NE(module, nullptr);
      for (int i = 0; i < 3; ++i)
        results.push_back(run(*module->lookup("f"), {x}));
    }
    for (const HostTensor &result : results)
      EXPECT_TRUE(Buffer(results.front()).hasBitsOf(result));
  }
}

TEST_F(MeanVarToLLVMTest, V9SameBitsInCallsAtTheSameTime) {
  CompileOptions options;
  options.threads = 3;
  options.parallelBytes = 1;
  auto noChange = [](ModuleOp) {};
  for (int64_t axis : {0, 1}) {
    auto module = compile(makeMvn("f32", axis), noChange, options);
    ASSERT_NE(module, nullptr);
    const CompiledFunction &function = *module->lookup("f");
    HostTensor x = makeRandom(ElementKind::F32, {67, 1337}, 5);
    HostTensor expected = run(*compile(makeMvn("f32", axis))->lookup("f"), {x});
    std::vector<HostTensor> results(4);
    std::vector<std::thread> callers;
    for (HostTensor &result : results)
      callers.emplace_back([&] {
        for (int i = 0; i < 20; ++i)
          result = run(function, {x});
      });
    for (std::thread &caller : callers)
      caller.join();
    for (const HostTensor &result : results)
      EXPECT_EQ(describeDifference(result, expected), "");
    for (const HostTensor &result : results)
      EXPECT_TRUE(Buffer(results.front()).hasBitsOf(result));
  }
}
} // namespace
