//===- HostTensor.cpp - Tensors in host memory ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/HostTensor.h"
#include "meanvar/TensorIO/SmallFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace mlir::meanvar;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct ElementDescription {
  ElementKind kind;
  StringRef name;
  size_t size;
};
} // namespace

static constexpr size_t alignment = 64;

/// In the order of ElementKind.
static constexpr ElementDescription elementDescriptions[] = {
    {ElementKind::F16, "f16", 2}, {ElementKind::BF16, "bf16", 2},
    {ElementKind::F32, "f32", 4}, {ElementKind::F64, "f64", 8},
    {ElementKind::I1, "i1", 1},   {ElementKind::I8, "i8", 1},
    {ElementKind::I16, "i16", 2}, {ElementKind::I32, "i32", 4},
    {ElementKind::I64, "i64", 8}, {ElementKind::Index, "index", 8},
    {ElementKind::UI8, "ui8", 1}};

static const ElementDescription &describe(ElementKind kind) {
  return elementDescriptions[static_cast<size_t>(kind)];
}

size_t mlir::meanvar::getElementSize(ElementKind kind) {
  return describe(kind).size;
}

StringRef mlir::meanvar::getElementName(ElementKind kind) {
  return describe(kind).name;
}

std::optional<ElementKind> mlir::meanvar::parseElementName(StringRef name) {
  for (const ElementDescription &description : elementDescriptions)
    if (description.name == name)
      return description.kind;
  return std::nullopt;
}

bool mlir::meanvar::isFloat(ElementKind kind) {
  return kind == ElementKind::F16 || kind == ElementKind::BF16 ||
         kind == ElementKind::F32 || kind == ElementKind::F64;
}

std::string mlir::meanvar::getTypeString(ElementKind kind,
                                         llvm::ArrayRef<int64_t> shape) {
  std::string type;
  for (int64_t size : shape)
    type += (size == dynamicSize ? "?" : std::to_string(size)) + "x";
  return type + getElementName(kind).str();
}

int64_t mlir::meanvar::countElements(llvm::ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

//===----------------------------------------------------------------------===//
// HostTensor
//===----------------------------------------------------------------------===//

void HostTensor::FreeDeleter::operator()(std::byte *pointer) const {
  std::free(pointer);
}

/// Returns the bytes of a tensor, or nothing when they exceed maxTensorBytes.
/// The product is taken over the sizes other than zero only when none is zero:
/// a tensor without elements may have large other sizes.
static std::optional<uint64_t> countBytes(ElementKind kind,
                                          llvm::ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t bytes = getElementSize(kind);
  for (int64_t size : shape) {
    bool overflow = false;
    bytes =
        llvm::SaturatingMultiply(bytes, static_cast<uint64_t>(size), &overflow);
    if (overflow || bytes > maxTensorBytes)
      return std::nullopt;
  }
  return bytes;
}

Expected<HostTensor> HostTensor::create(ElementKind kind,
                                        llvm::ArrayRef<int64_t> shape) {
  std::string type = mlir::meanvar::getTypeString(kind, shape);
  for (int64_t size : shape)
    if (size < 0)
      return llvm::createStringError("tensor '" + type +
                                     "' has a negative size");
  std::optional<uint64_t> bytes = countBytes(kind, shape);
  if (!bytes)
    return llvm::createStringError("tensor '" + type + "' has more than " +
                                   std::to_string(maxTensorBytes) +
                                   " bytes, the largest size allowed");
  size_t allocated = llvm::alignTo(std::max<uint64_t>(*bytes, 1), alignment);
  auto *memory =
      static_cast<std::byte *>(std::aligned_alloc(alignment, allocated));
  if (!memory)
    return llvm::createStringError("not enough memory for tensor '" + type +
                                   "' of " + std::to_string(*bytes) + " bytes");
  std::memset(memory, 0, allocated);

  HostTensor tensor;
  tensor.kind = kind;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.data.reset(memory);
  return tensor;
}

int64_t HostTensor::getNumElements() const {
  return data ? countElements(shape) : 0;
}

std::string HostTensor::getTypeString() const {
  return mlir::meanvar::getTypeString(kind, shape);
}

template <typename T>
static T load(const std::byte *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void store(std::byte *data, int64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

llvm::Error HostTensor::checkElements() const {
  if (kind != ElementKind::I1)
    return llvm::Error::success();
  for (int64_t i = 0, e = getNumElements(); i < e; ++i)
    if (auto value = load<uint8_t>(data.get(), i); value > 1)
      return llvm::createStringError("element " + std::to_string(i) +
                                     " of type i1 is " + std::to_string(value) +
                                     " (allowed: 0, 1)");
  return llvm::Error::success();
}

double HostTensor::getFloat(int64_t index) const {
  switch (kind) {
  case ElementKind::F16:
    return halfToDouble(load<uint16_t>(data.get(), index));
  case ElementKind::BF16:
    return bfloatToDouble(load<uint16_t>(data.get(), index));
  case ElementKind::F32:
    return load<float>(data.get(), index);
  case ElementKind::F64:
    return load<double>(data.get(), index);
  default:
    return static_cast<double>(getInteger(index));
  }
}

void HostTensor::setFloat(int64_t index, double value) {
  switch (kind) {
  case ElementKind::F16:
    return store(data.get(), index, doubleToHalf(value));
  case ElementKind::BF16:
    return store(data.get(), index, doubleToBFloat(value));
  case ElementKind::F32:
    return store(data.get(), index, static_cast<float>(value));
  case ElementKind::F64:
    return store(data.get(), index, value);
  default:
    return setInteger(index, static_cast<int64_t>(value));
  }
}

int64_t HostTensor::getInteger(int64_t index) const {
  switch (kind) {
  case ElementKind::I1:
    return load<uint8_t>(data.get(), index) & 1;
  case ElementKind::I8:
    return load<int8_t>(data.get(), index);
  case ElementKind::UI8:
    return load<uint8_t>(data.get(), index);
  case ElementKind::I16:
    return load<int16_t>(data.get(), index);
  case ElementKind::I32:
    return load<int32_t>(data.get(), index);
  case ElementKind::I64:
  case ElementKind::Index:
    return load<int64_t>(data.get(), index);
  default:
    llvm_unreachable("not an integer kind");
  }
}

void HostTensor::setInteger(int64_t index, int64_t value) {
  switch (kind) {
  case ElementKind::I1:
    return store(data.get(), index, static_cast<uint8_t>(value & 1));
  case ElementKind::I8:
    return store(data.get(), index, static_cast<int8_t>(value));
  case ElementKind::UI8:
    return store(data.get(), index, static_cast<uint8_t>(value));
  case ElementKind::I16:
    return store(data.get(), index, static_cast<int16_t>(value));
  case ElementKind::I32:
    return store(data.get(), index, static_cast<int32_t>(value));
  case ElementKind::I64:
  case ElementKind::Index:
    return store(data.get(), index, value);
  default:
    llvm_unreachable("not an integer kind");
  }
}
