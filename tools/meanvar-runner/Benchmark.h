//===- Benchmark.h - Timing of a call beside a copy -------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_RUNNER_BENCHMARK_H
#define MEANVAR_TOOLS_MEANVAR_RUNNER_BENCHMARK_H

#include "meanvar/Execution/CompiledModule.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::meanvar {

/// Times `call`, which reads and writes `usefulBytes` bytes at least, and a
/// copy that reads and writes as many, in turns, so that both see the same
/// state of the machine. Takes `numRuns` measurements of each, or as many as
/// fill one second. Prints the least and the median time, the bandwidth by the
/// median and the ratio of the medians.
llvm::Error runBenchmark(PreparedCall &call, uint64_t usefulBytes,
                         std::optional<unsigned> numRuns,
                         llvm::raw_ostream &stream);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_RUNNER_BENCHMARK_H
