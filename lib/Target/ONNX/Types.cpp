//===- Types.cpp - Tensor types of ONNX values ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"

#include "Names.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::meanvar;

Type meanvar::getElementType(int32_t dataType, MLIRContext *context) {
  switch (dataType) {
  case onnx::TensorProto::FLOAT16:
    return Float16Type::get(context);
  case onnx::TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case onnx::TensorProto::FLOAT:
    return Float32Type::get(context);
  case onnx::TensorProto::DOUBLE:
    return Float64Type::get(context);
  case onnx::TensorProto::BOOL:
    return IntegerType::get(context, 1);
  case onnx::TensorProto::INT8:
    return IntegerType::get(context, 8);
  case onnx::TensorProto::UINT8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case onnx::TensorProto::INT32:
    return IntegerType::get(context, 32);
  case onnx::TensorProto::INT64:
    return IntegerType::get(context, 64);
  default:
    return {};
  }
}

std::string meanvar::getDataTypeName(Type elementType) {
  if (elementType.isInteger(1))
    return "bool";
  if (elementType.isInteger())
    return (elementType.isUnsignedInteger() ? "uint" : "int") +
           std::to_string(elementType.getIntOrFloatBitWidth());
  if (elementType.isF16())
    return "float16";
  if (elementType.isBF16())
    return "bfloat16";
  return elementType.isF32() ? "float" : "double";
}

LogicalResult meanvar::checkShape(ArrayRef<int64_t> shape,
                                  function_ref<InFlightDiagnostic()> emitError,
                                  const Twine &what) {
  if (static_cast<int64_t>(shape.size()) > maxRank)
    return emitError() << what << " has rank " << shape.size()
                       << " (allowed: up to " << maxRank << ")";
  // A size of 0 does not excuse the others: slices of the value have them too.
  uint64_t numElements = 1;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size) || size == 0)
      continue;
    numElements = llvm::SaturatingMultiply<uint64_t>(numElements, size);
    if (numElements > static_cast<uint64_t>(maxElements))
      return emitError() << what << " has more than 2^60 elements";
  }
  return success();
}

/// Returns the kind of a type that is no tensor.
static StringRef getTypeKind(const onnx::TypeProto &type) {
  switch (type.value_case()) {
  case onnx::TypeProto::kSequenceType:
    return "a sequence";
  case onnx::TypeProto::kMapType:
    return "a map";
  case onnx::TypeProto::kOptionalType:
    return "an optional value";
  case onnx::TypeProto::kSparseTensorType:
    return "a sparse tensor";
  default:
    return "of an unknown type";
  }
}

/// Reads the sizes and symbols of `shape`.
static LogicalResult readShape(const onnx::TensorShapeProto &shape,
                               const Twine &what, Location loc,
                               DeclaredType &type) {
  type.shape.emplace();
  for (const onnx::TensorShapeProto::Dimension &dim : shape.dim()) {
    type.symbols.push_back(dim.dim_param());
    if (!dim.has_dim_value()) {
      type.shape->push_back(ShapedType::kDynamic);
      continue;
    }
    if (dim.dim_value() < 0)
      return emitError(loc) << what << " has size " << dim.dim_value()
                            << " in dimension " << type.shape->size()
                            << " (allowed: 0 and up, a name, or nothing)";
    type.shape->push_back(dim.dim_value());
  }
  return checkShape(*type.shape, [&] { return emitError(loc); }, what);
}

FailureOr<DeclaredType> meanvar::readType(const onnx::ValueInfoProto &info,
                                          const Twine &what, Location loc) {
  DeclaredType type;
  if (info.type().value_case() == onnx::TypeProto::VALUE_NOT_SET)
    return type;
  if (!info.type().has_tensor_type())
    return emitError(loc) << what << " is " << getTypeKind(info.type())
                          << " (allowed: tensors)";
  const onnx::TypeProto::Tensor &tensor = info.type().tensor_type();
  type.elementType = getElementType(tensor.elem_type(), loc.getContext());
  if (!type.elementType)
    return emitError(loc) << what << " has element type "
                          << getDataTypeName(tensor.elem_type())
                          << " (allowed: " << elementTypeNames << ")";
  if (tensor.has_shape() && failed(readShape(tensor.shape(), what, loc, type)))
    return failure();
  return type;
}
