//===- GuardedHeap.cpp - Temporaries of compiled code, guarded ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/GuardedHeap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace mlir::meanvar;

//===----------------------------------------------------------------------===//
// C's functions
//===----------------------------------------------------------------------===//

template <GuardedSide Side>
static void *allocateBytes(size_t numBytes) {
  return GuardedHeap::get(Side).allocate(numBytes);
}

template <GuardedSide Side>
static void *allocateZeros(size_t count, size_t size) {
  bool overflow = false;
  size_t numBytes = llvm::SaturatingMultiply(count, size, &overflow);
  void *block = overflow ? nullptr : allocateBytes<Side>(numBytes);
  if (block)
    std::memset(block, 0, numBytes);
  return block;
}

template <GuardedSide Side>
static void deallocateBytes(void *block) {
  GuardedHeap::get(Side).deallocate(block);
}

template <GuardedSide Side>
static HeapFunctions getFunctionsOf() {
  return {&allocateBytes<Side>, &allocateZeros<Side>, &deallocateBytes<Side>};
}

//===----------------------------------------------------------------------===//
// GuardedHeap
//===----------------------------------------------------------------------===//

GuardedHeap &GuardedHeap::get(GuardedSide side) {
  static GuardedHeap begin(GuardedSide::Begin), end(GuardedSide::End);
  return side == GuardedSide::Begin ? begin : end;
}

HeapFunctions GuardedHeap::getFunctions() const {
  return side == GuardedSide::Begin ? getFunctionsOf<GuardedSide::Begin>()
                                    : getFunctionsOf<GuardedSide::End>();
}

void *GuardedHeap::allocate(size_t numBytes) {
  // An empty block has an address of its own, too.
  size_t size =
      llvm::alignTo(std::max<size_t>(numBytes, 1), alignof(std::max_align_t));
  if (size < numBytes)
    return nullptr;
  auto buffer = GuardedBuffer::create(size, side);
  if (!buffer) {
    llvm::consumeError(buffer.takeError());
    return nullptr;
  }
  void *block = buffer->getData();
  std::lock_guard<std::mutex> lock(mutex);
  blocks.emplace(block, std::move(*buffer));
  return block;
}

void GuardedHeap::deallocate(void *block) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = blocks.find(block);
  if (found == blocks.end()) {
    std::free(block);
    return;
  }
  hasDamagedBlock |= !found->second.isPaddingIntact();
  blocks.erase(found);
}

size_t GuardedHeap::getNumBlocks() const {
  std::lock_guard<std::mutex> lock(mutex);
  return blocks.size();
}

bool GuardedHeap::isPaddingIntact() const {
  std::lock_guard<std::mutex> lock(mutex);
  return !hasDamagedBlock && llvm::all_of(blocks, [](const auto &block) {
    return block.second.isPaddingIntact();
  });
}

bool GuardedHeap::contains(const void *address) const {
  std::lock_guard<std::mutex> lock(mutex);
  return llvm::any_of(blocks, [&](const auto &block) {
    return block.second.contains(address);
  });
}
