//===- TensorSpec.cpp - Tensors given on a command line -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/TensorSpec.h"
#include "meanvar/Target/ONNX/TensorProto.h"
#include "meanvar/TensorIO/Files.h"
#include "meanvar/TensorIO/Npy.h"
#include "meanvar/TensorIO/Quote.h"
#include "meanvar/TensorIO/Random.h"
#include "meanvar/TensorIO/Scalar.h"
#include "llvm/ADT/StringExtras.h"

#include <cassert>
#include <cstring>

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct HostTensorType {
  ElementKind kind;
  SmallVector<int64_t> shape;
};
} // namespace

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static Expected<HostTensorType> parseType(StringRef text) {
  HostTensorType type;
  StringRef rest = text.trim();
  while (!rest.empty() &&
         (llvm::isDigit(rest.front()) || rest.front() == '-')) {
    auto [digits, tail] = rest.split('x');
    int64_t size;
    if (digits.getAsInteger(10, size) || size < 0)
      return createStringError(
          "size " + quoteName(digits) + " in tensor type " + quoteName(text) +
          " is not supported (allowed: 0 to 2^63-1, each followed by 'x')");
    type.shape.push_back(size);
    rest = tail;
  }
  std::optional<ElementKind> kind = parseElementName(rest);
  if (!kind)
    return createStringError(
        "element type " + quoteName(rest) + " in tensor type " +
        quoteName(text) +
        " is not supported (allowed: f16, bf16, f32, f64, i1, i8, i16, i32, "
        "i64, index)");
  type.kind = *kind;
  return type;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static Expected<HostTensor> readTensorFile(StringRef path,
                                           std::optional<ElementKind> wanted) {
  if (path.empty())
    return createStringError("expected a file name after '@'");
  if (path.ends_with(".pb"))
    return readTensorProtoFile(path);
  // A header is far smaller than the difference, data of the largest size fit.
  constexpr uint64_t maxFileBytes = maxTensorBytes + (uint64_t(1) << 33);
  auto buffer = readFile(path, maxFileBytes);
  if (!buffer)
    return buffer.takeError();
  if (!isNpy((*buffer)->getBuffer()))
    return createStringError("'" + path +
                             "' is neither a .npy file nor named '*.pb' as an "
                             "ONNX TensorProto is");
  return readNpy((*buffer)->getBuffer(), path, wanted);
}

static Expected<HostTensor> readTensorFile(StringRef path,
                                           const HostTensorType &type) {
  Expected<HostTensor> tensor = readTensorFile(path, type.kind);
  if (tensor && (tensor->getKind() != type.kind ||
                 tensor->getShape() != llvm::ArrayRef(type.shape)))
    return createStringError("'" + path + "' holds '" +
                             tensor->getTypeString() + "', not '" +
                             getTypeString(type.kind, type.shape) + "'");
  return tensor;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Expected<HostTensor> makeRandom(StringRef value,
                                       const HostTensorType &type) {
  StringRef seedText = value;
  uint64_t seed;
  if (!seedText.consume_front("random(") || !seedText.consume_back(")") ||
      seedText.trim().getAsInteger(10, seed))
    return createStringError(quoteName(value) +
                             " is not a random tensor (allowed: random(SEED) "
                             "with SEED from 0 to 2^64-1)");
  if (!isFloat(type.kind))
    return createStringError("random tensors of type " +
                             getElementName(type.kind) +
                             " are not supported (allowed: f16, bf16, f32, "
                             "f64)");
  Expected<HostTensor> tensor = HostTensor::create(type.kind, type.shape);
  if (tensor)
    fillWithNormal(*tensor, seed);
  return tensor;
}

static Expected<HostTensor> makeSplat(StringRef value,
                                      const HostTensorType &type) {
  // The literal is checked also where there is no element to store it in.
  Expected<HostTensor> scalar = HostTensor::create(type.kind, {});
  if (!scalar)
    return scalar.takeError();
  if (Error error = parseElement(value, *scalar, 0))
    return std::move(error);
  Expected<HostTensor> tensor = HostTensor::create(type.kind, type.shape);
  if (!tensor)
    return tensor.takeError();
  size_t size = getElementSize(type.kind);
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    std::memcpy(tensor->getData() + i * size, scalar->getData(), size);
  return tensor;
}

namespace {
/// Parses a nested list without recursion: the depth is that of the shape,
/// which may be any.
class ListParser {
public:
  ListParser(StringRef text, const HostTensorType &type)
      : rest(text), type(type), counts(type.shape.size(), 0) {}

  Expected<HostTensor> parse();

private:
  Error checkSizes() const;
  Error parseEntries(HostTensor &tensor);
  Error open();
  Error close();
  Error parseLiteral(HostTensor &tensor);
  /// Counts one more entry of the list that is open at `depth`.
  Error addEntry();
  Error fail(const Twine &reason) const {
    return createStringError(
        "list for '" + getTypeString(type.kind, type.shape) + "' " + reason);
  }

  StringRef rest;
  const HostTensorType &type;
  /// The number of entries so far of the open list at each depth.
  SmallVector<int64_t> counts;
  /// The number of lists that are open.
  size_t depth = 0;
  int64_t numElements = 0;
};
} // namespace

/// Refuses, before anything is allocated, shapes that the text cannot fill:
/// each element takes at least a digit and a separator.
Error ListParser::checkSizes() const {
  uint64_t minimum = 1;
  for (int64_t size : type.shape) {
    if (size != 0 && minimum > rest.size() / size)
      return fail("has fewer elements than the shape");
    minimum *= size;
  }
  return Error::success();
}

Error ListParser::addEntry() {
  if (depth == 0)
    return Error::success();
  int64_t &count = counts[depth - 1];
  int64_t size = type.shape[depth - 1];
  if (count == size)
    return fail("has more than " + Twine(size) + " entries in dimension " +
                Twine(depth - 1));
  ++count;
  return Error::success();
}

Error ListParser::open() {
  if (depth == type.shape.size())
    return fail("is nested more deeply than the rank, " +
                Twine(type.shape.size()));
  if (Error error = addEntry())
    return error;
  counts[depth++] = 0;
  return Error::success();
}

Error ListParser::close() {
  assert(depth > 0 && "the list has been closed");
  int64_t count = counts[depth - 1];
  int64_t size = type.shape[depth - 1];
  if (count != size)
    return fail("has " + Twine(count) + " entries in dimension " +
                Twine(depth - 1) + " (allowed: " + Twine(size) + ")");
  --depth;
  return Error::success();
}

Error ListParser::parseLiteral(HostTensor &tensor) {
  StringRef literal =
      rest.take_until([](char c) { return c == '[' || c == ']' || c == ','; });
  rest = rest.drop_front(literal.size());
  literal = literal.trim();
  if (literal.empty())
    return fail("lacks a value before " +
                (rest.empty() ? "its end" : quoteName(rest.take_front(1))));
  if (depth != type.shape.size())
    return fail("has value " + quoteName(literal) + " at depth " +
                Twine(depth) + " (allowed: depth " + Twine(type.shape.size()) +
                ")");
  if (Error error = addEntry())
    return error;
  return parseElement(literal, tensor, numElements++);
}

Error ListParser::parseEntries(HostTensor &tensor) {
  // What may follow is decided by what came before: an entry starts a list or
  // follows a comma.
  bool expectsEntry = true;
  do {
    rest = rest.ltrim();
    if (expectsEntry && rest.consume_front("[")) {
      if (Error error = open())
        return error;
      rest = rest.ltrim();
      expectsEntry = !rest.starts_with("]");
      continue;
    }
    if (expectsEntry) {
      if (Error error = parseLiteral(tensor))
        return error;
      expectsEntry = false;
      continue;
    }
    if (rest.consume_front("]")) {
      if (Error error = close())
        return error;
      continue;
    }
    if (!rest.consume_front(","))
      return fail("expects ',' or ']' before " +
                  (rest.empty() ? "its end" : quoteName(rest)));
    expectsEntry = true;
  } while (depth > 0);
  return Error::success();
}

Expected<HostTensor> ListParser::parse() {
  // One spelling serves every shape without elements.
  if (llvm::is_contained(type.shape, 0)) {
    StringRef inner = rest;
    if (inner.consume_front("[") && inner.trim() == "]")
      return HostTensor::create(type.kind, type.shape);
  }
  if (Error error = checkSizes())
    return std::move(error);
  Expected<HostTensor> tensor = HostTensor::create(type.kind, type.shape);
  if (!tensor)
    return tensor;
  if (Error error = parseEntries(*tensor))
    return std::move(error);
  if (!rest.trim().empty())
    return fail("is followed by " + quoteName(rest.trim()));
  return tensor;
}

//===----------------------------------------------------------------------===//
// Specifications
//===----------------------------------------------------------------------===//

static Expected<HostTensor> parseValue(StringRef value,
                                       const HostTensorType &type) {
  if (value.empty())
    return createStringError("expected a value after '=' (allowed: a literal, "
                             "a nested list, random(SEED), @FILE)");
  if (value.consume_front("@"))
    return readTensorFile(value, type);
  if (value.starts_with("random"))
    return makeRandom(value, type);
  if (value.starts_with("["))
    return ListParser(value, type).parse();
  return makeSplat(value, type);
}

Expected<HostTensor>
mlir::meanvar::parseTensorSpec(StringRef spec,
                               std::optional<ElementKind> wanted) {
  spec = spec.trim();
  if (spec.starts_with("@"))
    return readTensorFile(spec.drop_front(), wanted);
  size_t equals = spec.find('=');
  if (equals == StringRef::npos)
    return createStringError(quoteName(spec) +
                             " is not a tensor (allowed: TYPE=VALUE as in "
                             "'2x2xf32=[[1,2],[3,4]]', or @FILE)");
  Expected<HostTensorType> type = parseType(spec.take_front(equals));
  if (!type)
    return type.takeError();
  return parseValue(spec.drop_front(equals + 1).trim(), *type);
}
