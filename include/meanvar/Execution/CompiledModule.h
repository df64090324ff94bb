//===- CompiledModule.h - Functions compiled in memory ----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_COMPILEDMODULE_H
#define MEANVAR_EXECUTION_COMPILEDMODULE_H

#include "meanvar/Execution/FunctionSignature.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
class ModuleOp;

namespace meanvar {

/// The functions of a heap; each does what C's of its name does.
struct HeapFunctions {
  void *(*malloc)(size_t numBytes) = &std::malloc;
  void *(*calloc)(size_t count, size_t size) = &std::calloc;
  void (*free)(void *block) = &std::free;
};

struct CompileOptions {
  /// A CPU that LLVM knows; empty or "host" for this one.
  std::string targetCPU;
  /// LLVM's optimization level, 0 to 3.
  unsigned optLevel = 3;
  /// The size of a result in bytes from which on it bypasses the caches, if not
  /// that of the pipeline; 0 for none.
  std::optional<int64_t> streamingBytes;
  /// The number of threads that a call runs on, 1 to 1024. More than one needs
  /// the run-time library of OpenMP.
  unsigned threads = 1;
  /// The option of the pipeline of this name; for experiments and tests.
  std::optional<int64_t> parallelBytes;
  /// Where compiled code has its temporaries.
  HeapFunctions heap;
};

/// A function of a CompiledModule, which must outlive it. Calls are
/// independent of one another and may run at the same time.
class CompiledFunction {
public:
  const FunctionSignature &getSignature() const { return signature; }

  /// Returns the shapes of the outputs for inputs of the given types; reads no
  /// elements, except of scalars. Performs every check that `run` does.
  llvm::Expected<std::vector<llvm::SmallVector<int64_t>>>
  computeOutputShapes(llvm::ArrayRef<TensorView> inputs) const;

  /// Allocates outputs for the inputs and runs the function.
  llvm::Expected<std::vector<HostTensor>>
  run(llvm::ArrayRef<TensorView> inputs) const;

  /// Runs the function into `outputs`, whose shapes must be those that
  /// computeOutputShapes gives. An output may be exactly the buffer of an input
  /// of the same type; any other overlap is refused. On failure nothing is
  /// written, except where memory for a temporary is short: what the outputs
  /// hold is then unspecified.
  llvm::Error run(llvm::ArrayRef<TensorView> inputs,
                  llvm::ArrayRef<TensorView> outputs) const;

private:
  friend class CompiledModule;
  friend class PreparedCall;
  class ArgumentPack;
  using PackedFunction = void (*)(void **);

  /// Calls a function of compiled code, which has its temporaries on `heap`.
  llvm::Error call(PackedFunction target, ArgumentPack &arguments,
                   llvm::ArrayRef<int64_t> detail) const;

  /// Turns what the function returned into success or its message.
  llvm::Error makeError(int32_t status, llvm::ArrayRef<int64_t> detail) const;

  FunctionSignature signature;
  std::vector<std::string> messages;
  PackedFunction function = nullptr;
  PackedFunction shapeFunction = nullptr;
  HeapFunctions heap;
};

/// A call whose arguments have been checked and laid out once, to be repeated
/// without allocation. The function and the buffers must outlive it.
class PreparedCall {
public:
  static llvm::Expected<PreparedCall>
  create(const CompiledFunction &function, llvm::ArrayRef<TensorView> inputs,
         llvm::ArrayRef<TensorView> outputs);

  PreparedCall(PreparedCall &&) noexcept;
  PreparedCall &operator=(PreparedCall &&) noexcept;
  ~PreparedCall();

  /// Runs the function once.
  llvm::Error run();

private:
  struct Frame;
  PreparedCall(const CompiledFunction &function, std::unique_ptr<Frame> frame);

  const CompiledFunction *function;
  std::unique_ptr<Frame> frame;
};

/// The functions of a module, compiled for this host.
class CompiledModule {
public:
  /// Compiles a module in the LLVM dialect that follows the calling convention
  /// (docs/CallingConvention.md). `module` may be destroyed afterwards. Fails
  /// for an unknown CPU, for what cannot be translated to LLVM IR (with
  /// diagnostics through the context of `module`), and for symbols that do not
  /// resolve.
  static llvm::Expected<std::unique_ptr<CompiledModule>>
  create(ModuleOp module, const CompileOptions &options = {});

  ~CompiledModule();

  /// The functions with tensor results, in the order of the module.
  llvm::ArrayRef<CompiledFunction> getFunctions() const { return functions; }

  /// Returns the function named `name`, or null.
  const CompiledFunction *lookup(llvm::StringRef name) const;

private:
  CompiledModule();

  std::unique_ptr<ExecutionEngine> engine;
  std::vector<CompiledFunction> functions;
};

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_EXECUTION_COMPILEDMODULE_H
