//===- GuardedBuffer.h - Memory beside inaccessible pages -------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_GUARDEDBUFFER_H
#define MEANVAR_EXECUTION_GUARDEDBUFFER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/Memory.h"

#include <cstddef>
#include <cstdint>

namespace mlir::meanvar {

/// The side of a guarded buffer that borders an inaccessible page directly.
enum class GuardedSide { Begin, End };

/// Memory for tests of compiled code: an access beyond the guarded side ends in
/// a signal. Beyond the other side is padding up to the next page, whose bytes
/// are known, and then another inaccessible page. An empty buffer has no
/// padding.
class GuardedBuffer {
public:
  /// Allocates `numBytes` bytes; they and the padding have the value `fill`
  /// each. The default makes a NaN of every element of a float type. At
  /// GuardedSide::End the data is aligned to any element size that divides
  /// `numBytes`, at GuardedSide::Begin to a page. Fails when memory is short.
  static llvm::Expected<GuardedBuffer> create(size_t numBytes, GuardedSide side,
                                              uint8_t fill = 0xFF);

  std::byte *getData() const { return data; }
  size_t getNumBytes() const { return numBytes; }

  /// Makes writes to the buffer and its padding end in a signal, too.
  llvm::Error protectFromWrites();

  /// Returns false if a byte of the padding has changed.
  bool isPaddingIntact() const;

  /// Returns true for addresses in the data, the padding and the pages on both
  /// sides.
  bool contains(const void *address) const;

private:
  GuardedBuffer() = default;

  /// The pages between the two inaccessible ones.
  llvm::sys::MemoryBlock getAccessiblePages() const;

  llvm::sys::OwningMemoryBlock mapping;
  size_t pageSize = 0;
  std::byte *data = nullptr;
  size_t numBytes = 0;
  uint8_t fill = 0;
};

} // namespace mlir::meanvar

#endif // MEANVAR_EXECUTION_GUARDEDBUFFER_H
