//===- ProgressLine.h - What a tool is doing --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models of thousands of nodes take minutes to compile. A terminal then shows
// which pass is running; files and pipes never get such lines.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_PROGRESSLINE_H
#define MEANVAR_TOOLSUPPORT_PROGRESSLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace mlir {
class PassManager;

namespace meanvar {

/// One line of a terminal, which it overwrites and leaves empty.
class ProgressLine {
public:
  using Clock = std::chrono::steady_clock;

  /// Shows nothing before `delay` has passed, and only one line in `interval`.
  explicit ProgressLine(
      llvm::raw_fd_ostream &stream = llvm::errs(),
      Clock::duration delay = std::chrono::seconds(2),
      Clock::duration interval = std::chrono::milliseconds(100));
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  /// Says what is being done from now on.
  void show(const llvm::Twine &work);

  /// Empties the line until something is shown again, for other output.
  void clear();

  /// Does so for the line of this process, if there is one.
  static void clearCurrent();

private:
  llvm::raw_fd_ostream &stream;
  Clock::duration interval;
  Clock::time_point next;
  bool isTerminal;
  bool isShown = false;
};

/// Has `passes` show which of them is running. `line` outlives them.
void showPasses(PassManager &passes, ProgressLine &line);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_TOOLSUPPORT_PROGRESSLINE_H
