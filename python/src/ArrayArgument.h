//===- ArrayArgument.h - Arrays of the caller -------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_PYTHON_ARRAYARGUMENT_H
#define MEANVAR_PYTHON_ARRAYARGUMENT_H

#include "meanvar-c/Embedding.h"

#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <optional>
#include <string>
#include <vector>

namespace meanvar::python {

/// How messages name an argument: "x", or "operand 3" with an index.
struct ArgumentName {
  const char *text;
  std::optional<size_t> index = std::nullopt;

  std::string str() const;
};

enum class Access { Read, Write };

/// An array that a caller passes, of NumPy or of a library that speaks DLPack,
/// whose memory stays in place and alive while this lives. The GIL has to be
/// held for construction and destruction, and for nothing else.
class ArrayArgument {
public:
  /// Raises TypeError for what is no array of the CPU with elements that a
  /// MeanVarElementType names, and for an array that is read-only where it is
  /// to be written.
  ArrayArgument(nanobind::handle object, const ArgumentName &name,
                Access access);
  ArrayArgument(ArrayArgument &&other) noexcept;
  ArrayArgument &operator=(ArrayArgument &&) = delete;
  ~ArrayArgument();

  MeanVarElementType getElementType() const { return elementType; }
  size_t getRank() const { return rank; }
  const int64_t *getShape() const { return shape; }
  /// In bytes.
  const int64_t *getStrides() const { return strides; }
  char *getData() const { return data; }

  /// Whether the elements are dense, row-major and aligned to their size, as
  /// compiled functions want them.
  bool isDense() const;

  /// Whether an element of this and of `other` may share a byte. May be wrong
  /// only in saying so of arrays that interleave.
  bool mayOverlap(const ArrayArgument &other) const;

  /// Whether both are the same elements in the same order.
  bool isSameAs(const ArrayArgument &other) const;

  /// Whether it came through DLPack.
  bool isForeign() const { return foreign.is_valid(); }

private:
  void importBuffer(nanobind::handle array, const ArgumentName &name,
                    Access access);
  void importDLPack(nanobind::handle object, const ArgumentName &name,
                    Access access);

  MeanVarElementType elementType = MEANVAR_F32;
  size_t rank = 0;
  const int64_t *shape = nullptr;
  const int64_t *strides = nullptr;
  char *data = nullptr;

  /// Held while `buffer.obj` is not null.
  Py_buffer buffer = {};
  nanobind::ndarray<nanobind::ro> foreign;
  /// Of foreign arrays, whose own count elements.
  std::vector<int64_t> byteStrides;
};

} // namespace meanvar::python

#endif // MEANVAR_PYTHON_ARRAYARGUMENT_H
