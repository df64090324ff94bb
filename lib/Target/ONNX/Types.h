//===- Types.h - Tensor types of ONNX values --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_TYPES_H
#define MEANVAR_LIB_TARGET_ONNX_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

namespace mlir::meanvar {

/// The largest rank of a value.
constexpr int64_t maxRank = 256;

/// The largest number of elements of a value whose shape is known: sizes in
/// bytes and offsets then fit in 64 bits.
constexpr int64_t maxElements = int64_t(1) << 60;

/// What a model declares about a value.
struct DeclaredType {
  /// Null where no type is declared.
  Type elementType;
  /// The sizes, dynamic for symbolic and missing ones; none where no shape is
  /// declared.
  std::optional<SmallVector<int64_t>> shape;
  /// The symbol of each dimension, empty where it has none.
  SmallVector<std::string> symbols;
};

/// Returns the type for the element type numbered `dataType` in TensorProto, or
/// null if it is none that values can have: the four of the meanvar dialect,
/// and some integers. Only while a model is imported has uint8 a type of its
/// own, ui8: `makeSignless` ends that.
Type getElementType(int32_t dataType, MLIRContext *context);

/// What `getElementType` takes, for diagnostics.
constexpr StringLiteral elementTypeNames =
    "float16, bfloat16, float, double, int8, int32, int64, uint8, bool";

/// Returns true for an integer type whose numbers are not negative.
inline bool isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

/// Returns ONNX's name of `elementType`.
std::string getDataTypeName(Type elementType);

/// Checks that a shape, of `what`, is within the limits.
LogicalResult checkShape(ArrayRef<int64_t> shape,
                         function_ref<InFlightDiagnostic()> emitError,
                         const Twine &what);

/// Reads the type in `info`, which `what` names in diagnostics.
FailureOr<DeclaredType> readType(const onnx::ValueInfoProto &info,
                                 const Twine &what, Location loc);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_TYPES_H
