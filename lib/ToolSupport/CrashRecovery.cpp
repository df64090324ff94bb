//===- CrashRecovery.cpp - Failures of the process as errors --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/CrashRecovery.h"
#include "meanvar/Compiler/ParseModule.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/thread.h"

#include <atomic>
#include <csignal>
#include <memory>

using namespace mlir::meanvar;

static constexpr size_t signalStackBytes = 256 << 10;

static std::atomic<const void *> faultAddress = nullptr;
static_assert(decltype(faultAddress)::is_always_lock_free,
              "signal handlers take no locks");

/// What CrashRecoveryContext has installed for all signals of its own.
static void (*recoveryHandler)(int) = SIG_DFL;

static void recordFaultAndRecover(int signal, siginfo_t *info, void *) {
  faultAddress = info->si_addr;
  recoveryHandler(signal);
}

/// Makes the handlers that CrashRecoveryContext has installed run on a stack of
/// their own: on a stack that has overflowed they could not even start. Has
/// those for bad accesses record the address, too.
static void adaptHandlers() {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) != 0)
      continue;
    action.sa_flags |= SA_ONSTACK;
    bool isAdapted = action.sa_flags & SA_SIGINFO;
    if ((signal == SIGBUS || signal == SIGSEGV) && !isAdapted) {
      recoveryHandler = action.sa_handler;
      action.sa_flags |= SA_SIGINFO;
      action.sa_sigaction = recordFaultAndRecover;
    }
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
  adaptHandlers();
  faultAddress = nullptr;
  bool succeeded = false;
  llvm::thread worker(std::optional<unsigned>(recursionStackBytes), [&] {
    SignalStack signalStack;
    llvm::CrashRecoveryContext context;
    succeeded = context.RunSafely(action);
  });
  worker.join();
  return succeeded;
}

const void *mlir::meanvar::getFaultAddress() { return faultAddress; }
