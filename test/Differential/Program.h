//===- Program.h - Random programs ------------------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program as data: values with their sizes at run time, and operations on
// them. It is printed as MLIR with more or fewer of the sizes in its types.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_DIFFERENTIAL_PROGRAM_H
#define MEANVAR_TEST_DIFFERENTIAL_PROGRAM_H

#include "Choices.h"
#include "meanvar/TensorIO/HostTensor.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace mlir::meanvar {

/// A tensor of a program.
struct ProgramValue {
  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  /// Whether the type of an input leaves a dimension open, in SizesForm::Mixed.
  llvm::SmallVector<bool> isDynamic;
};

enum class OperationKind {
  Mvn,
  Mean,
  /// An operation of arith or math on tensors of one shape.
  Elementwise,
  /// arith.extf or arith.truncf.
  Convert,
  /// x * scale + bias as a linalg.generic; scale and bias lack some dimensions.
  ScaleAndBias,
  /// linalg.transpose.
  Transpose,
  /// tensor.collapse_shape of two neighbouring dimensions.
  Collapse,
  /// tensor.extract_slice.
  Slice,
};

struct ProgramOperation {
  OperationKind kind = OperationKind::Mvn;
  /// Indices of values.
  llvm::SmallVector<size_t> operands;
  /// The first of the results, which have successive indices.
  size_t firstResult = 0;
  /// The name of an elementwise operation.
  std::string name;
  /// An elementwise operation: its second operand, a constant.
  std::optional<double> constant;
  /// Clauses of mvn. No axes: the default ones.
  std::optional<llvm::SmallVector<int64_t>> axes;
  std::optional<double> epsilon;
  bool insideSqrt = false;
  bool centerOnly = false;
  bool statistics = false;
  /// The dimensions of ScaleAndBias that the parameters have, the permutation
  /// of Transpose, or the first dimension of Collapse.
  llvm::SmallVector<int64_t> dims;
  /// Offsets, sizes and strides of Slice.
  llvm::SmallVector<int64_t> offsets;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<int64_t> strides;
};

/// Values are numbered: inputs and results, in the order of their creation.
struct Program {
  std::vector<ProgramValue> values;
  std::vector<size_t> inputs;
  std::vector<ProgramOperation> operations;
  /// What the function returns.
  std::vector<size_t> outputs;
};

/// Returns a random program; its tensors have at most `maxElements` elements.
Program makeProgram(Choices &choices, int64_t maxElements);

/// How many of the sizes the types of inputs have. Types of results follow.
enum class SizesForm { Static, Mixed, Dynamic };

/// Prints a module with one function, `@main`.
std::string printProgram(const Program &program, SizesForm form);

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_DIFFERENTIAL_PROGRAM_H
