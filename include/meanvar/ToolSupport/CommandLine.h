//===- CommandLine.h - Parsing of command lines -----------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tools share around LLVM's parser. Options are declared with cl::opt;
// numbers among them as text, because LLVM's own parsers report errors in their
// own way.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLSUPPORT_COMMANDLINE_H
#define MEANVAR_TOOLSUPPORT_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace mlir::meanvar {

/// Takes away options that libLLVM.so registers under `names` of ours: two of
/// one name would end the process at its start. To be called before the options
/// are declared.
void removeCollidingOptions(llvm::ArrayRef<llvm::StringRef> names);

/// Registers MLIR's options for printing, timing and reproducers, and a version
/// for `--version`; hides all others but those of `category`.
void registerMLIROptions(llvm::cl::OptionCategory &category);

/// Runs LLVM's parser and turns its first message into an error of one line.
/// `--help` and `--version` end the process.
llvm::Error parseCommandLineOptions(int argc, char **argv,
                                    llvm::StringRef overview);

/// Returns the only input file, or an error where there is none or another one.
llvm::Expected<std::string>
getInputFile(llvm::ArrayRef<std::string> positional);

/// Reads `text`, the value of option `name`, as a number from `minimum` to
/// `maximum`.
template <typename Integer>
llvm::Error parseInteger(llvm::StringRef name, llvm::StringRef text,
                         Integer minimum, Integer maximum, Integer &value) {
  if (text.getAsInteger(10, value) || value < minimum || value > maximum)
    return llvm::createStringError(
        "--" + name + "=" + text + " is not allowed (allowed: " +
        llvm::Twine(minimum) + " to " + llvm::Twine(maximum) + ")");
  return llvm::Error::success();
}

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLSUPPORT_COMMANDLINE_H
