//===- AllocationRuntime.h - Memory of compiled code ------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code takes the memory of its temporaries from `malloc` and does not
// look at what it gets. The JIT brings a `malloc` and a `free` of its own,
// which take it from the heap of the call and end the call where memory is
// short.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_EXECUTION_ALLOCATIONRUNTIME_H
#define MEANVAR_LIB_EXECUTION_ALLOCATIONRUNTIME_H

#include "meanvar/Execution/CompiledModule.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

#include <cstdint>
#include <optional>

namespace mlir::meanvar {

/// Returns `malloc`, `calloc` and `free` under their mangled names.
llvm::orc::SymbolMap
getAllocationRuntimeSymbols(llvm::orc::MangleAndInterner mangle);

/// Runs `call`, which calls compiled code and owns nothing; the code's memory
/// is that of `heap`. Where that code cannot have memory, everything it has
/// allocated is freed, `call` is left where it stands, and the number of bytes
/// asked for is returned.
std::optional<uint64_t>
runWithAllocationRuntime(const HeapFunctions &heap,
                         llvm::function_ref<void()> call);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_EXECUTION_ALLOCATIONRUNTIME_H
