//===- StandardStreams.cpp - Standard output and error --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/StandardStreams.h"
#include "meanvar/ToolSupport/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>

using namespace mlir::meanvar;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Standard output
//===----------------------------------------------------------------------===//

Error mlir::meanvar::flushStandardOutput() {
  llvm::raw_fd_ostream &stream = llvm::outs();
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  if (code)
    return llvm::createStringError("cannot write to standard output: " +
                                   code.message());
  return Error::success();
}

void mlir::meanvar::checkStandardOutputAtExit() {
  // What is constructed before a handler is registered lives until it has run.
  llvm::outs();
  llvm::errs();
  std::atexit([] {
    if (Error error = flushStandardOutput()) {
      printError(std::move(error));
      std::_Exit(EXIT_FAILURE);
    }
  });
}

//===----------------------------------------------------------------------===//
// Standard error
//===----------------------------------------------------------------------===//

/// The capture that goes on, if any.
static StandardErrorCapture *activeCapture = nullptr;

StandardErrorCapture::StandardErrorCapture() {
  savedDescriptor = dup(STDERR_FILENO);
  if (savedDescriptor < 0)
    return;
  file = std::tmpfile();
  if (!file || dup2(fileno(file), STDERR_FILENO) < 0) {
    restore();
    return;
  }
  activeCapture = this;
  std::atexit([] {
    if (activeCapture)
      llvm::errs() << activeCapture->finish();
  });
}

StandardErrorCapture::~StandardErrorCapture() { restore(); }

void StandardErrorCapture::restore() {
  activeCapture = nullptr;
  if (savedDescriptor >= 0) {
    dup2(savedDescriptor, STDERR_FILENO);
    close(savedDescriptor);
    savedDescriptor = -1;
  }
  if (file)
    std::fclose(file);
  file = nullptr;
}

std::string StandardErrorCapture::finish() {
  std::string text;
  if (file && std::fseek(file, 0, SEEK_SET) == 0) {
    char buffer[4096];
    while (size_t count = std::fread(buffer, 1, sizeof(buffer), file))
      text.append(buffer, count);
  }
  restore();
  return text;
}
