//===- AllocationRuntime.cpp - Memory of compiled code --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllocationRuntime.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

#include <csetjmp>
#include <cstdlib>

using namespace mlir::meanvar;
using llvm::orc::ExecutorAddr;
using llvm::orc::ExecutorSymbolDef;

namespace {
/// One call of compiled code on this thread.
struct RunningCall {
  const HeapFunctions *heap;
  std::jmp_buf start;
  llvm::SmallPtrSet<void *, 8> allocated;
  uint64_t failedBytes = 0;
};
} // namespace

static thread_local RunningCall *runningCall = nullptr;

/// Notes that the running call has allocated `memory`, or ends it for null.
static void *own(void *memory, uint64_t bytes) {
  if (!memory) {
    runningCall->failedBytes = bytes;
    // Compiled code has nothing to unwind: no frame of it owns anything.
    std::longjmp(runningCall->start, 1); // NOLINT(cert-err52-cpp)
  }
  runningCall->allocated.insert(memory);
  return memory;
}

static void *allocate(size_t bytes) {
  return own(runningCall->heap->malloc(bytes), bytes);
}

/// What LLVM makes of an allocation that is filled with zeros.
static void *allocateZeros(size_t count, size_t size) {
  return own(runningCall->heap->calloc(count, size),
             llvm::SaturatingMultiply(count, size));
}

static void release(void *memory) {
  runningCall->allocated.erase(memory);
  runningCall->heap->free(memory);
}

llvm::orc::SymbolMap mlir::meanvar::getAllocationRuntimeSymbols(
    llvm::orc::MangleAndInterner mangle) {
  auto flags = llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable;
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] =
        ExecutorSymbolDef(ExecutorAddr::fromPtr(function), flags);
  };
  add("malloc", &allocate);
  add("calloc", &allocateZeros);
  add("free", &release);
  return symbols;
}

/// Returns false if the call has been left early. A function of its own: no
/// variable changes between the two returns of setjmp.
static bool returnsFrom(RunningCall &running, llvm::function_ref<void()> call) {
  if (setjmp(running.start) != 0) // NOLINT(cert-err52-cpp)
    return false;
  call();
  return true;
}

std::optional<uint64_t>
mlir::meanvar::runWithAllocationRuntime(const HeapFunctions &heap,
                                        llvm::function_ref<void()> call) {
  RunningCall running;
  running.heap = &heap;
  RunningCall *outer = runningCall;
  runningCall = &running;
  bool isComplete = returnsFrom(running, call);
  runningCall = outer;
  if (isComplete)
    return std::nullopt;
  for (void *memory : running.allocated)
    heap.free(memory);
  return running.failedBytes;
}
