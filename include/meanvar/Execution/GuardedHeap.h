//===- GuardedHeap.h - Temporaries of compiled code, guarded ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_GUARDEDHEAP_H
#define MEANVAR_EXECUTION_GUARDEDHEAP_H

#include "meanvar/Execution/CompiledModule.h"
#include "meanvar/Execution/GuardedBuffer.h"

#include <map>
#include <mutex>

namespace mlir::meanvar {

/// A heap for the temporaries of compiled code whose blocks are guarded
/// buffers. As alignment may round up the size that is asked for, an access
/// just behind a temporary may still fall into its block.
class GuardedHeap {
public:
  /// Returns the heap of this process whose blocks are guarded at `side`. There
  /// is one for each side: C's functions have no argument that could tell more.
  static GuardedHeap &get(GuardedSide side);

  /// Returns what CompileOptions::heap needs to make compiled code allocate
  /// here.
  HeapFunctions getFunctions() const;

  /// Allocates a block, aligned like that of malloc at least. Returns null when
  /// memory is short.
  void *allocate(size_t numBytes);

  /// Frees a block, after a look at its padding. A pointer that is not of this
  /// heap goes to C's own.
  void deallocate(void *block);

  /// Returns the number of blocks that have not been freed.
  size_t getNumBlocks() const;

  /// Returns false if the padding of a block, living or freed, was damaged.
  bool isPaddingIntact() const;

  /// Returns true for addresses in a living block or beside it.
  bool contains(const void *address) const;

private:
  explicit GuardedHeap(GuardedSide side) : side(side) {}

  GuardedSide side;
  mutable std::mutex mutex;
  std::map<void *, GuardedBuffer> blocks;
  bool hasDamagedBlock = false;
};

} // namespace mlir::meanvar

#endif // MEANVAR_EXECUTION_GUARDEDHEAP_H
