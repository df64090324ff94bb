//===- StridedCopy.cpp - Copies between arrays ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"
#include "NumPy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace meanvar::python;

namespace {
/// One dimension of both arrays, with strides in bytes.
struct Loop {
  int64_t size;
  int64_t targetStride;
  int64_t sourceStride;
};
} // namespace

/// A square of as many elements a side has a few cache lines of both arrays.
static constexpr int64_t blockSize = 16;

/// Copies elements of a size that is a constant, so that each is one load and
/// one store, aligned or not.
template <size_t size>
static void copyRow(char *target, const char *source, const Loop &loop) {
  for (int64_t i = 0; i < loop.size; ++i)
    std::memcpy(target + i * loop.targetStride, source + i * loop.sourceStride,
                size);
}

/// Copies along two loops in blocks: one array is dense along the first, the
/// other along the second.
template <size_t size>
static void copyBlocks(char *target, const char *source, const Loop &outer,
                       const Loop &inner) {
  for (int64_t i = 0; i < outer.size; i += blockSize)
    for (int64_t j = 0; j < inner.size; j += blockSize) {
      Loop row = {std::min(blockSize, inner.size - j), inner.targetStride,
                  inner.sourceStride};
      for (int64_t k = i; k < std::min(i + blockSize, outer.size); ++k)
        copyRow<size>(target + k * outer.targetStride + j * inner.targetStride,
                      source + k * outer.sourceStride + j * inner.sourceStride,
                      row);
    }
}

template <size_t size>
static void copyLoops(char *target, const char *source, const Loop *loops,
                      size_t count) {
  if (count == 0) {
    std::memcpy(target, source, size);
  } else if (count == 1) {
    const Loop &loop = loops[0];
    if (loop.targetStride == size && loop.sourceStride == size)
      std::memcpy(target, source, static_cast<size_t>(loop.size) * size);
    else
      copyRow<size>(target, source, loop);
  } else if (count == 2 && loops[1].sourceStride != loops[1].targetStride) {
    copyBlocks<size>(target, source, loops[0], loops[1]);
  } else {
    for (int64_t i = 0; i < loops[0].size; ++i)
      copyLoops<size>(target + i * loops[0].targetStride,
                      source + i * loops[0].sourceStride, loops + 1, count - 1);
  }
}

/// Moves the loop with the smallest stride, read by `getStride`, to the end.
template <typename GetStride>
static void moveDensestLast(std::vector<Loop> &loops, GetStride getStride) {
  auto densest = std::min_element(
      loops.begin(), loops.end(), [&](const Loop &lhs, const Loop &rhs) {
        return std::abs(getStride(lhs)) < std::abs(getStride(rhs));
      });
  if (densest != loops.end())
    std::rotate(densest, densest + 1, loops.end());
}

static void copyElements(char *target, const int64_t *targetStrides,
                         const char *source, const int64_t *sourceStrides,
                         const ArrayArgument &shaped) {
  std::vector<Loop> loops;
  for (size_t dim = 0; dim < shaped.getRank(); ++dim) {
    int64_t size = shaped.getShape()[dim];
    if (size == 0)
      return;
    if (size != 1)
      loops.push_back({size, targetStrides[dim], sourceStrides[dim]});
  }
  moveDensestLast(loops, [](const Loop &loop) { return loop.sourceStride; });
  moveDensestLast(loops, [](const Loop &loop) { return loop.targetStride; });
  switch (getElementSize(shaped.getElementType())) {
  case 1:
    return copyLoops<1>(target, source, loops.data(), loops.size());
  case 2:
    return copyLoops<2>(target, source, loops.data(), loops.size());
  case 4:
    return copyLoops<4>(target, source, loops.data(), loops.size());
  default:
    return copyLoops<8>(target, source, loops.data(), loops.size());
  }
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

void meanvar::python::copyToDense(const ArrayArgument &source, char *target) {
  copyElements(target, getDenseStrides(source).data(), source.getData(),
               source.getStrides(), source);
}

void meanvar::python::copyFromDense(const char *source,
                                    const ArrayArgument &target) {
  copyElements(target.getData(), target.getStrides(), source,
               getDenseStrides(target).data(), target);
}
