//===- SharedLibrary.h - Linking compiled code ------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_AHEADOFTIME_SHAREDLIBRARY_H
#define MEANVAR_AHEADOFTIME_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Triple;
} // namespace llvm

namespace mlir::meanvar {

/// Links `object` to a shared library and returns its bytes, by the C compiler
/// `cc` of this host. Fails where there is none, where it fails, and for a
/// `triple` that is not that of this host.
llvm::Expected<llvm::SmallVector<char, 0>>
linkSharedLibrary(llvm::ArrayRef<char> object, const llvm::Triple &triple,
                  bool hasThreads);

} // namespace mlir::meanvar

#endif // MEANVAR_AHEADOFTIME_SHAREDLIBRARY_H
