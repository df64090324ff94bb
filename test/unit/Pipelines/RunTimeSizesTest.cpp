//===- RunTimeSizesTest.cpp - Tests of functions called on many shapes ----===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions whose sizes are all known at run time only are compiled once and
// called on many shapes, with all tensors in guarded memory: every size may
// turn out to be 0, 1, or anything beside the sizes of vectors and tiles.
//
//===----------------------------------------------------------------------===//

#include "../TensorIO/TensorTesting.h"
#include "PipelineTesting.h"
#include "meanvar/Execution/GuardedBuffer.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::meanvar;

namespace {
using Shape = SmallVector<int64_t>;

constexpr ElementKind kinds[] = {ElementKind::F16, ElementKind::BF16,
                                 ElementKind::F32, ElementKind::F64};
constexpr GuardedSide sides[] = {GuardedSide::Begin, GuardedSide::End};

//===----------------------------------------------------------------------===//
// Calls in guarded memory
//===----------------------------------------------------------------------===//

/// A tensor whose elements are guarded.
struct GuardedTensor {
  GuardedTensor(ElementKind kind, ArrayRef<int64_t> shape, GuardedSide side,
                uint8_t fill)
      : kind(kind), shape(shape),
        buffer(llvm::cantFail(GuardedBuffer::create(
            *TensorView(kind, shape, nullptr).getNumBytes(), side, fill))) {}

  TensorView view() { return TensorView(kind, shape, buffer.getData()); }

  HostTensor copy() {
    HostTensor tensor = llvm::cantFail(HostTensor::create(kind, shape));
    if (buffer.getNumBytes() != 0)
      std::memcpy(tensor.getData(), buffer.getData(), buffer.getNumBytes());
    return tensor;
  }

  ElementKind kind;
  Shape shape;
  GuardedBuffer buffer;
};

GuardedTensor makeInput(const HostTensor &tensor, GuardedSide side) {
  GuardedTensor input(tensor.getKind(), tensor.getShape(), side, /*fill=*/0xFF);
  if (tensor.getNumBytes() != 0)
    std::memcpy(input.buffer.getData(), tensor.getData(), tensor.getNumBytes());
  llvm::cantFail(input.buffer.protectFromWrites());
  return input;
}

/// Runs the function on the side of guards and returns its outputs, or nothing
/// and a failure of the test.
std::vector<HostTensor> runGuarded(const CompiledFunction &function,
                                   ArrayRef<HostTensor> tensors,
                                   GuardedSide side) {
  std::vector<GuardedTensor> inputs, outputs;
  SmallVector<TensorView> inputViews, outputViews;
  for (const HostTensor &tensor : tensors)
    inputs.push_back(makeInput(tensor, side));
  for (GuardedTensor &input : inputs)
    inputViews.push_back(input.view());
  auto shapes = function.computeOutputShapes(inputViews);
  EXPECT_EQ(shapes ? "" : llvm::toString(shapes.takeError()), "");
  if (!shapes)
    return {};
  for (const Shape &shape : *shapes)
    outputs.emplace_back(tensors.front().getKind(), shape, side, /*fill=*/0xA5);
  for (GuardedTensor &output : outputs)
    outputViews.push_back(output.view());
  EXPECT_EQ(errorText(function.run(inputViews, outputViews)), "");
  std::vector<HostTensor> results;
  for (GuardedTensor &output : outputs) {
    EXPECT_TRUE(output.buffer.isPaddingIntact());
    results.push_back(output.copy());
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Expected values
//===----------------------------------------------------------------------===//

/// Calls `visit(index, positions)` for all elements of a tensor, in row-major
/// order.
void forEachElement(ArrayRef<int64_t> shape,
                    function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  int64_t count = countElements(shape);
  Shape positions(shape.size());
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index;
    for (size_t dim = shape.size(); dim-- > 0;) {
      positions[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
    visit(index, positions);
  }
}

/// Returns the index of an element in a tensor of another shape, whose sizes of
/// 1 are stretched.
int64_t getBroadcastIndex(ArrayRef<int64_t> positions,
                          ArrayRef<int64_t> shape) {
  int64_t index = 0;
  for (auto [position, size] : llvm::zip_equal(positions, shape))
    index = index * size + (size == 1 ? 0 : position);
  return index;
}

/// Normalizes along the axes whose bits are set, in 80-bit arithmetic.
HostTensor normalize(const HostTensor &x, unsigned axes) {
  HostTensor y = llvm::cantFail(HostTensor::create(x.getKind(), x.getShape()));
  Shape kept(x.getShape());
  int64_t numLanes = 1;
  for (auto [dim, size] : llvm::enumerate(kept)) {
    size = axes >> dim & 1 ? 1 : size;
    numLanes *= size;
  }
  std::vector<long double> sums(numLanes), squares(numLanes);
  long double length = numLanes ? x.getNumElements() / numLanes : 0;
  auto center = [&](int64_t index, int64_t lane) {
    return x.getFloat(index) - sums[lane] / length;
  };
  forEachElement(x.getShape(), [&](int64_t index, ArrayRef<int64_t> at) {
    sums[getBroadcastIndex(at, kept)] += x.getFloat(index);
  });
  forEachElement(x.getShape(), [&](int64_t index, ArrayRef<int64_t> at) {
    int64_t lane = getBroadcastIndex(at, kept);
    squares[lane] += center(index, lane) * center(index, lane);
  });
  forEachElement(x.getShape(), [&](int64_t index, ArrayRef<int64_t> at) {
    int64_t lane = getBroadcastIndex(at, kept);
    long double divisor = std::sqrt(squares[lane] / length) + 1e-9L;
    y.setFloat(index, static_cast<double>(center(index, lane) / divisor));
  });
  return y;
}

/// Returns the broadcast shape of two, or nothing (M2).
std::optional<Shape> broadcast(ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  Shape shape;
  for (auto [left, right] : llvm::zip_equal(lhs, rhs)) {
    if (left != right && left != 1 && right != 1)
      return std::nullopt;
    shape.push_back(left == 1 ? right : left);
  }
  return shape;
}

HostTensor average(const HostTensor &lhs, const HostTensor &rhs,
                   ArrayRef<int64_t> shape) {
  HostTensor y = llvm::cantFail(HostTensor::create(lhs.getKind(), shape));
  forEachElement(shape, [&](int64_t index, ArrayRef<int64_t> at) {
    double left = lhs.getFloat(getBroadcastIndex(at, lhs.getShape()));
    double right = rhs.getFloat(getBroadcastIndex(at, rhs.getShape()));
    y.setFloat(index, (left + right) / 2);
  });
  return y;
}

//===----------------------------------------------------------------------===//
// Programs and shapes
//===----------------------------------------------------------------------===//

std::string getDynamicType(ElementKind kind, size_t rank) {
  return "tensor<" + getTypeString(kind, Shape(rank, dynamicSize)) + ">";
}

/// A function @f that normalizes its argument along each of the sets of axes.
std::string makeMvns(ElementKind kind, size_t rank, ArrayRef<unsigned> sets) {
  std::string type = getDynamicType(kind, rank), body, results, types;
  for (auto [index, axes] : llvm::enumerate(sets)) {
    std::string name = "%y" + std::to_string(index), list;
    for (size_t dim = 0; dim < rank; ++dim)
      if (axes >> dim & 1)
        list += (list.empty() ? "" : ", ") + std::to_string(dim);
    body += "  " + name + " = meanvar.mvn %x axes = [" + list + "] : " + type +
            "\n";
    results += (index ? ", " : "") + name;
    types += (index ? ", " : "") + type;
  }
  return "func.func @f(%x: " + type + ") -> (" + types + ") {\n" + body +
         "  return " + results + " : " + types + "\n}\n";
}

std::string makeMean(ElementKind kind, size_t rank) {
  std::string type = getDynamicType(kind, rank);
  return "func.func @f(%x: " + type + ", %y: " + type + ") -> " + type +
         " {\n  %0 = meanvar.mean %x, %y : (" + type + ", " + type + ") -> " +
         type + "\n  return %0 : " + type + "\n}\n";
}

/// Returns all shapes of sizes 0, 1 and that of `largest` in each dimension.
std::vector<Shape> makeShapes(ArrayRef<int64_t> largest) {
  std::vector<Shape> shapes = {{}};
  for (int64_t size : largest) {
    std::vector<Shape> longer;
    for (const Shape &shape : shapes)
      for (int64_t last : {int64_t(0), int64_t(1), size}) {
        longer.push_back(shape);
        longer.back().push_back(last);
      }
    shapes = std::move(longer);
  }
  return shapes;
}

class RunTimeSizesTest : public PipelineTest {
protected:
  /// Compiles one function for all sets of axes and checks it on all shapes.
  void checkMvn(ElementKind kind, ArrayRef<unsigned> sets,
                ArrayRef<Shape> shapes) {
    auto module = compile(makeMvns(kind, shapes.front().size(), sets));
    ASSERT_NE(module, nullptr);
    for (const Shape &shape : shapes) {
      SCOPED_TRACE(getTypeString(kind, shape));
      HostTensor x = makeRandom(kind, shape, /*seed=*/1);
      for (GuardedSide side : sides) {
        std::vector<HostTensor> results =
            runGuarded(*module->lookup("f"), ArrayRef(x), side);
        ASSERT_EQ(results.size(), sets.size());
        for (auto [result, axes] : llvm::zip_equal(results, sets))
          EXPECT_EQ(describeDifference(result, normalize(x, axes)), "")
              << "axes " << axes;
      }
    }
  }
};

//===----------------------------------------------------------------------===//
// Sizes of 0 and 1
//===----------------------------------------------------------------------===//

TEST_F(RunTimeSizesTest, V1V8SizesOfZeroAndOneInAllDimensions) {
  const int64_t largest[] = {3, 2, 5, 17};
  for (ElementKind kind : kinds)
    for (size_t rank = 1; rank <= 4; ++rank) {
      SmallVector<unsigned> sets;
      for (unsigned axes = 1; axes < 1u << rank; ++axes)
        sets.push_back(axes);
      checkMvn(kind, sets, makeShapes(ArrayRef(largest).take_back(rank)));
    }
}

TEST_F(RunTimeSizesTest, M2M3EveryPairOfSizes) {
  const int64_t largest[] = {3, 2, 17};
  for (ElementKind kind : kinds) {
    auto module = compile(makeMean(kind, 3));
    ASSERT_NE(module, nullptr);
    const CompiledFunction &function = *module->lookup("f");
    std::vector<Shape> shapes = makeShapes(largest);
    size_t seed = 0;
    for (const Shape &left : shapes)
      for (const Shape &right : shapes) {
        SCOPED_TRACE(getTypeString(kind, left) + " and " +
                     getTypeString(kind, right));
        std::optional<Shape> shape = broadcast(left, right);
        HostTensor x = makeRandom(kind, left, 1),
                   y = makeRandom(kind, right, 2);
        if (!shape) {
          EXPECT_THAT_TEXT(errorText(function.run({x, y}).takeError()),
                           "does not broadcast");
          continue;
        }
        std::vector<HostTensor> tensors;
        tensors.push_back(std::move(x));
        tensors.push_back(std::move(y));
        std::vector<HostTensor> results =
            runGuarded(function, tensors, sides[seed++ % 2]);
        ASSERT_EQ(results.size(), 1u);
        EXPECT_EQ(describeDifference(results.front(),
                                     average(tensors[0], tensors[1], *shape)),
                  "");
      }
  }
}

//===----------------------------------------------------------------------===//
// Sizes around those of vectors and tiles
//===----------------------------------------------------------------------===//

std::vector<int64_t> getSizes() {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= 40; ++size)
    sizes.push_back(size);
  for (int64_t size : {64, 128, 1024})
    sizes.insert(sizes.end(), {size - 1, size, size + 1});
  return sizes;
}

TEST_F(RunTimeSizesTest, V1KeptAndReducedSizesOfMatrices) {
  std::vector<Shape> shapes;
  for (int64_t size : getSizes())
    for (int64_t other : {1, 3, 37}) {
      shapes.push_back({size, other});
      shapes.push_back({other, size});
    }
  for (ElementKind kind : kinds)
    checkMvn(kind, {0b01, 0b10}, shapes);
}

TEST_F(RunTimeSizesTest, V4ConstantLanesOfEverySize) {
  for (ElementKind kind : kinds) {
    auto module = compile(makeMvns(kind, 2, {0b01, 0b10, 0b11}));
    ASSERT_NE(module, nullptr);
    for (int64_t size : getSizes())
      for (const Shape &shape : {Shape{size, 3}, Shape{3, size}})
        for (double value : {0.1, -1.0 / 3, 1.2666997, 1e4}) {
          SCOPED_TRACE(getTypeString(kind, shape));
          HostTensor x = llvm::cantFail(HostTensor::create(kind, shape));
          for (int64_t i = 0; i < x.getNumElements(); ++i)
            x.setFloat(i, value);
          for (const HostTensor &result :
               runGuarded(*module->lookup("f"), ArrayRef(x), sides[size % 2]))
            for (int64_t i = 0; i < result.getNumElements(); ++i)
              ASSERT_EQ(result.getFloat(i), 0) << "element " << i;
        }
  }
}

TEST_F(RunTimeSizesTest, V1KeptAndReducedSizesBetweenOthers) {
  std::vector<Shape> shapes;
  for (int64_t size : getSizes())
    for (Shape shape :
         {Shape{size, 2, 5}, Shape{2, size, 5}, Shape{2, 5, size}})
      shapes.push_back(shape);
  for (ElementKind kind : kinds)
    checkMvn(kind, {0b010, 0b101}, shapes);
}
} // namespace
