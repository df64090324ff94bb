//===- meanvar-differential.cpp - Random programs against the reference ---===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Isolation.h"
#include "meanvar/TensorIO/Files.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;

namespace cl = llvm::cl;

static constexpr const char *overview = R"(random programs against the reference

Each case is a program of meanvar and upstream operations, inputs, and two
configurations: static or run-time sizes, a target, an optimization level. What
the compiled functions give must be what the reference allows. A failure is made
smaller and written to a file, which is a case in turn.

Examples
  meanvar-differential --seed=1 --cases=500       the same cases every time
  meanvar-differential --seed=1000 --cases=0      until it is interrupted
  meanvar-differential failure-1234.mlir          a case from a file
)";

namespace {
struct Options {
  cl::OptionCategory category{"meanvar-differential options"};
  cl::list<std::string> files{cl::Positional, cl::desc("FILE..."),
                              cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::init(1), cl::value_desc("N"),
                         cl::cat(category),
                         cl::desc("Seed of the first case (default: 1)")};
  cl::opt<uint64_t> cases{
      "cases", cl::init(200), cl::value_desc("N"), cl::cat(category),
      cl::desc("Number of cases; 0: until interrupted (default: 200)")};
  cl::opt<std::string> directory{"output-directory", cl::init("."),
                                 cl::value_desc("DIRECTORY"), cl::cat(category),
                                 cl::desc("Where failures go (default: .)")};
  cl::opt<unsigned> attempts{
      "shrink-attempts", cl::init(300), cl::value_desc("N"), cl::cat(category),
      cl::desc("How often a smaller case is tried (default: 300)")};
};

/// Runs cases, each configuration in a process of its own.
class Hunt {
public:
  Hunt(MLIRContext &context, const Options &options)
      : context(context), options(options) {}

  /// Returns false if a case failed.
  bool runSeeds();
  bool runFiles();

private:
  struct Failure {
    std::string message;
    size_t configuration = 0;
  };

  std::optional<Failure> findFailure(Case &testCase);
  std::optional<Failure> findFailure(Choices &choices);
  void report(uint64_t seed, StringRef message, std::vector<uint32_t> numbers);
  void printProgress(uint64_t numCases) const;

  MLIRContext &context;
  const Options &options;
  Tally tally;
  uint64_t numFailures = 0;
};
} // namespace

std::optional<Hunt::Failure> Hunt::findFailure(Case &testCase) {
  for (size_t index = 0; index < testCase.configurations.size(); ++index) {
    IsolatedResult result = runIsolated(
        [&](Tally &tally) { return runCase(testCase, index, context, tally); });
    if (!result.message.empty())
      return Failure{result.message, index};
    tally += result.tally;
  }
  return std::nullopt;
}

std::optional<Hunt::Failure> Hunt::findFailure(Choices &choices) {
  Expected<Case> testCase = makeCase(choices);
  if (!testCase)
    return Failure{llvm::toString(testCase.takeError()), 0};
  return findFailure(*testCase);
}

/// Makes the case that fails with `message` smaller and writes it to a file.
void Hunt::report(uint64_t seed, StringRef message,
                  std::vector<uint32_t> numbers) {
  llvm::errs() << "seed " << seed << ": " << message
               << "; looking for a smaller case\n";
  numbers = shrink(std::move(numbers), options.attempts,
                   [&](const std::vector<uint32_t> &candidate) {
                     Choices choices(candidate);
                     return findFailure(choices).has_value();
                   });
  Choices choices(numbers);
  Case smallest = llvm::cantFail(makeCase(choices));
  std::optional<Failure> failure = findFailure(smallest);
  // What fails now and then only is worth a look as well.
  if (!failure)
    failure = Failure{"not reproducible", 0};
  std::string path =
      options.directory + "/failure-" + std::to_string(seed) + ".mlir";
  auto write = [&](llvm::raw_ostream &stream) {
    stream << printCase(smallest, failure->configuration);
  };
  if (Error error = writeFileAtomically(path, write))
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  llvm::errs() << "error: seed " << seed << ": " << failure->message << " (see "
               << path << ")\n";
}

void Hunt::printProgress(uint64_t numCases) const {
  double unknown =
      100.0 * static_cast<double>(tally.numUnknown) /
      static_cast<double>(std::max<uint64_t>(tally.numElements, 1));
  llvm::errs() << llvm::formatv(
      "{0} cases: {1} failed; {2} elements compared, {3:f1}% of them beyond "
      "what the reference can tell; {4} runs refused by both\n",
      numCases, numFailures, tally.numElements, unknown, tally.numErrors);
}

bool Hunt::runSeeds() {
  constexpr uint64_t reportInterval = 500;
  for (uint64_t count = 0; options.cases == 0 || count < options.cases;) {
    uint64_t seed = options.seed + count;
    Choices choices(seed);
    if (std::optional<Failure> failure = findFailure(choices)) {
      ++numFailures;
      report(seed, failure->message, choices.getTaken());
    }
    ++count;
    if (count % reportInterval == 0 || count == options.cases)
      printProgress(count);
  }
  return numFailures == 0;
}

bool Hunt::runFiles() {
  constexpr uint64_t maxCaseBytes = uint64_t(1) << 30;
  for (const std::string &path : options.files) {
    auto buffer = readFile(path, maxCaseBytes);
    if (!buffer) {
      llvm::errs() << "error: " << llvm::toString(buffer.takeError()) << "\n";
      return false;
    }
    Expected<Case> testCase = readCase((*buffer)->getBuffer());
    if (!testCase) {
      llvm::errs() << "error: " << path << ": "
                   << llvm::toString(testCase.takeError()) << "\n";
      return false;
    }
    if (std::optional<Failure> failure = findFailure(*testCase)) {
      llvm::errs() << "error: " << path << ": " << failure->message << "\n";
      ++numFailures;
    }
  }
  printProgress(options.files.size());
  return numFailures == 0;
}

/// Compiles something, so that what LLVM and MLIR set up at first is there when
/// processes are forked.
static void warmUp(MLIRContext &context) {
  Case testCase = llvm::cantFail(readCase(R"(// input: 2x2xf32=[[1,2],[3,4]]
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})"));
  Tally tally;
  llvm::cantFail(runCase(testCase, 0, context, tally));
}

int main(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  DialectRegistry registry;
  registerCompilerDialects(registry);
  // A process with threads cannot be forked.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  warmUp(context);
  Hunt hunt(context, options);
  return (options.files.empty() ? hunt.runSeeds() : hunt.runFiles()) ? 0 : 1;
}
