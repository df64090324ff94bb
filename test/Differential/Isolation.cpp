//===- Isolation.cpp - Cases in processes of their own --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isolation.h"

#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::meanvar;

/// A case may compute for so long. On a busy machine it may wait for longer,
/// but not for ever.
static constexpr unsigned computingSeconds = 120;
static constexpr unsigned waitingSeconds = 1200;

/// The whole life of the forked process.
[[noreturn]] static void
runChild(llvm::function_ref<llvm::Error(Tally &tally)> function, int channel) {
  rlimit limit{computingSeconds, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(waitingSeconds);
  Tally tally;
  std::string message = llvm::toString(function(tally));
  bool isWritten = write(channel, &tally, sizeof(tally)) == sizeof(tally) &&
                   write(channel, message.data(), message.size()) ==
                       static_cast<ssize_t>(message.size());
  // Nothing of the parent's is torn down.
  _exit(isWritten ? 0 : 1);
}

static std::string readAll(int channel) {
  std::string text;
  char buffer[4096];
  while (true) {
    ssize_t count = read(channel, buffer, sizeof(buffer));
    if (count <= 0)
      return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

IsolatedResult mlir::meanvar::runIsolated(
    llvm::function_ref<llvm::Error(Tally &tally)> function) {
  IsolatedResult result;
  int channel[2];
  if (pipe(channel) != 0)
    return {"no pipe to a new process", {}};
  pid_t process = fork();
  if (process == 0)
    runChild(function, channel[1]);
  close(channel[1]);
  std::string answer = readAll(channel[0]);
  close(channel[0]);
  int status = 0;
  if (process < 0 || waitpid(process, &status, 0) != process)
    return {"no new process", {}};
  if (WIFSIGNALED(status))
    return {std::string("ended by signal '") + strsignal(WTERMSIG(status)) +
                "'",
            {}};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
      answer.size() < sizeof(Tally))
    return {"ended with exit status " + std::to_string(WEXITSTATUS(status)),
            {}};
  std::memcpy(&result.tally, answer.data(), sizeof(Tally));
  result.message = answer.substr(sizeof(Tally));
  return result;
}
