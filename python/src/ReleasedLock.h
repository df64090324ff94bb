//===- ReleasedLock.h - Work without the interpreter ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_RELEASEDLOCK_H
#define MEANVAR_PYTHON_RELEASEDLOCK_H

#include <nanobind/nanobind.h>

namespace meanvar::python {

/// Releases the global interpreter lock while it lives.
///
/// Unlike nanobind's, it is safe in daemon threads when the interpreter ends:
/// before Python 3.14 a thread that then wants the lock is unwound, which C++
/// answers by ending the process with an error. A thread that comes here too
/// late waits for the end of the process instead.
class ReleasedLock {
public:
  ReleasedLock() : state(PyEval_SaveThread()) {}
  ~ReleasedLock();
  ReleasedLock(const ReleasedLock &) = delete;
  ReleasedLock &operator=(const ReleasedLock &) = delete;

private:
  PyThreadState *state;
};

/// Keeps other threads from taking the lock back from now on, and waits for
/// those that are about to. To be called with the lock, at exit.
void closeReleasedLocks();

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_RELEASEDLOCK_H
