//===- Npy.cpp - NumPy array files ----------------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Npy.h"
#include "meanvar/TensorIO/Quote.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef magic("\x93NUMPY", 6);

bool mlir::meanvar::isNpy(StringRef content) {
  return content.starts_with(magic);
}

//===----------------------------------------------------------------------===//
// The header: a Python dictionary
//===----------------------------------------------------------------------===//

namespace {
struct NpyHeader {
  StringRef type;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
};

/// Parses the dictionary of a header: the keys 'descr', 'fortran_order' and
/// 'shape', once each, in any order.
class HeaderParser {
public:
  HeaderParser(StringRef text, StringRef name) : rest(text), name(name) {}

  Expected<NpyHeader> parse();

private:
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  Error fail(const Twine &reason) const {
    return createStringError(name + ": invalid .npy header: " + reason);
  }
  Error parseEntry(NpyHeader &header);
  Error parseString(StringRef what, StringRef &value);
  Error parseOrder(bool &fortranOrder);
  Error parseShape(llvm::SmallVectorImpl<int64_t> &shape);

  StringRef rest;
  StringRef name;
  llvm::SmallVector<StringRef, 3> keys;
};
} // namespace

Error HeaderParser::parseString(StringRef what, StringRef &value) {
  for (StringRef quote : {"'", "\""}) {
    if (!consume(quote))
      continue;
    size_t end = rest.find(quote);
    if (end == StringRef::npos)
      return fail("unterminated string for " + what);
    value = rest.take_front(end);
    rest = rest.drop_front(end + 1);
    return Error::success();
  }
  return fail("expected a string for " + what +
              " (structured types are not supported)");
}

Error HeaderParser::parseOrder(bool &fortranOrder) {
  if (consume("True"))
    fortranOrder = true;
  else if (consume("False"))
    fortranOrder = false;
  else
    return fail("expected True or False for 'fortran_order'");
  return Error::success();
}

Error HeaderParser::parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
  if (!consume("("))
    return fail("expected a tuple for 'shape'");
  while (!consume(")")) {
    int64_t size;
    rest = rest.ltrim();
    if (rest.consumeInteger(10, size) || size < 0)
      return fail("expected sizes of at least 0 in 'shape'");
    rest.consume_front("L"); // Written by Python 2.
    shape.push_back(size);
    if (!consume(",") && !rest.ltrim().starts_with(")"))
      return fail("expected ',' or ')' in 'shape'");
  }
  return Error::success();
}

Error HeaderParser::parseEntry(NpyHeader &header) {
  StringRef key;
  if (Error error = parseString("a key", key))
    return error;
  if (llvm::is_contained(keys, key))
    return fail("repeated key " + quoteName(key));
  keys.push_back(key);
  if (!consume(":"))
    return fail("expected ':' after " + quoteName(key));
  if (key == "descr")
    return parseString("'descr'", header.type);
  if (key == "fortran_order")
    return parseOrder(header.fortranOrder);
  if (key == "shape")
    return parseShape(header.shape);
  return fail("unknown key " + quoteName(key) +
              " (allowed: 'descr', 'fortran_order', 'shape')");
}

Expected<NpyHeader> HeaderParser::parse() {
  NpyHeader header;
  if (!consume("{"))
    return fail("expected '{'");
  while (!consume("}")) {
    if (Error error = parseEntry(header))
      return std::move(error);
    if (!consume(",") && !rest.ltrim().starts_with("}"))
      return fail("expected ',' or '}'");
  }
  if (!rest.trim().empty())
    return fail("text after '}'");
  for (StringRef key : {"descr", "fortran_order", "shape"})
    if (!llvm::is_contained(keys, key))
      return fail("missing key '" + Twine(key) + "'");
  return header;
}

/// Splits `content` into the text of the header and the data after it.
static Expected<std::pair<StringRef, StringRef>> splitHeader(StringRef content,
                                                             StringRef name) {
  StringRef rest = content;
  if (!rest.consume_front(magic) || rest.size() < 2)
    return createStringError(name + ": not a .npy file");
  unsigned version = static_cast<uint8_t>(rest[0]);
  if (version < 1 || version > 3)
    return createStringError(name + ": .npy version " + Twine(version) +
                             " is not supported (allowed: 1 to 3)");
  rest = rest.drop_front(2);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return createStringError(name + ": .npy header is cut short");
  uint64_t length = version == 1 ? llvm::support::endian::read16le(rest.data())
                                 : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return createStringError(name + ": .npy header of " + Twine(length) +
                             " bytes is cut short");
  return std::make_pair(rest.take_front(length), rest.drop_front(length));
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static StringRef getNpyType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return "<f2";
  case ElementKind::BF16:
    return "<u2";
  case ElementKind::F32:
    return "<f4";
  case ElementKind::F64:
    return "<f8";
  case ElementKind::I1:
    return "|b1";
  case ElementKind::I8:
    return "|i1";
  case ElementKind::UI8:
    return "|u1";
  case ElementKind::I16:
    return "<i2";
  case ElementKind::I32:
    return "<i4";
  case ElementKind::I64:
  case ElementKind::Index:
    return "<i8";
  }
  llvm_unreachable("unknown element kind");
}

static std::optional<ElementKind> lookUpNpyType(StringRef type) {
  for (ElementKind kind :
       {ElementKind::F16, ElementKind::F32, ElementKind::F64, ElementKind::I1,
        ElementKind::I8, ElementKind::UI8, ElementKind::I16, ElementKind::I32,
        ElementKind::I64})
    // The byte order of single bytes does not matter and is spelled freely.
    if (type == getNpyType(kind) ||
        (getElementSize(kind) == 1 && type.size() == 3 &&
         type.drop_front() == getNpyType(kind).drop_front() &&
         StringRef("<>|=").contains(type.front())))
      return kind;
  return std::nullopt;
}

static Expected<ElementKind> getElementKind(StringRef type, StringRef name,
                                            std::optional<ElementKind> wanted) {
  if (type == "<u2" || type == "<V2" || type == "|V2") {
    if (wanted == ElementKind::BF16)
      return ElementKind::BF16;
    return createStringError(
        name + ": element type " + quoteName(type) + " is read as bf16 only" +
        (wanted ? ", not as " + getElementName(*wanted).str()
                : std::string(": give shape and type, as in "
                              "'2x3xbf16=@file.npy'")));
  }
  if (std::optional<ElementKind> kind = lookUpNpyType(type)) {
    if (kind == ElementKind::I64 && wanted == ElementKind::Index)
      return ElementKind::Index;
    return *kind;
  }
  if (type.starts_with(">"))
    return createStringError(name + ": element type " + quoteName(type) +
                             " is big-endian (allowed: little-endian)");
  return createStringError(
      name + ": element type " + quoteName(type) +
      " is not supported (allowed: <f2, <f4, <f8, |i1, <i2, <i4, <i8, |b1, "
      "and <u2, <V2 or |V2 as bf16)");
}

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

/// Copies elements whose first index varies fastest into row-major order.
static void copyFortranOrder(HostTensor &tensor, StringRef data) {
  llvm::ArrayRef<int64_t> shape = tensor.getShape();
  size_t elementSize = getElementSize(tensor.getKind());
  llvm::SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  llvm::SmallVector<int64_t> position(shape.size(), 0);
  int64_t source = 0;
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    std::memcpy(tensor.getData() + i * elementSize,
                data.data() + source * elementSize, elementSize);
    for (size_t dim = shape.size(); dim-- > 0;) {
      source += strides[dim];
      if (++position[dim] < shape[dim])
        break;
      source -= position[dim] * strides[dim];
      position[dim] = 0;
    }
  }
}

/// Checks, without overflow, that `data` holds what the header announces.
static Error checkDataLength(const NpyHeader &header, ElementKind kind,
                             StringRef data, StringRef name) {
  uint64_t bytes = getElementSize(kind);
  for (int64_t size : header.shape)
    if (size == 0)
      bytes = 0;
  for (int64_t size : header.shape) {
    if (bytes == 0)
      break;
    if (bytes > maxTensorBytes / size)
      return createStringError(name + ": shape '" +
                               getTypeString(kind, header.shape) +
                               "' exceeds the largest size allowed, " +
                               Twine(maxTensorBytes) + " bytes");
    bytes *= size;
  }
  if (bytes != data.size())
    return createStringError(name + ": '" + getTypeString(kind, header.shape) +
                             "' needs " + Twine(bytes) +
                             " bytes of data, but the file has " +
                             Twine(data.size()));
  return Error::success();
}

Expected<HostTensor> mlir::meanvar::readNpy(StringRef content, StringRef name,
                                            std::optional<ElementKind> wanted) {
  auto parts = splitHeader(content, name);
  if (!parts)
    return parts.takeError();
  auto [headerText, data] = *parts;
  Expected<NpyHeader> header = HeaderParser(headerText, name).parse();
  if (!header)
    return header.takeError();
  Expected<ElementKind> kind = getElementKind(header->type, name, wanted);
  if (!kind)
    return kind.takeError();
  if (Error error = checkDataLength(*header, *kind, data, name))
    return std::move(error);
  Expected<HostTensor> tensor = HostTensor::create(*kind, header->shape);
  if (!tensor)
    return createStringError(name + ": " + llvm::toString(tensor.takeError()));
  if (header->fortranOrder && tensor->getNumElements() > 1)
    copyFortranOrder(*tensor, data);
  else
    std::memcpy(tensor->getData(), data.data(), data.size());
  if (Error error = tensor->checkElements())
    return createStringError(name + ": " + llvm::toString(std::move(error)));
  return tensor;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void mlir::meanvar::writeNpy(llvm::raw_ostream &stream,
                             const HostTensor &tensor) {
  std::string header;
  llvm::raw_string_ostream text(header);
  text << "{'descr': '" << getNpyType(tensor.getKind())
       << "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.getShape())
    text << size << ",";
  text << "), }";
  // The data starts at a multiple of 64 bytes. Version 2 is for headers whose
  // length does not fit into 16 bits.
  bool isLong = header.size() > 65000;
  size_t prefix = magic.size() + 2 + (isLong ? 4 : 2);
  size_t end = prefix + header.size() + 1;
  header.append((64 - end % 64) % 64, ' ');
  header.push_back('\n');

  stream << magic << static_cast<char>(isLong ? 2 : 1) << '\0';
  for (int shift = 0, bits = isLong ? 32 : 16; shift < bits; shift += 8)
    stream << static_cast<char>((header.size() >> shift) & 0xFF);
  stream << header;
  stream.write(reinterpret_cast<const char *>(tensor.getData()),
               tensor.getNumBytes());
}

Expected<StagedFile> mlir::meanvar::stageNpyFile(StringRef path,
                                                 const HostTensor &tensor) {
  return StagedFile::create(
      path, [&](llvm::raw_ostream &stream) { writeNpy(stream, tensor); });
}

Error mlir::meanvar::writeNpyFile(StringRef path, const HostTensor &tensor) {
  return writeFileAtomically(
      path, [&](llvm::raw_ostream &stream) { writeNpy(stream, tensor); });
}
