//===- HostTensorTest.cpp - Tests of tensors in host memory ---------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/HostTensor.h"
#include "TensorTesting.h"
#include "gtest/gtest.h"

#include <sys/resource.h>

using namespace mlir::meanvar;

namespace {
std::string create(ElementKind kind, llvm::ArrayRef<int64_t> shape) {
  return printOrError(HostTensor::create(kind, shape));
}

TEST(HostTensorTest, StartsWithZeros) {
  EXPECT_EQ(create(ElementKind::F32, {2}), "2xf32=[0,0]");
  EXPECT_EQ(create(ElementKind::I1, {}), "i1=0");
}

TEST(HostTensorTest, RefusesNegativeSizes) {
  EXPECT_EQ(create(ElementKind::F32, {2, -3}),
            "tensor '2x-3xf32' has a negative size");
  EXPECT_EQ(create(ElementKind::F32, {0, dynamicSize}),
            "tensor '0x?xf32' has a negative size");
}

TEST(HostTensorTest, RefusesTooManyBytes) {
  auto tooLarge = static_cast<int64_t>(maxTensorBytes / 8 + 1);
  EXPECT_EQ(create(ElementKind::F64, {tooLarge}),
            "tensor '" + std::to_string(tooLarge) + "xf64' has more than " +
                std::to_string(maxTensorBytes) +
                " bytes, the largest size allowed");
  // The product overflows to zero.
  int64_t huge = int64_t(1) << 62;
  EXPECT_THAT_TEXT(create(ElementKind::F64, {huge, huge}),
                   "bytes, the largest size allowed");
}

// Sanitizers reserve more address space than this test leaves.
#if !__has_feature(address_sanitizer)
/// Limits the memory of the process as long as it lives.
class MemoryLimit {
public:
  explicit MemoryLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &previous);
    rlimit limited = previous;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &limited);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &previous); }

private:
  rlimit previous;
};

TEST(HostTensorTest, ReportsThatMemoryIsShort) {
  auto largest = static_cast<int64_t>(maxTensorBytes / 4);
  std::string text;
  {
    MemoryLimit limit(maxTensorBytes / 2);
    text = create(ElementKind::F32, {largest});
  }
  EXPECT_EQ(text, "not enough memory for tensor '" + std::to_string(largest) +
                      "xf32' of " + std::to_string(maxTensorBytes) + " bytes");
}
#endif
} // namespace
