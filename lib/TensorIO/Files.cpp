//===- Files.cpp - Bounded reading and atomic writing ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::MemoryBuffer;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error createFileError(StringRef action, StringRef path,
                             std::error_code code) {
  return createStringError("cannot " + action + " '" + path +
                           "': " + code.message());
}

static Error createSizeError(StringRef path, uint64_t maxBytes) {
  return createStringError("cannot read '" + path + "': more than " +
                           llvm::Twine(maxBytes) + " bytes");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads a stream whose size is not known ahead, and which may never end.
static Expected<std::unique_ptr<MemoryBuffer>>
readStream(fs::file_t file, StringRef path, uint64_t maxBytes) {
  constexpr size_t chunkBytes = 64 << 10;
  llvm::SmallVector<char, 0> content;
  while (true) {
    size_t size = content.size();
    content.resize_for_overwrite(size + chunkBytes);
    Expected<size_t> count = fs::readNativeFile(
        file, llvm::MutableArrayRef<char>(content.data() + size, chunkBytes));
    if (!count)
      return createFileError("read", path,
                             llvm::errorToErrorCode(count.takeError()));
    content.truncate(size + *count);
    if (*count == 0)
      break;
    if (content.size() > maxBytes)
      return createSizeError(path, maxBytes);
  }
  return MemoryBuffer::getMemBufferCopy(
      StringRef(content.data(), content.size()), path);
}

static Expected<std::unique_ptr<MemoryBuffer>>
readOpenFile(fs::file_t file, StringRef path, uint64_t maxBytes) {
  fs::file_status status;
  if (std::error_code code = fs::status(file, status))
    return createFileError("read", path, code);
  if (status.type() == fs::file_type::directory_file)
    return createFileError("read", path,
                           std::make_error_code(std::errc::is_a_directory));
  if (status.type() != fs::file_type::regular_file)
    return readStream(file, path, maxBytes);
  if (status.getSize() > maxBytes)
    return createSizeError(path, maxBytes);
  auto buffer = MemoryBuffer::getOpenFile(file, path, status.getSize(),
                                          /*RequiresNullTerminator=*/true);
  if (!buffer)
    return createFileError("read", path, buffer.getError());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>>
mlir::meanvar::readFile(StringRef path, uint64_t maxBytes) {
  if (path == "-")
    return readOpenFile(fs::getStdinHandle(), "<stdin>", maxBytes);
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return createFileError("read", path,
                           llvm::errorToErrorCode(file.takeError()));
  auto buffer = readOpenFile(*file, path, maxBytes);
  if (std::error_code error = fs::closeFile(*file))
    return createFileError("read", path, error);
  return buffer;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Writes and flushes, and takes the error out of the stream, which would
/// otherwise end the process in its destructor.
static std::error_code writeStream(llvm::raw_fd_ostream &stream,
                                   const StagedFile::Writer &write) {
  write(stream);
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

static Error writeDirectly(StringRef path, const StagedFile::Writer &write) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code, fs::CD_OpenExisting);
  if (!code)
    code = writeStream(stream, write);
  if (code)
    return createFileError("write", path, code);
  return Error::success();
}

Expected<StagedFile> StagedFile::create(StringRef path, Writer write) {
  StagedFile file(path);
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && status.type() == fs::file_type::directory_file)
    return createFileError("write", path,
                           std::make_error_code(std::errc::is_a_directory));
  if (exists && status.type() != fs::file_type::regular_file) {
    file.write = std::move(write);
    return file;
  }

  // A symbolic link stays: what it points to is replaced.
  llvm::SmallString<256> target(path);
  if (exists)
    if (std::error_code code = fs::real_path(path, target))
      return createFileError("write", path, code);
  file.target = target.str().str();
  Expected<fs::TempFile> temporary = fs::TempFile::create(
      target + ".%%%%%%%%.tmp", fs::all_read | fs::all_write);
  if (!temporary)
    return createFileError("write", path,
                           llvm::errorToErrorCode(temporary.takeError()));
  file.temporary = std::make_unique<fs::TempFile>(std::move(*temporary));
  llvm::raw_fd_ostream stream(file.temporary->FD, /*shouldClose=*/false);
  if (std::error_code code = writeStream(stream, write))
    return createFileError("write", path, code);
  return file;
}

StagedFile::~StagedFile() {
  if (temporary)
    llvm::consumeError(temporary->discard());
}

Error StagedFile::commit() {
  if (isDirect())
    return writeDirectly(path, write);
  if (Error error = temporary->keep(target))
    return createFileError("write", path,
                           llvm::errorToErrorCode(std::move(error)));
  temporary.reset();
  return Error::success();
}

Error mlir::meanvar::writeFileAtomically(StringRef path,
                                         StagedFile::Writer write) {
  Expected<StagedFile> file = StagedFile::create(path, std::move(write));
  if (!file)
    return file.takeError();
  return file->commit();
}
