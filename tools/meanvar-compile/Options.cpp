//===- Options.cpp - The command line of meanvar-compile ------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "meanvar/AheadOfTime/CInterface.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/ToolSupport/CommandLine.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;

static constexpr StringRef overview =
    R"(Compiles an MLIR module or ONNX model ahead of time

FILE is MLIR text (.mlir), MLIR bytecode (.mlirbc), an ONNX model (.onnx), or
'-' for standard input. Each public function with tensor results becomes, in C,

  PREFIX_NAME           computes outputs that the caller has allocated
  PREFIX_NAME_shape     checks the sizes of inputs and gives those of outputs
  PREFIX_NAME_message   explains the status that the other two return (in the header)

The code needs libc and libm; with --threads, LLVM's OpenMP library (libomp), too.

Examples
  meanvar-compile mvn.mlir -o mvn.o --header=mvn.h --target-cpu=x86-64-v3
  meanvar-compile model.onnx -o model.so --emit=shared --target-cpu=host
  meanvar-compile model.onnx -o model.o --target-triple=aarch64-linux-gnu
  meanvar-compile mvn.mlir -o - --emit=asm --target-cpu=host
)";

namespace {
struct CommandLine {
  cl::OptionCategory category{"meanvar-compile options"};

  /// A list, so that a second one can be named.
  cl::list<std::string> inputFiles{cl::Positional, cl::desc("FILE"),
                                   cl::cat(category)};
  cl::opt<std::string> outputFile{
      "o", cl::value_desc("OUT"), cl::cat(category),
      cl::desc("Output file, or '-' for standard output")};
  cl::opt<std::string> emit{
      "emit", cl::value_desc("KIND"), cl::init("obj"), cl::cat(category),
      cl::desc("What is written: obj (default), shared, asm, llvm or mlir")};
  cl::opt<std::string> header{"header", cl::value_desc("FILE.h"),
                              cl::cat(category),
                              cl::desc("C header of the functions")};
  cl::opt<std::string> prefix{
      "prefix", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("What the names of functions start with (default: the name of "
               "FILE without its directory and extension)")};
  cl::opt<std::string> targetTriple{
      "target-triple", cl::value_desc("TRIPLE"), cl::cat(category),
      cl::desc("Target to compile for, such as aarch64-linux-gnu (default: "
               "that of this host)")};
  cl::opt<std::string> targetCPU{
      "target-cpu", cl::value_desc("NAME"), cl::cat(category),
      cl::desc(
          "CPU to compile for, such as x86-64-v3, or 'host' for the one of "
          "this host (default: any of the target)")};
  cl::opt<std::string> threads{
      "threads", cl::value_desc("N"), cl::init("1"), cl::cat(category),
      cl::desc("Number of threads of a call, 1 to 1024 (default: 1)")};
  cl::opt<std::string> optLevel{
      "opt-level", cl::value_desc("0..3"), cl::init("3"), cl::cat(category),
      cl::desc("Optimization level of LLVM (default: 3)")};
};
} // namespace

static Error parseKind(StringRef text, OutputKind &kind) {
  auto parsed = llvm::StringSwitch<std::optional<OutputKind>>(text)
                    .Case("obj", OutputKind::Object)
                    .Case("shared", OutputKind::Shared)
                    .Case("asm", OutputKind::Assembly)
                    .Case("llvm", OutputKind::LLVMIR)
                    .Case("mlir", OutputKind::MLIR)
                    .Default(std::nullopt);
  if (!parsed)
    return createStringError("--emit=" + text +
                             " is not allowed (allowed: obj, "
                             "shared, asm, llvm, mlir)");
  kind = *parsed;
  return Error::success();
}

static Error parsePrefix(const CommandLine &commandLine,
                         CompileToolOptions &options) {
  if (!commandLine.prefix.getNumOccurrences()) {
    StringRef stem = llvm::sys::path::stem(options.inputFile);
    options.prefix = makeCIdentifier(stem == "-" ? "meanvar" : stem);
    return Error::success();
  }
  options.prefix = commandLine.prefix;
  if (makeCIdentifier(options.prefix) == options.prefix)
    return Error::success();
  return createStringError("--prefix=" + options.prefix +
                           " is not allowed (allowed: letters, digits and "
                           "underscores, no digit first)");
}

static Error convert(const CommandLine &commandLine,
                     CompileToolOptions &options) {
  Expected<std::string> inputFile = getInputFile(commandLine.inputFiles);
  if (!inputFile)
    return inputFile.takeError();
  options.inputFile = *inputFile;
  options.outputFile = commandLine.outputFile;
  if (options.outputFile.empty())
    return createStringError("no output file: -o is missing (see --help)");
  options.headerFile = commandLine.header;
  if (options.outputFile == options.headerFile)
    return createStringError("-o and --header are the same file, '" +
                             options.headerFile + "'");
  options.targetTriple = commandLine.targetTriple;
  options.compileOptions.targetCPU = commandLine.targetCPU;
  if (Error error = parseKind(commandLine.emit, options.kind))
    return error;
  if (options.kind == OutputKind::Shared && options.outputFile == "-")
    return createStringError("--emit=shared needs a file (allowed: -o FILE)");
  if (Error error = parsePrefix(commandLine, options))
    return error;
  if (Error error = parseInteger("threads", commandLine.threads, 1u,
                                 maxNumThreads, options.compileOptions.threads))
    return error;
  return parseInteger("opt-level", commandLine.optLevel, 0u, 3u,
                      options.compileOptions.optLevel);
}

Expected<CompileToolOptions> mlir::meanvar::parseCommandLine(int argc,
                                                             char **argv) {
  removeCollidingOptions({"emit", "header", "o", "opt-level", "prefix",
                          "target-cpu", "target-triple", "threads"});
  CommandLine commandLine;
  registerMLIROptions(commandLine.category);
  if (Error error = parseCommandLineOptions(argc, argv, overview))
    return std::move(error);
  CompileToolOptions options;
  if (Error error = convert(commandLine, options))
    return std::move(error);
  return options;
}
