//===- Evaluator.h - Functions evaluated by the reference -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function on tensors of numbers with error bounds, one operation after
// the other, for tests: what comes out is what any correct compiler may give.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_REFERENCE_EVALUATOR_H
#define MEANVAR_REFERENCE_EVALUATOR_H

#include "meanvar/Reference/Approximation.h"

#include <vector>

namespace mlir {
namespace func {
class FuncOp;
} // namespace func

namespace meanvar {

/// A dense, row-major tensor of numbers with error bounds; a scalar is one of
/// rank 0. Integers and indices are numbers, too, sign-extended: true is -1.
struct ReferenceTensor {
  /// Takes the elements of `tensor`, which are determined.
  static ReferenceTensor get(const HostTensor &tensor);

  /// Rounds each value to the kind: the error may leave other choices.
  llvm::Expected<HostTensor> round() const;

  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  std::vector<Approximation> elements;
};

/// Evaluates `function` on `inputs`. It may hold the operations of meanvar,
/// elementwise ones of arith and math, structured ones of linalg, views and
/// reshapes of tensors, and calls. Fails with a message for an operation that
/// is none of these, for a function that calls itself, for tensors of more than
/// 2^26 elements, and where the sizes of tensors do not match types or one
/// another, as a compiled function does.
llvm::Expected<std::vector<ReferenceTensor>>
evaluateFunction(func::FuncOp function, llvm::ArrayRef<HostTensor> inputs);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_REFERENCE_EVALUATOR_H
