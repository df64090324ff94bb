//===- OperationCompiler.h - Operations of meanvar, compiled ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_ACCURACY_OPERATIONCOMPILER_H
#define MEANVAR_TEST_ACCURACY_OPERATIONCOMPILER_H

#include "meanvar/Execution/CompiledModule.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::meanvar {

/// The target: that of every x86 server of the last decade, so that the numbers
/// are those of any machine (V9).
constexpr const char *accuracyTarget = "x86-64-v3";

/// Compiles single operations of meanvar on tensors of one type, and runs them.
class OperationCompiler {
public:
  OperationCompiler();

  /// Runs meanvar.mvn with the given axis.
  llvm::Expected<HostTensor> runMvn(HostTensor &input, int64_t axis);

  /// Runs meanvar.mean.
  llvm::Expected<HostTensor> runMean(llvm::MutableArrayRef<HostTensor> inputs);

private:
  /// Compiles a function that takes %x0, %x1, ... of one type and returns %y,
  /// which `operation` defines, and runs it.
  llvm::Expected<HostTensor> run(llvm::StringRef operation,
                                 llvm::MutableArrayRef<HostTensor> inputs);

  MLIRContext context;
  /// What has been compiled, by its source.
  llvm::StringMap<std::unique_ptr<CompiledModule>> modules;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_ACCURACY_OPERATIONCOMPILER_H
