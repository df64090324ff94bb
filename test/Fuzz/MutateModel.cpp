//===- MutateModel.cpp - Changes of models that keep their structure ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is written after its length, so most changes of bytes damage all
// messages around. This mutator changes the bytes of one message, or copies one
// over another of its type, and writes the lengths anew.
//
//===----------------------------------------------------------------------===//

#include <onnx/onnx_pb.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Random = std::minstd_rand;

/// libFuzzer's mutations of bytes; returns the new size.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Adds `message` and all messages in it to `messages`.
static void collectMessages(Message &message,
                            std::vector<Message *> &messages) {
  messages.push_back(&message);
  const Reflection &reflection = *message.GetReflection();
  std::vector<const FieldDescriptor *> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated()) {
      collectMessages(*reflection.MutableMessage(&message, field), messages);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      collectMessages(*reflection.MutableRepeatedMessage(&message, field, i),
                      messages);
  }
}

/// Copies one of `messages` over `message`, or merges the two.
static void copyOther(Message &message, const std::vector<Message *> &messages,
                      Random &random) {
  std::vector<const Message *> others;
  for (const Message *other : messages)
    if (other->GetDescriptor() == message.GetDescriptor())
      others.push_back(other);
  // Of a copy, because either may contain the other.
  const Message &other = *others[random() % others.size()];
  std::unique_ptr<Message> copy(other.New());
  copy->CopyFrom(other);
  if (random() % 2 == 0)
    message.Clear();
  message.MergeFrom(*copy);
}

/// Changes the bytes of `message` such that they are one still.
static void mutateBytes(Message &message) {
  constexpr size_t maxGrowth = 64;
  constexpr int maxAttempts = 16;
  const std::string original = message.SerializePartialAsString();
  for (int attempt = 0; attempt < maxAttempts; ++attempt) {
    std::string bytes = original;
    bytes.resize(original.size() + maxGrowth);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()),
                                  original.size(), bytes.size()));
    if (message.ParsePartialFromString(bytes))
      return;
  }
  (void)message.ParsePartialFromString(original);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed);
  onnx::ModelProto model;
  if (random() % 4 == 0 ||
      !model.ParsePartialFromArray(data, static_cast<int>(size)))
    return LLVMFuzzerMutate(data, size, maxSize);
  std::vector<Message *> messages;
  collectMessages(model, messages);
  Message &message = *messages[random() % messages.size()];
  if (random() % 3 == 0)
    copyOther(message, messages, random);
  else
    mutateBytes(message);
  size_t newSize = model.ByteSizeLong();
  if (newSize > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  (void)model.SerializePartialToArray(data, static_cast<int>(newSize));
  return newSize;
}
