//===- ReleasedLock.cpp - Work without the interpreter --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReleasedLock.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

using namespace meanvar::python;

static std::atomic<bool> isClosed = false;
/// The threads that have seen `isClosed` unset and wait for the lock. Ordered
/// after it: who is not counted here sees it set.
static std::atomic<unsigned> numReturning = 0;

ReleasedLock::~ReleasedLock() {
  ++numReturning;
  if (isClosed) {
    --numReturning;
    while (true)
      pause();
  }
  PyEval_RestoreThread(state);
  --numReturning;
}

void meanvar::python::closeReleasedLocks() {
  isClosed = true;
  PyThreadState *state = PyEval_SaveThread();
  while (numReturning != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}
