/*===- meanvar-c/Embedding.h - Compiling and calling from C -------*- C -*-===*\
|*                                                                            *|
|* Part of the meanvar project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles functions of the meanvar dialect, or an ONNX model, in memory and *|
|* calls them on buffers of the caller, without a copy:                       *|
|*                                                                            *|
|*   MeanVarModule *module;                                                   *|
|*   if (meanvarModuleCompile(text, strlen(text), NULL, &module))             *|
|*     fail(meanvarGetErrorMessage());                                        *|
|*   const MeanVarFunction *mvn = meanvarModuleLookup(module, "mvn");         *|
|*   int64_t shape[] = {2, 3};                                                *|
|*   MeanVarTensor input = {MEANVAR_F32, 2, shape, x};                        *|
|*   MeanVarTensor output = {MEANVAR_F32, 2, shape, y};                       *|
|*   if (meanvarFunctionRun(mvn, &input, 1, &output, 1))                      *|
|*     fail(meanvarGetErrorMessage());                                        *|
|*   meanvarModuleDestroy(module);                                            *|
|*                                                                            *|
|* Rules that hold for every function here:                                   *|
|*                                                                            *|
|* - What a function named ...Create or ...Compile returns belongs to the     *|
|*   caller, who gives it back to the ...Destroy of its type. Every other     *|
|*   pointer belongs to the object it was asked of and lives as long as that. *|
|* - A function that can fail returns a MeanVarStatus. Where it fails it      *|
|*   leaves its results as they were.                                         *|
|* - A handle must not be null, except where the function says so, and an     *|
|*   index must be in range where the function cannot fail.                   *|
|* - Different objects may be used by different threads at the same time, and *|
|*   so may one module and its functions. A MeanVarCall and a                 *|
|*   MeanVarCompileOptions are for one thread at a time.                      *|
|*                                                                            *|
|* The interface only grows: no declaration changes its meaning or goes.      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef MEANVAR_C_EMBEDDING_H
#define MEANVAR_C_EMBEDDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Version and errors                                                         *|
\*===----------------------------------------------------------------------===*/

/** Returns the version of the library, such as "0.1.0". */
const char *meanvarGetVersion(void);

/** How a function ended. More kinds of failure may be added. */
typedef enum MeanVarStatus {
  MEANVAR_SUCCESS = 0,
  /** The caller's arguments are wrong, and nothing was written: an option out
      of range, or tensors that the compiled function does not take. */
  MEANVAR_INVALID_ARGUMENT = 1,
  /** The module cannot be parsed, verified or compiled. */
  MEANVAR_COMPILATION_FAILED = 2,
  /** The compiled function failed: memory for a temporary was short. What the
      outputs hold is unspecified. */
  MEANVAR_EXECUTION_FAILED = 3,
} MeanVarStatus;

/** Returns what the last failure on this thread was, in one or more lines
    without a line break at the end; "" before any failure. The text lives until
    the next failure on this thread. */
const char *meanvarGetErrorMessage(void);

/*===----------------------------------------------------------------------===*\
|* Compilation                                                                *|
\*===----------------------------------------------------------------------===*/

/** How a module is compiled. */
typedef struct MeanVarCompileOptions MeanVarCompileOptions;

/** Returns options for the CPU of this host, optimization level 3 and one
    thread. */
MeanVarCompileOptions *meanvarCompileOptionsCreate(void);

/** Destroys `options`, which may be null. */
void meanvarCompileOptionsDestroy(MeanVarCompileOptions *options);

/** Sets the CPU to compile for: a name that LLVM knows, such as "x86-64-v3", or
    "host". Whether this host can run its code is checked on compilation. */
void meanvarCompileOptionsSetTargetCPU(MeanVarCompileOptions *options,
                                       const char *name);

/** Sets LLVM's optimization level, 0 to 3. */
MeanVarStatus meanvarCompileOptionsSetOptLevel(MeanVarCompileOptions *options,
                                               unsigned level);

/** Sets the number of threads that one call runs on, 1 to 1024. More than one
    need OpenMP's library (libomp.so.5) when a module is compiled. Results have
    the same bits for any number. */
MeanVarStatus meanvarCompileOptionsSetThreads(MeanVarCompileOptions *options,
                                              unsigned threads);

/** Sets the name that diagnostics give the source, such as that of the file it
    was read from; "" at first. */
void meanvarCompileOptionsSetSourceName(MeanVarCompileOptions *options,
                                        const char *name);

/** Sets the triple of the target that meanvarWriteCode compiles for, such as
    "aarch64-linux-gnu"; "" at first, for that of this host. */
void meanvarCompileOptionsSetTargetTriple(MeanVarCompileOptions *options,
                                          const char *triple);

/** Sets what the names of functions that meanvarWriteCode writes start with; ""
    at first, for the name of the file without its directory and extension. */
void meanvarCompileOptionsSetSymbolPrefix(MeanVarCompileOptions *options,
                                          const char *prefix);

/** How grave a diagnostic is. */
typedef enum MeanVarSeverity {
  /** Says more about the diagnostic before it. */
  MEANVAR_NOTE = 0,
  MEANVAR_WARNING = 1,
  MEANVAR_ERROR = 2,
  MEANVAR_REMARK = 3,
} MeanVarSeverity;

/** What the compiler found. It may get more members, after these. */
typedef struct MeanVarDiagnostic {
  MeanVarSeverity severity;
  /** Without the location, and without a line break at the end. */
  const char *message;
  /** The name of the source, or "" where the diagnostic has no location. */
  const char *file;
  /** Counted from 1; 0 where the source has no lines or there is no location.
   */
  unsigned line;
  unsigned column;
} MeanVarDiagnostic;

/** Gets a diagnostic, which lives until the function returns, and what was
    given beside the function. */
typedef void (*MeanVarDiagnosticCallback)(const MeanVarDiagnostic *diagnostic,
                                          void *context);

/** Has a compilation pass all its diagnostics to `callback`, unless that is
    null. It is called on the thread that compiles, in order, before the
    compiling function returns, whether that fails or not; a failure has one
    error at least. */
void meanvarCompileOptionsSetDiagnosticCallback(
    MeanVarCompileOptions *options, MeanVarDiagnosticCallback callback,
    void *context);

/** Functions compiled in memory. */
typedef struct MeanVarModule MeanVarModule;

/** Compiles a module in MLIR's text form or in its bytecode, which are told
    apart by how they start, `length` bytes at `source`, and stores it to
    `module`. `options` may be null for the defaults; neither it nor the source
    is needed afterwards. The message of a failure holds the errors, a line
    each. Text may be anything: brackets nested too deeply for the parser are
    refused. Bytecode must come from a writer of bytecode, as MLIR does not
   check all that it reads of it. */
MeanVarStatus meanvarModuleCompile(const char *source, size_t length,
                                   const MeanVarCompileOptions *options,
                                   MeanVarModule **module);

/** Compiles an ONNX model in the binary format, `length` bytes at `model`, as
    meanvarModuleCompile does. The module has one function, named after the
    graph. External data is read from files below `directory`; where that is
    null, a model with external data is refused. */
MeanVarStatus meanvarModuleCompileONNX(const void *model, size_t length,
                                       const char *directory,
                                       const MeanVarCompileOptions *options,
                                       MeanVarModule **module);

/** Imports an ONNX model as meanvarModuleCompileONNX does, without compiling
   it, which says much sooner whether all that it holds is supported. Stores to
    `numReductions`, unless that is null, how many of the operations that it
    became combine several elements into one: normalizations, means and other
    reductions. All others compute or move single elements. */
MeanVarStatus meanvarCheckONNX(const void *model, size_t length,
                               const char *directory,
                               const MeanVarCompileOptions *options,
                               size_t *numReductions);

/** What meanvarWriteCode compiles. */
typedef enum MeanVarSourceFormat {
  /** A module in text form or in bytecode, as of meanvarModuleCompile. */
  MEANVAR_MLIR = 0,
  /** A model in the binary format, as of meanvarModuleCompileONNX. */
  MEANVAR_ONNX = 1,
} MeanVarSourceFormat;

/** Compiles `length` bytes at `source` ahead of time, to what
   docs/AheadOfTime.md describes: writes the file `path`, a shared library where
   that ends in ".so" and an object otherwise, and a C header to `headerPath`,
   unless that is null. Where it fails, no file has been changed. `directory` is
   that of external data, or null. Without a target CPU among the options, the
   code is for any of the target. Shared libraries are for this host only, and
   need the C compiler "cc" in the path. */
MeanVarStatus meanvarWriteCode(MeanVarSourceFormat format, const void *source,
                               size_t length, const char *directory,
                               const MeanVarCompileOptions *options,
                               const char *path, const char *headerPath);

/** Destroys `module` with its functions; null is allowed. Calls made of them
    have to be destroyed before. */
void meanvarModuleDestroy(MeanVarModule *module);

/*===----------------------------------------------------------------------===*\
|* Functions and their signatures                                             *|
\*===----------------------------------------------------------------------===*/

/** A function of a module. */
typedef struct MeanVarFunction MeanVarFunction;

/** Returns how many functions the module has: its public functions with a
    tensor among their results. */
size_t meanvarModuleGetNumFunctions(const MeanVarModule *module);

/** Returns function `index`, in the order of the module. */
const MeanVarFunction *meanvarModuleGetFunction(const MeanVarModule *module,
                                                size_t index);

/** Returns the function named `name`, or null where there is none. */
const MeanVarFunction *meanvarModuleLookup(const MeanVarModule *module,
                                           const char *name);

/** Returns the name of `function`. */
const char *meanvarFunctionGetName(const MeanVarFunction *function);

/** An input or an output of a function. */
typedef struct MeanVarValue MeanVarValue;

/** Returns how many inputs `function` takes. */
size_t meanvarFunctionGetNumInputs(const MeanVarFunction *function);

/** Returns input `index` of `function`. */
const MeanVarValue *meanvarFunctionGetInput(const MeanVarFunction *function,
                                            size_t index);

/** Returns how many outputs `function` has. */
size_t meanvarFunctionGetNumOutputs(const MeanVarFunction *function);

/** Returns output `index` of `function`. */
const MeanVarValue *meanvarFunctionGetOutput(const MeanVarFunction *function,
                                             size_t index);

/** The types that elements can have: the floats of IEEE 754 and bfloat16,
    signless integers, MLIR's index in 64 bits, and the uint8 of ONNX models. An
    i1 is one byte, 0 or 1. */
typedef enum MeanVarElementType {
  MEANVAR_F16 = 0,
  MEANVAR_BF16 = 1,
  MEANVAR_F32 = 2,
  MEANVAR_F64 = 3,
  MEANVAR_I1 = 4,
  MEANVAR_I8 = 5,
  MEANVAR_I16 = 6,
  MEANVAR_I32 = 7,
  MEANVAR_I64 = 8,
  MEANVAR_INDEX = 9,
  MEANVAR_UI8 = 10,
} MeanVarElementType;

/** Stands in the shape of a MeanVarValue for a size that each call brings. */
#define MEANVAR_DYNAMIC_SIZE INT64_MIN

/** Returns the name of `value` in the ONNX model that the module was imported
    from, or "" where it has none. */
const char *meanvarValueGetName(const MeanVarValue *value);

/** Returns the type of the elements of `value`. */
MeanVarElementType meanvarValueGetElementType(const MeanVarValue *value);

/** Returns false for a scalar, which is passed as a tensor of rank 0. */
bool meanvarValueIsTensor(const MeanVarValue *value);

/** Returns how many dimensions `value` has. */
size_t meanvarValueGetRank(const MeanVarValue *value);

/** Returns the sizes of `value`, as many as its rank, each of which may be
    MEANVAR_DYNAMIC_SIZE. */
const int64_t *meanvarValueGetShape(const MeanVarValue *value);

/** Returns the symbol that stands for the size of dimension `dimension` of
    `value` in the ONNX model, such as "batch", or "" where it has none.
    Dimensions of inputs with the same symbol have to be equal. */
const char *meanvarValueGetDimensionName(const MeanVarValue *value,
                                         size_t dimension);

/*===----------------------------------------------------------------------===*\
|* Calls                                                                      *|
\*===----------------------------------------------------------------------===*/

/** A tensor whose shape and elements belong to the caller: dense, row-major and
    aligned to the size of an element. Where `rank` is 0, `shape` may be null.
 */
typedef struct MeanVarTensor {
  MeanVarElementType elementType;
  size_t rank;
  const int64_t *shape;
  void *data;
} MeanVarTensor;

/** Computes the shapes of all outputs for `inputs`, of which only scalars need
    `data`: `shapes[i]` has room for as many sizes as output i has dimensions.
    Makes every check of the inputs that a call makes. */
MeanVarStatus meanvarFunctionComputeOutputShapes(
    const MeanVarFunction *function, const MeanVarTensor *inputs,
    size_t numInputs, int64_t *const *shapes, size_t numOutputs);

/** Runs `function` once. The shapes of `outputs` have to be those that
    meanvarFunctionComputeOutputShapes gives. An output may be exactly the
   buffer of an input of the same type; any other overlap is refused. */
MeanVarStatus meanvarFunctionRun(const MeanVarFunction *function,
                                 const MeanVarTensor *inputs, size_t numInputs,
                                 const MeanVarTensor *outputs,
                                 size_t numOutputs);

/** A call whose arguments have been checked once, to be run many times. */
typedef struct MeanVarCall MeanVarCall;

/** Checks the arguments as meanvarFunctionRun does, and stores the call to
    `call`. It keeps the addresses of the elements, which have to stay where
   they are, and no other pointer into its arguments. */
MeanVarStatus meanvarCallCreate(const MeanVarFunction *function,
                                const MeanVarTensor *inputs, size_t numInputs,
                                const MeanVarTensor *outputs, size_t numOutputs,
                                MeanVarCall **call);

/** Runs the function on what the buffers of `call` now hold. */
MeanVarStatus meanvarCallRun(MeanVarCall *call);

/** Destroys `call`, which may be null. */
void meanvarCallDestroy(MeanVarCall *call);

#ifdef __cplusplus
}
#endif

#endif /* MEANVAR_C_EMBEDDING_H */
