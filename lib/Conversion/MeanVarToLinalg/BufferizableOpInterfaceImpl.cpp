//===- BufferizableOpInterfaceImpl.cpp - Operations left on tensors -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// meanvar operations have no form on buffers. One that bufferization meets is
// lowered to linalg on tensors in a function of its own, for which
// bufferization finds out what is computed in place; then the function's body,
// on buffers, takes the place of the operation.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Conversion/MeanVarToLinalg/MeanVarToLinalg.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlir::meanvar;

/// Returns the type of the new buffer that holds a result of type `type`.
static FailureOr<BufferLikeType>
getResultBufferType(Type type, const BufferizationOptions &options) {
  auto tensorType = cast<TensorType>(type);
  std::optional<Attribute> memorySpace =
      options.defaultMemorySpaceFn(tensorType);
  if (!memorySpace)
    return failure();
  return cast<BufferLikeType>(
      getMemRefTypeWithStaticIdentityLayout(tensorType, *memorySpace));
}

/// Returns a function that computes `op` from the buffers of its operands, of
/// the given types, into new buffers; the body is on tensors.
static FailureOr<OwningOpRef<func::FuncOp>>
createFunction(Operation *op, TypeRange bufferTypes,
               const BufferizationOptions &options) {
  SmallVector<Type> resultTypes;
  for (Type type : op->getResultTypes()) {
    FailureOr<BufferLikeType> bufferType = getResultBufferType(type, options);
    if (failed(bufferType))
      return failure();
    resultTypes.push_back(*bufferType);
  }
  OpBuilder builder(op->getContext());
  Location loc = op->getLoc();
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(loc, op->getName().stripDialect(),
                           builder.getFunctionType(bufferTypes, resultTypes));
  Block *body = function->addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping operands;
  for (auto [operand, buffer] :
       llvm::zip_equal(op->getOperands(), body->getArguments()))
    operands.map(operand,
                 ToTensorOp::create(builder, loc, operand.getType(), buffer,
                                    /*restrict=*/true));
  SmallVector<Value> results;
  for (auto [tensor, type] :
       llvm::zip_equal(builder.clone(*op, operands)->getResults(), resultTypes))
    results.push_back(ToBufferOp::create(builder, loc, type, tensor));
  func::ReturnOp::create(builder, loc, results);
  return function;
}

/// Lowers the body of `function` to linalg, and that to buffers.
static LogicalResult lowerBody(func::FuncOp function,
                               const BufferizationOptions &options) {
  RewritePatternSet patterns(function.getContext());
  populateMeanVarToLinalgPatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  OneShotBufferizationOptions bodyOptions;
  static_cast<BufferizationOptions &>(bodyOptions) = options;
  bodyOptions.allowReturnAllocsFromLoops = true;
  bodyOptions.bufferizeFunctionBoundaries = false;
  // The filter is one of the operations that the user sees.
  bodyOptions.opFilter = OpFilter();
  BufferizationState state;
  return runOneShotBufferize(function, bodyOptions, state);
}

namespace {

template <typename ConcreteOp>
struct MeanVarBufferization final
    : BufferizableOpInterface::ExternalModel<MeanVarBufferization<ConcreteOp>,
                                             ConcreteOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }

  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }

  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return getResultBufferType(value.getType(), options);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    FailureOr<OwningOpRef<func::FuncOp>> function =
        createFunction(op, TypeRange(buffers), options);
    if (failed(function) || failed(lowerBody(**function, options)))
      return failure();
    Block &body = (*function)->getBody().front();
    Operation *terminator = body.getTerminator();
    SmallVector<Value> results(terminator->getOperands());
    terminator->erase();
    rewriter.inlineBlockBefore(&body, op, buffers);
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

} // namespace

void meanvar::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MeanVarDialect *) {
    // What operations are lowered to.
    context->loadDialect<
        affine::AffineDialect, arith::ArithDialect, BufferizationDialect,
        func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
        memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect>();
    MeanOp::attachInterface<MeanVarBufferization<MeanOp>>(*context);
    MvnOp::attachInterface<MeanVarBufferization<MvnOp>>(*context);
  });
}
