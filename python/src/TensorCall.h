//===- TensorCall.h - Calls of functions on arrays --------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_TENSORCALL_H
#define MEANVAR_PYTHON_TENSORCALL_H

#include "ArrayArgument.h"

namespace meanvar::python {

/// One call of a compiled function on arrays, from inputs of any strides to
/// outputs that are new or the caller's.
class TensorCall {
public:
  explicit TensorCall(size_t numInputs) { inputs.reserve(numInputs); }

  /// Adds the next input. Raises TypeError where it is no array.
  void addInput(nanobind::handle object, const ArgumentName &name);

  const ArrayArgument &getInput(size_t index) const { return inputs[index]; }
  size_t getNumInputs() const { return inputs.size(); }

  /// Runs the function, without the GIL, and returns its outputs: one, or a
  /// tuple. `out` is none, an array, or a tuple with an array or none for each
  /// output. New outputs are arrays of NumPy or, where an input came through
  /// DLPack, of that one's library. Raises ValueError for shapes that do not
  /// fit, TypeError for types, MemoryError where memory is short.
  nanobind::object run(const MeanVarFunction *function, nanobind::handle out);

private:
  /// An output of the call.
  struct Output {
    nanobind::object array;
    ArrayArgument view;
    bool isGiven;
    /// Whether the function writes elsewhere first.
    bool isStaged;
  };

  /// Checks the element types of the inputs.
  void checkInputTypes(const MeanVarFunction *function) const;

  std::vector<MeanVarTensor>
  makeInputTensors(const MeanVarFunction *function) const;

  void computeOutputShapes(const MeanVarFunction *function);

  /// Adds output `index`: the caller's, or a new one where `given` is none.
  void addOutput(const MeanVarValue *value, size_t index,
                 nanobind::handle given, const ArgumentName &name);

  void checkOutputsAreApart() const;

  /// Whether the function may write to `output` itself.
  bool isUsable(const ArrayArgument &output) const;

  /// Copies what is not dense, runs the function and copies back. Needs no GIL.
  MeanVarStatus runOnDenseArrays(const MeanVarFunction *function,
                                 std::string &message);

  nanobind::object takeResult(size_t index);

  std::vector<ArrayArgument> inputs;
  /// The first input that came through DLPack, if any.
  nanobind::handle foreignInput;
  std::vector<std::vector<int64_t>> outputShapes;
  std::vector<Output> outputs;
};

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_TENSORCALL_H
