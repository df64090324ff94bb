//===- FloatRuntime.cpp - Conversions that compiled code calls ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatRuntime.h"
#include "meanvar/TensorIO/SmallFloat.h"
#include "llvm/ADT/bit.h"

using namespace mlir::meanvar;
using llvm::orc::ExecutorAddr;
using llvm::orc::ExecutorSymbolDef;

// The types are those of the calling convention: 16-bit floats travel in vector
// registers. The conversions work on their bits, as the hardware's are what is
// missing where these functions are called.
using Half = _Float16;
using BFloat = __bf16;

static float extendHalf(Half value) {
  return static_cast<float>(halfToDouble(llvm::bit_cast<uint16_t>(value)));
}

static Half truncateFloatToHalf(float value) {
  return llvm::bit_cast<Half>(doubleToHalf(value));
}

static Half truncateDoubleToHalf(double value) {
  return llvm::bit_cast<Half>(doubleToHalf(value));
}

static BFloat truncateFloatToBFloat(float value) {
  return llvm::bit_cast<BFloat>(doubleToBFloat(value));
}

static BFloat truncateDoubleToBFloat(double value) {
  return llvm::bit_cast<BFloat>(doubleToBFloat(value));
}

static constexpr llvm::StringRef names[] = {"__extendhfsf2", "__truncsfhf2",
                                            "__truncdfhf2", "__truncsfbf2",
                                            "__truncdfbf2"};

llvm::ArrayRef<llvm::StringRef> mlir::meanvar::getFloatRuntimeNames() {
  return names;
}

llvm::orc::SymbolMap
mlir::meanvar::getFloatRuntimeSymbols(llvm::orc::MangleAndInterner mangle) {
  // In the order of `names`.
  const ExecutorAddr addresses[] = {
      ExecutorAddr::fromPtr(&extendHalf),
      ExecutorAddr::fromPtr(&truncateFloatToHalf),
      ExecutorAddr::fromPtr(&truncateDoubleToHalf),
      ExecutorAddr::fromPtr(&truncateFloatToBFloat),
      ExecutorAddr::fromPtr(&truncateDoubleToBFloat)};
  llvm::orc::SymbolMap symbols;
  for (auto [name, address] : llvm::zip_equal(names, addresses))
    symbols[mangle(name)] =
        ExecutorSymbolDef(address, llvm::JITSymbolFlags::Exported |
                                       llvm::JITSymbolFlags::Callable);
  return symbols;
}
