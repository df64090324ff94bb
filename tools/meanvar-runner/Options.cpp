//===- Options.cpp - The command line of meanvar-runner -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Execution/GuardedHeap.h"
#include "meanvar/ToolSupport/CommandLine.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;

static constexpr StringRef overview =
    R"(Compiles one function of an MLIR module or ONNX model and runs it

FILE is MLIR text (.mlir), MLIR bytecode (.mlirbc), an ONNX model (.onnx, or as
text .onnxtxt), or '-' for standard input.

A tensor SPEC is one of
  2x2xf32=[[1,2],[3,4]]     elements, nested as the shape is
  4xf16=7                   one value for all elements (also nan, inf, -inf, 0x1.8p3)
  f32=10                    rank 0, or a scalar argument
  2x3xf64=random(SEED)      standard normal: SplitMix64 and the polar method
  @file.npy                 NumPy array, little-endian, C or Fortran order
  @input_0.pb               ONNX TensorProto
  2x3xbf16=@bits.npy        file with shape and type given; bf16 is '<u2' or '<V2'
Literals of floats are rounded to the nearest value of the type, ties to even;
those too large for it become inf. Literals of integers must fit.

Examples
  meanvar-runner mean.mlir --input=2x2xf32=[[1,2],[3,4]] --input=f32=10
  meanvar-runner model.onnx --input=@input_0.pb --expected-output=@output_0.pb
  meanvar-runner mvn.mlir --function=mvn '--input=1024x1024xf32=random(1)' \
      --output=@mvn.npy --benchmark
)";

namespace {
struct CommandLine {
  cl::OptionCategory category{"meanvar-runner options"};

  /// A list, so that a second one can be named.
  cl::list<std::string> inputFiles{cl::Positional, cl::desc("FILE"),
                                   cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("Function to run (default: the only public one)")};
  cl::list<std::string> inputs{
      "input", cl::value_desc("SPEC"), cl::cat(category),
      cl::desc("Argument of the function; once for each, in order")};
  cl::list<std::string> outputs{
      "output", cl::value_desc("@FILE.npy or -"), cl::cat(category),
      cl::desc("Where a result goes; once for each, in order (default: '-', "
               "all elements on standard output; with --benchmark nowhere)")};
  cl::list<std::string> expectedOutputs{
      "expected-output", cl::value_desc("SPEC"), cl::cat(category),
      cl::desc("Tensor that a result must agree with; once for each, in "
               "order: |r - e| <= max(atol, rtol * |e|)")};
  cl::opt<std::string> absoluteTolerance{
      "atol", cl::value_desc("NUMBER"), cl::cat(category),
      cl::desc("Absolute tolerance (default: 1e-14 for f64, else 1e-6; f16 and "
               "bf16 may also differ by 1 ulp unless a tolerance is given)")};
  cl::opt<std::string> relativeTolerance{
      "rtol", cl::value_desc("NUMBER"), cl::cat(category),
      cl::desc("Relative tolerance (default: as for --atol)")};
  cl::opt<std::string> benchmark{
      "benchmark", cl::ValueOptional, cl::value_desc("N"), cl::cat(category),
      cl::desc("Time N runs (default: as many as take one second), interleaved "
               "with a copy of the same number of bytes")};
  cl::opt<bool> reference{
      "reference", cl::cat(category),
      cl::desc("Evaluate the function by the reference instead of compiled "
               "code: slow, and as exact as each result's type allows")};
  cl::opt<std::string> threads{
      "threads", cl::value_desc("N"), cl::init("1"), cl::cat(category),
      cl::desc("Number of threads of a call, 1 to 1024 (default: 1); results "
               "are the same to the bit for any number")};
  cl::opt<std::string> targetCPU{
      "target-cpu", cl::value_desc("NAME"), cl::init("host"), cl::cat(category),
      cl::desc("CPU to compile for (default: host)")};
  cl::opt<std::string> optLevel{
      "opt-level", cl::value_desc("0..3"), cl::init("3"), cl::cat(category),
      cl::desc("Optimization level of LLVM (default: 3)")};
  /// Options refer to their descriptions.
  std::string streamingDescription =
      ("Size of a result in bytes from which on it bypasses the caches; 0 for "
       "none (default: " +
       Twine(defaultStreamingBytes) + ")")
          .str();
  cl::opt<std::string> streamingBytes{"streaming-bytes", cl::value_desc("N"),
                                      cl::cat(category),
                                      cl::desc(streamingDescription)};
  cl::opt<std::string> guardBuffers{
      "guard-buffers", cl::value_desc("begin or end"), cl::cat(category),
      cl::desc("Test mode: run the function on tensors and temporaries that "
               "begin or end at inaccessible memory, with inputs protected "
               "from writes, and report accesses outside of them")};
};
} // namespace

static Error parseTolerance(StringRef name, const cl::opt<std::string> &option,
                            std::optional<double> &tolerance) {
  if (!option.getNumOccurrences())
    return Error::success();
  double value;
  if (!llvm::to_float(StringRef(option), value) || !(value >= 0))
    return createStringError("--" + name + "=" + option.getValue() +
                             " is not a tolerance (allowed: numbers of at "
                             "least 0)");
  tolerance = value;
  return Error::success();
}

static Error parseBenchmark(const cl::opt<std::string> &option,
                            RunnerOptions &options) {
  constexpr unsigned maxRuns = 1000000000;
  options.isBenchmark = option.getNumOccurrences() != 0;
  if (options.isBenchmark && options.usesReference)
    return createStringError("--benchmark times compiled code, which "
                             "--reference does without (allowed: one of the "
                             "two)");
  if (option.empty())
    return Error::success();
  unsigned runs;
  if (Error error = parseInteger("benchmark", option, 1u, maxRuns, runs))
    return error;
  options.benchmarkRuns = runs;
  return Error::success();
}

static Error parseStreamingBytes(const cl::opt<std::string> &option,
                                 CompileOptions &options) {
  if (!option.getNumOccurrences())
    return Error::success();
  constexpr int64_t none = 0, maxBytes = std::numeric_limits<int64_t>::max();
  options.streamingBytes = none;
  return parseInteger("streaming-bytes", option, none, maxBytes,
                      *options.streamingBytes);
}

static Error parseGuardBuffers(const cl::opt<std::string> &option,
                               RunnerOptions &options) {
  if (!option.getNumOccurrences())
    return Error::success();
  if (option == "begin")
    options.guardedSide = GuardedSide::Begin;
  else if (option == "end")
    options.guardedSide = GuardedSide::End;
  else
    return createStringError("--guard-buffers=" + option.getValue() +
                             " is not allowed (allowed: begin, end)");
  if (options.isBenchmark)
    return createStringError("--guard-buffers is not allowed with --benchmark");
  options.compileOptions.heap =
      GuardedHeap::get(*options.guardedSide).getFunctions();
  return Error::success();
}

/// Returns a path that is the same for all spellings of a file's name.
static std::string getCanonicalPath(StringRef path) {
  llvm::SmallString<256> result;
  if (!llvm::sys::fs::real_path(path, result))
    return result.str().str();
  // A file that does not exist yet, in a directory that may.
  StringRef directory = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::real_path(directory.empty() ? "." : directory, result))
    return path.str();
  llvm::sys::path::append(result, llvm::sys::path::filename(path));
  return result.str().str();
}

static Error parseOutputs(llvm::ArrayRef<std::string> outputs,
                          std::vector<std::string> &files) {
  llvm::StringSet<> paths;
  for (StringRef output : outputs) {
    bool isFile = output.starts_with("@") && output.ends_with(".npy") &&
                  output != "@.npy";
    if (output != "-" && !isFile)
      return createStringError("--output=" + output +
                               " is not allowed (allowed: @FILE.npy, or - for "
                               "standard output)");
    if (isFile && !paths.insert(getCanonicalPath(output.drop_front())).second)
      return createStringError("--output=" + output + " is given twice");
    files.push_back(isFile ? output.drop_front().str() : "");
  }
  return Error::success();
}

static Error convert(const CommandLine &commandLine, RunnerOptions &options) {
  Expected<std::string> inputFile = getInputFile(commandLine.inputFiles);
  if (!inputFile)
    return inputFile.takeError();
  options.inputFile = *inputFile;
  options.functionName = commandLine.function;
  options.inputs.assign(commandLine.inputs.begin(), commandLine.inputs.end());
  options.expectedOutputs.assign(commandLine.expectedOutputs.begin(),
                                 commandLine.expectedOutputs.end());
  options.compileOptions.targetCPU = commandLine.targetCPU;
  options.usesReference = commandLine.reference;
  if (Error error = parseInteger("threads", commandLine.threads, 1u,
                                 maxNumThreads, options.compileOptions.threads))
    return error;
  if (Error error = parseInteger("opt-level", commandLine.optLevel, 0u, 3u,
                                 options.compileOptions.optLevel))
    return error;
  if (Error error = parseTolerance("atol", commandLine.absoluteTolerance,
                                   options.absoluteTolerance))
    return error;
  if (Error error = parseTolerance("rtol", commandLine.relativeTolerance,
                                   options.relativeTolerance))
    return error;
  if (Error error = parseBenchmark(commandLine.benchmark, options))
    return error;
  if (Error error = parseStreamingBytes(commandLine.streamingBytes,
                                        options.compileOptions))
    return error;
  if (Error error = parseGuardBuffers(commandLine.guardBuffers, options))
    return error;
  return parseOutputs(commandLine.outputs, options.outputFiles);
}

Expected<RunnerOptions> mlir::meanvar::parseCommandLine(int argc, char **argv) {
  removeCollidingOptions({"threads"});
  CommandLine commandLine;
  registerMLIROptions(commandLine.category);
  if (Error error = parseCommandLineOptions(argc, argv, overview))
    return std::move(error);
  RunnerOptions options;
  if (Error error = convert(commandLine, options))
    return std::move(error);
  return options;
}
