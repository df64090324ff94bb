//===- OperatorNode.h - A node and its attributes ---------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_LIB_TARGET_ONNX_OPERATORNODE_H
#define MEANVAR_LIB_TARGET_ONNX_OPERATORNODE_H

#include "Model.h"
#include "TensorSizes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir::meanvar {

/// What the operations of a node are built with.
struct NodeContext {
  OpBuilder &builder;
  TensorSizes &sizes;
  /// External data is read from files below it.
  StringRef directory;
};

/// A node of the standard domain with everything that its meaning depends on.
/// Its inputs are tensors, or null where an optional one is left out.
struct OperatorNode {
  const onnx::NodeProto &proto;
  /// "node 'n1' (Mean, opset 13)", for diagnostics.
  std::string description;
  int64_t opset;
  AttributeMap attributes;
  SmallVector<Value> inputs;
  Location loc;
  NodeContext context;

  OpBuilder &getBuilder() const { return context.builder; }
  TensorSizes &getSizes() const { return context.sizes; }

  /// Starts an error about the node.
  InFlightDiagnostic emitError() const;

  /// Returns true if there is an input number `index`.
  bool hasInput(size_t index) const {
    return index < inputs.size() && inputs[index];
  }
  /// Returns true if output number `index` has a name, so that it is needed.
  bool hasOutput(int index) const {
    return index < proto.output_size() && !proto.output(index).empty();
  }
  /// "input 1 ('y')", for diagnostics.
  std::string describeInput(size_t index) const;
  RankedTensorType getInputType(size_t index) const {
    return cast<RankedTensorType>(inputs[index].getType());
  }
  Type getElementType(size_t index) const {
    return getInputType(index).getElementType();
  }

  /// The values of attributes. Each fails after an error if the attribute is
  /// of another type.
  FailureOr<int64_t> getInteger(StringRef name, int64_t defaultValue) const;
  /// Of an attribute that is 0 or 1.
  FailureOr<bool> getFlag(StringRef name, bool defaultValue) const;
  FailureOr<float> getFloat(StringRef name, float defaultValue) const;
  FailureOr<SmallVector<int64_t>> getIntegers(StringRef name) const;
};

/// Returns whether `attribute` has type `type`. Files of format 1 do not say
/// the type; there the field that is set counts.
bool hasType(const onnx::AttributeProto &attribute,
             onnx::AttributeProto::AttributeType type, bool isSet);

/// Checks that `axes` are in range for `rank`, and each of them once. Returns
/// which dimensions they are.
FailureOr<SmallVector<bool>> checkAxes(const OperatorNode &node,
                                       ArrayRef<int64_t> axes, int64_t rank);

/// Checks that `axis` is from -`rank` to `last`, which is `rank` - 1 for the
/// axes that a tensor has. Returns it counted from the beginning.
FailureOr<int64_t> normalizeAxis(const OperatorNode &node, int64_t axis,
                                 int64_t rank, int64_t last);

} // namespace mlir::meanvar

#endif // MEANVAR_LIB_TARGET_ONNX_OPERATORNODE_H
