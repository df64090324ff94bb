//===- Print.cpp - Tensors as text ----------------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Print.h"
#include "meanvar/TensorIO/Scalar.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::meanvar;

/// Prints `count` brackets.
static void printBrackets(llvm::raw_ostream &stream, char bracket,
                          int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    stream << bracket;
}

/// Returns how many dimensions, from the last, are at their start at `index`.
static int64_t countDimensionsAtStart(llvm::ArrayRef<int64_t> shape,
                                      int64_t index) {
  int64_t count = 0;
  for (int64_t size : llvm::reverse(shape)) {
    if (index % size != 0)
      break;
    index /= size;
    ++count;
  }
  return count;
}

void mlir::meanvar::printTensor(llvm::raw_ostream &stream,
                                const HostTensor &tensor) {
  stream << tensor.getTypeString() << '=';
  int64_t numElements = tensor.getNumElements();
  if (numElements == 0) {
    stream << "[]";
    return;
  }
  for (int64_t i = 0; i < numElements; ++i) {
    int64_t opened = countDimensionsAtStart(tensor.getShape(), i);
    if (i != 0) {
      printBrackets(stream, ']', opened);
      stream << ',';
    }
    printBrackets(stream, '[', opened);
    stream << printElement(tensor, i);
  }
  printBrackets(stream, ']', tensor.getRank());
}
