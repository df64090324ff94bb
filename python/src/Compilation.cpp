//===- Compilation.cpp - Compiling beside the interpreter -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "ReleasedLock.h"
#include "Text.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nanobind/nanobind.h>
#include <pthread.h>
#include <thread>

namespace nb = nanobind;
using namespace meanvar::python;

/// How long a signal may wait for its handler.
static constexpr std::chrono::milliseconds signalLatency(20);

namespace {
/// What all compilations share.
struct CompilationState {
  std::mutex mutex;
  std::condition_variable ended;
  size_t numRunning = 0;
};

struct DestroyOptions {
  void operator()(MeanVarCompileOptions *options) const {
    meanvarCompileOptionsDestroy(options);
  }
};
using OptionsPointer = std::unique_ptr<MeanVarCompileOptions, DestroyOptions>;
} // namespace

/// Never destroyed: threads may use it until the process ends.
static CompilationState &getState() {
  static auto *state = new CompilationState();
  return *state;
}

static OptionsPointer makeOptions(const CompilationRequest &request) {
  OptionsPointer options(meanvarCompileOptionsCreate());
  meanvarCompileOptionsSetTargetCPU(options.get(), request.target.c_str());
  meanvarCompileOptionsSetSourceName(options.get(), request.name.c_str());
  meanvarCompileOptionsSetTargetTriple(options.get(), request.triple.c_str());
  meanvarCompileOptionsSetSymbolPrefix(options.get(), request.prefix.c_str());
  if (meanvarCompileOptionsSetOptLevel(options.get(), request.optLevel) ||
      meanvarCompileOptionsSetThreads(options.get(), request.threads))
    throw nb::value_error(meanvarGetErrorMessage());
  return options;
}

static void keepDiagnostic(const MeanVarDiagnostic *diagnostic, void *context) {
  auto *outcome = static_cast<CompilationOutcome *>(context);
  outcome->diagnostics.push_back({diagnostic->severity, diagnostic->message,
                                  diagnostic->file, diagnostic->line,
                                  diagnostic->column});
}

std::shared_ptr<Compilation> Compilation::start(CompilationRequest request) {
  auto compilation = std::make_shared<Compilation>();
  std::shared_ptr<MeanVarCompileOptions> options = makeOptions(request);
  meanvarCompileOptionsSetDiagnosticCallback(options.get(), keepDiagnostic,
                                             &compilation->outcome);
  CompilationState &state = getState();
  std::lock_guard<std::mutex> lock(state.mutex);
  std::thread([compilation, request = std::move(request), options] {
    compilation->run(request, options.get());
  }).detach();
  ++state.numRunning;
  return compilation;
}

static MeanVarStatus check(const CompilationRequest &request,
                           const MeanVarCompileOptions *options,
                           CompilationOutcome &outcome) {
  return meanvarCheckONNX(request.source.data(), request.source.size(),
                          request.directory ? request.directory->c_str()
                                            : nullptr,
                          options, &outcome.numReductions);
}

static MeanVarStatus writeFiles(const CompilationRequest &request,
                                const MeanVarCompileOptions *options) {
  return meanvarWriteCode(
      request.format == SourceFormat::ONNX ? MEANVAR_ONNX : MEANVAR_MLIR,
      request.source.data(), request.source.size(),
      request.directory ? request.directory->c_str() : nullptr, options,
      request.path.c_str(),
      request.headerPath ? request.headerPath->c_str() : nullptr);
}

static MeanVarStatus compile(const CompilationRequest &request,
                             const MeanVarCompileOptions *options,
                             CompilationOutcome &outcome) {
  MeanVarModule *module = nullptr;
  MeanVarStatus status =
      request.format == SourceFormat::MLIR
          ? meanvarModuleCompile(request.source.data(), request.source.size(),
                                 options, &module)
          : meanvarModuleCompileONNX(
                request.source.data(), request.source.size(),
                request.directory ? request.directory->c_str() : nullptr,
                options, &module);
  if (status == MEANVAR_SUCCESS)
    outcome.module = ModulePointer(module, meanvarModuleDestroy);
  return status;
}

void Compilation::run(const CompilationRequest &request,
                      const MeanVarCompileOptions *options) {
  MeanVarStatus status =
      request.goal == Goal::Check   ? check(request, options, outcome)
      : request.goal == Goal::Files ? writeFiles(request, options)
                                    : compile(request, options, outcome);
  outcome.isComplete = status == MEANVAR_SUCCESS;
  if (!outcome.isComplete)
    outcome.message = meanvarGetErrorMessage();
  CompilationState &state = getState();
  std::lock_guard<std::mutex> lock(state.mutex);
  isDone = true;
  --state.numRunning;
  state.ended.notify_all();
}

const CompilationOutcome &Compilation::wait() {
  CompilationState &state = getState();
  while (true) {
    {
      ReleasedLock released;
      std::unique_lock<std::mutex> lock(state.mutex);
      if (state.ended.wait_for(lock, signalLatency, [&] { return isDone; }))
        return outcome;
    }
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
}

void meanvar::python::raiseCompilationError(const CompilationOutcome &outcome) {
  nb::module_ errors = nb::module_::import_("meanvar._errors");
  nb::list diagnostics;
  for (const CompilerDiagnostic &diagnostic : outcome.diagnostics) {
    static constexpr const char *severities[] = {"note", "warning", "error",
                                                 "remark"};
    diagnostics.append(errors.attr("Diagnostic")(
        severities[diagnostic.severity], toPythonText(diagnostic.message),
        toPythonText(diagnostic.file), diagnostic.line, diagnostic.column));
  }
  nb::object type = errors.attr("CompilationError");
  nb::object error =
      type(toPythonText(outcome.message), nb::tuple(diagnostics));
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

/// Waits until no compilation runs, and keeps new ones from starting while the
/// lock is held.
static std::unique_lock<std::mutex> lockWhenIdle() {
  CompilationState &state = getState();
  std::unique_lock<std::mutex> lock(state.mutex);
  state.ended.wait(lock, [&] { return state.numRunning == 0; });
  return lock;
}

void meanvar::python::waitForAllCompilations() {
  ReleasedLock released;
  lockWhenIdle();
}

void meanvar::python::registerForkHandlers() {
  pthread_atfork([] { lockWhenIdle().release(); },
                 [] { getState().mutex.unlock(); },
                 [] { getState().mutex.unlock(); });
}
