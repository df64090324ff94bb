//===- FunctionSignature.h - Types of compiled functions --------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_FUNCTIONSIGNATURE_H
#define MEANVAR_EXECUTION_FUNCTIONSIGNATURE_H

#include "meanvar/Execution/TensorView.h"

#include <vector>

namespace mlir {
class FunctionType;
class Operation;

namespace meanvar {

/// The type of one input or output.
struct ValueType {
  /// Returns the type in MLIR's spelling: "tensor<2x?xf32>", or "f32".
  std::string str() const;

  ElementKind kind = ElementKind::F32;
  bool isTensor = false;
  /// Sizes, `dynamicSize` where known at run time only; empty for a scalar.
  llvm::SmallVector<int64_t> shape;
};

/// Returns true for an `llvm.func` that the pipeline made of a function with
/// tensor results; false for its C interface, which repeats the attributes.
bool isCompiledFunction(Operation *function);

/// What a caller of a compiled function knows about it.
struct FunctionSignature {
  /// Reads the signature of a function before its compilation (a `func.func`)
  /// or after (an `llvm.func` with the attribute `meanvar.signature`), with the
  /// names of inputs and outputs. Fails, naming the function, when it is
  /// neither, has no tensor among its results, or uses a type that HostTensor
  /// does not hold.
  static llvm::Expected<FunctionSignature> get(Operation *function);

  /// Checks number, element types and shapes against the input types. Errors
  /// name the input by its index and, where it has one, its name.
  llvm::Error checkInputs(llvm::ArrayRef<TensorView> views) const;

  /// The same for outputs.
  llvm::Error checkOutputs(llvm::ArrayRef<TensorView> views) const;

  std::string name;
  std::vector<ValueType> inputs;
  std::vector<ValueType> outputs;
  /// The names in the ONNX model, or empty.
  std::vector<std::string> inputNames;
  std::vector<std::string> outputNames;
  /// The symbols of each input's and output's dimensions, "" where a dimension
  /// has none; or empty.
  std::vector<std::vector<std::string>> inputDimensionNames;
  std::vector<std::vector<std::string>> outputDimensionNames;
};

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_EXECUTION_FUNCTIONSIGNATURE_H
