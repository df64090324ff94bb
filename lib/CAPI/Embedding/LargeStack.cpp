//===- LargeStack.cpp - Recursion independent of the caller ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LargeStack.h"

#include <csignal>
#include <pthread.h>
#include <system_error>

using namespace mlir::meanvar;
using llvm::Error;

static void *runAction(void *action) {
  (*static_cast<llvm::function_ref<void()> *>(action))();
  return nullptr;
}

Error mlir::meanvar::runOnLargeStack(size_t numBytes,
                                     llvm::function_ref<void()> action) {
  // Signals of the process stay with the threads of the caller.
  sigset_t all, previous;
  sigfillset(&all);
  for (int fault : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    sigdelset(&all, fault);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  int error = pthread_attr_setstacksize(&attributes, numBytes);
  if (error == 0) {
    pthread_sigmask(SIG_BLOCK, &all, &previous);
    error = pthread_create(&thread, &attributes, runAction, &action);
    pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  }
  pthread_attr_destroy(&attributes);
  if (error != 0)
    return llvm::createStringError(
        "cannot start a thread with a stack of " + llvm::Twine(numBytes) +
        " bytes: " + std::generic_category().message(error));
  pthread_join(thread, nullptr);
  return Error::success();
}
