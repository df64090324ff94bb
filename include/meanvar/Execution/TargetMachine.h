//===- TargetMachine.h - The CPU that code is made for ----------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_EXECUTION_TARGETMACHINE_H
#define MEANVAR_EXECUTION_TARGETMACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::meanvar {

/// Creates a target machine for code that this host runs. `cpu` is a name that
/// LLVM knows, or "host" or empty for the CPU of this host with exactly the
/// features the operating system reports. `optLevel` is 0 to 3. Fails, naming
/// the CPU, when it is unknown or has instructions that this host lacks.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createJITTargetMachine(llvm::StringRef cpu, unsigned optLevel);

/// Creates a target machine for position-independent code for `triple`, or for
/// the triple of this host where that is empty. `cpu` is a name that LLVM knows
/// for it, "host" for the CPU of this host, or empty for the least that the
/// triple stands for. Fails, naming the triple or the CPU, where it is unknown,
/// has no 64-bit pointers, or is not that of this host and "host" is asked for.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef triple, llvm::StringRef cpu,
                    unsigned optLevel);

/// Returns the width in bits of the vectors that code for the machine uses:
/// the option `vector-bits` of the pipelines.
unsigned getVectorBits(const llvm::TargetMachine &machine);

/// Returns true if the machine has instructions that convert f16 to f32 and
/// back; else the option `expand-f16` of the pipelines spares calls for each
/// element.
bool convertsFloat16(const llvm::TargetMachine &machine);

/// Runs LLVM's optimization pipeline of level `optLevel`, 0 to 3, after marking
/// every function with the CPU and the features of `machine`. Where the CPU has
/// vectors of 512 bits they are kept whole: LLVM prefers 256 on many CPUs,
/// which suits mixed code rather than these kernels. Constraint elimination is
/// left out: its time grows with the cube of the checks of a function.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned optLevel);

} // namespace mlir::meanvar

#endif // MEANVAR_EXECUTION_TARGETMACHINE_H
