//===- StridedCopy.cpp - Copies between arrays ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"
#include "NumPy.h"

#include <cstring>

using namespace meanvar::python;

namespace {
/// One of the two arrays: its first element and its strides in bytes.
struct Side {
  char *data;
  const int64_t *strides;
};
} // namespace

/// The innermost loop. The size is a constant, so that it compiles to one load
/// and one store an element, aligned or not.
template <size_t size>
static void copyElements(char *target, int64_t targetStride, const char *source,
                         int64_t sourceStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * targetStride, source + i * sourceStride, size);
}

static void copyRow(char *target, int64_t targetStride, const char *source,
                    int64_t sourceStride, int64_t count, size_t size) {
  auto dense = static_cast<int64_t>(size);
  if (targetStride == dense && sourceStride == dense) {
    std::memcpy(target, source, static_cast<size_t>(count) * size);
    return;
  }
  auto *copy = size == 1   ? copyElements<1>
               : size == 2 ? copyElements<2>
               : size == 4 ? copyElements<4>
                           : copyElements<8>;
  copy(target, targetStride, source, sourceStride, count);
}

static void copyDimensions(Side target, Side source, const int64_t *shape,
                           size_t rank, size_t size) {
  if (rank == 0) {
    std::memcpy(target.data, source.data, size);
    return;
  }
  if (rank == 1) {
    copyRow(target.data, target.strides[0], source.data, source.strides[0],
            shape[0], size);
    return;
  }
  for (int64_t i = 0; i < shape[0]; ++i)
    copyDimensions({target.data + i * target.strides[0], target.strides + 1},
                   {source.data + i * source.strides[0], source.strides + 1},
                   shape + 1, rank - 1, size);
}

static std::vector<int64_t> getDenseStrides(const ArrayArgument &array) {
  std::vector<int64_t> strides(array.getRank());
  auto stride = static_cast<int64_t>(getElementSize(array.getElementType()));
  for (size_t dim = array.getRank(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= array.getShape()[dim];
  }
  return strides;
}

static bool isEmpty(const ArrayArgument &array) {
  for (size_t dim = 0; dim < array.getRank(); ++dim)
    if (array.getShape()[dim] == 0)
      return true;
  return false;
}

void meanvar::python::copyToDense(const ArrayArgument &source, char *target) {
  if (isEmpty(source))
    return;
  std::vector<int64_t> strides = getDenseStrides(source);
  copyDimensions({target, strides.data()},
                 {source.getData(), source.getStrides()}, source.getShape(),
                 source.getRank(), getElementSize(source.getElementType()));
}

void meanvar::python::copyFromDense(const char *source,
                                    const ArrayArgument &target) {
  if (isEmpty(target))
    return;
  std::vector<int64_t> strides = getDenseStrides(target);
  copyDimensions({target.getData(), target.getStrides()},
                 {const_cast<char *>(source), strides.data()},
                 target.getShape(), target.getRank(),
                 getElementSize(target.getElementType()));
}
