//===- GuardedTensors.cpp - A call's tensors in guarded memory ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/GuardedTensors.h"

#include <cstring>

using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::Twine;

/// What outputs and their padding hold before a call. No NaN has these bytes:
/// one that is carried over from beside an input shows.
static constexpr uint8_t outputFill = 0xA5;

/// Returns "input 0 ('x')", or without the name where there is none.
static std::string makeName(llvm::StringRef role, size_t index,
                            ArrayRef<std::string> names) {
  std::string text = (role + " " + Twine(index)).str();
  return names.empty() ? text : text + " ('" + names[index] + "')";
}

Expected<TensorView> GuardedTensors::add(ElementKind kind,
                                         ArrayRef<int64_t> shape,
                                         std::string name, bool isInput) {
  TensorView view(kind, shape, /*data=*/nullptr);
  std::optional<uint64_t> numBytes = view.getNumBytes();
  if (!numBytes)
    return createStringError(name + " is too large");
  auto buffer = isInput ? GuardedBuffer::create(*numBytes, side)
                        : GuardedBuffer::create(*numBytes, side, outputFill);
  if (!buffer)
    return createStringError(name + ": " + llvm::toString(buffer.takeError()));
  view.data = buffer->getData();
  entries.push_back({std::move(*buffer), std::move(name), isInput});
  return view;
}

Expected<SmallVector<TensorView>>
GuardedTensors::addInputs(ArrayRef<TensorView> inputs,
                          const FunctionSignature &signature) {
  SmallVector<TensorView> views;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (!signature.inputs[index].isTensor) {
      views.push_back(input);
      continue;
    }
    Expected<TensorView> view =
        add(input.kind, input.shape,
            makeName("input", index, signature.inputNames), /*isInput=*/true);
    if (!view)
      return view.takeError();
    GuardedBuffer &buffer = entries.back().buffer;
    if (buffer.getNumBytes() != 0)
      std::memcpy(buffer.getData(), input.data, buffer.getNumBytes());
    if (Error error = buffer.protectFromWrites())
      return std::move(error);
    views.push_back(*view);
  }
  return views;
}

Expected<std::vector<HostTensor>>
GuardedTensors::run(const CompiledFunction &function,
                    ArrayRef<TensorView> inputs) {
  const FunctionSignature &signature = function.getSignature();
  auto guardedInputs = addInputs(inputs, signature);
  if (!guardedInputs)
    return guardedInputs.takeError();
  auto shapes = function.computeOutputShapes(*guardedInputs);
  if (!shapes)
    return shapes.takeError();
  SmallVector<TensorView> guardedOutputs;
  std::vector<HostTensor> outputs;
  for (auto [index, shape] : llvm::enumerate(*shapes)) {
    ElementKind kind = signature.outputs[index].kind;
    Expected<HostTensor> output = HostTensor::create(kind, shape);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
    Expected<TensorView> view =
        add(kind, shape, makeName("output", index, signature.outputNames),
            /*isInput=*/false);
    if (!view)
      return view.takeError();
    guardedOutputs.push_back(*view);
  }
  if (Error error = function.run(*guardedInputs, guardedOutputs))
    return std::move(error);
  if (Error error = llvm::joinErrors(checkPadding(), checkHeap()))
    return createStringError("function '" + signature.name + "' " +
                             llvm::toString(std::move(error)));
  for (auto [output, view] : llvm::zip_equal(outputs, guardedOutputs))
    if (output.getNumBytes() != 0)
      std::memcpy(output.getData(), view.data, output.getNumBytes());
  return outputs;
}

Error GuardedTensors::checkPadding() const {
  for (const Entry &entry : entries)
    if (!entry.buffer.isPaddingIntact())
      return createStringError("wrote outside its tensors, beside " +
                               entry.name);
  return Error::success();
}

Error GuardedTensors::checkHeap() const {
  if (!heap.isPaddingIntact())
    return createStringError("wrote outside its tensors, beside a temporary");
  if (heap.getNumBlocks() != 0)
    return createStringError("did not free " + Twine(heap.getNumBlocks()) +
                             " of its temporaries");
  return Error::success();
}

std::string GuardedTensors::describeFault(const void *address) const {
  const auto *byte = static_cast<const std::byte *>(address);
  for (const Entry &entry : entries) {
    const GuardedBuffer &buffer = entry.buffer;
    if (!buffer.contains(address))
      continue;
    auto numBytes = static_cast<ptrdiff_t>(buffer.getNumBytes());
    ptrdiff_t offset = byte - buffer.getData();
    if (entry.isInput && offset >= 0 && offset < numBytes)
      return "wrote to " + entry.name;
    return "accessed memory outside its tensors: byte " +
           std::to_string(offset) + " of " + entry.name + ", which has " +
           std::to_string(numBytes);
  }
  if (heap.contains(address))
    return "accessed memory outside its tensors, beside a temporary";
  return "";
}
