//===- KernelCache.h - Compiled operators -----------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_KERNELCACHE_H
#define MEANVAR_PYTHON_KERNELCACHE_H

#include "Compilation.h"

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

namespace meanvar::python {

/// One operator, compiled.
struct Kernel {
  ModulePointer module;
  const MeanVarFunction *function;
};
using KernelPointer = std::shared_ptr<const Kernel>;

/// What tells kernels apart, as bytes. `family` is everything but the sizes of
/// the operands, `shapes` these.
struct KernelKey {
  std::string family;
  std::string shapes;
};

enum class KernelForm {
  /// For the sizes of one call.
  Static,
  /// For any sizes.
  Dynamic
};

/// The kernels of the process. Code for known sizes is faster and compiles
/// sooner than code for all, so the first shapes of a family get kernels of
/// their own; all further ones share a kernel. A shape keeps its kernel, so
/// equal calls have equal bits, for as long as its family is in the cache.
class KernelCache {
public:
  /// The shapes of a family that get kernels of their own.
  static constexpr size_t maxStaticKernels = 16;
  /// The kernels in all, of about a megabyte each, unless setMaxKernels says
  /// otherwise. Beyond, the family that was not used for the longest time goes.
  static constexpr size_t defaultMaxKernels = 256;

  static KernelCache &get();

  /// Makes what compiles to the kernel of a form.
  using RequestBuilder = std::function<CompilationRequest(KernelForm)>;

  /// Returns the kernel for `key`, compiling it if need be. Called with the
  /// GIL, which is released while it waits. Raises CompilationError.
  KernelPointer lookup(const KernelKey &key, const RequestBuilder &build);

  /// The number of kernels, with those being compiled.
  size_t getNumKernels();

  /// The number of compilations that have been started.
  size_t getNumCompilations();

  /// Changes how many kernels there may be; applies when the next is compiled.
  void setMaxKernels(size_t count);

  /// Forgets all kernels; those that run are not disturbed.
  void clear();

private:
  /// A kernel, or the compilation that makes it.
  struct Entry {
    KernelPointer kernel;
    std::shared_ptr<Compilation> compilation;
  };
  struct Family {
    std::unordered_map<std::string, Entry> staticKernels;
    std::optional<Entry> dynamicKernel;
    uint64_t lastUse = 0;
  };

  /// Returns the entry for `key`, or null.
  Entry *find(const KernelKey &key);

  /// Starts to compile the kernel for `key`, which has no entry.
  std::shared_ptr<Compilation> startCompilation(const KernelKey &key,
                                                const RequestBuilder &build);

  /// Puts what `compilation` came to into the entry for `key`, if that still
  /// waits for it.
  void finish(const KernelKey &key,
              const std::shared_ptr<Compilation> &compilation,
              const KernelPointer &kernel);

  /// Removes families until `keptFamily` has room for one more kernel.
  void makeRoom(const std::string &keptFamily);

  // Held with the GIL only, and never while something waits.
  std::mutex mutex;
  std::unordered_map<std::string, Family> families;
  size_t numEntries = 0;
  size_t maxKernels = defaultMaxKernels;
  uint64_t numUses = 0;
  size_t numCompilations = 0;
};

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_KERNELCACHE_H
