//===- MeanVarToLLVM.cpp - The pipeline to the LLVM dialect ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Pipelines/Pipelines.h"

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Conversion/Passes.h"
#include "meanvar/Dialect/MeanVar/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Adds the canonicalization of operations on buffers. It keeps views of
/// buffers whose static sizes are known late as they are: upstream's pattern
/// makes views of empty buffers that do not verify, since no offset is in
/// bounds.
static void addBufferCanonicalizer(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass(
      GreedyRewriteConfig(),
      /*disabledPatterns=*/{
          "(anonymous namespace)::SubViewOpMemRefCastFolder"}));
}

/// Adds the passes of upstream's buildBufferDeallocationPipeline that apply to
/// what there is, around another canonicalization.
static void addBufferDeallocation(OpPassManager &manager) {
  addBufferCanonicalizer(manager);
  manager.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  addBufferCanonicalizer(manager);
  manager.addPass(bufferization::createBufferDeallocationSimplificationPass());
  manager.addPass(bufferization::createLowerDeallocationsPass());
  manager.addPass(createCSEPass());
  addBufferCanonicalizer(manager);
}

void meanvar::buildEntryPointPipeline(OpPassManager &manager) {
  manager.addPass(createRefuseRecursionPass());
  manager.addPass(createRefuseOversizedTensorsPass());
  // Checks first: they name the operations that the user wrote, and inlining
  // may drop an operation that is not used, but not what is to be checked of
  // it.
  manager.addPass(createInsertShapeChecksPass());
  manager.addPass(createConvertElementwiseToLinalgPass());
  // Inlining simplifies nothing on the way, so that the sizes that a message
  // names are still there when its check is lowered.
  manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  manager.addPass(createSymbolDCEPass());
  manager.addPass(createLowerEntryPointsPass());
}

void meanvar::buildMeanVarToLinalgPipeline(
    OpPassManager &manager, const MeanVarToLLVMOptions &options) {
  manager.addPass(createSpecializeShortDimsPass());
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createDecomposeAggregatedOpsPass());
  // The first time it gives elementwise operations destinations of their own.
  // Once their sizes are those of inputs, each result has the one user that
  // fusion asks for.
  functions.addPass(createFuseElementwisePass({/*broadcasts=*/true}));
  functions.addPass(memref::createResolveShapedTypeResultDimsPass());
  functions.addPass(createFuseElementwisePass({/*broadcasts=*/true}));
  functions.addPass(createCollapseDimsPass());
  if (options.printSchedules)
    functions.addPass(createPrintSchedulesPass(
        {options.vectorBits, options.tileBytes, options.tileLanes,
         options.panelLanes, options.transposedElements}));
  functions.addPass(createTransposeShortLanesPass(
      {options.vectorBits, options.transposedElements}));
  functions.addPass(
      createTileLanesPass({options.vectorBits, options.tileBytes,
                           options.tileLanes, options.panelLanes}));
  functions.addPass(createConvertMeanVarToLinalgPass());
  functions.addPass(createFuseElementwisePass({/*broadcasts=*/false}));
}

void meanvar::buildBufferizationPipeline(OpPassManager &manager,
                                         const MeanVarToLLVMOptions &options) {
  manager.addPass(createRefuseUnsupportedTensorOpsPass());
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.allowReturnAllocsFromLoops = true;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  SplitLargeLinalgPassOptions split;
  split.threads = options.threads;
  split.minBytes = options.parallelBytes;
  manager.addNestedPass<func::FuncOp>(createSplitLargeLinalgPass(split));
  DistributeForallPassOptions distribute;
  distribute.threads = options.threads;
  distribute.minBytes = options.parallelBytes;
  manager.addPass(createDistributeForallPass(distribute));
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createForallToForLoopPass());
  addBufferCanonicalizer(functions);
  // Temporaries of the lanes' statistics: out of the loops first, so that the
  // stack does not grow with the iterations.
  functions.addPass(bufferization::createBufferLoopHoistingPass());
  functions.addPass(bufferization::createPromoteBuffersToStackPass(
      {/*maxAllocSizeInBytes=*/maxStackBytes, /*maxRankOfAllocatedMemRef=*/0}));
  addBufferDeallocation(manager);
}

void meanvar::buildLinalgToLLVMPipeline(OpPassManager &manager,
                                        const MeanVarToLLVMOptions &options) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createResolveBufferViewsPass());
  functions.addPass(createChooseStreamingStoresPass({options.streamingBytes}));
  functions.addPass(createVectorizeLinalgPass({options.vectorBits}));
  functions.addPass(createConvertLinalgToLoopsPass());
  addBufferCanonicalizer(functions);
  functions.addPass(createCSEPass());
  functions.addPass(createLoopInvariantCodeMotionPass());
  functions.addPass(createConvertVectorToSCFPass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createExpandArithPass({options.expandFloat16}));
  bool hasThreads = options.threads > 1;
  if (hasThreads)
    manager.addPass(createConvertParallelToOpenMPPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createRefuseUnloweredOpsPass({hasThreads}));
  manager.addPass(createRetypeBFloat16Pass());
  manager.addPass(createAttachLoopAnnotationsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void meanvar::buildMeanVarToLLVMPipeline(OpPassManager &manager,
                                         const MeanVarToLLVMOptions &options) {
  buildEntryPointPipeline(manager);
  buildMeanVarToLinalgPipeline(manager, options);
  buildBufferizationPipeline(manager, options);
  buildLinalgToLLVMPipeline(manager, options);
}

void meanvar::registerPipelines() {
  PassPipelineRegistration<MeanVarToLLVMOptions>(
      "meanvar-to-llvm",
      "Compile modules of meanvar, tensor, linalg, arith, math, scf and func "
      "operations to vectorized code in the LLVM dialect",
      buildMeanVarToLLVMPipeline);
  PassPipelineRegistration<>(
      "meanvar-entry-point-pipeline",
      "First stage of meanvar-to-llvm: checks and the calling convention",
      buildEntryPointPipeline);
  PassPipelineRegistration<MeanVarToLLVMOptions>(
      "meanvar-to-linalg-pipeline",
      "Second stage of meanvar-to-llvm: linalg on tiles of tensors",
      buildMeanVarToLinalgPipeline);
  PassPipelineRegistration<MeanVarToLLVMOptions>(
      "meanvar-bufferization-pipeline",
      "Third stage of meanvar-to-llvm: linalg on buffers",
      buildBufferizationPipeline);
  PassPipelineRegistration<MeanVarToLLVMOptions>(
      "meanvar-linalg-to-llvm-pipeline",
      "Last stage of meanvar-to-llvm: vectors and the LLVM dialect",
      buildLinalgToLLVMPipeline);
}
