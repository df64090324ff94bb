//===- KernelCache.cpp - Compiled operators -------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCache.h"

#include <string_view>

using namespace meanvar::python;

/// Stands behind the name of the operation in what its verifier reports.
static constexpr std::string_view operationPrefix = "' op ";

KernelCache &KernelCache::get() {
  // Never destroyed: threads may use it until the process ends.
  static auto *cache = new KernelCache();
  return *cache;
}

/// Returns `outcome` without what refers to the text of the kernel, which the
/// caller does not know: locations, and the name of the operation.
static CompilationOutcome describeForCaller(CompilationOutcome outcome) {
  std::string message;
  for (CompilerDiagnostic &diagnostic : outcome.diagnostics) {
    diagnostic.line = diagnostic.column = 0;
    size_t prefix = diagnostic.message.find(operationPrefix);
    if (prefix != std::string::npos && diagnostic.message.front() == '\'')
      diagnostic.message.erase(0, prefix + operationPrefix.size());
    if (diagnostic.severity == MEANVAR_ERROR)
      message += (message.empty() ? "" : "\n") + diagnostic.message;
  }
  outcome.message = message;
  return outcome;
}

KernelPointer KernelCache::lookup(const KernelKey &key,
                                  const RequestBuilder &build) {
  std::shared_ptr<Compilation> compilation;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (Entry *entry = find(key)) {
      if (entry->kernel)
        return entry->kernel;
      compilation = entry->compilation;
    } else {
      compilation = startCompilation(key, build);
    }
  }
  // The caller's key may change meanwhile: handlers of signals run, too.
  KernelKey ownKey = key; // NOLINT(performance-unnecessary-copy-initialization)
  const CompilationOutcome &outcome = compilation->wait();
  KernelPointer kernel;
  if (outcome.module)
    kernel = std::make_shared<Kernel>(Kernel{
        outcome.module, meanvarModuleGetFunction(outcome.module.get(), 0)});
  finish(ownKey, compilation, kernel);
  if (!kernel)
    raiseCompilationError(describeForCaller(outcome));
  return kernel;
}

KernelCache::Entry *KernelCache::find(const KernelKey &key) {
  auto family = families.find(key.family);
  if (family == families.end())
    return nullptr;
  family->second.lastUse = ++numUses;
  auto entry = family->second.staticKernels.find(key.shapes);
  if (entry != family->second.staticKernels.end())
    return &entry->second;
  std::optional<Entry> &dynamic = family->second.dynamicKernel;
  return dynamic ? &*dynamic : nullptr;
}

std::shared_ptr<Compilation>
KernelCache::startCompilation(const KernelKey &key,
                              const RequestBuilder &build) {
  auto family = families.find(key.family);
  KernelForm form =
      family == families.end() ||
              family->second.staticKernels.size() < maxStaticKernels
          ? KernelForm::Static
          : KernelForm::Dynamic;
  auto compilation = Compilation::start(build(form));
  ++numCompilations;
  makeRoom(key.family);
  Family &target = families[key.family];
  target.lastUse = ++numUses;
  ++numEntries;
  if (form == KernelForm::Static)
    target.staticKernels[key.shapes] = {nullptr, compilation};
  else
    target.dynamicKernel = {nullptr, compilation};
  return compilation;
}

void KernelCache::finish(const KernelKey &key,
                         const std::shared_ptr<Compilation> &compilation,
                         const KernelPointer &kernel) {
  std::lock_guard<std::mutex> lock(mutex);
  Entry *entry = find(key);
  if (!entry || entry->compilation != compilation)
    return;
  if (kernel) {
    *entry = {kernel, nullptr};
    return;
  }
  --numEntries;
  Family &family = families[key.family];
  if (family.staticKernels.erase(key.shapes) == 0)
    family.dynamicKernel.reset();
  if (family.staticKernels.empty() && !family.dynamicKernel)
    families.erase(key.family);
}

void KernelCache::makeRoom(const std::string &keptFamily) {
  while (numEntries >= maxKernels) {
    auto oldest = families.end();
    for (auto family = families.begin(); family != families.end(); ++family)
      if (family->first != keptFamily &&
          (oldest == families.end() ||
           family->second.lastUse < oldest->second.lastUse))
        oldest = family;
    if (oldest == families.end())
      return;
    numEntries -= oldest->second.staticKernels.size() +
                  (oldest->second.dynamicKernel ? 1 : 0);
    families.erase(oldest);
  }
}

size_t KernelCache::getNumKernels() {
  std::lock_guard<std::mutex> lock(mutex);
  return numEntries;
}

size_t KernelCache::getNumCompilations() {
  std::lock_guard<std::mutex> lock(mutex);
  return numCompilations;
}

void KernelCache::setMaxKernels(size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  maxKernels = count;
}

void KernelCache::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  families.clear();
  numEntries = 0;
}
