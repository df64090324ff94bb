//===- TensorProto.cpp - Tensors of ONNX files ----------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are checked against the data that is really there before memory is
// allocated, so that a damaged shape costs nothing.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/TensorProto.h"

#include "Names.h"
#include "ParseMessage.h"
#include "meanvar/TensorIO/Quote.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <onnx/onnx_pb.h>

#include <cstring>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Returns an error about the tensor `proto`.
static Error makeError(const onnx::TensorProto &proto, const Twine &message) {
  return makeError("tensor " + quoteName(proto.name()) + " " + message);
}

static std::optional<ElementKind> getElementKind(int32_t dataType) {
  switch (dataType) {
  case onnx::TensorProto::FLOAT16:
    return ElementKind::F16;
  case onnx::TensorProto::BFLOAT16:
    return ElementKind::BF16;
  case onnx::TensorProto::FLOAT:
    return ElementKind::F32;
  case onnx::TensorProto::DOUBLE:
    return ElementKind::F64;
  case onnx::TensorProto::BOOL:
    return ElementKind::I1;
  case onnx::TensorProto::INT8:
    return ElementKind::I8;
  case onnx::TensorProto::UINT8:
    return ElementKind::UI8;
  case onnx::TensorProto::INT16:
    return ElementKind::I16;
  case onnx::TensorProto::INT32:
    return ElementKind::I32;
  case onnx::TensorProto::INT64:
    return ElementKind::I64;
  default:
    return std::nullopt;
  }
}

/// Returns the number of bytes of the tensor, or an error where a size is
/// negative or the number is beyond `maxTensorBytes`. Zero sizes do not excuse
/// the others.
static Expected<uint64_t> getNumBytes(const onnx::TensorProto &proto,
                                      ElementKind kind) {
  uint64_t product = getElementSize(kind);
  bool isEmpty = false;
  for (int64_t size : proto.dims()) {
    if (size < 0)
      return makeError(proto, "has the negative size " + Twine(size));
    isEmpty |= size == 0;
    bool overflowed = false;
    product = llvm::SaturatingMultiply<uint64_t>(
        product, std::max<int64_t>(size, 1), &overflowed);
    if (overflowed || product > maxTensorBytes)
      return makeError(proto,
                       "is larger than " + Twine(maxTensorBytes) + " bytes");
  }
  return isEmpty ? 0 : product;
}

//===----------------------------------------------------------------------===//
// Data inside the message
//===----------------------------------------------------------------------===//

/// Checks the length of a field before its elements are read.
static Error checkLength(const onnx::TensorProto &proto, const char *field,
                         uint64_t got, uint64_t wanted, const char *unit) {
  if (got == wanted)
    return Error::success();
  return makeError(proto, Twine("has ") + Twine(got) + " " + unit + " in " +
                              field + ", but its shape needs " + Twine(wanted));
}

/// Copies the elements of a field that holds them as they are stored.
template <typename Element>
static Error copyElements(const onnx::TensorProto &proto, const char *field,
                          const google::protobuf::RepeatedField<Element> &data,
                          uint64_t numBytes, HostTensor &tensor) {
  if (Error error = checkLength(proto, field, data.size(),
                                numBytes / sizeof(Element), "elements"))
    return error;
  if (numBytes != 0)
    std::memcpy(tensor.getData(), data.data(), numBytes);
  return Error::success();
}

/// Narrows the elements of int32_data, which holds the bits of f16 and bf16 and
/// the values of small integers.
template <typename Element>
static Error narrowElements(const onnx::TensorProto &proto, int64_t smallest,
                            int64_t largest, HostTensor &tensor) {
  auto *elements = reinterpret_cast<Element *>(tensor.getData());
  for (auto [index, value] : llvm::enumerate(proto.int32_data())) {
    if (value < smallest || value > largest)
      return makeError(proto, "has the value " + Twine(value) +
                                  " in int32_data at " + Twine(index) +
                                  " (allowed: " + Twine(smallest) + " to " +
                                  Twine(largest) + ")");
    elements[index] = static_cast<Element>(value);
  }
  return Error::success();
}

static Error readInt32Data(const onnx::TensorProto &proto, HostTensor &tensor) {
  switch (tensor.getKind()) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return narrowElements<uint16_t>(proto, 0, UINT16_MAX, tensor);
  case ElementKind::I1:
    return narrowElements<uint8_t>(proto, 0, 1, tensor);
  case ElementKind::UI8:
    return narrowElements<uint8_t>(proto, 0, UINT8_MAX, tensor);
  case ElementKind::I8:
    return narrowElements<int8_t>(proto, INT8_MIN, INT8_MAX, tensor);
  case ElementKind::I16:
    return narrowElements<int16_t>(proto, INT16_MIN, INT16_MAX, tensor);
  default:
    return narrowElements<int32_t>(proto, INT32_MIN, INT32_MAX, tensor);
  }
}

/// Returns the name and the length of the typed field that holds elements of
/// `kind`.
static std::pair<const char *, uint64_t>
getTypedField(const onnx::TensorProto &proto, ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
    return {"float_data", proto.float_data_size()};
  case ElementKind::F64:
    return {"double_data", proto.double_data_size()};
  case ElementKind::I64:
    return {"int64_data", proto.int64_data_size()};
  default:
    return {"int32_data", proto.int32_data_size()};
  }
}

/// Returns the number of elements in all typed fields.
static uint64_t countTypedElements(const onnx::TensorProto &proto) {
  return uint64_t(proto.float_data_size()) + proto.double_data_size() +
         proto.int32_data_size() + proto.int64_data_size() +
         proto.uint64_data_size() + proto.string_data_size();
}

static Error readTypedField(const onnx::TensorProto &proto, uint64_t numBytes,
                            HostTensor &tensor) {
  switch (tensor.getKind()) {
  case ElementKind::F32:
    return copyElements(proto, "float_data", proto.float_data(), numBytes,
                        tensor);
  case ElementKind::F64:
    return copyElements(proto, "double_data", proto.double_data(), numBytes,
                        tensor);
  case ElementKind::I64:
    return copyElements(proto, "int64_data", proto.int64_data(), numBytes,
                        tensor);
  default:
    return readInt32Data(proto, tensor);
  }
}

/// Checks that the data is in the one field where it belongs, and is of the
/// right length.
static Error checkData(const onnx::TensorProto &proto, ElementKind kind,
                       uint64_t numBytes) {
  auto [field, length] = getTypedField(proto, kind);
  uint64_t typedElements = countTypedElements(proto);
  if (proto.has_raw_data()) {
    if (typedElements != 0)
      return makeError(proto, "has data in raw_data and in another field");
    return checkLength(proto, "raw_data", proto.raw_data().size(), numBytes,
                       "bytes");
  }
  if (typedElements != length)
    return makeError(proto, Twine("has data in a field other than ") + field +
                                ", where elements of type " +
                                getDataTypeName(proto.data_type()) + " belong");
  return checkLength(proto, field, length, numBytes / getElementSize(kind),
                     "elements");
}

//===----------------------------------------------------------------------===//
// Data in another file
//===----------------------------------------------------------------------===//

namespace {
/// Where the data of a tensor lies.
struct ExternalData {
  std::string path;
  uint64_t offset = 0;
};
} // namespace

/// Returns the path of the file `location` below `directory`, and refuses every
/// way out of it: a model must not read other files of its user.
static Expected<std::string> resolveLocation(const onnx::TensorProto &proto,
                                             StringRef location,
                                             StringRef directory) {
  if (location.empty())
    return makeError(proto, "has external data without a location");
  if (location.contains('\0') || llvm::sys::path::is_absolute(location))
    return makeError(proto, "has external data at " + quoteName(location) +
                                ", which is not a relative path");
  SmallString<256> path(directory);
  llvm::sys::path::append(path, location);
  SmallString<256> realDirectory, realPath;
  if (std::error_code error = llvm::sys::fs::real_path(path, realPath))
    return makeError(proto, "has external data in " + quoteName(location) +
                                ", which cannot be read: " + error.message());
  if (std::error_code error =
          llvm::sys::fs::real_path(directory, realDirectory))
    return makeError("cannot read the directory " + quoteName(directory) +
                     ": " + error.message());
  if (!realDirectory.ends_with("/"))
    realDirectory += '/';
  if (!realPath.starts_with(realDirectory))
    return makeError(proto, "has external data in " + quoteName(location) +
                                ", outside of the directory of the model");
  return realPath.str().str();
}

/// Reads the entries of external_data.
static Expected<ExternalData>
readExternalDataEntries(const onnx::TensorProto &proto, StringRef directory,
                        uint64_t numBytes) {
  ExternalData data;
  StringRef location;
  for (const onnx::StringStringEntryProto &entry : proto.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    if (key == "location") {
      location = value;
      continue;
    }
    // Checksums are not checked; other keys are not defined.
    if (key != "offset" && key != "length")
      continue;
    uint64_t number;
    if (value.getAsInteger(10, number))
      return makeError(proto, Twine("has the ") + key + " " + quoteName(value) +
                                  " of external data, which is not a number");
    if (key == "offset")
      data.offset = number;
    else if (number != numBytes)
      return makeError(proto, "has " + Twine(number) +
                                  " bytes of external data, but its shape "
                                  "needs " +
                                  Twine(numBytes));
  }
  Expected<std::string> path = resolveLocation(proto, location, directory);
  if (!path)
    return path.takeError();
  data.path = std::move(*path);
  return data;
}

/// Checks that the file holds the `numBytes` of the tensor.
static Error checkExternalFile(const onnx::TensorProto &proto,
                               const ExternalData &data, uint64_t numBytes) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(data.path, status))
    return makeError(proto, "has external data in " + quoteName(data.path) +
                                ", which cannot be read: " + error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return makeError(proto, "has external data in " + quoteName(data.path) +
                                ", which is not a regular file");
  uint64_t size = status.getSize();
  if (data.offset > size || numBytes > size - data.offset)
    return makeError(proto, "needs " + Twine(numBytes) + " bytes at offset " +
                                Twine(data.offset) + " of " +
                                quoteName(data.path) + ", which has " +
                                Twine(size));
  return Error::success();
}

static Error readExternalData(const onnx::TensorProto &proto,
                              const ExternalData &data, uint64_t numBytes,
                              HostTensor &tensor) {
  if (numBytes == 0)
    return Error::success();
  auto buffer =
      llvm::MemoryBuffer::getFileSlice(data.path, numBytes, data.offset);
  if (!buffer)
    return makeError(
        proto, "has external data in " + quoteName(data.path) +
                   ", which cannot be read: " + buffer.getError().message());
  std::memcpy(tensor.getData(), (*buffer)->getBufferStart(), numBytes);
  return Error::success();
}

/// Converts a tensor whose data is in another file.
static Expected<HostTensor>
convertExternalTensor(const onnx::TensorProto &proto, StringRef directory,
                      ElementKind kind, uint64_t numBytes) {
  if (directory.empty())
    return makeError(proto, "has external data, which is read only for a "
                            "model in a file");
  if (proto.has_raw_data() || countTypedElements(proto) != 0)
    return makeError(proto, "has external data and data in the model");
  Expected<ExternalData> data =
      readExternalDataEntries(proto, directory, numBytes);
  if (!data)
    return data.takeError();
  if (Error error = checkExternalFile(proto, *data, numBytes))
    return error;
  Expected<HostTensor> tensor = HostTensor::create(
      kind, ArrayRef<int64_t>(proto.dims().data(), proto.dims_size()));
  if (!tensor)
    return tensor.takeError();
  if (Error error = readExternalData(proto, *data, numBytes, *tensor))
    return error;
  return tensor;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Converts a tensor whose data is in the message.
static Expected<HostTensor>
convertInternalTensor(const onnx::TensorProto &proto, ElementKind kind,
                      uint64_t numBytes) {
  if (Error error = checkData(proto, kind, numBytes))
    return error;
  Expected<HostTensor> tensor = HostTensor::create(
      kind, ArrayRef<int64_t>(proto.dims().data(), proto.dims_size()));
  if (!tensor)
    return tensor.takeError();
  if (!proto.has_raw_data()) {
    if (Error error = readTypedField(proto, numBytes, *tensor))
      return error;
    return tensor;
  }
  // raw_data is little-endian, like every host that is supported.
  if (numBytes != 0)
    std::memcpy(tensor->getData(), proto.raw_data().data(), numBytes);
  return tensor;
}

Expected<HostTensor> meanvar::convertTensorProto(const onnx::TensorProto &proto,
                                                 StringRef directory) {
  std::optional<ElementKind> kind = getElementKind(proto.data_type());
  if (!kind)
    return makeError(proto, "has element type " +
                                getDataTypeName(proto.data_type()) +
                                ", which is not supported");
  if (proto.has_segment())
    return makeError(proto, "is one segment of a larger tensor, which is not "
                            "supported");
  Expected<uint64_t> numBytes = getNumBytes(proto, *kind);
  if (!numBytes)
    return numBytes.takeError();
  Expected<HostTensor> tensor =
      proto.data_location() == onnx::TensorProto::EXTERNAL
          ? convertExternalTensor(proto, directory, *kind, *numBytes)
          : convertInternalTensor(proto, *kind, *numBytes);
  if (!tensor)
    return tensor.takeError();
  if (Error error = tensor->checkElements())
    return makeError(proto, "is damaged: " + llvm::toString(std::move(error)));
  return tensor;
}

/// Reads the whole of a regular file that may hold one message.
static Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return makeError("cannot read " + quoteName(path) + ": " + error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return makeError("cannot read " + quoteName(path) +
                     ": it is not a regular file");
  if (status.getSize() > maxMessageBytes)
    return makeError(quoteName(path) + " has " + Twine(status.getSize()) +
                     " bytes (allowed: up to " + Twine(maxMessageBytes) + ")");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read " + quoteName(path) + ": " +
                     buffer.getError().message());
  return std::move(*buffer);
}

Expected<HostTensor> meanvar::readTensorProto(StringRef content, StringRef name,
                                              StringRef directory) {
  onnx::TensorProto proto;
  if (content.empty() || !parseMessage(content, proto))
    return makeError(quoteName(name) + " is not an ONNX tensor, or is damaged");
  Expected<HostTensor> tensor = convertTensorProto(proto, directory);
  if (!tensor)
    return makeError(quoteName(name) + ": " +
                     llvm::toString(tensor.takeError()));
  return tensor;
}

Expected<HostTensor> meanvar::readTensorProtoFile(StringRef path) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef directory = llvm::sys::path::parent_path(path);
  return readTensorProto((*buffer)->getBuffer(), path,
                         directory.empty() ? "." : directory);
}
