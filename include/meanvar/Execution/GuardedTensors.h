//===- GuardedTensors.h - A call's tensors in guarded memory ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_GUARDEDTENSORS_H
#define MEANVAR_EXECUTION_GUARDEDTENSORS_H

#include "meanvar/Execution/CompiledModule.h"
#include "meanvar/Execution/GuardedBuffer.h"
#include "meanvar/Execution/GuardedHeap.h"

namespace mlir::meanvar {

/// The inputs and outputs of one call in guarded buffers, those of inputs
/// protected from writes. Temporaries are on `heap`, where the function was
/// compiled for that.
class GuardedTensors {
public:
  GuardedTensors(GuardedSide side, const GuardedHeap &heap)
      : side(side), heap(heap) {}

  /// Runs the function on copies of `inputs` and returns its outputs. Fails,
  /// naming the place, also where it has written beside a tensor or has not
  /// freed a temporary.
  llvm::Expected<std::vector<HostTensor>>
  run(const CompiledFunction &function, llvm::ArrayRef<TensorView> inputs);

  /// Says what an access to `address`, on which the call crashed, did. Returns
  /// an empty string where the address has nothing to do with its tensors.
  std::string describeFault(const void *address) const;

private:
  struct Entry {
    GuardedBuffer buffer;
    std::string name;
    bool isInput;
  };

  /// Adds a buffer for a tensor of the type and returns its view.
  llvm::Expected<TensorView> add(ElementKind kind,
                                 llvm::ArrayRef<int64_t> shape,
                                 std::string name, bool isInput);
  llvm::Expected<llvm::SmallVector<TensorView>>
  addInputs(llvm::ArrayRef<TensorView> inputs,
            const FunctionSignature &signature);
  llvm::Error checkPadding() const;
  llvm::Error checkHeap() const;

  GuardedSide side;
  const GuardedHeap &heap;
  std::vector<Entry> entries;
};

} // namespace mlir::meanvar

#endif // MEANVAR_EXECUTION_GUARDEDTENSORS_H
