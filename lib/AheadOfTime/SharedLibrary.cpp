//===- SharedLibrary.cpp - Linking compiled code --------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/AheadOfTime/SharedLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;

static llvm::Error makeFileError(StringRef what, std::error_code code) {
  return createStringError("cannot " + what +
                           " a temporary file: " + code.message());
}

/// Returns what a program has written to the file `path`, on one line.
static std::string readMessages(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
}

/// Runs `cc` on files.
static llvm::Error runCompiler(StringRef object, StringRef library,
                               bool hasThreads) {
  auto compiler = llvm::sys::findProgramByName("cc");
  if (!compiler)
    return createStringError(
        "a shared library needs the C compiler 'cc', which is "
        "not in the path (allowed: an object)");
  llvm::SmallString<128> messages;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("meanvar", "txt", messages))
    return makeFileError("create", code);
  llvm::FileRemover messagesRemover(messages);
  llvm::SmallVector<StringRef> arguments{*compiler, "-shared", "-o",
                                         library,   object,    "-lm"};
  if (hasThreads)
    arguments.push_back("-l:libomp.so.5");
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(messages),
                                          StringRef(messages)};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(*compiler, arguments, std::nullopt,
                                         redirects, 0, 0, &error);
  if (status == 0)
    return llvm::Error::success();
  if (error.empty())
    error = readMessages(messages);
  return createStringError("'" + *compiler + "' cannot link: " + error);
}

Expected<llvm::SmallVector<char, 0>>
mlir::meanvar::linkSharedLibrary(llvm::ArrayRef<char> object,
                                 const llvm::Triple &triple, bool hasThreads) {
  llvm::Triple host(llvm::sys::getProcessTriple());
  if (triple.getArch() != host.getArch() || triple.getOS() != host.getOS())
    return createStringError("a shared library is linked for " + host.str() +
                             " only (allowed: an object, and a linker of " +
                             triple.str() + ")");
  llvm::SmallString<128> objectPath, libraryPath;
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "meanvar", "o", descriptor, objectPath))
    return makeFileError("create", code);
  llvm::FileRemover objectRemover(objectPath);
  {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream.write(object.data(), object.size());
    stream.close();
    if (stream.has_error()) {
      std::error_code code = stream.error();
      stream.clear_error();
      return makeFileError("write", code);
    }
  }
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("meanvar", "so", libraryPath))
    return makeFileError("create", code);
  llvm::FileRemover libraryRemover(libraryPath);
  if (llvm::Error error = runCompiler(objectPath, libraryPath, hasThreads))
    return std::move(error);
  auto library = llvm::MemoryBuffer::getFile(libraryPath);
  if (!library)
    return makeFileError("read", library.getError());
  StringRef bytes = (*library)->getBuffer();
  return llvm::SmallVector<char, 0>(bytes.begin(), bytes.end());
}
