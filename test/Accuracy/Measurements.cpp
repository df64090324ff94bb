//===- Measurements.cpp - Errors of meanvar and of other algorithms -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measurements.h"
#include "TextbookAlgorithms.h"
#include "meanvar/Reference/MeanVariance.h"
#include "meanvar/TensorIO/Random.h"
#include "meanvar/TensorIO/SmallFloat.h"

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::MutableArrayRef;

Expected<HostTensor> mlir::meanvar::makeLanes(ElementKind kind,
                                              int64_t numLanes, int64_t size,
                                              double mean) {
  Expected<HostTensor> lanes = HostTensor::create(kind, {numLanes, size});
  if (!lanes)
    return lanes;
  NormalGenerator generator(size);
  for (int64_t i = 0; i < numLanes * size; ++i)
    lanes->setFloat(i, mean + generator.next());
  return lanes;
}

Expected<std::vector<HostTensor>>
mlir::meanvar::makeOperands(ElementKind kind, int64_t numOperands,
                            double mean) {
  constexpr int64_t numElements = 4096;
  std::vector<HostTensor> operands;
  NormalGenerator generator(numOperands);
  for (int64_t number = 0; number < numOperands; ++number) {
    auto operand = HostTensor::create(kind, numElements);
    if (!operand)
      return operand.takeError();
    for (int64_t i = 0; i < numElements; ++i)
      operand->setFloat(i, mean + generator.next());
    operands.push_back(std::move(*operand));
  }
  return operands;
}

ElementKind mlir::meanvar::getUsualKind(ElementKind kind) {
  return kind == ElementKind::F64 ? ElementKind::F64 : ElementKind::F32;
}

static Expected<HostTensor> transpose(const HostTensor &matrix) {
  int64_t numRows = matrix.getShape()[0];
  int64_t numColumns = matrix.getShape()[1];
  auto result = HostTensor::create(matrix.getKind(), {numColumns, numRows});
  if (!result)
    return result;
  for (int64_t row = 0; row < numRows; ++row)
    for (int64_t column = 0; column < numColumns; ++column)
      result->setFloat(column * numRows + row,
                       matrix.getFloat(row * numColumns + column));
  return result;
}

/// Returns a number rounded once to an element type.
static double roundTo(ElementKind kind, double value) {
  switch (kind) {
  case ElementKind::F16:
    return halfToDouble(doubleToHalf(value));
  case ElementKind::BF16:
    return bfloatToDouble(doubleToBFloat(value));
  case ElementKind::F32:
    return static_cast<float>(value);
  default:
    return value;
  }
}

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

/// V5 is relative where results are at least 1.
NormalizationErrors::NormalizationErrors(ElementKind kind)
    : rows(kind, 1), columns(kind, 1), onePass(kind, 1), twoPasses(kind, 1),
      welford(kind, 1) {}

/// Measures the textbook algorithms on one lane.
template <typename Real>
static void measureTextbook(ElementKind kind, ArrayRef<Approximation> lane,
                            ArrayRef<Approximation> expected,
                            NormalizationErrors &errors) {
  using Algorithms = TextbookAlgorithms<Real>;
  std::vector<Real> x;
  for (const Approximation &number : lane)
    x.push_back(static_cast<Real>(number.value));
  std::vector<Real> y(x.size());
  auto measure = [&](auto normalize, ErrorStatistics &statistics) {
    normalize(x, static_cast<Real>(NormalizationClauses().epsilon), y);
    for (auto [value, wanted] : llvm::zip_equal(y, expected))
      statistics.add(roundTo(kind, value), wanted);
  };
  measure(Algorithms::normalizeInOnePass, errors.onePass);
  measure(Algorithms::normalizeInTwoPasses, errors.twoPasses);
  measure(Algorithms::normalizeByWelford, errors.welford);
}

Expected<NormalizationErrors>
mlir::meanvar::measureNormalization(OperationCompiler &compiler,
                                    HostTensor &lanes) {
  ElementKind kind = lanes.getKind();
  int64_t numLanes = lanes.getShape()[0];
  int64_t size = lanes.getShape()[1];
  auto columns = transpose(lanes);
  if (!columns)
    return columns.takeError();
  auto inRows = compiler.runMvn(lanes, /*axis=*/1);
  if (!inRows)
    return inRows.takeError();
  auto inColumns = compiler.runMvn(*columns, /*axis=*/0);
  if (!inColumns)
    return inColumns.takeError();

  NormalizationErrors errors(kind);
  std::vector<Approximation> lane(size);
  for (int64_t number = 0; number < numLanes; ++number) {
    for (int64_t i = 0; i < size; ++i)
      lane[i].value = lanes.getFloat(number * size + i);
    std::vector<Approximation> expected =
        normalizeLane(kind, lane, {}).elements;
    for (int64_t i = 0; i < size; ++i) {
      errors.rows.add(inRows->getFloat(number * size + i), expected[i]);
      errors.columns.add(inColumns->getFloat(i * numLanes + number),
                         expected[i]);
    }
    if (getUsualKind(kind) == ElementKind::F64)
      measureTextbook<double>(kind, lane, expected, errors);
    else
      measureTextbook<float>(kind, lane, expected, errors);
  }
  return errors;
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

MeanErrors::MeanErrors(ElementKind kind)
    : compiled(kind, 0), inElementKind(kind, 0), inUsualKind(kind, 0) {}

/// Returns the sum in operand order divided by the number of operands, each
/// step rounded to `kind`, which no double rounding spoils: a double has more
/// than twice the bits of the kinds below it.
static double averageIn(ElementKind kind, ArrayRef<Approximation> operands) {
  double sum = 0;
  for (const Approximation &operand : operands)
    sum = roundTo(kind, sum + static_cast<double>(operand.value));
  return roundTo(kind, sum / static_cast<double>(operands.size()));
}

Expected<MeanErrors>
mlir::meanvar::measureMean(OperationCompiler &compiler,
                           MutableArrayRef<HostTensor> inputs) {
  ElementKind kind = inputs.front().getKind();
  auto compiled = compiler.runMean(inputs);
  if (!compiled)
    return compiled.takeError();
  MeanErrors errors(kind);
  std::vector<Approximation> operands(inputs.size());
  for (int64_t i = 0; i < compiled->getNumElements(); ++i) {
    for (auto [operand, input] : llvm::zip_equal(operands, inputs))
      operand.value = input.getFloat(i);
    Approximation expected = computeMean(kind, operands);
    errors.compiled.add(compiled->getFloat(i), expected);
    errors.inElementKind.add(averageIn(kind, operands), expected);
    errors.inUsualKind.add(
        roundTo(kind, averageIn(getUsualKind(kind), operands)), expected);
  }
  return errors;
}
