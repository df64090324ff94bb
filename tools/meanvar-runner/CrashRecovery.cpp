//===- CrashRecovery.cpp - Failures of the process as errors --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashRecovery.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/thread.h"

#include <csignal>
#include <memory>

using namespace mlir::meanvar;

/// Recursion in MLIR follows the nesting of the input, which is limited; this
/// leaves far more than 100 KiB for each level.
static constexpr unsigned stackBytes = 64 << 20;
static constexpr size_t signalStackBytes = 256 << 10;

/// Makes the handlers that CrashRecoveryContext has installed run on a stack of
/// their own: on a stack that has overflowed they could not even start.
static void useSignalStackForHandlers() {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) != 0)
      continue;
    action.sa_flags |= SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

namespace {
/// Gives the current thread a stack for signal handlers, as long as it lives.
class SignalStack {
public:
  SignalStack() : memory(std::make_unique<char[]>(signalStackBytes)) {
    stack_t stack = {};
    stack.ss_sp = memory.get();
    stack.ss_size = signalStackBytes;
    sigaltstack(&stack, &previous);
  }
  ~SignalStack() { sigaltstack(&previous, nullptr); }

private:
  std::unique_ptr<char[]> memory;
  stack_t previous = {};
};
} // namespace

bool mlir::meanvar::runWithCrashRecovery(llvm::function_ref<void()> action) {
  llvm::CrashRecoveryContext::Enable();
  useSignalStackForHandlers();
  bool succeeded = false;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] {
    SignalStack signalStack;
    llvm::CrashRecoveryContext context;
    succeeded = context.RunSafely(action);
  });
  worker.join();
  return succeeded;
}
