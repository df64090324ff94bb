//===- HostTensor.h - Tensors in host memory --------------------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dense, row-major tensor in host memory: what files and command lines are
// read into, what compiled functions run on, and what is printed and compared.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TENSORIO_HOSTTENSOR_H
#define MEANVAR_TENSORIO_HOSTTENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace mlir::meanvar {

/// The element types that a host tensor may have. `I1` and `Index` are stored
/// as one byte and as 64-bit integers. `UI8` is an i8 whose numbers are those
/// from 0 to 255 to the outside.
enum class ElementKind {
  F16,
  BF16,
  F32,
  F64,
  I1,
  I8,
  I16,
  I32,
  I64,
  Index,
  UI8
};

/// Returns the size of one element in bytes.
size_t getElementSize(ElementKind kind);

/// Returns the MLIR spelling of `kind`, such as "bf16".
llvm::StringRef getElementName(ElementKind kind);

/// Returns the kind spelled `name`, the inverse of getElementName.
std::optional<ElementKind> parseElementName(llvm::StringRef name);

/// Returns true for f16, bf16, f32 and f64.
bool isFloat(ElementKind kind);

/// Stands for a size that is known at run time only, where types are described.
constexpr int64_t dynamicSize = std::numeric_limits<int64_t>::min();

/// Returns the type in MLIR's spelling without `tensor<>`, such as "2x?xf32",
/// and "f32" for rank 0.
std::string getTypeString(ElementKind kind, llvm::ArrayRef<int64_t> shape);

/// Returns the number of elements of a shape: 0 where a size is 0, however
/// large the others are; else the product must be in range.
int64_t countElements(llvm::ArrayRef<int64_t> shape);

/// The largest number of bytes a host tensor may hold (2^40): requests above it
/// come from damaged or hostile files.
constexpr uint64_t maxTensorBytes = uint64_t(1) << 40;

/// A dense, row-major tensor that owns its elements, 64-byte aligned.
class HostTensor {
public:
  HostTensor() = default;

  /// Allocates a tensor of zeros. Fails when a size is negative, when the
  /// number of bytes exceeds `maxTensorBytes`, or when memory is short; the
  /// message names the shape.
  static llvm::Expected<HostTensor> create(ElementKind kind,
                                           llvm::ArrayRef<int64_t> shape);

  ElementKind getKind() const { return kind; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getNumElements() const;
  size_t getNumBytes() const { return getNumElements() * getElementSize(kind); }

  std::byte *getData() { return data.get(); }
  const std::byte *getData() const { return data.get(); }

  /// Returns the type in MLIR's spelling without `tensor<>`, such as "2x3xf32",
  /// and "f32" for rank 0.
  std::string getTypeString() const;

  /// Reads element `index` in row-major order as a double: exact for every
  /// float kind, and for integers up to 2^53 in magnitude.
  double getFloat(int64_t index) const;

  /// Stores `value` rounded once to nearest even, for float kinds; truncated
  /// for integers.
  void setFloat(int64_t index, double value);

  /// Checks that bytes copied from elsewhere are elements of the kind: an i1 is
  /// stored as 0 or 1. The message names the first that is not.
  llvm::Error checkElements() const;

  /// Reads and stores element `index` of an integer kind.
  int64_t getInteger(int64_t index) const;
  void setInteger(int64_t index, int64_t value);

private:
  struct FreeDeleter {
    void operator()(std::byte *pointer) const;
  };

  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  std::unique_ptr<std::byte[], FreeDeleter> data;
};

} // namespace mlir::meanvar

#endif // MEANVAR_TENSORIO_HOSTTENSOR_H
