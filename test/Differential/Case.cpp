//===- Case.cpp - One comparison with the reference -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Inputs.h"
#include "Program.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Execution/GuardedTensors.h"
#include "meanvar/Execution/TargetMachine.h"
#include "meanvar/TensorIO/Print.h"
#include "meanvar/TensorIO/Scalar.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

Tally &Tally::operator+=(const Tally &other) {
  numElements += other.numElements;
  numUnknown += other.numUnknown;
  numErrors += other.numErrors;
  return *this;
}

//===----------------------------------------------------------------------===//
// Generation
//===----------------------------------------------------------------------===//

/// The host, and those of the x86-64 levels whose code it runs.
static ArrayRef<std::string> getTargets() {
  static const std::vector<std::string> targets = [] {
    std::vector<std::string> found{"host"};
    for (const char *level : {"x86-64", "x86-64-v3", "x86-64-v4"}) {
      auto machine = createJITTargetMachine(level, /*optLevel=*/0);
      if (machine)
        found.push_back(level);
      else
        llvm::consumeError(machine.takeError());
    }
    return found;
  }();
  return targets;
}

static Configuration chooseConfiguration(const Program &program,
                                         Choices &choices) {
  Configuration configuration;
  SizesForm form = choices.pick<SizesForm>(
      {SizesForm::Static, SizesForm::Dynamic, SizesForm::Mixed});
  configuration.source = printProgram(program, form);
  configuration.options.targetCPU = choices.pick<std::string>(getTargets());
  configuration.options.optLevel = choices.pick<unsigned>({3, 0, 1, 2});
  configuration.options.threads = choices.pick<unsigned>({1, 2, 3});
  // Most programs are too small for threads to pay.
  configuration.options.parallelBytes = choices.pick<int64_t>(
      {defaultParallelBytes, 1, 1024, int64_t(16) * 1024});
  // And for their results to bypass the caches.
  configuration.options.streamingBytes =
      choices.pick<int64_t>({defaultStreamingBytes, 1});
  return configuration;
}

/// Changes a size of a shape, rarely: a program must refuse what does not fit.
static void disturb(SmallVector<int64_t> &shape, Choices &choices) {
  if (shape.empty() || !choices.isOneIn(100))
    return;
  uint32_t dim = choices.choose(static_cast<uint32_t>(shape.size()));
  shape[dim] = choices.pick<int64_t>({1, 0, 2, shape[dim] + 1});
}

Expected<Case> mlir::meanvar::makeCase(Choices &choices) {
  Case result;
  int64_t maxElements = choices.isOneIn(40) ? 300000 : 6000;
  Program program = makeProgram(choices, maxElements);
  for (unsigned count = 0; count < 2; ++count)
    result.configurations.push_back(chooseConfiguration(program, choices));
  for (size_t index : program.inputs) {
    SmallVector<int64_t> shape = program.values[index].shape;
    disturb(shape, choices);
    Expected<HostTensor> input =
        HostTensor::create(program.values[index].kind, shape);
    if (!input)
      return input.takeError();
    fillAtRandom(*input, choices);
    result.inputs.push_back(std::move(*input));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns the heap of temporaries.
static const GuardedHeap &getHeap() {
  return GuardedHeap::get(GuardedSide::End);
}

/// Runs a function twice, with buffers of different alignment, and returns the
/// outputs, which must have the same bits (V9).
static Expected<std::vector<HostTensor>>
runTwice(const CompiledFunction &function, std::vector<HostTensor> &inputs) {
  auto first = GuardedTensors(GuardedSide::End, getHeap())
                   .run(function, makeViews(inputs));
  if (!first)
    return first;
  auto second = GuardedTensors(GuardedSide::Begin, getHeap())
                    .run(function, makeViews(inputs));
  if (!second)
    return second;
  for (size_t index = 0; index < first->size(); ++index) {
    const HostTensor &output = (*first)[index];
    if (std::memcmp(output.getData(), (*second)[index].getData(),
                    output.getNumBytes()) != 0)
      return createStringError("output " + Twine(index) +
                               " has other bits in a second run");
  }
  return first;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static Error compare(const HostTensor &actual, const ReferenceTensor &expected,
                     size_t output, Tally &tally) {
  if (actual.getShape() != ArrayRef<int64_t>(expected.shape))
    return createStringError("output " + Twine(output) + " has shape " +
                             actual.getTypeString() + ", expected " +
                             getTypeString(expected.kind, expected.shape));
  for (auto [index, element] : llvm::enumerate(expected.elements)) {
    ++tally.numElements;
    tally.numUnknown += element.isUnknown();
    double value = actual.getFloat(index);
    if (!isWithin(value, element))
      return createStringError(llvm::formatv(
          "output {0} of type {1}: element {2} is {3:e16}, expected {4:e16} "
          "within {5:e3}",
          output, actual.getTypeString(), index, value,
          static_cast<double>(element.value),
          static_cast<double>(element.error)));
  }
  return Error::success();
}

Error mlir::meanvar::compareOutputs(ArrayRef<HostTensor> actual,
                                    ArrayRef<ReferenceTensor> expected,
                                    Tally &tally) {
  for (size_t output = 0; output < actual.size(); ++output)
    if (Error error = compare(actual[output], expected[output], output, tally))
      return error;
  return Error::success();
}

/// Runs the reference and the compiled function, which fail both or neither.
static Error runBoth(func::FuncOp source, const CompiledFunction &function,
                     std::vector<HostTensor> &inputs, Tally &tally) {
  auto expected = evaluateFunction(source, inputs);
  auto actual = [&]() -> Expected<std::vector<HostTensor>> {
    if (Error error = function.getSignature().checkInputs(makeViews(inputs)))
      return std::move(error);
    return runTwice(function, inputs);
  }();
  if (expected && actual)
    return compareOutputs(*actual, *expected, tally);
  std::string reference = llvm::toString(expected.takeError());
  std::string compiled = llvm::toString(actual.takeError());
  if (reference.empty() || compiled.empty())
    return createStringError("one of two fails: the reference with '" +
                             reference + "', the compiled function with '" +
                             compiled + "'");
  ++tally.numErrors;
  return Error::success();
}

Error mlir::meanvar::runCase(Case &testCase, size_t configuration,
                             MLIRContext &context, Tally &tally) {
  const Configuration &chosen = testCase.configurations[configuration];
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics) << diagnostic << "; ";
    return success();
  });
  auto parse = [&] {
    return parseSourceString<ModuleOp>(chosen.source, ParserConfig(&context));
  };
  auto source = parse();
  auto lowered = parse();
  if (!source || !lowered)
    return createStringError("the module cannot be parsed: " + diagnostics);
  CompileOptions options = chosen.options;
  options.heap = getHeap().getFunctions();
  auto compiled = compileModule(*lowered, options);
  if (!compiled)
    return createStringError(diagnostics +
                             llvm::toString(compiled.takeError()));
  auto functions = source->getOps<func::FuncOp>();
  const CompiledFunction *function = (*compiled)->lookup("main");
  if (functions.empty() || !function)
    return createStringError("there is no function @main");
  return runBoth(*functions.begin(), *function, testCase.inputs, tally);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static constexpr StringRef inputPrefix = "// input: ";
static constexpr StringRef targetPrefix = "// target-cpu: ";
static constexpr StringRef levelPrefix = "// opt-level: ";
static constexpr StringRef threadsPrefix = "// threads: ";
static constexpr StringRef parallelBytesPrefix = "// parallel-bytes: ";
static constexpr StringRef streamingBytesPrefix = "// streaming-bytes: ";

std::string mlir::meanvar::printCase(const Case &testCase,
                                     size_t configuration) {
  const Configuration &chosen = testCase.configurations[configuration];
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << targetPrefix << chosen.options.targetCPU << "\n"
         << levelPrefix << chosen.options.optLevel << "\n"
         << threadsPrefix << chosen.options.threads << "\n";
  if (chosen.options.parallelBytes)
    stream << parallelBytesPrefix << *chosen.options.parallelBytes << "\n";
  if (chosen.options.streamingBytes)
    stream << streamingBytesPrefix << *chosen.options.streamingBytes << "\n";
  for (const HostTensor &input : testCase.inputs) {
    stream << inputPrefix;
    printTensor(stream, input);
    stream << "\n";
  }
  stream << "\n" << chosen.source;
  return text;
}

static Error readBytes(StringRef text, std::optional<int64_t> &bytes) {
  bytes = 0;
  if (text.trim().getAsInteger(10, *bytes))
    return createStringError("'" + text + "' is not a number of bytes");
  return Error::success();
}

Expected<Case> mlir::meanvar::readCase(StringRef text) {
  Case result;
  Configuration &configuration = result.configurations.emplace_back();
  configuration.source = text.str();
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.consume_front(targetPrefix)) {
      configuration.options.targetCPU = line.trim().str();
    } else if (line.consume_front(levelPrefix)) {
      if (line.trim().getAsInteger(10, configuration.options.optLevel))
        return createStringError("'" + line + "' is not a level");
    } else if (line.consume_front(threadsPrefix)) {
      if (line.trim().getAsInteger(10, configuration.options.threads))
        return createStringError("'" + line + "' is not a number of threads");
    } else if (line.consume_front(parallelBytesPrefix)) {
      if (Error error = readBytes(line, configuration.options.parallelBytes))
        return std::move(error);
    } else if (line.consume_front(streamingBytesPrefix)) {
      if (Error error = readBytes(line, configuration.options.streamingBytes))
        return std::move(error);
    } else if (line.consume_front(inputPrefix)) {
      Expected<HostTensor> input = parseTensorSpec(line.trim());
      if (!input)
        return input.takeError();
      result.inputs.push_back(std::move(*input));
    }
  }
  return result;
}
