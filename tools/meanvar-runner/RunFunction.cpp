//===- RunFunction.cpp - The steps of meanvar-runner ----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFunction.h"
#include "Benchmark.h"
#include "meanvar/Compiler/Compiler.h"
#include "meanvar/Reference/Evaluator.h"
#include "meanvar/TensorIO/Compare.h"
#include "meanvar/TensorIO/Npy.h"
#include "meanvar/TensorIO/Print.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "meanvar/ToolSupport/Diagnostics.h"
#include "meanvar/ToolSupport/LoadModule.h"
#include "meanvar/ToolSupport/ProgressLine.h"
#include "meanvar/ToolSupport/StandardStreams.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Choice of the function
//===----------------------------------------------------------------------===//

/// Returns the public functions that have a body, before compilation
/// (`func.func`) or after (`llvm.func` with a signature).
static SmallVector<Operation *> findFunctions(ModuleOp module) {
  SmallVector<Operation *> functions;
  for (Operation &op : *module.getBody()) {
    auto source = dyn_cast<func::FuncOp>(op);
    bool isSource = source && source.isPublic() && !source.isExternal();
    if (isSource || isCompiledFunction(&op))
      functions.push_back(&op);
  }
  return functions;
}

static std::string listNames(ArrayRef<Operation *> functions) {
  std::string names;
  for (Operation *function : functions)
    names += (names.empty() ? "'" : ", '") +
             SymbolTable::getSymbolName(function).str() + "'";
  return names;
}

static Expected<Operation *> chooseFunction(ModuleOp module, StringRef name) {
  SmallVector<Operation *> functions = findFunctions(module);
  if (functions.empty())
    return createStringError("the module has no public function to run");
  if (name.empty()) {
    if (functions.size() == 1)
      return functions.front();
    return createStringError("the module has several public functions: "
                             "choose one by --function (allowed: " +
                             listNames(functions) + ")");
  }
  for (Operation *function : functions)
    if (SymbolTable::getSymbolName(function) == name)
      return function;
  return createStringError("the module has no public function '" + name +
                           "' (allowed: " + listNames(functions) + ")");
}

//===----------------------------------------------------------------------===//
// Tensors of the command line
//===----------------------------------------------------------------------===//

/// Reads one tensor for each of `types`. Errors start with `role` and the
/// index.
static Expected<std::vector<HostTensor>>
readTensors(ArrayRef<std::string> specs, ArrayRef<ValueType> types,
            StringRef role) {
  std::vector<HostTensor> tensors;
  for (auto [index, spec] : llvm::enumerate(specs)) {
    std::optional<ElementKind> wanted;
    if (index < types.size())
      wanted = types[index].kind;
    Expected<HostTensor> tensor = parseTensorSpec(spec, wanted);
    if (!tensor)
      return createStringError(role + " " + Twine(index) + ": " +
                               llvm::toString(tensor.takeError()));
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// Fails unless the option was given once for each of `allowed` values, or,
/// where it may be left out, not at all.
static Error checkCount(StringRef option, size_t count, size_t allowed,
                        const FunctionSignature &signature, StringRef role,
                        bool isOptional) {
  if (count == allowed || (isOptional && count == 0))
    return Error::success();
  return createStringError(
      "function '" + signature.name + "' has " + Twine(allowed) + " " + role +
      (allowed == 1 ? "" : "s") + ", but --" + option + " was given " +
      Twine(count) + (count == 1 ? " time" : " times"));
}

static Expected<std::vector<HostTensor>>
readInputs(const RunnerOptions &options, const FunctionSignature &signature) {
  if (Error error =
          checkCount("input", options.inputs.size(), signature.inputs.size(),
                     signature, "argument", /*isOptional=*/false))
    return std::move(error);
  auto inputs = readTensors(options.inputs, signature.inputs, "input");
  if (!inputs)
    return inputs;
  if (Error error = signature.checkInputs(makeViews(*inputs)))
    return std::move(error);
  return inputs;
}

static Expected<std::vector<HostTensor>>
readExpectedOutputs(const RunnerOptions &options,
                    const FunctionSignature &signature) {
  if (Error error = checkCount(
          "expected-output", options.expectedOutputs.size(),
          signature.outputs.size(), signature, "result", /*isOptional=*/true))
    return std::move(error);
  return readTensors(options.expectedOutputs, signature.outputs,
                     "expected output");
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static Error printToStandardOutput(const HostTensor &tensor) {
  printTensor(llvm::outs(), tensor);
  llvm::outs() << '\n';
  return flushStandardOutput();
}

static Error writeOutputs(ArrayRef<HostTensor> outputs,
                          const RunnerOptions &options) {
  // A benchmark is about its numbers: its results are written only on request.
  if (options.outputFiles.empty() && options.isBenchmark)
    return Error::success();
  auto getFile = [&](size_t index) -> StringRef {
    if (options.outputFiles.empty())
      return "";
    return options.outputFiles[index];
  };
  // What can fail without a trace comes first.
  std::vector<StagedFile> files;
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (getFile(index).empty())
      continue;
    Expected<StagedFile> file = stageNpyFile(getFile(index), output);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  for (auto [index, output] : llvm::enumerate(outputs))
    if (getFile(index).empty())
      if (Error error = printToStandardOutput(output))
        return error;
  // Devices can still fail; renames hardly do.
  for (bool isDirect : {true, false})
    for (StagedFile &file : files)
      if (file.isDirect() == isDirect)
        if (Error error = file.commit())
          return error;
  return Error::success();
}

static Tolerance getTolerance(ElementKind kind, const RunnerOptions &options) {
  Tolerance tolerance = getDefaultTolerance(kind);
  if (options.absoluteTolerance || options.relativeTolerance)
    tolerance.ulps = 0;
  tolerance.absolute = options.absoluteTolerance.value_or(tolerance.absolute);
  tolerance.relative = options.relativeTolerance.value_or(tolerance.relative);
  return tolerance;
}

/// Compares all outputs, says how closely they agree, and joins the errors of
/// those that do not.
static Error compareOutputs(ArrayRef<HostTensor> outputs,
                            ArrayRef<HostTensor> expectedOutputs,
                            const RunnerOptions &options) {
  Error errors = Error::success();
  for (auto [index, expected] : llvm::enumerate(expectedOutputs)) {
    const HostTensor &actual = outputs[index];
    auto comparison = compareTensors(actual, expected,
                                     getTolerance(actual.getKind(), options));
    std::string message;
    if (!comparison)
      message = llvm::toString(comparison.takeError());
    else if (comparison->firstWrong)
      message = describeMismatch(*comparison, actual, expected);
    else
      llvm::errs() << llvm::formatv(
          "output {0} agrees with the expected one: the largest error is "
          "{1:e3} ({2:f1} ulp)\n",
          index, comparison->largestError, comparison->largestErrorUlps);
    if (!message.empty())
      errors = llvm::joinErrors(
          std::move(errors),
          createStringError("output " + Twine(index) + ": " + message));
  }
  return errors;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static uint64_t countUsefulBytes(ArrayRef<HostTensor> inputs,
                                 ArrayRef<HostTensor> outputs) {
  uint64_t bytes = 0;
  for (ArrayRef<HostTensor> tensors : {inputs, outputs})
    for (const HostTensor &tensor : tensors)
      bytes += tensor.getNumBytes();
  return bytes;
}

static Error benchmark(const CompiledFunction &function,
                       std::vector<HostTensor> &inputs,
                       std::vector<HostTensor> &outputs,
                       const RunnerOptions &options) {
  auto call =
      PreparedCall::create(function, makeViews(inputs), makeViews(outputs));
  if (!call)
    return call.takeError();
  if (Error error = runBenchmark(*call, countUsefulBytes(inputs, outputs),
                                 options.benchmarkRuns, llvm::outs()))
    return error;
  return flushStandardOutput();
}

/// Runs the function once, in guarded memory if the options ask for that.
static Expected<std::vector<HostTensor>>
runOnce(const CompiledFunction &function, std::vector<HostTensor> &inputs,
        const RunnerOptions &options, RunProgress &progress) {
  llvm::SaveAndRestore running(progress.runningFunction,
                               function.getSignature().name);
  if (!options.guardedSide)
    return function.run(makeViews(inputs));
  progress.guardedTensors.emplace(*options.guardedSide,
                                  GuardedHeap::get(*options.guardedSide));
  return progress.guardedTensors->run(function, makeViews(inputs));
}

/// Runs what has been compiled; `inputs` match the signature.
static Error run(const CompiledFunction &function,
                 std::vector<HostTensor> &inputs,
                 ArrayRef<HostTensor> expectedOutputs,
                 const RunnerOptions &options, RunProgress &progress) {
  auto outputs = runOnce(function, inputs, options, progress);
  if (!outputs)
    return outputs.takeError();
  if (Error error = writeOutputs(*outputs, options))
    return error;
  if (Error error = compareOutputs(*outputs, expectedOutputs, options))
    return error;
  if (options.isBenchmark) {
    llvm::SaveAndRestore running(progress.runningFunction,
                                 function.getSignature().name);
    return benchmark(function, inputs, *outputs, options);
  }
  return Error::success();
}

/// Evaluates the function by the reference, without compiling it.
static Error runReference(Operation *chosen, ArrayRef<HostTensor> inputs,
                          ArrayRef<HostTensor> expectedOutputs,
                          const RunnerOptions &options) {
  auto function = dyn_cast<func::FuncOp>(chosen);
  if (!function)
    return createStringError("--reference takes functions before compilation "
                             "only, and '" +
                             SymbolTable::getSymbolName(chosen).getValue() +
                             "' has been compiled");
  auto results = evaluateFunction(function, inputs);
  if (!results)
    return results.takeError();
  std::vector<HostTensor> outputs;
  for (const ReferenceTensor &result : *results) {
    Expected<HostTensor> output = result.round();
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
  }
  if (Error error = writeOutputs(outputs, options))
    return error;
  return compareOutputs(outputs, expectedOutputs, options);
}

/// Makes passes heed the command line.
static LogicalResult configure(PassManager &passes) {
  if (failed(applyPassManagerCLOptions(passes)))
    return failure();
  applyDefaultTimingPassManagerCLOptions(passes);
  return success();
}

static Expected<std::unique_ptr<CompiledModule>>
compileWithProgress(ModuleOp module, const CompileOptions &options) {
  ProgressLine progress;
  return compileModule(module, options, [&](PassManager &passes) {
    showPasses(passes, progress);
    return configure(passes);
  });
}

static Error evaluate(ModuleOp module, const RunnerOptions &options,
                      RunProgress &progress) {
  Expected<Operation *> chosen = chooseFunction(module, options.functionName);
  if (!chosen)
    return chosen.takeError();
  auto signature = FunctionSignature::get(*chosen);
  if (!signature)
    return signature.takeError();
  auto inputs = readInputs(options, *signature);
  if (!inputs)
    return inputs.takeError();
  if (Error error = checkCount("output", options.outputFiles.size(),
                               signature->outputs.size(), *signature, "result",
                               /*isOptional=*/true))
    return error;
  auto expectedOutputs = readExpectedOutputs(options, *signature);
  if (!expectedOutputs)
    return expectedOutputs.takeError();
  if (options.usesReference)
    return runReference(*chosen, *inputs, *expectedOutputs, options);

  auto compiled = compileWithProgress(module, options.compileOptions);
  if (!compiled)
    return compiled.takeError();
  const CompiledFunction *function = (*compiled)->lookup(signature->name);
  if (!function)
    return createStringError("function '" + signature->name +
                             "' is not among the compiled ones");
  return run(*function, *inputs, *expectedOutputs, options, progress);
}

LogicalResult mlir::meanvar::runFunction(const RunnerOptions &options,
                                         MLIRContext &context,
                                         RunProgress &progress) {
  SingleLineDiagnosticHandler handler(&context);
  OwningOpRef<ModuleOp> module = loadModule(options.inputFile, &context);
  if (!module)
    return failure();
  if (Error error = evaluate(*module, options, progress)) {
    printError(std::move(error));
    return failure();
  }
  return success();
}
