//===- ConstantValues.cpp - Values known at import ------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantValues.h"

#include "Names.h"
#include "OperatorTable.h"
#include "Types.h"
#include "meanvar/Target/ONNX/TensorProto.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::meanvar;

FailureOr<DenseElementsAttr>
meanvar::readElements(const onnx::TensorProto &proto, StringRef directory,
                      const Twine &owner, MLIRContext *context,
                      function_ref<InFlightDiagnostic()> emitError) {
  Type elementType = getElementType(proto.data_type(), context);
  if (!elementType)
    return emitError() << owner << " has element type "
                       << getDataTypeName(proto.data_type())
                       << " (allowed: " << elementTypeNames << ")";
  llvm::Expected<HostTensor> tensor = convertTensorProto(proto, directory);
  if (!tensor)
    return emitError() << llvm::toString(tensor.takeError());
  if (failed(checkShape(tensor->getShape(), emitError, owner)))
    return failure();
  auto type = RankedTensorType::get(tensor->getShape(), elementType);
  if (elementType.isInteger(1)) {
    SmallVector<bool> bits;
    for (int64_t index = 0; index < tensor->getNumElements(); ++index)
      bits.push_back(tensor->getInteger(index) != 0);
    return DenseElementsAttr::get(type, bits);
  }
  ArrayRef<char> bytes(reinterpret_cast<const char *>(tensor->getData()),
                       tensor->getNumBytes());
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

DenseElementsAttr meanvar::getConstantElements(Value value) {
  DenseElementsAttr elements;
  matchPattern(value, m_Constant(&elements));
  return elements;
}

LogicalResult meanvar::checkIntegerList(const OperatorNode &node,
                                        size_t index) {
  RankedTensorType type = node.getInputType(index);
  if (!type.getElementType().isInteger(64) || type.getRank() > 1)
    return node.emitError()
           << node.describeInput(index) << " is of type "
           << getDataTypeName(type.getElementType()) << " and rank "
           << type.getRank() << " (allowed: int64 and rank 1)";
  return success();
}

FailureOr<SmallVector<int64_t>>
meanvar::getConstantIntegers(const OperatorNode &node, size_t index) {
  if (failed(checkIntegerList(node, index)))
    return failure();
  return getConstantIndices(node, index);
}

FailureOr<SmallVector<int64_t>>
meanvar::getConstantIndices(const OperatorNode &node, size_t index) {
  if (failed(checkElementType(node, node.getElementType(index), integerTypes,
                              node.describeInput(index))))
    return failure();
  DenseElementsAttr elements = getConstantElements(node.inputs[index]);
  if (!elements)
    return node.emitError()
           << node.describeInput(index)
           << " is known at run time only (allowed: an initializer, a "
              "Constant, or what follows from them at import)";
  return llvm::map_to_vector(
      elements.getValues<APInt>(),
      [](const APInt &integer) { return integer.getSExtValue(); });
}

FailureOr<std::optional<SmallVector<int64_t>>>
meanvar::getOptionalAxes(const OperatorNode &node, bool isAttribute) {
  bool isGiven =
      isAttribute ? node.attributes.contains("axes") : node.hasInput(1);
  if (!isGiven)
    return std::optional<SmallVector<int64_t>>();
  FailureOr<SmallVector<int64_t>> axes =
      isAttribute ? node.getIntegers("axes") : getConstantIntegers(node, 1);
  if (failed(axes))
    return failure();
  std::optional<SmallVector<int64_t>> given;
  given.emplace(std::move(*axes));
  return given;
}
