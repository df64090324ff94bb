//===- StandardStreams.h - Standard output and error ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_STANDARDSTREAMS_H
#define MEANVAR_TOOLSUPPORT_STANDARDSTREAMS_H

#include "llvm/Support/Error.h"

#include <cstdio>
#include <string>

namespace mlir::meanvar {

/// Writes what llvm::outs() holds back, and takes the error of anything written
/// so far out of it: left there, it would end the process.
llvm::Error flushStandardOutput();

/// Has the process fail with a line "error: ..." where standard output cannot
/// be written at its end, as after `--help`. To be called once.
void checkStandardOutputAtExit();

/// Keeps what is written to standard error, by whatever means, from its
/// construction to `finish`; not more than one at a time. Where the process
/// ends in between, standard error is restored first.
class StandardErrorCapture {
public:
  StandardErrorCapture();
  StandardErrorCapture(const StandardErrorCapture &) = delete;
  StandardErrorCapture &operator=(const StandardErrorCapture &) = delete;
  ~StandardErrorCapture();

  /// Restores standard error and returns what was written.
  std::string finish();

private:
  void restore();

  /// Null where nothing is captured, for lack of a temporary file.
  std::FILE *file = nullptr;
  int savedDescriptor = -1;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLSUPPORT_STANDARDSTREAMS_H
