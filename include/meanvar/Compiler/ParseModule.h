//===- ParseModule.h - Modules from text and bytecode -----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_COMPILER_PARSEMODULE_H
#define MEANVAR_COMPILER_PARSEMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace mlir::meanvar {

/// The bytes that a module may have at most: LLVM's source locations count them
/// in 32 bits, some of them signed.
constexpr uint64_t maxModuleBytes = uint64_t(1) << 30;

/// The brackets that may be nested in text. Deeper than any program, and
/// shallow enough for a stack of recursionStackBytes.
constexpr unsigned maxNesting = 512;

/// The stack to parse and compile on: recursion in MLIR follows the nesting of
/// the text, and this leaves far more than 100 KiB for each level.
constexpr unsigned recursionStackBytes = 64 << 20;

/// Parses MLIR text or bytecode of at most maxModuleBytes, told apart by what
/// `buffer` starts with. The depth of nesting is checked before. The identifier
/// of the buffer is the name of the file in diagnostics. Returns null after
/// diagnostics through `context`.
OwningOpRef<ModuleOp> parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                  MLIRContext *context);

} // namespace mlir::meanvar

#endif // MEANVAR_COMPILER_PARSEMODULE_H
