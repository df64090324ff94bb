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
      llvm::cl::init(512)};
  Option<int64_t> streamingBytes{
      *this, "streaming-bytes",
      llvm::cl::desc("Size of a result in bytes from which on it bypasses the "
                     "caches; 0 for none"),
      llvm::cl::init(defaultStreamingBytes)};
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
/// and temporaries of bounded size are on the stack.
void buildBufferizationPipeline(OpPassManager &manager);

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
