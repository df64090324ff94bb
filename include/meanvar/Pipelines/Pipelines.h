//===- Pipelines.h - The meanvar pipelines ----------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PIPELINES_PIPELINES_H
#define MEANVAR_PIPELINES_PIPELINES_H

#include "meanvar/Codegen/Schedule.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::meanvar {

/// Options of `meanvar-to-llvm`.
struct MeanVarToLLVMOptions : public PassPipelineOptions<MeanVarToLLVMOptions> {
  Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc(
          "Width of a vector register of the target in bits: a power "
          "of two of at least 128"),
      llvm::cl::init(ScheduleLimits().vectorBits)};
  Option<int64_t> tileBytes{
      *this, "tile-bytes",
      llvm::cl::desc("Bytes of a tile of several lanes at most"),
      llvm::cl::init(ScheduleLimits().tileBytes)};
  Option<int64_t> tileLanes{
      *this, "tile-lanes",
      llvm::cl::desc("Lanes of a tile at most, where their elements follow "
                     "each other"),
      llvm::cl::init(ScheduleLimits().tileLanes)};
  Option<int64_t> panelLanes{
      *this, "panel-lanes",
      llvm::cl::desc("Lanes of a tile where they are neighbours in memory"),
      llvm::cl::init(ScheduleLimits().panelLanes)};
  Option<int64_t> transposedElements{
      *this, "transposed-elements",
      llvm::cl::desc("Elements of the longest lane that is transposed in "
                     "registers; 1 for none"),
      llvm::cl::init(ScheduleLimits().transposedElements)};
  Option<bool> expandFloat16{
      *this, "expand-f16",
      llvm::cl::desc("The target converts no f16: do so by integer arithmetic"),
      llvm::cl::init(false)};
  Option<bool> printSchedules{
      *this, "print-schedules",
      llvm::cl::desc("Say in remarks how each meanvar.mvn is computed"),
      llvm::cl::init(false)};
  Option<int64_t> streamingBytes{
      *this, "streaming-bytes",
      llvm::cl::desc("Size of a result in bytes from which on it bypasses the "
                     "caches; 0 for none"),
      llvm::cl::init(defaultStreamingBytes)};
  Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Number of threads, 1 to 1024; with 1 the code is free of "
                     "OpenMP"),
      llvm::cl::init(1)};
  Option<int64_t> parallelBytes{
      *this, "parallel-bytes",
      llvm::cl::desc("Bytes of the largest tensor from which on an operation "
                     "is split into parallel parts, if it is not tiled, and "
                     "runs on several threads"),
      llvm::cl::init(defaultParallelBytes)};
};

/// Public functions: inlining, run-time checks, and the calling convention of
/// docs/CallingConvention.md. The result computes from buffers to buffers, on
/// tensors in between.
void buildEntryPointPipeline(OpPassManager &manager);

/// From meanvar on tensors to linalg on tensors, tiled: collapsed dimensions,
/// tiles of lanes, decomposition.
void buildMeanVarToLinalgPipeline(OpPassManager &manager,
                                  const MeanVarToLLVMOptions &options);

/// From linalg on tensors to linalg on buffers: outputs are computed in place,
/// and temporaries of bounded size are on the stack. Parallel loops are
/// distributed over threads.
void buildBufferizationPipeline(OpPassManager &manager,
                                const MeanVarToLLVMOptions &options);

/// From linalg on buffers to vectorized code in the LLVM dialect.
void buildLinalgToLLVMPipeline(OpPassManager &manager,
                               const MeanVarToLLVMOptions &options);

/// All of the above in order: `meanvar-to-llvm`. What comes out depends on the
/// module and the options alone (F5).
void buildMeanVarToLLVMPipeline(OpPassManager &manager,
                                const MeanVarToLLVMOptions &options);

/// Registers the pipelines under their names, for tools.
void registerPipelines();

} // namespace mlir::meanvar

#endif // MEANVAR_PIPELINES_PIPELINES_H
