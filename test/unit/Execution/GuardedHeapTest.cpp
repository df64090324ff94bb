//===- GuardedHeapTest.cpp - Tests of guarded temporaries -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/GuardedHeap.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>

using namespace mlir::meanvar;

namespace {
template <typename Function>
Function *getFunction(const GuardedHeap &heap, llvm::StringRef name) {
  return reinterpret_cast<Function *>(heap.getFunctions().lookup(name));
}

TEST(GuardedHeapTest, AllocatesAndFrees) {
  for (GuardedSide side : {GuardedSide::Begin, GuardedSide::End}) {
    GuardedHeap &heap = GuardedHeap::get(side);
    auto *allocate = getFunction<void *(size_t)>(heap, "malloc");
    auto *allocateAligned =
        getFunction<void *(size_t, size_t)>(heap, "aligned_alloc");
    auto *deallocate = getFunction<void(void *)>(heap, "free");
    for (size_t size : {0, 1, 15, 16, 100, 4096, 10000}) {
      void *first = allocate(size);
      void *second = allocateAligned(64, (size + 63) / 64 * 64);
      ASSERT_TRUE(first && second && first != second);
      EXPECT_EQ(heap.getNumBlocks(), 2u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 16, 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % 16, 0u);
      std::memset(first, 1, size);
      EXPECT_TRUE(heap.contains(first));
      deallocate(first);
      deallocate(second);
      EXPECT_FALSE(heap.contains(first));
    }
    EXPECT_EQ(heap.getNumBlocks(), 0u);
    EXPECT_TRUE(heap.isPaddingIntact());
  }
}

TEST(GuardedHeapTest, ClearsMemory) {
  GuardedHeap &heap = GuardedHeap::get(GuardedSide::End);
  auto *allocateZeros = getFunction<void *(size_t, size_t)>(heap, "calloc");
  auto *block = static_cast<char *>(allocateZeros(3, 5));
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(block[i], 0);
  heap.deallocate(block);
  EXPECT_EQ(allocateZeros(size_t(1) << 40, size_t(1) << 40), nullptr);
}

TEST(GuardedHeapTest, ReturnsNullWhenMemoryIsShort) {
  GuardedHeap &heap = GuardedHeap::get(GuardedSide::End);
  EXPECT_EQ(heap.allocate(size_t(1) << 60), nullptr);
  EXPECT_EQ(heap.allocate(SIZE_MAX), nullptr);
}

TEST(GuardedHeapTest, LeavesOtherPointersToC) {
  GuardedHeap &heap = GuardedHeap::get(GuardedSide::End);
  heap.deallocate(nullptr);
  heap.deallocate(std::malloc(8));
  EXPECT_TRUE(heap.isPaddingIntact());
}
} // namespace
