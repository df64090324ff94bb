//===- ProgressLineTest.cpp - Tests of progress in a terminal -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/ProgressLine.h"
#include "meanvar/ToolSupport/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <optional>
#include <pty.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::meanvar;
using std::chrono::hours;
using std::chrono::seconds;

namespace {
/// A terminal, and what has been written to it.
class Terminal {
public:
  Terminal() {
    if (openpty(&reader, &writer, nullptr, nullptr, nullptr) != 0)
      ADD_FAILURE() << "no terminal can be had";
    stream.emplace(writer, /*shouldClose=*/true);
  }
  ~Terminal() { close(reader); }

  llvm::raw_fd_ostream &getStream() { return *stream; }

  /// Returns what has been written, and ends the terminal.
  std::string read() {
    *stream << "!";
    stream->flush();
    std::string text;
    char c;
    while (::read(reader, &c, 1) == 1 && c != '!')
      text += c;
    return text;
  }

private:
  int reader = -1, writer = -1;
  std::optional<llvm::raw_fd_ostream> stream;
};
} // namespace

TEST(ProgressLineTest, OverwritesItself) {
  Terminal terminal;
  {
    ProgressLine line(terminal.getStream(), seconds(0), seconds(0));
    line.show("one");
    line.show("two");
    line.clear();
    line.clear();
    line.show("three");
  }
  EXPECT_EQ(terminal.read(),
            "\r\x1b[Kone\r\x1b[Ktwo\r\x1b[K\r\x1b[Kthree\r\x1b[K");
}

TEST(ProgressLineTest, ShowsNothingOfWhatIsDoneAtOnce) {
  Terminal terminal;
  {
    ProgressLine line(terminal.getStream(), hours(1), seconds(0));
    line.show("one");
  }
  EXPECT_EQ(terminal.read(), "");
}

TEST(ProgressLineTest, ShowsFewLines) {
  Terminal terminal;
  {
    ProgressLine line(terminal.getStream(), seconds(0), hours(1));
    line.show("one");
    line.show("two");
  }
  EXPECT_EQ(terminal.read(), "\r\x1b[Kone\r\x1b[K");
}

TEST(ProgressLineTest, ShowsPasses) {
  Terminal terminal;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  {
    ProgressLine line(terminal.getStream(), seconds(0), seconds(0));
    PassManager passes(&context);
    showPasses(passes, line);
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    ASSERT_TRUE(succeeded(passes.run(*module)));
    ProgressLine::clearCurrent();
  }
  EXPECT_EQ(terminal.read(), "\r\x1b[Krunning canonicalize\r\x1b[Krunning cse"
                             "\r\x1b[K");
}

TEST(ProgressLineTest, KeepsOutOfPipes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    llvm::raw_fd_ostream stream(ends[1], /*shouldClose=*/true);
    ProgressLine line(stream, seconds(0), seconds(0));
    line.show("one");
  }
  char c;
  EXPECT_EQ(read(ends[0], &c, 1), 0);
  close(ends[0]);
}
