//===- Embedding.cpp - Compiling and calling from C -----------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar-c/Embedding.h"
#include "CompileSource.h"
#include "Tensors.h"
#include "meanvar/AheadOfTime/CInterface.h"
#include "meanvar/Codegen/Schedule.h"
#include "llvm/Support/Path.h"

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
  std::string sourceName;
  std::string targetTriple;
  std::string symbolPrefix;
  MeanVarDiagnosticCallback callback = nullptr;
  void *callbackContext = nullptr;
};

struct MeanVarValue {
  ValueType type;
  std::string name;
  /// One for each dimension, or none.
  std::vector<std::string> dimensionNames;
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

void meanvarCompileOptionsSetSourceName(MeanVarCompileOptions *options,
                                        const char *name) {
  options->sourceName = name;
}

void meanvarCompileOptionsSetDiagnosticCallback(
    MeanVarCompileOptions *options, MeanVarDiagnosticCallback callback,
    void *context) {
  options->callback = callback;
  options->callbackContext = context;
}

void meanvarCompileOptionsSetTargetTriple(MeanVarCompileOptions *options,
                                          const char *triple) {
  options->targetTriple = triple;
}

void meanvarCompileOptionsSetSymbolPrefix(MeanVarCompileOptions *options,
                                          const char *prefix) {
  options->symbolPrefix = prefix;
}

static std::vector<MeanVarValue>
makeValues(ArrayRef<ValueType> types, ArrayRef<std::string> names,
           ArrayRef<std::vector<std::string>> dimensionNames) {
  std::vector<MeanVarValue> values(types.size());
  for (auto [index, value] : llvm::enumerate(values)) {
    value.type = types[index];
    if (!names.empty())
      value.name = names[index];
    if (!dimensionNames.empty())
      value.dimensionNames = dimensionNames[index];
  }
  return values;
}

static MeanVarModule *makeModule(std::unique_ptr<CompiledModule> compiled) {
  auto *result = new MeanVarModule();
  result->compiled = std::move(compiled);
  for (const CompiledFunction &function : result->compiled->getFunctions()) {
    const FunctionSignature &signature = function.getSignature();
    result->functions.push_back(
        {&function,
         makeValues(signature.inputs, signature.inputNames,
                    signature.inputDimensionNames),
         makeValues(signature.outputs, signature.outputNames,
                    signature.outputDimensionNames)});
  }
  return result;
}

/// Passes on what was diagnosed, and keeps its errors. `options` may be null.
static MeanVarStatus report(const Compilation &compilation,
                            const MeanVarCompileOptions *options) {
  if (options && options->callback)
    for (const SourceDiagnostic &diagnostic : compilation.diagnostics) {
      MeanVarDiagnostic view = {diagnostic.severity, diagnostic.message.c_str(),
                                diagnostic.file.c_str(), diagnostic.line,
                                diagnostic.column};
      options->callback(&view, options->callbackContext);
    }
  if (!compilation.isComplete)
    return fail(MEANVAR_COMPILATION_FAILED,
                createStringError(compilation.getErrorMessage()));
  return MEANVAR_SUCCESS;
}

/// Compiles, and passes on what was diagnosed. `options` may be null.
static MeanVarStatus compile(Source source,
                             const MeanVarCompileOptions *options,
                             MeanVarModule **module) {
  if (options)
    source.name = options->sourceName;
  Compilation compilation =
      compileSource(source, options ? options->options : CompileOptions());
  MeanVarStatus status = report(compilation, options);
  if (status == MEANVAR_SUCCESS)
    *module = makeModule(std::move(compilation.module));
  return status;
}

static Source makeONNXSource(const void *model, size_t length,
                             const char *directory) {
  return {SourceFormat::ONNX,
          StringRef(static_cast<const char *>(model), length), "",
          directory ? directory : ""};
}

MeanVarStatus meanvarModuleCompile(const char *source, size_t length,
                                   const MeanVarCompileOptions *options,
                                   MeanVarModule **module) {
  return compile({SourceFormat::MLIR, StringRef(source, length), "", ""},
                 options, module);
}

MeanVarStatus meanvarModuleCompileONNX(const void *model, size_t length,
                                       const char *directory,
                                       const MeanVarCompileOptions *options,
                                       MeanVarModule **module) {
  return compile(makeONNXSource(model, length, directory), options, module);
}

MeanVarStatus meanvarCheckONNX(const void *model, size_t length,
                               const char *directory,
                               const MeanVarCompileOptions *options,
                               size_t *numReductions) {
  Source source = makeONNXSource(model, length, directory);
  if (options)
    source.name = options->sourceName;
  Compilation checked = checkSource(source);
  MeanVarStatus status = report(checked, options);
  if (status == MEANVAR_SUCCESS && numReductions)
    *numReductions = checked.numReductions;
  return status;
}

/// Returns what symbols start with: a C identifier, or none for an error.
static Expected<std::string> getPrefix(StringRef given, StringRef path) {
  if (given.empty())
    return makeCIdentifier(llvm::sys::path::stem(path));
  if (makeCIdentifier(given) == given)
    return given.str();
  return createStringError("symbol prefix '" + given +
                           "' is not allowed (allowed: letters, digits and "
                           "underscores, no digit first)");
}

MeanVarStatus meanvarWriteCode(MeanVarSourceFormat format, const void *source,
                               size_t length, const char *directory,
                               const MeanVarCompileOptions *options,
                               const char *path, const char *headerPath) {
  static const MeanVarCompileOptions defaults;
  const MeanVarCompileOptions &used = options ? *options : defaults;
  Source request = makeONNXSource(source, length, directory);
  if (format == MEANVAR_MLIR)
    request.format = SourceFormat::MLIR;
  request.name = used.sourceName;
  CodeFiles files = {used.targetTriple, "", path, headerPath ? headerPath : ""};
  if (files.path == files.headerPath)
    return fail(MEANVAR_INVALID_ARGUMENT,
                createStringError("code and header are the same file, '" +
                                  files.path + "'"));
  Expected<std::string> prefix = getPrefix(used.symbolPrefix, path);
  if (!prefix)
    return fail(MEANVAR_INVALID_ARGUMENT, prefix.takeError());
  files.prefix = *prefix;
  return report(writeSource(request, used.options, files), options);
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

const char *meanvarValueGetDimensionName(const MeanVarValue *value,
                                         size_t dimension) {
  return value->dimensionNames.empty()
             ? ""
             : value->dimensionNames[dimension].c_str();
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
