//===- Program.cpp - Random programs --------------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <algorithm>

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// Builds a program, operation by operation.
class ProgramBuilder {
public:
  ProgramBuilder(Choices &choices, int64_t maxElements)
      : choices(choices), maxElements(maxElements) {}

  Program run();

private:
  ElementKind chooseKind();
  SmallVector<int64_t> chooseShape(size_t rank);
  size_t addInput(ElementKind kind, SmallVector<int64_t> shape);
  size_t addResult(ElementKind kind, SmallVector<int64_t> shape);
  /// Chooses a value that meets a condition, which one does.
  template <typename Predicate>
  size_t chooseValue(Predicate predicate);
  ProgramValue getValue(size_t index) const { return program.values[index]; }

  void addOperation();
  void addMvn(size_t operand);
  void addMean(size_t operand);
  size_t addMeanOperand(size_t operand);
  void addElementwise(size_t operand);
  void addConvert(size_t operand);
  void addScaleAndBias(size_t operand);
  void addTranspose(size_t operand);
  void addCollapse(size_t operand);
  void addSlice(size_t operand);
  void chooseOutputs();

  Choices &choices;
  int64_t maxElements;
  Program program;
};
} // namespace

ElementKind ProgramBuilder::chooseKind() {
  return choices.pick<ElementKind>({ElementKind::F32, ElementKind::F16,
                                    ElementKind::BF16, ElementKind::F64});
}

/// Sizes around the widths of vectors, blocks and panels, and rarely long ones.
SmallVector<int64_t> ProgramBuilder::chooseShape(size_t rank) {
  static constexpr int64_t sizes[] = {
      2,  1,  3,  4,  0,  5,  7,  8,   9,   13,  15,  16,  17,   24,   31,
      32, 33, 40, 48, 63, 64, 65, 100, 128, 131, 257, 511, 1024, 1025, 2050};
  SmallVector<int64_t> shape;
  int64_t room = maxElements;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = choices.isOneIn(50)
                       ? 1 + choices.choose(static_cast<uint32_t>(maxElements))
                       : sizes[choices.choose(dim < 4 ? 30 : 6)];
    size = std::min(size, room);
    shape.push_back(size);
    room /= std::max<int64_t>(size, 1);
  }
  // Large sizes come first for lack of room.
  if (rank > 1)
    std::rotate(shape.begin(),
                shape.begin() + choices.choose(static_cast<uint32_t>(rank)),
                shape.end());
  return shape;
}

size_t ProgramBuilder::addResult(ElementKind kind, SmallVector<int64_t> shape) {
  ProgramValue value;
  value.kind = kind;
  value.isDynamic.assign(shape.size(), false);
  value.shape = std::move(shape);
  program.values.push_back(std::move(value));
  return program.values.size() - 1;
}

size_t ProgramBuilder::addInput(ElementKind kind, SmallVector<int64_t> shape) {
  size_t index = addResult(kind, std::move(shape));
  for (bool &isDynamic : program.values[index].isDynamic)
    isDynamic = choices.choose(2) != 0;
  program.inputs.push_back(index);
  return index;
}

template <typename Predicate>
size_t ProgramBuilder::chooseValue(Predicate predicate) {
  SmallVector<size_t> found;
  for (size_t index = program.values.size(); index-- > 0;)
    if (predicate(program.values[index]))
      found.push_back(index);
  return choices.pick<size_t>(found);
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

void ProgramBuilder::addMvn(size_t operand) {
  ProgramValue value = getValue(operand);
  auto rank = static_cast<int64_t>(value.shape.size());
  ProgramOperation operation;
  operation.kind = OperationKind::Mvn;
  operation.operands = {operand};
  SmallVector<bool> reduced(rank, false);
  if (rank >= 4 && choices.isOneIn(4)) {
    for (int64_t axis : {0, 2, 3})
      reduced[axis] = true;
  } else {
    SmallVector<int64_t> &axes = operation.axes.emplace();
    for (int64_t axis : llvm::seq(rank))
      if (choices.choose(2) != 0)
        axes.insert(axes.begin() +
                        choices.choose(static_cast<uint32_t>(axes.size() + 1)),
                    axis);
    for (int64_t axis : axes)
      reduced[axis] = true;
    if (axes.empty())
      reduced.assign(rank, true);
    for (int64_t &axis : axes)
      if (choices.isOneIn(3))
        axis -= rank;
  }
  if (choices.choose(2) != 0)
    operation.epsilon = choices.pick<double>(
        {1e-5, 0.0, 1e-3, 0.5, 1e-12, 1e-30, 1e3, 5e-324, 1e300});
  operation.insideSqrt = choices.isOneIn(3);
  operation.centerOnly = choices.isOneIn(5);
  operation.statistics = choices.isOneIn(4);

  operation.firstResult = addResult(value.kind, value.shape);
  if (operation.statistics) {
    SmallVector<int64_t> laneShape = value.shape;
    for (int64_t dim : llvm::seq(rank))
      if (reduced[dim])
        laneShape[dim] = 1;
    ElementKind kind =
        value.kind == ElementKind::F64 ? ElementKind::F64 : ElementKind::F32;
    addResult(kind, laneShape);
    addResult(kind, laneShape);
  }
  program.operations.push_back(std::move(operation));
}

/// Returns a value that broadcasts to the shape of another one.
size_t ProgramBuilder::addMeanOperand(size_t operand) {
  ProgramValue value = getValue(operand);
  auto broadcasts = [&](const ProgramValue &other) {
    if (other.kind != value.kind || other.shape.size() > value.shape.size())
      return false;
    ArrayRef<int64_t> aligned =
        ArrayRef<int64_t>(value.shape).take_back(other.shape.size());
    return llvm::all_of(llvm::zip_equal(aligned, other.shape), [](auto sizes) {
      auto [size, otherSize] = sizes;
      return otherSize == size || otherSize == 1;
    });
  };
  if (choices.choose(2) == 0)
    return chooseValue(broadcasts);
  SmallVector<int64_t> shape = value.shape;
  for (int64_t &size : shape)
    if (choices.isOneIn(3))
      size = 1;
  if (choices.isOneIn(4))
    shape.erase(shape.begin(),
                shape.begin() +
                    choices.choose(static_cast<uint32_t>(shape.size() + 1)));
  return addInput(value.kind, shape);
}

void ProgramBuilder::addMean(size_t operand) {
  ProgramValue value = getValue(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::Mean;
  uint32_t count =
      choices.isOneIn(20) ? 1 + choices.choose(64) : 2 + choices.choose(5);
  for (uint32_t number = 1; number < count; ++number)
    operation.operands.push_back(addMeanOperand(operand));
  auto place = operation.operands.begin() + choices.choose(count);
  operation.operands.insert(place, operand);
  operation.firstResult = addResult(value.kind, value.shape);
  program.operations.push_back(std::move(operation));
}

//===----------------------------------------------------------------------===//
// Upstream operations
//===----------------------------------------------------------------------===//

void ProgramBuilder::addElementwise(size_t operand) {
  ProgramValue value = getValue(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::Elementwise;
  operation.operands = {operand};
  if (choices.choose(2) == 0) {
    operation.name =
        choices.pick<std::string>({"arith.negf", "math.absf", "math.sqrt",
                                   "math.exp", "math.tanh", "math.rsqrt"});
  } else {
    operation.name = choices.pick<std::string>(
        {"arith.addf", "arith.mulf", "arith.subf", "arith.maximumf",
         "arith.minimumf", "arith.divf"});
    switch (choices.choose(3)) {
    case 0:
      operation.constant = choices.pick<double>({2, 0.5, -3, 0.1, 100, 0});
      break;
    case 1:
      operation.operands.push_back(chooseValue([&](const ProgramValue &other) {
        return other.kind == value.kind && other.shape == value.shape;
      }));
      break;
    default:
      operation.operands.push_back(addInput(value.kind, value.shape));
    }
  }
  operation.firstResult = addResult(value.kind, value.shape);
  program.operations.push_back(std::move(operation));
}

void ProgramBuilder::addConvert(size_t operand) {
  ProgramValue value = getValue(operand);
  bool isSmall = getElementSize(value.kind) == 2;
  ElementKind kind = chooseKind();
  // Neither operation converts between types of one size.
  if (getElementSize(kind) == getElementSize(value.kind))
    kind = isSmall ? ElementKind::F32 : ElementKind::F16;
  ProgramOperation operation;
  operation.kind = OperationKind::Convert;
  operation.operands = {operand};
  operation.name = getElementSize(kind) > getElementSize(value.kind)
                       ? "arith.extf"
                       : "arith.truncf";
  operation.firstResult = addResult(kind, value.shape);
  program.operations.push_back(std::move(operation));
}

void ProgramBuilder::addScaleAndBias(size_t operand) {
  ProgramValue value = getValue(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::ScaleAndBias;
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(value.shape))
    if (choices.choose(2) != 0) {
      operation.dims.push_back(static_cast<int64_t>(dim));
      shape.push_back(size);
    }
  size_t scale = addInput(value.kind, shape);
  size_t bias = addInput(value.kind, shape);
  operation.operands = {operand, scale, bias};
  operation.firstResult = addResult(value.kind, value.shape);
  program.operations.push_back(std::move(operation));
}

void ProgramBuilder::addTranspose(size_t operand) {
  ProgramValue value = getValue(operand);
  // LLVM 22 crashes when it verifies one of rank 0.
  if (value.shape.empty())
    return addMvn(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::Transpose;
  operation.operands = {operand};
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(value.shape)) {
    uint32_t place = choices.choose(static_cast<uint32_t>(dim + 1));
    operation.dims.insert(operation.dims.begin() + place,
                          static_cast<int64_t>(dim));
    shape.insert(shape.begin() + place, size);
  }
  operation.firstResult = addResult(value.kind, shape);
  program.operations.push_back(std::move(operation));
}

void ProgramBuilder::addCollapse(size_t operand) {
  ProgramValue value = getValue(operand);
  if (value.shape.size() < 2)
    return addMvn(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::Collapse;
  operation.operands = {operand};
  uint32_t first =
      choices.choose(static_cast<uint32_t>(value.shape.size() - 1));
  operation.dims = {first};
  SmallVector<int64_t> shape = value.shape;
  shape[first] *= shape[first + 1];
  shape.erase(shape.begin() + first + 1);
  operation.firstResult = addResult(value.kind, shape);
  program.operations.push_back(std::move(operation));
}

void ProgramBuilder::addSlice(size_t operand) {
  ProgramValue value = getValue(operand);
  if (llvm::is_contained(value.shape, 0))
    return addMvn(operand);
  ProgramOperation operation;
  operation.kind = OperationKind::Slice;
  operation.operands = {operand};
  for (int64_t size : value.shape) {
    uint32_t offset = choices.choose(static_cast<uint32_t>(size));
    int64_t stride = 1 + choices.choose(2);
    auto largest = static_cast<uint32_t>((size - offset - 1) / stride + 1);
    operation.offsets.push_back(offset);
    operation.sizes.push_back(largest - choices.choose(largest));
    operation.strides.push_back(stride);
  }
  operation.firstResult = addResult(value.kind, operation.sizes);
  program.operations.push_back(std::move(operation));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void ProgramBuilder::addOperation() {
  size_t operand = chooseValue([](const ProgramValue &) { return true; });
  switch (choices.choose(16)) {
  default:
    return addMvn(operand);
  case 6:
  case 7:
  case 8:
    return addMean(operand);
  case 9:
  case 10:
    return addElementwise(operand);
  case 11:
    return addConvert(operand);
  case 12:
    return addScaleAndBias(operand);
  case 13:
    return addTranspose(operand);
  case 14:
    return addCollapse(operand);
  case 15:
    return addSlice(operand);
  }
}

/// Everything that no operation uses is returned, and some of the rest.
void ProgramBuilder::chooseOutputs() {
  SmallVector<bool> isUsed(program.values.size(), false);
  for (const ProgramOperation &operation : program.operations)
    for (size_t operand : operation.operands)
      isUsed[operand] = true;
  for (size_t index = 0; index < program.values.size(); ++index)
    if (!isUsed[index] || choices.isOneIn(4))
      program.outputs.push_back(index);
}

Program ProgramBuilder::run() {
  uint32_t numOperations = 1 + choices.choose(choices.isOneIn(3) ? 8 : 3);
  size_t rank = choices.isOneIn(8) ? choices.choose(9) : 1 + choices.choose(4);
  ElementKind kind = chooseKind();
  addInput(kind, chooseShape(rank));
  for (uint32_t count = 0; count < numOperations; ++count)
    addOperation();
  chooseOutputs();
  return std::move(program);
}

Program mlir::meanvar::makeProgram(Choices &choices, int64_t maxElements) {
  return ProgramBuilder(choices, maxElements).run();
}
