//===- Evaluator.cpp - Functions evaluated by the reference ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Evaluator.h"
#include "ScalarOperations.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Reference/MeanVariance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <memory>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Calls `function(index)` for every index of `shape` in row-major order.
template <typename Function>
static void forEachIndex(ArrayRef<int64_t> shape, Function function) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t count = countElements(shape); count > 0; --count) {
    function(ArrayRef<int64_t>(index));
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        break;
      index[dim] = 0;
    }
  }
}

/// Returns the position in row-major order of an index whose dimensions are
/// aligned with those of `shape` at the last one; sizes of 1 are stretched.
static int64_t getPosition(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  ArrayRef<int64_t> aligned = index.take_back(shape.size());
  for (auto [coordinate, size] : llvm::zip_equal(aligned, shape))
    position = position * size + (size == 1 ? 0 : coordinate);
  return position;
}

//===----------------------------------------------------------------------===//
// ReferenceTensor
//===----------------------------------------------------------------------===//

ReferenceTensor ReferenceTensor::get(const HostTensor &tensor) {
  ReferenceTensor result;
  result.kind = tensor.getKind();
  result.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  result.elements.resize(tensor.getNumElements());
  for (auto [index, element] : llvm::enumerate(result.elements))
    element.value = isFloat(result.kind)
                        ? static_cast<long double>(tensor.getFloat(index))
                        : static_cast<long double>(tensor.getInteger(index));
  return result;
}

Expected<HostTensor> ReferenceTensor::round() const {
  Expected<HostTensor> tensor = HostTensor::create(kind, shape);
  if (!tensor)
    return tensor;
  for (auto [index, element] : llvm::enumerate(elements)) {
    if (isFloat(kind))
      tensor->setFloat(index, static_cast<double>(element.value));
    else
      tensor->setInteger(index, static_cast<int64_t>(element.value));
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// FunctionEvaluator
//===----------------------------------------------------------------------===//

namespace {
using Tensor = std::shared_ptr<const ReferenceTensor>;
using Tensors = SmallVector<Tensor>;

/// Evaluates the operations of one function in order. Each `evaluate` sets the
/// values of the results of its operation.
class FunctionEvaluator {
public:
  Expected<Tensors> run(func::FuncOp function, ArrayRef<Tensor> inputs);

private:
  Error evaluateOperation(Operation *op);
  Error evaluateConstant(arith::ConstantOp op);
  Error evaluateCall(func::CallOp op);
  Error evaluateMean(MeanOp op);
  Error evaluateMvn(MvnOp op);
  Error evaluateElementwise(Operation *op);
  Error evaluateLinalg(linalg::LinalgOp op);
  Error evaluateCast(tensor::CastOp op);
  Error evaluateReshape(Operation *op);
  Error evaluateExtractSlice(tensor::ExtractSliceOp op);
  Error evaluateDim(tensor::DimOp op);
  Error evaluateEmpty(tensor::EmptyOp op);
  Error evaluateSplat(tensor::SplatOp op);
  Error evaluateAssert(cf::AssertOp op);

  const ReferenceTensor &get(Value value) { return *values.at(value); }
  /// Returns the value of an index.
  int64_t getIndex(OpFoldResult index);
  SmallVector<int64_t> getShape(RankedTensorType type, ValueRange dynamicSizes);
  /// Sets the value of a result after a check of its shape against the type.
  Error set(Value value, Tensor tensor);
  Error set(Value value, SmallVector<int64_t> shape,
            std::vector<Approximation> elements);

  llvm::DenseMap<Value, Tensor> values;
};
} // namespace

/// Fails where static sizes of the type of `value` are not those of `shape`.
static Error checkShape(Value value, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> typeShape = type ? type.getShape() : ArrayRef<int64_t>();
  if (typeShape.size() != shape.size())
    return createStringError("rank " + Twine(shape.size()) +
                             " where the type has rank " +
                             Twine(typeShape.size()));
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(typeShape, shape))) {
    auto [typeSize, size] = sizes;
    if (!ShapedType::isDynamic(typeSize) && typeSize != size)
      return createStringError("size " + Twine(size) + " of dimension " +
                               Twine(dim) + " where the type has " +
                               Twine(typeSize));
  }
  return Error::success();
}

Error FunctionEvaluator::set(Value value, Tensor tensor) {
  if (Error error = checkShape(value, tensor->shape))
    return error;
  values[value] = std::move(tensor);
  return Error::success();
}

Error FunctionEvaluator::set(Value value, SmallVector<int64_t> shape,
                             std::vector<Approximation> elements) {
  auto tensor = std::make_shared<ReferenceTensor>();
  std::optional<ElementKind> kind =
      getElementKind(getElementTypeOrSelf(value.getType()));
  if (!kind)
    return createStringError(llvm::formatv(
        "the reference does not know type '{0}'", value.getType()));
  tensor->kind = *kind;
  tensor->shape = std::move(shape);
  tensor->elements = std::move(elements);
  return set(value, std::move(tensor));
}

int64_t FunctionEvaluator::getIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant;
  return static_cast<int64_t>(get(cast<Value>(index)).elements.front().value);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Expected<Tensors> FunctionEvaluator::run(func::FuncOp function,
                                         ArrayRef<Tensor> inputs) {
  if (!llvm::hasSingleElement(function.getBody()))
    return createStringError("the reference does not evaluate function '" +
                             function.getName() +
                             "', which has no body or several blocks");
  if (inputs.size() != function.getNumArguments())
    return createStringError("function '" + function.getName() + "' takes " +
                             Twine(function.getNumArguments()) +
                             " inputs, not " + Twine(inputs.size()));
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs))
    if (Error error = set(argument, input))
      return std::move(error);
  for (Operation &op : function.getBody().front().without_terminator())
    if (Error error = evaluateOperation(&op))
      return createStringError("'" + op.getName().getStringRef() +
                               "': " + llvm::toString(std::move(error)));
  Tensors results;
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    results.push_back(values.at(value));
  return results;
}

Error FunctionEvaluator::evaluateOperation(Operation *op) {
  return TypeSwitch<Operation *, Error>(op)
      .Case([&](arith::ConstantOp op) { return evaluateConstant(op); })
      .Case([&](func::CallOp op) { return evaluateCall(op); })
      .Case([&](MeanOp op) { return evaluateMean(op); })
      .Case([&](MvnOp op) { return evaluateMvn(op); })
      .Case([&](linalg::LinalgOp op) { return evaluateLinalg(op); })
      .Case([&](tensor::CastOp op) { return evaluateCast(op); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto op) { return evaluateReshape(op); })
      .Case([&](tensor::ExtractSliceOp op) { return evaluateExtractSlice(op); })
      .Case([&](tensor::DimOp op) { return evaluateDim(op); })
      .Case([&](tensor::EmptyOp op) { return evaluateEmpty(op); })
      .Case([&](tensor::SplatOp op) { return evaluateSplat(op); })
      .Case([&](cf::AssertOp op) { return evaluateAssert(op); })
      .Default([&](Operation *op) { return evaluateElementwise(op); });
}

/// Returns a float or integer attribute as a number.
static Approximation getNumber(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    APFloat value = number.getValue();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return {value.convertToDouble(), 0};
  }
  APInt value = cast<IntegerAttr>(attribute).getValue();
  return {static_cast<long double>(value.getSExtValue()), 0};
}

Error FunctionEvaluator::evaluateConstant(arith::ConstantOp op) {
  std::vector<Approximation> elements;
  SmallVector<int64_t> shape;
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
    llvm::append_range(shape, dense.getType().getShape());
    for (Attribute element : dense.getValues<Attribute>())
      elements.push_back(getNumber(element));
  } else if (isa<FloatAttr, IntegerAttr>(op.getValue())) {
    elements.push_back(getNumber(op.getValue()));
  } else {
    return createStringError("the reference takes dense constants only");
  }
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  Tensors inputs;
  for (Value operand : op.getOperands())
    inputs.push_back(values.at(operand));
  Expected<Tensors> results = FunctionEvaluator().run(callee, inputs);
  if (!results)
    return results.takeError();
  for (auto [value, tensor] : llvm::zip_equal(op.getResults(), *results))
    if (Error error = set(value, tensor))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

/// M2, M3: aligns shapes at the last dimension and stretches sizes of 1.
static Expected<SmallVector<int64_t>>
broadcast(ArrayRef<const ReferenceTensor *> operands) {
  SmallVector<int64_t> result;
  for (const ReferenceTensor *operand : operands)
    result.resize(std::max(result.size(), operand->shape.size()), 1);
  for (const ReferenceTensor *operand : operands) {
    size_t offset = result.size() - operand->shape.size();
    for (auto [dim, size] : llvm::enumerate(operand->shape)) {
      int64_t &common = result[offset + dim];
      if (size == 1 || size == common)
        continue;
      if (common != 1)
        return createStringError("sizes " + Twine(common) + " and " +
                                 Twine(size) + " do not broadcast");
      common = size;
    }
  }
  return result;
}

Error FunctionEvaluator::evaluateMean(MeanOp op) {
  SmallVector<const ReferenceTensor *> operands;
  for (Value input : op.getInputs())
    operands.push_back(&get(input));
  Expected<SmallVector<int64_t>> shape = broadcast(operands);
  if (!shape)
    return shape.takeError();
  std::vector<Approximation> elements;
  forEachIndex(*shape, [&](ArrayRef<int64_t> index) {
    SmallVector<Approximation> terms;
    for (const ReferenceTensor *operand : operands)
      terms.push_back(operand->elements[getPosition(index, operand->shape)]);
    elements.push_back(computeMean(operands.front()->kind, terms));
  });
  return set(op.getResult(), *shape, std::move(elements));
}

/// Returns the positions of all elements whose indices are 0 in each dimension
/// that is not `selected`.
static std::vector<int64_t> getPositions(ArrayRef<int64_t> shape,
                                         ArrayRef<bool> selected, bool wanted) {
  SmallVector<int64_t> part(shape);
  for (auto [size, isSelected] : llvm::zip_equal(part, selected))
    if (isSelected != wanted)
      size = std::min<int64_t>(size, 1);
  std::vector<int64_t> positions;
  forEachIndex(part, [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (auto [coordinate, size] : llvm::zip_equal(index, shape))
      position = position * size + coordinate;
    positions.push_back(position);
  });
  return positions;
}

Error FunctionEvaluator::evaluateMvn(MvnOp op) {
  const ReferenceTensor &input = get(op.getInput());
  NormalizationClauses clauses;
  clauses.epsilon = op.getEpsilon().convertToDouble();
  clauses.insideSqrt = op.getInsideSqrt();
  clauses.centerOnly = op.getCenterOnly();
  SmallVector<bool> reduced = op.getReducedDims();

  std::vector<Approximation> elements(input.elements.size());
  std::vector<Approximation> means;
  std::vector<Approximation> scales;
  std::vector<int64_t> inLane = getPositions(input.shape, reduced, true);
  std::vector<Approximation> lane(inLane.size());
  for (int64_t start : getPositions(input.shape, reduced, false)) {
    if (inLane.empty()) // V8
      break;
    for (auto [number, position] : llvm::zip_equal(lane, inLane))
      number = input.elements[start + position];
    NormalizedLane result = normalizeLane(input.kind, lane, clauses);
    for (auto [number, position] : llvm::zip_equal(result.elements, inLane))
      elements[start + position] = number;
    means.push_back(result.mean);
    scales.push_back(result.scale);
  }
  if (Error error = set(op.getResult(), input.shape, std::move(elements)))
    return error;
  if (!op.getStatistics())
    return Error::success();
  SmallVector<int64_t> laneShape(input.shape);
  for (auto [size, isReduced] : llvm::zip_equal(laneShape, reduced))
    if (isReduced)
      size = 1;
  // Lanes without elements have no statistics: any number will do.
  means.resize(countElements(laneShape), makeUnknown());
  scales.resize(countElements(laneShape), makeUnknown());
  if (Error error = set(op.getMean(), laneShape, std::move(means)))
    return error;
  return set(op.getScale(), laneShape, std::move(scales));
}

//===----------------------------------------------------------------------===//
// Elementwise and structured operations
//===----------------------------------------------------------------------===//

Error FunctionEvaluator::evaluateElementwise(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return createStringError("the reference does not evaluate it");
  ArrayRef<int64_t> shape = get(op->getOperand(0)).shape;
  for (Value operand : op->getOperands())
    if (ArrayRef<int64_t>(get(operand).shape) != shape)
      return createStringError("operands of different shapes");
  std::vector<Approximation> elements(countElements(shape));
  for (auto [index, element] : llvm::enumerate(elements)) {
    SmallVector<Approximation> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand).elements[index]);
    Expected<Approximation> result = evaluateScalarOperation(op, operands);
    if (!result)
      return result.takeError();
    element = *result;
  }
  return set(op->getResult(0), SmallVector<int64_t>(shape),
             std::move(elements));
}

namespace {
/// The iteration space of a structured operation on tensors of given shapes.
class StructuredLoops {
public:
  /// Fails where two operands disagree about the size of a loop.
  static Expected<StructuredLoops>
  get(linalg::LinalgOp op, ArrayRef<const ReferenceTensor *> operands);

  ArrayRef<int64_t> getSizes() const { return sizes; }

  /// Returns the position in operand `number` at a point of the space.
  int64_t getPosition(size_t number, ArrayRef<int64_t> point) const {
    SmallVector<int64_t> index = maps[number].compose(point);
    int64_t position = 0;
    for (auto [coordinate, size] :
         llvm::zip_equal(index, operands[number]->shape))
      position = position * size + coordinate;
    return position;
  }

private:
  SmallVector<AffineMap> maps;
  SmallVector<const ReferenceTensor *> operands;
  SmallVector<int64_t> sizes;
};
} // namespace

Expected<StructuredLoops>
StructuredLoops::get(linalg::LinalgOp op,
                     ArrayRef<const ReferenceTensor *> operands) {
  StructuredLoops loops;
  loops.maps = op.getIndexingMapsArray();
  loops.operands.assign(operands.begin(), operands.end());
  loops.sizes.assign(op.getNumLoops(), -1);
  for (auto [map, operand] : llvm::zip_equal(loops.maps, operands))
    for (auto [expression, size] :
         llvm::zip_equal(map.getResults(), operand->shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expression);
      if (!dim)
        continue;
      int64_t &loopSize = loops.sizes[dim.getPosition()];
      if (loopSize >= 0 && loopSize != size)
        return createStringError("sizes " + Twine(loopSize) + " and " +
                                 Twine(size) + " of one loop");
      loopSize = size;
    }
  return loops;
}

/// Evaluates the body of a structured operation at a point; returns what it
/// yields.
static Expected<SmallVector<Approximation>>
evaluateBody(Block &body, ArrayRef<Approximation> arguments,
             llvm::function_ref<Approximation(Value)> getOuterScalar) {
  llvm::DenseMap<Value, Approximation> scalars;
  for (auto [argument, number] :
       llvm::zip_equal(body.getArguments(), arguments))
    scalars[argument] = number;
  auto getOperands = [&](Operation &op) {
    return llvm::map_to_vector(op.getOperands(), [&](Value operand) {
      auto found = scalars.find(operand);
      return found == scalars.end() ? getOuterScalar(operand) : found->second;
    });
  };
  for (Operation &op : body.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      scalars[constant] = getNumber(constant.getValue());
      continue;
    }
    Expected<Approximation> result =
        evaluateScalarOperation(&op, getOperands(op));
    if (!result)
      return result.takeError();
    scalars[op.getResult(0)] = *result;
  }
  return getOperands(*body.getTerminator());
}

Error FunctionEvaluator::evaluateLinalg(linalg::LinalgOp op) {
  SmallVector<const ReferenceTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  Expected<StructuredLoops> loops = StructuredLoops::get(op, operands);
  if (!loops)
    return loops.takeError();

  size_t numInputs = op.getNumDpsInputs();
  std::vector<std::vector<Approximation>> results;
  for (Value init : op.getDpsInits())
    results.push_back(get(init).elements);
  auto getOuterScalar = [&](Value value) {
    return get(value).elements.front();
  };
  Error error = Error::success();
  forEachIndex(loops->getSizes(), [&](ArrayRef<int64_t> point) {
    SmallVector<Approximation> arguments;
    for (size_t number = 0; number < operands.size(); ++number) {
      ArrayRef<Approximation> elements = operands[number]->elements;
      if (number >= numInputs)
        elements = results[number - numInputs];
      arguments.push_back(elements[loops->getPosition(number, point)]);
    }
    auto yielded = evaluateBody(*op.getBlock(), arguments, getOuterScalar);
    if (!yielded) {
      error = llvm::joinErrors(std::move(error), yielded.takeError());
      return;
    }
    for (auto [number, value] : llvm::enumerate(*yielded))
      results[number][loops->getPosition(numInputs + number, point)] = value;
  });
  if (error)
    return error;
  for (auto [number, elements] : llvm::enumerate(results))
    if (Error error =
            set(op->getResult(number), operands[numInputs + number]->shape,
                std::move(elements)))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operations on shapes
//===----------------------------------------------------------------------===//

Error FunctionEvaluator::evaluateCast(tensor::CastOp op) {
  return set(op, values.at(op.getSource()));
}

Error FunctionEvaluator::evaluateReshape(Operation *op) {
  const ReferenceTensor &source = get(op->getOperand(0));
  SmallVector<int64_t> shape;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      int64_t size = 1;
      for (int64_t dim : group)
        size *= source.shape[dim];
      shape.push_back(size);
    }
  } else {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    for (OpFoldResult size : expand.getMixedOutputShape())
      shape.push_back(getIndex(size));
  }
  if (countElements(shape) != static_cast<int64_t>(source.elements.size()))
    return createStringError("shapes of different numbers of elements");
  return set(op->getResult(0), std::move(shape), source.elements);
}

Error FunctionEvaluator::evaluateExtractSlice(tensor::ExtractSliceOp op) {
  const ReferenceTensor &source = get(op.getSource());
  auto getIndices = [&](ArrayRef<OpFoldResult> indices) {
    return llvm::map_to_vector(
        indices, [&](OpFoldResult index) { return getIndex(index); });
  };
  SmallVector<int64_t> offsets = getIndices(op.getMixedOffsets());
  SmallVector<int64_t> sizes = getIndices(op.getMixedSizes());
  SmallVector<int64_t> strides = getIndices(op.getMixedStrides());
  for (auto [offset, size, stride, sourceSize] :
       llvm::zip_equal(offsets, sizes, strides, source.shape))
    if (offset < 0 || size < 0 ||
        (size > 0 && offset + (size - 1) * stride >= sourceSize))
      return createStringError("a slice out of bounds");
  std::vector<Approximation> elements;
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (size_t dim = 0; dim < index.size(); ++dim)
      position = position * source.shape[dim] + offsets[dim] +
                 index[dim] * strides[dim];
    elements.push_back(source.elements[position]);
  });
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped.test(dim))
      shape.push_back(size);
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateDim(tensor::DimOp op) {
  ArrayRef<int64_t> shape = get(op.getSource()).shape;
  int64_t dim = getIndex(op.getDimension());
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size()))
    return createStringError("dimension " + Twine(dim) + " out of range");
  return set(op, {}, {{static_cast<long double>(shape[dim]), 0}});
}

/// Returns the shape of a type whose dynamic sizes are operands.
SmallVector<int64_t> FunctionEvaluator::getShape(RankedTensorType type,
                                                 ValueRange dynamicSizes) {
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t &size : shape)
    if (ShapedType::isDynamic(size)) {
      size = getIndex(dynamicSizes.front());
      dynamicSizes = dynamicSizes.drop_front();
    }
  return shape;
}

Error FunctionEvaluator::evaluateEmpty(tensor::EmptyOp op) {
  SmallVector<int64_t> shape = getShape(op.getType(), op.getDynamicSizes());
  std::vector<Approximation> elements(countElements(shape), makeUnknown());
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateSplat(tensor::SplatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> shape = getShape(type, op.getDynamicSizes());
  std::vector<Approximation> elements(countElements(shape),
                                      get(op.getInput()).elements.front());
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateAssert(cf::AssertOp op) {
  if (get(op.getArg()).elements.front().value != 0)
    return Error::success();
  return createStringError(op.getMsg());
}

Expected<std::vector<ReferenceTensor>>
mlir::meanvar::evaluateFunction(func::FuncOp function,
                                ArrayRef<HostTensor> inputs) {
  Tensors tensors;
  for (const HostTensor &input : inputs)
    tensors.push_back(
        std::make_shared<ReferenceTensor>(ReferenceTensor::get(input)));
  Expected<Tensors> results = FunctionEvaluator().run(function, tensors);
  if (!results)
    return results.takeError();
  std::vector<ReferenceTensor> outputs;
  for (const Tensor &result : *results)
    outputs.push_back(*result);
  return outputs;
}
