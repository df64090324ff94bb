//===- CompiledFunction.cpp - Calls of compiled functions -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllocationRuntime.h"
#include "meanvar/Execution/CompiledModule.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Appends the memref descriptor of a dense row-major buffer to `words`: two
/// pointers, the offset, the sizes and the strides.
static void appendDescriptor(SmallVectorImpl<int64_t> &words, void *data,
                             ArrayRef<int64_t> shape) {
  auto address = static_cast<int64_t>(reinterpret_cast<intptr_t>(data));
  words.append({address, address, 0});
  words.append(shape.begin(), shape.end());
  size_t strides = words.size();
  words.resize(strides + shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    words[strides + dim] = stride;
    // Sizes beside a zero may be anything; no stride is then used.
    stride = static_cast<int64_t>(static_cast<uint64_t>(stride) *
                                  static_cast<uint64_t>(shape[dim]));
  }
}

/// The arguments of one call, packed as mlir::ExecutionEngine wants them: an
/// array of pointers to the arguments and then to the result. Buffers are
/// passed as pointers to their descriptors, scalars by value.
class CompiledFunction::ArgumentPack {
public:
  void addBuffer(void *data, ArrayRef<int64_t> shape) {
    arguments.push_back({/*isBuffer=*/true, descriptors.size(), nullptr});
    appendDescriptor(descriptors, data, shape);
  }
  void addScalar(void *value) {
    arguments.push_back({/*isBuffer=*/false, 0, value});
  }
  void addInputs(ArrayRef<TensorView> inputs, ArrayRef<ValueType> types) {
    for (auto [input, type] : llvm::zip_equal(inputs, types)) {
      if (type.isTensor)
        addBuffer(input.data, input.shape);
      else
        addScalar(input.data);
    }
  }

  /// Takes the addresses once nothing is added any more.
  void finalize() {
    descriptorPointers.reserve(arguments.size());
    for (const Argument &argument : arguments) {
      if (!argument.isBuffer) {
        packed.push_back(argument.scalar);
        continue;
      }
      descriptorPointers.push_back(&descriptors[argument.firstWord]);
      packed.push_back(static_cast<void *>(&descriptorPointers.back()));
    }
    packed.push_back(&status);
  }

  int32_t call(void (*function)(void **)) {
    function(packed.data());
    return status;
  }

private:
  struct Argument {
    bool isBuffer;
    size_t firstWord;
    void *scalar;
  };
  SmallVector<Argument> arguments;
  SmallVector<int64_t, 0> descriptors;
  SmallVector<int64_t *> descriptorPointers;
  SmallVector<void *> packed;
  int32_t status = 0;
};

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool overlaps(const TensorView &lhs, const TensorView &rhs) {
  uint64_t lhsBytes = lhs.getNumBytes().value_or(0);
  uint64_t rhsBytes = rhs.getNumBytes().value_or(0);
  if (lhsBytes == 0 || rhsBytes == 0)
    return false;
  auto lhsStart = reinterpret_cast<uintptr_t>(lhs.data);
  auto rhsStart = reinterpret_cast<uintptr_t>(rhs.data);
  return lhsStart < rhsStart + rhsBytes && rhsStart < lhsStart + lhsBytes;
}

static bool isSameBuffer(const TensorView &lhs, const TensorView &rhs) {
  return lhs.data == rhs.data && lhs.kind == rhs.kind && lhs.shape == rhs.shape;
}

/// Fails for outputs that share memory with one another or, other than exactly,
/// with an input (F2). Scalars have been copied when the function runs.
static Error checkOverlap(const FunctionSignature &signature,
                          ArrayRef<TensorView> inputs,
                          ArrayRef<TensorView> outputs) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    for (auto [other, input] : llvm::enumerate(inputs))
      if (signature.inputs[other].isTensor && overlaps(output, input) &&
          !isSameBuffer(output, input))
        return createStringError(
            "output " + Twine(index) + " of function '" + signature.name +
            "' overlaps input " + Twine(other) +
            " (allowed: no overlap, or exactly the buffer of an input of the "
            "same type)");
    for (size_t other = 0; other < index; ++other)
      if (overlaps(output, outputs[other]))
        return createStringError("output " + Twine(index) + " of function '" +
                                 signature.name + "' overlaps output " +
                                 Twine(other));
  }
  return Error::success();
}

/// Replaces "{0}" and "{1}" in `message`.
static std::string substitute(StringRef message, ArrayRef<int64_t> detail) {
  std::string text;
  while (!message.empty()) {
    if (message.consume_front("{0}"))
      text += std::to_string(detail[0]);
    else if (message.consume_front("{1}"))
      text += std::to_string(detail[1]);
    else {
      text += message.front();
      message = message.drop_front();
    }
  }
  return text;
}

Error CompiledFunction::makeError(int32_t status,
                                  ArrayRef<int64_t> detail) const {
  if (status == 0)
    return Error::success();
  if (status < 0 || static_cast<size_t>(status) > messages.size())
    return createStringError("function '" + signature.name +
                             "' returned the unknown status " + Twine(status));
  return createStringError("function '" + signature.name +
                           "': " + substitute(messages[status - 1], detail));
}

Error CompiledFunction::call(PackedFunction target, ArgumentPack &arguments,
                             ArrayRef<int64_t> detail) const {
  int32_t status = 0;
  std::optional<uint64_t> missingBytes =
      runWithAllocationRuntime(heap, [&] { status = arguments.call(target); });
  if (missingBytes)
    return createStringError("function '" + signature.name +
                             "': not enough memory for a temporary of " +
                             Twine(*missingBytes) + " bytes");
  return makeError(status, detail);
}

//===----------------------------------------------------------------------===//
// CompiledFunction
//===----------------------------------------------------------------------===//

/// Splits the sizes of all outputs, one after the other.
static std::vector<SmallVector<int64_t>>
splitSizes(const FunctionSignature &signature, ArrayRef<int64_t> sizes) {
  std::vector<SmallVector<int64_t>> shapes;
  for (const ValueType &output : signature.outputs) {
    ArrayRef<int64_t> shape = sizes.take_front(output.shape.size());
    sizes = sizes.drop_front(output.shape.size());
    shapes.emplace_back(shape.begin(), shape.end());
  }
  return shapes;
}

Expected<std::vector<SmallVector<int64_t>>>
CompiledFunction::computeOutputShapes(ArrayRef<TensorView> inputs) const {
  if (Error error = signature.checkInputs(inputs))
    return std::move(error);
  int64_t numSizes = 0;
  for (const ValueType &output : signature.outputs)
    numSizes += static_cast<int64_t>(output.shape.size());
  // One more word keeps the pointer valid where no output has a dimension.
  SmallVector<int64_t> sizes(numSizes + 1, 0);
  std::array<int64_t, 2> detail = {0, 0};
  ArgumentPack arguments;
  arguments.addInputs(inputs, signature.inputs);
  arguments.addBuffer(sizes.data(), {numSizes});
  arguments.addBuffer(detail.data(), {2});
  arguments.finalize();
  if (Error error = call(shapeFunction, arguments, detail))
    return std::move(error);
  return splitSizes(signature, ArrayRef(sizes).drop_back());
}

Error CompiledFunction::run(ArrayRef<TensorView> inputs,
                            ArrayRef<TensorView> outputs) const {
  Expected<PreparedCall> call = PreparedCall::create(*this, inputs, outputs);
  if (!call)
    return call.takeError();
  return call->run();
}

Expected<std::vector<HostTensor>>
CompiledFunction::run(ArrayRef<TensorView> inputs) const {
  auto shapes = computeOutputShapes(inputs);
  if (!shapes)
    return shapes.takeError();
  std::vector<HostTensor> outputs;
  for (auto [type, shape] : llvm::zip_equal(signature.outputs, *shapes)) {
    Expected<HostTensor> output = HostTensor::create(type.kind, shape);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
  }
  if (Error error = run(inputs, makeViews(outputs)))
    return std::move(error);
  return outputs;
}

//===----------------------------------------------------------------------===//
// PreparedCall
//===----------------------------------------------------------------------===//

/// Stays where it is while the call moves: arguments point into it.
struct PreparedCall::Frame {
  CompiledFunction::ArgumentPack arguments;
  std::array<int64_t, 2> detail = {0, 0};
};

PreparedCall::PreparedCall(const CompiledFunction &function,
                           std::unique_ptr<Frame> frame)
    : function(&function), frame(std::move(frame)) {}
PreparedCall::PreparedCall(PreparedCall &&) noexcept = default;
PreparedCall &PreparedCall::operator=(PreparedCall &&) noexcept = default;
PreparedCall::~PreparedCall() = default;

/// Fails where an output is not of the shape that the inputs give.
static Error checkOutputShapes(const CompiledFunction &function,
                               ArrayRef<TensorView> inputs,
                               ArrayRef<TensorView> outputs) {
  const FunctionSignature &signature = function.getSignature();
  if (Error error = signature.checkOutputs(outputs))
    return error;
  auto shapes = function.computeOutputShapes(inputs);
  if (!shapes)
    return shapes.takeError();
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].shape != ArrayRef((*shapes)[i]))
      return createStringError(
          "output " + Twine(i) + " of function '" + signature.name + "' is '" +
          getTypeString(outputs[i].kind, outputs[i].shape) + "' (allowed: '" +
          getTypeString(outputs[i].kind, (*shapes)[i]) + "')");
  return checkOverlap(signature, inputs, outputs);
}

Expected<PreparedCall> PreparedCall::create(const CompiledFunction &function,
                                            ArrayRef<TensorView> inputs,
                                            ArrayRef<TensorView> outputs) {
  if (Error error = checkOutputShapes(function, inputs, outputs))
    return std::move(error);
  auto frame = std::make_unique<Frame>();
  frame->arguments.addInputs(inputs, function.getSignature().inputs);
  for (const TensorView &output : outputs)
    frame->arguments.addBuffer(output.data, output.shape);
  frame->arguments.addBuffer(frame->detail.data(), {2});
  frame->arguments.finalize();
  return PreparedCall(function, std::move(frame));
}

Error PreparedCall::run() {
  return function->call(function->function, frame->arguments, frame->detail);
}
