//===- CommandLine.cpp - Parsing of command lines -------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/CommandLine.h"
#include "meanvar/ToolSupport/StandardStreams.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;

void mlir::meanvar::removeCollidingOptions(llvm::ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (cl::Option *option = cl::getRegisteredOptions().lookup(name))
      option->removeArgument();
}

void mlir::meanvar::registerMLIROptions(cl::OptionCategory &category) {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  cl::HideUnrelatedOptions(category);
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (name.starts_with("mlir-"))
      option->setHiddenFlag(cl::NotHidden);
  cl::AddExtraVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "meanvar:\n  meanvar version " MEANVAR_VERSION "\n";
  });
}

Error mlir::meanvar::parseCommandLineOptions(int argc, char **argv,
                                             StringRef overview) {
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  StandardErrorCapture capture;
  bool succeeded = cl::ParseCommandLineOptions(argc, argv, overview, &stream);
  // The errors of single options take no heed of the stream.
  messages += capture.finish();
  if (succeeded) {
    llvm::errs() << messages;
    return Error::success();
  }
  // The first message is enough; suggestions and others follow on new lines.
  // All start with the name of the program.
  std::string prefix = (llvm::sys::path::filename(argv[0]) + ": ").str();
  StringRef message = messages;
  message.consume_front(prefix);
  message = message.split("\n" + prefix).first.split("  Try:").first.rtrim();
  if (message.empty())
    return createStringError("invalid command line (see --help)");
  return createStringError(Twine(llvm::toLower(message.front())) +
                           message.drop_front() + " (see --help)");
}

Expected<std::string>
mlir::meanvar::getInputFile(llvm::ArrayRef<std::string> positional) {
  if (positional.empty() || positional[0].empty())
    return createStringError("no input file (see --help)");
  if (positional.size() > 1)
    return createStringError("'" + positional[1] +
                             "' is a second input file (allowed: one)");
  return positional[0];
}
