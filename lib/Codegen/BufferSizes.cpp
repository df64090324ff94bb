//===- BufferSizes.cpp - Bytes of buffers ---------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::meanvar;

int64_t meanvar::getElementBytes(MemRefType type) {
  return static_cast<int64_t>(
      DataLayout().getTypeSize(type.getElementType()).getFixedValue());
}

int64_t meanvar::getElementBytes(Value buffer) {
  return getElementBytes(cast<MemRefType>(buffer.getType()));
}

bool meanvar::mayHaveBytes(MemRefType type, int64_t bytes) {
  return !type.hasStaticShape() ||
         type.getNumElements() * getElementBytes(type) >= bytes;
}

Value meanvar::emitBytes(OpBuilder &builder, Location loc, Value buffer) {
  Value bytes =
      arith::ConstantIndexOp::create(builder, loc, getElementBytes(buffer));
  for (OpFoldResult size : memref::getMixedSizes(builder, loc, buffer))
    bytes = builder.createOrFold<arith::MulIOp>(
        loc, bytes, getValueOrCreateConstantIndexOp(builder, loc, size));
  return bytes;
}
