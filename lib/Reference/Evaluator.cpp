//===- Evaluator.cpp - Functions evaluated by the reference ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Reference/Evaluator.h"
#include "Indexing.h"
#include "ScalarOperations.h"
#include "StructuredOperations.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "meanvar/Reference/MeanVariance.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::string getShapeString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(shape, stream << "[");
  stream << "]";
  return text;
}

/// Numbers take 32 bytes here, and memory that is short ends the process.
constexpr int64_t maxElements = int64_t(1) << 26;

/// Fails for a shape that the reference cannot hold.
static Error checkSizes(ArrayRef<int64_t> shape) {
  for (int64_t size : shape)
    if (size < 0)
      return createStringError("size " + Twine(size) + " is negative");
  if (llvm::is_contained(shape, 0))
    return Error::success();
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size > maxElements / count)
      return createStringError("tensor of shape " + getShapeString(shape) +
                               " is too large for the reference (allowed: up "
                               "to " +
                               Twine(maxElements) + " elements)");
    count *= size;
  }
  return Error::success();
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
  // Integers are held sign-extended.
  if (result.kind == ElementKind::I1)
    for (Approximation &element : result.elements)
      element.value = -element.value;
  if (result.kind == ElementKind::UI8) {
    result.kind = ElementKind::I8;
    for (Approximation &element : result.elements)
      if (element.value > INT8_MAX)
        element.value -= UINT8_MAX + 1;
  }
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
  /// The evaluator of a function that `caller` calls, or of the first one.
  explicit FunctionEvaluator(const FunctionEvaluator *caller = nullptr)
      : caller(caller) {}

  Expected<Tensors> run(func::FuncOp callee, ArrayRef<Tensor> inputs);

private:
  Error evaluateOperation(Operation *op);
  Error evaluateConstant(arith::ConstantOp op);
  Error evaluateCall(func::CallOp op);
  Error evaluateMean(MeanOp op);
  Error evaluateMvn(MvnOp op);
  Error evaluateElementwise(Operation *op);
  Error evaluateLinalg(linalg::LinalgOp op);
  Error evaluateCast(tensor::CastOp op);
  Error evaluateCollapse(tensor::CollapseShapeOp op);
  Error evaluateExpand(tensor::ExpandShapeOp op);
  Error evaluateExtractSlice(tensor::ExtractSliceOp op);
  Error evaluateDim(tensor::DimOp op);
  Error evaluateEmpty(tensor::EmptyOp op);
  Error evaluateSplat(tensor::SplatOp op);
  Error evaluateFromElements(tensor::FromElementsOp op);
  Error evaluateAssert(cf::AssertOp op);

  const ReferenceTensor &get(Value value) { return *values.at(value); }
  /// Returns the value of an index.
  int64_t getIndex(OpFoldResult index);
  SmallVector<int64_t> getShape(RankedTensorType type, ValueRange dynamicSizes);
  /// Sets the value of a result after a check of its shape against the type.
  Error set(Value value, Tensor tensor);
  Error set(Value value, SmallVector<int64_t> shape,
            std::vector<Approximation> elements);

  const FunctionEvaluator *caller;
  func::FuncOp function;
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

Expected<Tensors> FunctionEvaluator::run(func::FuncOp callee,
                                         ArrayRef<Tensor> inputs) {
  function = callee;
  // Without control flow a recursion has no end.
  for (auto *active = caller; active; active = active->caller)
    if (active->function == function)
      return createStringError("function '" + function.getName() +
                               "' calls itself");
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
      .Case([&](tensor::CollapseShapeOp op) { return evaluateCollapse(op); })
      .Case([&](tensor::ExpandShapeOp op) { return evaluateExpand(op); })
      .Case([&](tensor::ExtractSliceOp op) { return evaluateExtractSlice(op); })
      .Case([&](tensor::DimOp op) { return evaluateDim(op); })
      .Case([&](tensor::EmptyOp op) { return evaluateEmpty(op); })
      .Case([&](tensor::SplatOp op) { return evaluateSplat(op); })
      .Case([&](tensor::FromElementsOp op) { return evaluateFromElements(op); })
      .Case([&](cf::AssertOp op) { return evaluateAssert(op); })
      .Default([&](Operation *op) { return evaluateElementwise(op); });
}

Error FunctionEvaluator::evaluateConstant(arith::ConstantOp op) {
  SmallVector<int64_t> shape;
  SmallVector<Attribute> attributes;
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
    shape.assign(dense.getType().getShape().begin(),
                 dense.getType().getShape().end());
    if (Error error = checkSizes(shape))
      return error;
    llvm::append_range(attributes, dense.getValues<Attribute>());
  } else {
    attributes.push_back(op.getValue());
  }
  std::vector<Approximation> elements;
  for (Attribute attribute : attributes) {
    std::optional<Approximation> number = getNumber(attribute);
    if (!number)
      return createStringError(llvm::formatv(
          "the reference does not know constants such as {0}", attribute));
    elements.push_back(*number);
  }
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  Tensors inputs;
  for (Value operand : op.getOperands())
    inputs.push_back(values.at(operand));
  Expected<Tensors> results = FunctionEvaluator(this).run(callee, inputs);
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

/// Returns the position in row-major order of an index whose dimensions are
/// aligned with those of `shape` at the last one; sizes of 1 are stretched.
static int64_t getBroadcastPosition(ArrayRef<int64_t> index,
                                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> own(index.take_back(shape.size()));
  for (auto [coordinate, size] : llvm::zip_equal(own, shape))
    if (size == 1)
      coordinate = 0;
  return getPosition(own, shape);
}

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
  if (Error error = checkSizes(*shape))
    return error;
  std::vector<Approximation> elements;
  forEachIndex(*shape, [&](ArrayRef<int64_t> index) {
    SmallVector<Approximation> terms;
    for (const ReferenceTensor *operand : operands)
      terms.push_back(
          operand->elements[getBroadcastPosition(index, operand->shape)]);
    elements.push_back(computeMean(operands.front()->kind, terms));
  });
  return set(op.getResult(), *shape, std::move(elements));
}

/// Returns the positions of all elements whose indices are 0 where `isFixed`.
static std::vector<int64_t> getPositions(ArrayRef<int64_t> shape,
                                         ArrayRef<bool> isFixed) {
  SmallVector<int64_t> part(shape);
  for (auto [size, fixed] : llvm::zip_equal(part, isFixed))
    if (fixed)
      size = std::min<int64_t>(size, 1);
  std::vector<int64_t> positions;
  forEachIndex(part, [&](ArrayRef<int64_t> index) {
    positions.push_back(getPosition(index, shape));
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
  SmallVector<bool> kept =
      llvm::map_to_vector(reduced, [](bool isReduced) { return !isReduced; });

  std::vector<Approximation> elements(input.elements.size());
  std::vector<Approximation> means;
  std::vector<Approximation> scales;
  std::vector<int64_t> inLane = getPositions(input.shape, kept);
  std::vector<Approximation> lane(inLane.size());
  for (int64_t start : getPositions(input.shape, reduced)) {
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
  Expected<ScalarFunction> function = getScalarFunction(op);
  if (!function)
    return function.takeError();
  ArrayRef<int64_t> shape = get(op->getOperand(0)).shape;
  for (Value operand : op->getOperands())
    if (ArrayRef<int64_t>(get(operand).shape) != shape)
      return createStringError("operands of shapes " + getShapeString(shape) +
                               " and " + getShapeString(get(operand).shape));
  std::vector<Approximation> elements(countElements(shape));
  for (auto [index, element] : llvm::enumerate(elements)) {
    SmallVector<Approximation> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand).elements[index]);
    element = (*function)(op, operands);
  }
  return set(op->getResult(0), SmallVector<int64_t>(shape),
             std::move(elements));
}

Error FunctionEvaluator::evaluateLinalg(linalg::LinalgOp op) {
  SmallVector<const ReferenceTensor *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  auto results = evaluateStructuredOperation(
      op, operands, [&](Value value) { return get(value).elements.front(); });
  if (!results)
    return results.takeError();
  for (auto [result, init, elements] :
       llvm::zip_equal(op->getResults(), op.getDpsInits(), *results))
    if (Error error = set(result, get(init).shape, std::move(elements)))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Operations on shapes
//===----------------------------------------------------------------------===//

Error FunctionEvaluator::evaluateCast(tensor::CastOp op) {
  return set(op, values.at(op.getSource()));
}

/// Returns the product of the sizes of each group of dimensions.
static SmallVector<int64_t> collapse(ArrayRef<int64_t> shape,
                                     ArrayRef<ReassociationIndices> groups) {
  return llvm::map_to_vector(groups, [&](const ReassociationIndices &group) {
    int64_t size = 1;
    for (int64_t dim : group)
      size *= shape[dim];
    return size;
  });
}

Error FunctionEvaluator::evaluateCollapse(tensor::CollapseShapeOp op) {
  const ReferenceTensor &source = get(op.getSrc());
  return set(op, collapse(source.shape, op.getReassociationIndices()),
             source.elements);
}

Error FunctionEvaluator::evaluateExpand(tensor::ExpandShapeOp op) {
  const ReferenceTensor &source = get(op.getSrc());
  SmallVector<int64_t> shape;
  for (OpFoldResult size : op.getMixedOutputShape())
    shape.push_back(getIndex(size));
  if (Error error = checkSizes(shape))
    return error;
  if (collapse(shape, op.getReassociationIndices()) != source.shape)
    return createStringError("shape " + getShapeString(source.shape) +
                             " does not expand to " + getShapeString(shape));
  return set(op, std::move(shape), source.elements);
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
       llvm::zip_equal(offsets, sizes, strides, source.shape)) {
    int64_t last = offset + (size - 1) * stride;
    auto isOutside = [&, sourceSize = sourceSize](int64_t coordinate) {
      return coordinate < 0 || coordinate >= sourceSize;
    };
    if (size > 0 && (isOutside(offset) || isOutside(last)))
      return createStringError("slice from " + Twine(offset) + " to " +
                               Twine(last) + " of a dimension of size " +
                               Twine(sourceSize));
  }
  if (Error error = checkSizes(sizes))
    return error;
  std::vector<Approximation> elements;
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> from(offsets);
    for (auto [coordinate, step, stride] :
         llvm::zip_equal(from, index, strides))
      coordinate += step * stride;
    elements.push_back(source.elements[getPosition(from, source.shape)]);
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
    return createStringError("dimension " + Twine(dim) +
                             " is out of range for rank " +
                             Twine(shape.size()));
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
  if (Error error = checkSizes(shape))
    return error;
  std::vector<Approximation> elements(countElements(shape), makeUnknown());
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateSplat(tensor::SplatOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> shape = getShape(type, op.getDynamicSizes());
  if (Error error = checkSizes(shape))
    return error;
  std::vector<Approximation> elements(countElements(shape),
                                      get(op.getInput()).elements.front());
  return set(op, std::move(shape), std::move(elements));
}

Error FunctionEvaluator::evaluateFromElements(tensor::FromElementsOp op) {
  std::vector<Approximation> elements;
  for (Value element : op.getElements())
    elements.push_back(get(element).elements.front());
  return set(op, SmallVector<int64_t>(op.getType().getShape()),
             std::move(elements));
}

Error FunctionEvaluator::evaluateAssert(cf::AssertOp op) {
  if (get(op.getArg()).elements.front().value != 0)
    return Error::success();
  return createStringError(op.getMsg());
}

/// Makes of signless integers those of uint8, as an ONNX model declares them.
static void makeUnsigned(ReferenceTensor &tensor) {
  tensor.kind = ElementKind::UI8;
  for (Approximation &element : tensor.elements)
    if (element.value < 0)
      element.value += UINT8_MAX + 1;
}

Expected<std::vector<ReferenceTensor>>
mlir::meanvar::evaluateFunction(func::FuncOp function,
                                ArrayRef<HostTensor> inputs) {
  Tensors tensors;
  for (const HostTensor &input : inputs) {
    if (Error error = checkSizes(input.getShape()))
      return std::move(error);
    tensors.push_back(
        std::make_shared<ReferenceTensor>(ReferenceTensor::get(input)));
  }
  Expected<Tensors> results = FunctionEvaluator().run(function, tensors);
  if (!results)
    return results.takeError();
  std::vector<ReferenceTensor> outputs;
  for (const Tensor &result : *results)
    outputs.push_back(*result);
  if (auto indices = function->getAttrOfType<DenseI64ArrayAttr>(
          "meanvar.unsigned_outputs"))
    for (int64_t index : indices.asArrayRef())
      makeUnsigned(outputs[index]);
  return outputs;
}
