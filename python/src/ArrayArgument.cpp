//===- ArrayArgument.cpp - Arrays of the caller ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayArgument.h"
#include "NumPy.h"

#include <cstdint>
#include <utility>

namespace nb = nanobind;
using namespace meanvar::python;

static_assert(std::is_same_v<Py_ssize_t, int64_t>,
              "shapes of buffers are used as they are");

std::string ArgumentName::str() const {
  return index ? text + (" " + std::to_string(*index)) : text;
}

[[noreturn]] static void raiseTypeError(const ArgumentName &name,
                                        const std::string &text) {
  throw nb::type_error((name.str() + " " + text).c_str());
}

[[noreturn]] static void raiseElementTypeError(const ArgumentName &name,
                                               nb::handle array) {
  nb::object type = nb::getattr(array, "dtype", nb::str("an unknown type"));
  raiseTypeError(name, "has elements of " + std::string(nb::str(type).c_str()) +
                           " (allowed: float16, bfloat16, float32, float64, "
                           "bool, int8, int16, int32 and int64, in the byte "
                           "order of this machine)");
}

//===----------------------------------------------------------------------===//
// NumPy
//===----------------------------------------------------------------------===//

/// Returns the type of elements for a format of Python's `struct`.
static std::optional<MeanVarElementType> parseFormat(const char *format,
                                                     Py_ssize_t itemSize) {
  // Native order, with or without alignment. NumPy spells the other order.
  if (*format == '@' || *format == '=' || *format == '^')
    ++format;
  if (format[0] == '\0' || format[1] != '\0')
    return std::nullopt;
  switch (*format) {
  case 'e':
    return MEANVAR_F16;
  case 'f':
    return MEANVAR_F32;
  case 'd':
    return MEANVAR_F64;
  case '?':
    return MEANVAR_I1;
  case 'B':
    return MEANVAR_UI8;
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
    break;
  default:
    return std::nullopt;
  }
  switch (itemSize) {
  case 1:
    return MEANVAR_I8;
  case 2:
    return MEANVAR_I16;
  case 4:
    return MEANVAR_I32;
  default:
    return MEANVAR_I64;
  }
}

/// Views an array of bfloat16, which has no format of Python's `struct`, as one
/// of integers. Returns null for an array of another type.
static nb::object viewBFloat16(nb::handle array) {
  if (!array.attr("dtype").equal(getNumPyType(MEANVAR_BF16)))
    return nb::object();
  return array.attr("view")("uint16");
}

void ArrayArgument::importBuffer(nb::handle array, const ArgumentName &name,
                                 Access access) {
  int flags = PyBUF_STRIDES | PyBUF_FORMAT |
              (access == Access::Write ? PyBUF_WRITABLE : 0);
  bool isBFloat16 = false;
  if (PyObject_GetBuffer(array.ptr(), &buffer, flags) != 0) {
    nb::python_error reason;
    if (access == Access::Write &&
        !nb::cast<bool>(array.attr("flags").attr("writeable")))
      raiseTypeError(name, "is read-only");
    nb::object view = viewBFloat16(array);
    if (!view)
      raiseElementTypeError(name, array);
    if (PyObject_GetBuffer(view.ptr(), &buffer, flags) != 0)
      throw nb::python_error();
    isBFloat16 = true;
  }
  std::optional<MeanVarElementType> type =
      isBFloat16 ? MEANVAR_BF16 : parseFormat(buffer.format, buffer.itemsize);
  if (!type) {
    PyBuffer_Release(&buffer);
    raiseElementTypeError(name, array);
  }
  elementType = *type;
  rank = static_cast<size_t>(buffer.ndim);
  shape = buffer.shape;
  strides = buffer.strides;
  data = static_cast<char *>(buffer.buf);
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

static std::optional<MeanVarElementType>
getElementType(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  if (type.lanes != 1)
    return std::nullopt;
  switch (static_cast<Code>(type.code)) {
  case Code::Bfloat:
    return MEANVAR_BF16;
  case Code::Bool:
    return MEANVAR_I1;
  case Code::Float:
    return type.bits == 16   ? std::optional(MEANVAR_F16)
           : type.bits == 32 ? std::optional(MEANVAR_F32)
           : type.bits == 64 ? std::optional(MEANVAR_F64)
                             : std::nullopt;
  case Code::Int:
    return type.bits == 8    ? std::optional(MEANVAR_I8)
           : type.bits == 16 ? std::optional(MEANVAR_I16)
           : type.bits == 32 ? std::optional(MEANVAR_I32)
           : type.bits == 64 ? std::optional(MEANVAR_I64)
                             : std::nullopt;
  case Code::UInt:
    return type.bits == 8 ? std::optional(MEANVAR_UI8) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Imports `object`, whose library says why where it cannot be.
static nb::ndarray<nb::ro>
getForeignArray(nb::handle object, const ArgumentName &name, Access access) {
  if (access == Access::Write) {
    nb::ndarray<> writable;
    if (nb::try_cast(object, writable, /*convert=*/false))
      return nb::ndarray<nb::ro>(writable);
  }
  nb::ndarray<nb::ro> readable;
  if (nb::try_cast(object, readable, /*convert=*/false)) {
    if (access == Access::Write)
      raiseTypeError(name, "is read-only");
    return readable;
  }
  object.attr("__dlpack__")();
  raiseTypeError(name, "cannot be imported through DLPack");
}

void ArrayArgument::importDLPack(nb::handle object, const ArgumentName &name,
                                 Access access) {
  foreign = getForeignArray(object, name, access);
  if (foreign.device_type() != nb::device::cpu::value)
    raiseTypeError(name, "is on a device of DLPack's type " +
                             std::to_string(foreign.device_type()) +
                             " (allowed: the CPU)");
  std::optional<MeanVarElementType> type = ::getElementType(foreign.dtype());
  if (!type)
    raiseElementTypeError(name, object);
  elementType = *type;
  rank = foreign.ndim();
  shape = foreign.shape_ptr();
  for (size_t dim = 0; dim < rank; ++dim)
    byteStrides.push_back(
        foreign.stride(dim) *
        static_cast<int64_t>(meanvar::python::getElementSize(elementType)));
  strides = byteStrides.data();
  data = const_cast<char *>(static_cast<const char *>(foreign.data()));
}

//===----------------------------------------------------------------------===//
// ArrayArgument
//===----------------------------------------------------------------------===//

ArrayArgument::ArrayArgument(nb::handle object, const ArgumentName &name,
                             Access access) {
  if (PyObject_TypeCheck(object.ptr(), getNumPyArrayType()))
    importBuffer(object, name, access);
  else if (access == Access::Read && isNumPyScalar(object))
    importBuffer(asNumPyArray(object), name, access);
  else if (nb::hasattr(object, "__dlpack__"))
    importDLPack(object, name, access);
  else
    raiseTypeError(name,
                   "is of type '" +
                       std::string(nb::type_name(object.type()).c_str()) +
                       "' (allowed: NumPy arrays and arrays with __dlpack__)");
}

ArrayArgument::ArrayArgument(ArrayArgument &&other) noexcept
    : elementType(other.elementType), rank(other.rank), shape(other.shape),
      strides(other.strides), data(other.data),
      buffer(std::exchange(other.buffer, {})),
      foreign(std::move(other.foreign)),
      byteStrides(std::move(other.byteStrides)) {}

ArrayArgument::~ArrayArgument() {
  if (buffer.obj)
    PyBuffer_Release(&buffer);
}

bool ArrayArgument::isDense() const {
  auto size =
      static_cast<int64_t>(meanvar::python::getElementSize(elementType));
  if (reinterpret_cast<uintptr_t>(data) % static_cast<size_t>(size) != 0)
    return false;
  int64_t stride = size;
  bool isDense = true;
  for (size_t dim = rank; dim-- > 0;) {
    if (shape[dim] == 0)
      return true;
    // The stride of a single element is never used.
    isDense &= shape[dim] == 1 || strides[dim] == stride;
    stride *= shape[dim];
  }
  return isDense;
}

/// Returns the first byte and the one behind the last.
static std::pair<uintptr_t, uintptr_t> getExtent(const ArrayArgument &array) {
  auto first = reinterpret_cast<uintptr_t>(array.getData());
  uintptr_t last = first;
  for (size_t dim = 0; dim < array.getRank(); ++dim) {
    int64_t size = array.getShape()[dim], stride = array.getStrides()[dim];
    if (size == 0)
      return {first, first};
    (stride < 0 ? first : last) += static_cast<uintptr_t>((size - 1) * stride);
  }
  return {first, last + getElementSize(array.getElementType())};
}

bool ArrayArgument::mayOverlap(const ArrayArgument &other) const {
  auto [first, last] = getExtent(*this);
  auto [otherFirst, otherLast] = getExtent(other);
  return first < otherLast && otherFirst < last;
}

bool ArrayArgument::isSameAs(const ArrayArgument &other) const {
  return data == other.data && elementType == other.elementType &&
         rank == other.rank && std::equal(shape, shape + rank, other.shape) &&
         std::equal(strides, strides + rank, other.strides);
}
