//===- Embedding.cpp - Compiling and calling from C -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar-c/Embedding.h"
#include "Tensors.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Compiler/Compiler.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Objects behind the handles
//===----------------------------------------------------------------------===//

struct MeanVarCompileOptions {
  CompileOptions options;
};

struct MeanVarValue {
  ValueType type;
  std::string name;
};

struct MeanVarFunction {
  const CompiledFunction *compiled;
  std::vector<MeanVarValue> inputs;
  std::vector<MeanVarValue> outputs;
};

struct MeanVarModule {
  std::unique_ptr<CompiledModule> compiled;
  std::vector<MeanVarFunction> functions;
};

struct MeanVarCall {
  PreparedCall prepared;
};

//===----------------------------------------------------------------------===//
// Version and errors
//===----------------------------------------------------------------------===//

static std::string &getLastMessage() {
  static thread_local std::string message;
  return message;
}

/// Keeps the message of `error` for the caller and returns `status`.
static MeanVarStatus fail(MeanVarStatus status, Error error) {
  getLastMessage() = llvm::toString(std::move(error));
  return status;
}

const char *meanvarGetVersion(void) { return MEANVAR_VERSION; }

const char *meanvarGetErrorMessage(void) { return getLastMessage().c_str(); }

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

MeanVarCompileOptions *meanvarCompileOptionsCreate(void) {
  return new MeanVarCompileOptions();
}

void meanvarCompileOptionsDestroy(MeanVarCompileOptions *options) {
  delete options;
}

void meanvarCompileOptionsSetTargetCPU(MeanVarCompileOptions *options,
                                       const char *name) {
  options->options.targetCPU = name;
}

MeanVarStatus meanvarCompileOptionsSetOptLevel(MeanVarCompileOptions *options,
                                               unsigned level) {
  if (level > 3)
    return fail(MEANVAR_INVALID_ARGUMENT,
                createStringError("optimization level " + Twine(level) +
                                  " is out of range (allowed: 0 to 3)"));
  options->options.optLevel = level;
  return MEANVAR_SUCCESS;
}

MeanVarStatus meanvarCompileOptionsSetThreads(MeanVarCompileOptions *options,
                                              unsigned threads) {
  if (threads < 1 || threads > maxNumThreads)
    return fail(MEANVAR_INVALID_ARGUMENT,
                createStringError("number of threads " + Twine(threads) +
                                  " is out of range (allowed: 1 to " +
                                  Twine(maxNumThreads) + ")"));
  options->options.threads = threads;
  return MEANVAR_SUCCESS;
}

/// Adds a diagnostic with its notes to `text`, a line each.
static void printDiagnostic(Diagnostic &diagnostic, std::string &text) {
  if (!text.empty())
    text += "\n";
  llvm::raw_string_ostream stream(text);
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    stream << place.getLine() << ":" << place.getColumn() << ": ";
  stream << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note, text);
}

/// Parses and compiles. The message of a failure is what was diagnosed, if
/// anything.
static Expected<std::unique_ptr<CompiledModule>>
compileText(StringRef text, const CompileOptions &options) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      printDiagnostic(diagnostic, errors);
  });
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return createStringError(errors);
  auto compiled = compileModule(*module, options);
  if (compiled || errors.empty())
    return compiled;
  llvm::consumeError(compiled.takeError());
  return createStringError(errors);
}

static std::vector<MeanVarValue> makeValues(ArrayRef<ValueType> types,
                                            ArrayRef<std::string> names) {
  std::vector<MeanVarValue> values;
  for (auto [index, type] : llvm::enumerate(types))
    values.push_back({type, names.empty() ? "" : names[index]});
  return values;
}

MeanVarStatus meanvarModuleCompile(const char *text, size_t length,
                                   const MeanVarCompileOptions *options,
                                   MeanVarModule **module) {
  auto compiled = compileText(StringRef(text, length),
                              options ? options->options : CompileOptions());
  if (!compiled)
    return fail(MEANVAR_COMPILATION_FAILED, compiled.takeError());
  auto result = std::make_unique<MeanVarModule>();
  result->compiled = std::move(*compiled);
  for (const CompiledFunction &function : result->compiled->getFunctions()) {
    const FunctionSignature &signature = function.getSignature();
    result->functions.push_back(
        {&function, makeValues(signature.inputs, signature.inputNames),
         makeValues(signature.outputs, signature.outputNames)});
  }
  *module = result.release();
  return MEANVAR_SUCCESS;
}

void meanvarModuleDestroy(MeanVarModule *module) { delete module; }

//===----------------------------------------------------------------------===//
// Functions and their signatures
//===----------------------------------------------------------------------===//

size_t meanvarModuleGetNumFunctions(const MeanVarModule *module) {
  return module->functions.size();
}

const MeanVarFunction *meanvarModuleGetFunction(const MeanVarModule *module,
                                                size_t index) {
  return &module->functions[index];
}

const MeanVarFunction *meanvarModuleLookup(const MeanVarModule *module,
                                           const char *name) {
  for (const MeanVarFunction &function : module->functions)
    if (function.compiled->getSignature().name == name)
      return &function;
  return nullptr;
}

const char *meanvarFunctionGetName(const MeanVarFunction *function) {
  return function->compiled->getSignature().name.c_str();
}

size_t meanvarFunctionGetNumInputs(const MeanVarFunction *function) {
  return function->inputs.size();
}

const MeanVarValue *meanvarFunctionGetInput(const MeanVarFunction *function,
                                            size_t index) {
  return &function->inputs[index];
}

size_t meanvarFunctionGetNumOutputs(const MeanVarFunction *function) {
  return function->outputs.size();
}

const MeanVarValue *meanvarFunctionGetOutput(const MeanVarFunction *function,
                                             size_t index) {
  return &function->outputs[index];
}

const char *meanvarValueGetName(const MeanVarValue *value) {
  return value->name.c_str();
}

MeanVarElementType meanvarValueGetElementType(const MeanVarValue *value) {
  return toElementType(value->type.kind);
}

bool meanvarValueIsTensor(const MeanVarValue *value) {
  return value->type.isTensor;
}

size_t meanvarValueGetRank(const MeanVarValue *value) {
  return value->type.shape.size();
}

const int64_t *meanvarValueGetShape(const MeanVarValue *value) {
  return value->type.shape.data();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

MeanVarStatus meanvarFunctionComputeOutputShapes(
    const MeanVarFunction *function, const MeanVarTensor *inputs,
    size_t numInputs, int64_t *const *shapes, size_t numOutputs) {
  if (numOutputs != function->outputs.size())
    return fail(MEANVAR_INVALID_ARGUMENT,
                createStringError(
                    "function '" + StringRef(meanvarFunctionGetName(function)) +
                    "' has " + Twine(function->outputs.size()) +
                    (function->outputs.size() == 1 ? " output" : " outputs") +
                    ", but got room for the shapes of " + Twine(numOutputs)));
  auto views =
      viewTensors(ArrayRef(inputs, numInputs), "input", RequiredData::Scalars);
  if (!views)
    return fail(MEANVAR_INVALID_ARGUMENT, views.takeError());
  auto computed = function->compiled->computeOutputShapes(*views);
  if (!computed)
    return fail(MEANVAR_INVALID_ARGUMENT, computed.takeError());
  for (auto [index, shape] : llvm::enumerate(*computed))
    llvm::copy(shape, shapes[index]);
  return MEANVAR_SUCCESS;
}

/// Checks the arguments of a call.
static Expected<PreparedCall> prepare(const MeanVarFunction *function,
                                      ArrayRef<MeanVarTensor> inputs,
                                      ArrayRef<MeanVarTensor> outputs) {
  auto inputViews = viewTensors(inputs, "input", RequiredData::All);
  if (!inputViews)
    return inputViews.takeError();
  auto outputViews = viewTensors(outputs, "output", RequiredData::All);
  if (!outputViews)
    return outputViews.takeError();
  return PreparedCall::create(*function->compiled, *inputViews, *outputViews);
}

static MeanVarStatus run(PreparedCall &call) {
  if (Error error = call.run())
    return fail(MEANVAR_EXECUTION_FAILED, std::move(error));
  return MEANVAR_SUCCESS;
}

MeanVarStatus meanvarFunctionRun(const MeanVarFunction *function,
                                 const MeanVarTensor *inputs, size_t numInputs,
                                 const MeanVarTensor *outputs,
                                 size_t numOutputs) {
  Expected<PreparedCall> call =
      prepare(function, {inputs, numInputs}, {outputs, numOutputs});
  if (!call)
    return fail(MEANVAR_INVALID_ARGUMENT, call.takeError());
  return run(*call);
}

MeanVarStatus meanvarCallCreate(const MeanVarFunction *function,
                                const MeanVarTensor *inputs, size_t numInputs,
                                const MeanVarTensor *outputs, size_t numOutputs,
                                MeanVarCall **call) {
  Expected<PreparedCall> prepared =
      prepare(function, {inputs, numInputs}, {outputs, numOutputs});
  if (!prepared)
    return fail(MEANVAR_INVALID_ARGUMENT, prepared.takeError());
  *call = new MeanVarCall{std::move(*prepared)};
  return MEANVAR_SUCCESS;
}

MeanVarStatus meanvarCallRun(MeanVarCall *call) { return run(call->prepared); }

void meanvarCallDestroy(MeanVarCall *call) { delete call; }
