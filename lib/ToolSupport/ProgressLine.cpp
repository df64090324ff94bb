//===- ProgressLine.cpp - What a tool is doing ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/ProgressLine.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::meanvar;

/// What empties a line of a terminal.
static constexpr llvm::StringLiteral eraseLine = "\r\x1b[K";

/// The line of this process. Tools work on one thread.
static ProgressLine *current = nullptr;

ProgressLine::ProgressLine(llvm::raw_fd_ostream &stream, Clock::duration delay,
                           Clock::duration interval)
    : stream(stream), interval(interval), next(Clock::now() + delay),
      isTerminal(stream.is_displayed()) {
  current = this;
}

ProgressLine::~ProgressLine() {
  clear();
  current = nullptr;
}

void ProgressLine::show(const llvm::Twine &work) {
  if (!isTerminal)
    return;
  Clock::time_point now = Clock::now();
  if (now < next)
    return;
  next = now + interval;
  isShown = true;
  stream << eraseLine << work;
  stream.flush();
}

void ProgressLine::clear() {
  if (!isShown)
    return;
  isShown = false;
  stream << eraseLine;
  stream.flush();
}

void ProgressLine::clearCurrent() {
  if (current)
    current->clear();
}

namespace {
class PassProgress : public PassInstrumentation {
public:
  explicit PassProgress(ProgressLine &line) : line(line) {}

  void runBeforePass(Pass *pass, Operation *) override {
    // Pipelines of passes have no argument.
    if (!pass->getArgument().empty())
      line.show("running " + pass->getArgument());
  }

private:
  ProgressLine &line;
};
} // namespace

void mlir::meanvar::showPasses(PassManager &passes, ProgressLine &line) {
  passes.addInstrumentation(std::make_unique<PassProgress>(line));
}
