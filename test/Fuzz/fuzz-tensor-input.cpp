//===- fuzz-tensor-input.cpp - Tensors of damaged and hostile files -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first byte of an input chooses the reader, the second the element type
// that the caller wants; the rest is what is read. A tensor that is read must
// survive being written as a .npy file and as text.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/TensorProto.h"
#include "meanvar/TensorIO/Npy.h"
#include "meanvar/TensorIO/Print.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

using namespace mlir::meanvar;
using llvm::Expected;
using llvm::StringRef;

/// Returns the element type that `selector` stands for; none for most of them.
static std::optional<ElementKind> getWantedKind(uint8_t selector) {
  if (selector > static_cast<uint8_t>(ElementKind::UI8))
    return std::nullopt;
  return static_cast<ElementKind>(selector);
}

/// Returns true for specifications that read no file and want little memory, or
/// more than is allowed: the amounts between are the user's to choose.
static bool isAffordable(StringRef spec) {
  if (spec.contains('@'))
    return false;
  llvm::SmallVector<StringRef> sizes;
  spec.split('=').first.split(sizes, 'x');
  uint64_t numElements = 1, size = 0;
  for (StringRef text : sizes)
    if (!text.trim().getAsInteger(10, size))
      numElements = llvm::SaturatingMultiply(numElements, size);
  return numElements <= 1 << 12 || numElements > maxTensorBytes;
}

static Expected<HostTensor> readTensor(uint8_t reader, StringRef content,
                                       std::optional<ElementKind> wanted) {
  switch (reader % 3) {
  case 0:
    return readNpy(content, "input.npy", wanted);
  case 1:
    return readTensorProto(content, "input.pb", /*directory=*/"");
  default:
    if (!isAffordable(content))
      return llvm::createStringError("not for this test");
    return parseTensorSpec(content, wanted);
  }
}

/// Returns true if element `index` has the same bits in both, or is a NaN in
/// both where `isText`: text keeps no payload.
static bool isSameElement(const HostTensor &lhs, const HostTensor &rhs,
                          int64_t index, bool isText) {
  size_t size = getElementSize(lhs.getKind());
  if (isText && isFloat(lhs.getKind()) && std::isnan(lhs.getFloat(index)))
    return std::isnan(rhs.getFloat(index));
  return std::memcmp(lhs.getData() + index * size, rhs.getData() + index * size,
                     size) == 0;
}

static void checkSame(const HostTensor &tensor, Expected<HostTensor> reread,
                      bool isText) {
  if (!reread)
    llvm::report_fatal_error(reread.takeError());
  if (reread->getKind() != tensor.getKind() ||
      reread->getShape() != tensor.getShape())
    llvm::report_fatal_error("the type has changed");
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (!isSameElement(tensor, *reread, i, isText))
      llvm::report_fatal_error("an element has changed");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return -1;
  StringRef content(reinterpret_cast<const char *>(data + 2), size - 2);
  Expected<HostTensor> tensor =
      readTensor(data[0], content, getWantedKind(data[1]));
  if (!tensor) {
    std::string message = llvm::toString(tensor.takeError());
    if (message.empty() || !llvm::all_of(message, llvm::isPrint))
      llvm::report_fatal_error("an error without a printable message");
    return 0;
  }
  std::string file, text;
  llvm::raw_string_ostream fileStream(file), textStream(text);
  writeNpy(fileStream, *tensor);
  checkSame(*tensor, readNpy(file, "output.npy", tensor->getKind()),
            /*isText=*/false);
  printTensor(textStream, *tensor);
  checkSame(*tensor, parseTensorSpec(text), /*isText=*/true);
  return 0;
}
