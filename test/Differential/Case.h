//===- Case.h - One comparison with the reference ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a module, the inputs of its function and the ways to compile it. It
// passes if each compiled function gives what the reference allows, or fails
// where the reference fails, accesses nothing outside its tensors, and gives
// the same bits twice.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_DIFFERENTIAL_CASE_H
#define MEANVAR_TEST_DIFFERENTIAL_CASE_H

#include "Choices.h"
#include "meanvar/Compiler/Compiler.h"
#include "meanvar/Reference/Evaluator.h"

#include <string>
#include <vector>

namespace mlir {
class MLIRContext;

namespace meanvar {

/// One way to compile and call a function.
struct Configuration {
  std::string source;
  CompileOptions options;
};

struct Case {
  std::vector<HostTensor> inputs;
  std::vector<Configuration> configurations;
};

/// What comparisons found so far.
struct Tally {
  uint64_t numElements = 0;
  /// Elements about which the reference knows nothing.
  uint64_t numUnknown = 0;
  /// Configurations that failed as the reference did.
  uint64_t numErrors = 0;

  Tally &operator+=(const Tally &other);
};

/// Generates a program, its inputs and two configurations.
llvm::Expected<Case> makeCase(Choices &choices);

/// Fails where an element is not what the reference allows, naming the first,
/// or where a shape is another.
llvm::Error compareOutputs(llvm::ArrayRef<HostTensor> actual,
                           llvm::ArrayRef<ReferenceTensor> expected,
                           Tally &tally);

/// Compiles the function as one of the configurations says, runs it and
/// compares. Fails with a description of the first difference.
llvm::Error runCase(Case &testCase, size_t configuration, MLIRContext &context,
                    Tally &tally);

/// Prints a case with one configuration as an MLIR file that readCase reads:
/// options and inputs are comments at its head.
std::string printCase(const Case &testCase, size_t configuration);

/// Reads a case with one configuration from the text of an MLIR file.
llvm::Expected<Case> readCase(llvm::StringRef text);

} // namespace meanvar
} // namespace mlir

#endif // MEANVAR_TEST_DIFFERENTIAL_CASE_H
