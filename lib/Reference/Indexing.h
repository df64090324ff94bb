//===- Indexing.h - Indices of dense tensors --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_REFERENCE_INDEXING_H
#define MEANVAR_LIB_REFERENCE_INDEXING_H

#include "meanvar/TensorIO/HostTensor.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::meanvar {

/// Calls `function(index)` for every index of `shape` in row-major order.
template <typename Function>
void forEachIndex(ArrayRef<int64_t> shape, Function function) {
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

/// Returns the position of an index in row-major order.
inline int64_t getPosition(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [coordinate, size] : llvm::zip_equal(index, shape))
    position = position * size + coordinate;
  return position;
}

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_REFERENCE_INDEXING_H
