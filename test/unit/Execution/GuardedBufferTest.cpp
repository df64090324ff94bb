//===- GuardedBufferTest.cpp - Tests of guarded memory --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/GuardedBuffer.h"
#include "llvm/Support/Process.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstring>

using namespace mlir::meanvar;

namespace {
GuardedBuffer create(size_t numBytes, GuardedSide side) {
  return llvm::cantFail(GuardedBuffer::create(numBytes, side));
}

size_t getPageSize() {
  return llvm::cantFail(llvm::sys::Process::getPageSize());
}

constexpr GuardedSide sides[] = {GuardedSide::Begin, GuardedSide::End};

TEST(GuardedBufferTest, HoldsItsBytes) {
  for (GuardedSide side : sides) {
    for (size_t size : {size_t(1), size_t(7), getPageSize() - 1, getPageSize(),
                        getPageSize() + 1, 3 * getPageSize()}) {
      GuardedBuffer buffer = create(size, side);
      EXPECT_EQ(buffer.getNumBytes(), size);
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(buffer.getData()[i], std::byte(0xFF));
      std::memset(buffer.getData(), 1, size);
      EXPECT_TRUE(buffer.isPaddingIntact());
      EXPECT_TRUE(buffer.contains(buffer.getData()));
      EXPECT_TRUE(buffer.contains(buffer.getData() + size));
      EXPECT_TRUE(buffer.contains(buffer.getData() - 1));
      EXPECT_FALSE(buffer.contains(&buffer));
    }
  }
}

TEST(GuardedBufferTest, KeepsTheAlignmentOfElements) {
  for (GuardedSide side : sides)
    for (size_t elementSize : {1, 2, 4, 8})
      for (size_t count : {0, 1, 3, 1000}) {
        GuardedBuffer buffer = create(count * elementSize, side);
        auto address = reinterpret_cast<uintptr_t>(buffer.getData());
        EXPECT_EQ(address % elementSize, 0u);
      }
}

TEST(GuardedBufferTest, NoticesWritesToThePadding) {
  GuardedBuffer atEnd = create(8, GuardedSide::End);
  atEnd.getData()[-1] = std::byte(0);
  EXPECT_FALSE(atEnd.isPaddingIntact());
  GuardedBuffer atBegin = create(8, GuardedSide::Begin);
  atBegin.getData()[8] = std::byte(0);
  EXPECT_FALSE(atBegin.isPaddingIntact());
  GuardedBuffer farAway = create(8, GuardedSide::Begin);
  farAway.getData()[getPageSize() - 1] = std::byte(0);
  EXPECT_FALSE(farAway.isPaddingIntact());
}

TEST(GuardedBufferTest, MovesWithoutMovingItsData) {
  GuardedBuffer buffer = create(8, GuardedSide::End);
  std::byte *data = buffer.getData();
  data[7] = std::byte(7);
  GuardedBuffer moved = std::move(buffer);
  EXPECT_EQ(moved.getData(), data);
  EXPECT_EQ(moved.getData()[7], std::byte(7));
}

TEST(GuardedBufferTest, FailsWhenMemoryIsShort) {
  auto buffer = GuardedBuffer::create(size_t(1) << 60, GuardedSide::End);
  ASSERT_FALSE(buffer);
  EXPECT_NE(llvm::toString(buffer.takeError())
                .find("not enough memory for 1152921504606846976 bytes"),
            std::string::npos);
}

/// Reads one byte, whatever the compiler thinks of it.
int read(const std::byte *address) {
  return static_cast<int>(*static_cast<const volatile std::byte *>(address));
}

void write(std::byte *address) {
  *static_cast<volatile std::byte *>(address) = std::byte(1);
}

/// Runs `statement` in a process of its own, which must end in a signal. The
/// handlers of sanitizers would turn that into an exit.
#define EXPECT_FAULT(statement)                                                \
  EXPECT_EXIT(                                                                 \
      {                                                                        \
        std::signal(SIGSEGV, SIG_DFL);                                         \
        std::signal(SIGBUS, SIG_DFL);                                          \
        statement;                                                             \
      },                                                                       \
      [](int status) {                                                         \
        return ::testing::KilledBySignal(SIGSEGV)(status) ||                   \
               ::testing::KilledBySignal(SIGBUS)(status);                      \
      },                                                                       \
      "")

TEST(GuardedBufferDeathTest, EndsAccessesBeyondTheGuardedSide) {
  GuardedBuffer atEnd = create(6, GuardedSide::End);
  EXPECT_FAULT(read(atEnd.getData() + 6));
  EXPECT_FAULT(write(atEnd.getData() + 6));
  GuardedBuffer atBegin = create(6, GuardedSide::Begin);
  EXPECT_FAULT(read(atBegin.getData() - 1));
  EXPECT_FAULT(write(atBegin.getData() - 1));
}

TEST(GuardedBufferDeathTest, EndsAccessesBeyondThePadding) {
  GuardedBuffer atEnd = create(6, GuardedSide::End);
  EXPECT_FAULT(read(atEnd.getData() + 5 - getPageSize()));
  GuardedBuffer atBegin = create(6, GuardedSide::Begin);
  EXPECT_FAULT(read(atBegin.getData() + getPageSize()));
}

TEST(GuardedBufferDeathTest, EndsEveryAccessToAnEmptyBuffer) {
  for (GuardedSide side : sides) {
    GuardedBuffer buffer = create(0, side);
    EXPECT_TRUE(buffer.isPaddingIntact());
    llvm::cantFail(buffer.protectFromWrites());
    EXPECT_FAULT(read(buffer.getData()));
    EXPECT_FAULT(read(buffer.getData() - 1));
  }
}

TEST(GuardedBufferDeathTest, ProtectsFromWrites) {
  for (GuardedSide side : sides) {
    GuardedBuffer buffer = create(6, side);
    buffer.getData()[3] = std::byte(3);
    llvm::cantFail(buffer.protectFromWrites());
    EXPECT_EQ(read(buffer.getData() + 3), 3);
    EXPECT_FAULT(write(buffer.getData() + 3));
  }
}
} // namespace
