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
TEST(GuardedHeapTest, AllocatesAndFrees) {
  for (GuardedSide side : {GuardedSide::Begin, GuardedSide::End}) {
    GuardedHeap &heap = GuardedHeap::get(side);
    HeapFunctions functions = heap.getFunctions();
    for (size_t size : {0, 1, 15, 16, 100, 4096, 10000}) {
      void *first = functions.malloc(size);
      void *second = functions.calloc(size, 2);
      ASSERT_TRUE(first && second && first != second);
      EXPECT_EQ(heap.getNumBlocks(), 2u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 16, 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % 16, 0u);
      std::memset(first, 1, size);
      EXPECT_TRUE(heap.contains(first));
      functions.free(first);
      functions.free(second);
      EXPECT_FALSE(heap.contains(first));
    }
    EXPECT_EQ(heap.getNumBlocks(), 0u);
    EXPECT_TRUE(heap.isPaddingIntact());
  }
}

TEST(GuardedHeapTest, ClearsMemory) {
  GuardedHeap &heap = GuardedHeap::get(GuardedSide::End);
  HeapFunctions functions = heap.getFunctions();
  auto *block = static_cast<char *>(functions.calloc(3, 5));
  for (int i = 0; i < 15; ++i)
    EXPECT_EQ(block[i], 0);
  heap.deallocate(block);
  EXPECT_EQ(functions.calloc(size_t(1) << 40, size_t(1) << 40), nullptr);
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
