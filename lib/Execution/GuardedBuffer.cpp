//===- GuardedBuffer.cpp - Memory beside inaccessible pages ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/GuardedBuffer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;
using llvm::sys::Memory;
using llvm::sys::MemoryBlock;

/// llvm::sys::Memory has no flags for memory that cannot even be read.
static std::error_code makeInaccessible(std::byte *page, size_t size) {
  if (mprotect(page, size, PROT_NONE) == 0)
    return {};
  return std::error_code(errno, std::generic_category());
}

static std::byte *getBytes(void *address) {
  return static_cast<std::byte *>(address);
}

Expected<GuardedBuffer> GuardedBuffer::create(size_t numBytes, GuardedSide side,
                                              uint8_t fill) {
  Expected<unsigned> pageSize = llvm::sys::Process::getPageSize();
  if (!pageSize)
    return pageSize.takeError();
  GuardedBuffer buffer;
  buffer.pageSize = *pageSize;
  buffer.numBytes = numBytes;
  buffer.fill = fill;

  size_t accessible = llvm::alignTo(numBytes, *pageSize);
  std::error_code error;
  buffer.mapping = llvm::sys::OwningMemoryBlock(Memory::allocateMappedMemory(
      accessible + 2 * buffer.pageSize, /*NearBlock=*/nullptr,
      Memory::MF_READ | Memory::MF_WRITE, error));
  if (error)
    return llvm::createStringError(error, "not enough memory for %zu bytes",
                                   numBytes);
  std::byte *first = getBytes(buffer.mapping.base()) + buffer.pageSize;
  std::byte *last = first + accessible;
  buffer.data = side == GuardedSide::Begin ? first : last - numBytes;
  std::memset(first, fill, accessible);
  for (std::byte *page : {first - buffer.pageSize, last})
    if ((error = makeInaccessible(page, buffer.pageSize)))
      return llvm::createStringError(error, "cannot protect a page");
  return buffer;
}

MemoryBlock GuardedBuffer::getAccessiblePages() const {
  return MemoryBlock(getBytes(mapping.base()) + pageSize,
                     mapping.allocatedSize() - 2 * pageSize);
}

Error GuardedBuffer::protectFromWrites() {
  return llvm::errorCodeToError(
      Memory::protectMappedMemory(getAccessiblePages(), Memory::MF_READ));
}

bool GuardedBuffer::isPaddingIntact() const {
  MemoryBlock pages = getAccessiblePages();
  std::byte *first = getBytes(pages.base());
  std::byte *last = first + pages.allocatedSize();
  auto isFill = [&](std::byte value) { return value == std::byte(fill); };
  return llvm::all_of(llvm::ArrayRef(first, data), isFill) &&
         llvm::all_of(llvm::ArrayRef(data + numBytes, last), isFill);
}

bool GuardedBuffer::contains(const void *address) const {
  const std::byte *first = getBytes(mapping.base());
  const auto *byte = static_cast<const std::byte *>(address);
  return byte >= first && byte < first + mapping.allocatedSize();
}
