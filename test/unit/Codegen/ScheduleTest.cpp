//===- ScheduleTest.cpp - Shapes of the generated kernels -----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Schedule.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {

constexpr int64_t dynamic = ShapedType::kDynamic;
constexpr unsigned zmmBits = 512, ymmBits = 256;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

TEST(VectorScheduleTest, FillsRegisters) {
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, dynamic, false).vectorSize, 16);
  EXPECT_EQ(getVectorSchedule(zmmBits, 64, dynamic, false).vectorSize, 8);
  EXPECT_EQ(getVectorSchedule(ymmBits, 32, dynamic, false).vectorSize, 8);
  EXPECT_EQ(getVectorSchedule(ymmBits, 64, dynamic, false).vectorSize, 4);
}

TEST(VectorScheduleTest, ComputesShortElementsAsF32) {
  for (unsigned bits : {8u, 16u})
    EXPECT_EQ(getVectorSchedule(zmmBits, bits, dynamic, false).vectorSize, 16);
}

TEST(VectorScheduleTest, HasSeveralVectorsInFlight) {
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, dynamic, false).unroll, 4);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 1024, false).unroll, 4);
}

TEST(VectorScheduleTest, HasOneVectorForSize) {
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, dynamic, true).unroll, 1);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 1024, true).unroll, 1);
}

TEST(VectorScheduleTest, HasNoMoreVectorsThanElements) {
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 32, false).unroll, 2);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 31, false).unroll, 1);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 16, false).unroll, 1);
}

TEST(VectorScheduleTest, HasVectorsNoWiderThanElements) {
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 9, false).vectorSize, 16);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 8, false).vectorSize, 8);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 3, false).vectorSize, 4);
  EXPECT_EQ(getVectorSchedule(zmmBits, 32, 1, false).vectorSize, 1);
}

TEST(VectorScheduleTest, TakesNoElements) {
  VectorSchedule schedule = getVectorSchedule(zmmBits, 32, 0, false);
  EXPECT_EQ(schedule.vectorSize, 1);
  EXPECT_EQ(schedule.unroll, 1);
}

TEST(VectorScheduleTest, HasPowersOfTwo) {
  for (int64_t size = 0; size < 200; ++size)
    for (unsigned bits : {16u, 32u, 64u}) {
      int64_t width = getVectorSchedule(zmmBits, bits, size, false).vectorSize;
      EXPECT_TRUE(llvm::isPowerOf2_64(width)) << size << " of " << bits;
    }
}

//===----------------------------------------------------------------------===//
// Vectors along short rows
//===----------------------------------------------------------------------===//

TEST(PeriodicVectorScheduleTest, ComesBackToTheSamePlace) {
  for (auto [period, vectors] :
       {std::pair(2, 1), {3, 3}, {4, 1}, {5, 5}, {6, 3}, {12, 3}, {16, 1}})
    EXPECT_EQ(getPeriodicVectorSchedule(zmmBits, 32, dynamic, period, false)
                  ->periodVectors,
              vectors);
}

TEST(PeriodicVectorScheduleTest, HasWholePeriodsInFlight) {
  EXPECT_EQ(getPeriodicVectorSchedule(zmmBits, 32, dynamic, 4, false)->unroll,
            4);
  EXPECT_EQ(getPeriodicVectorSchedule(zmmBits, 32, dynamic, 3, false)->unroll,
            3);
  EXPECT_EQ(getPeriodicVectorSchedule(zmmBits, 64, dynamic, 6, false)->unroll,
            3);
  EXPECT_EQ(getPeriodicVectorSchedule(zmmBits, 32, dynamic, 4, true)->unroll,
            1);
}

TEST(PeriodicVectorScheduleTest, LeavesOtherRowsAlone) {
  // Unknown, single, wider than a vector, too many vectors, too few rows.
  for (int64_t period : {dynamic, int64_t(1), int64_t(17), int64_t(9)})
    EXPECT_FALSE(
        getPeriodicVectorSchedule(zmmBits, 32, dynamic, period, false));
  EXPECT_FALSE(getPeriodicVectorSchedule(zmmBits, 32, 15, 3, false));
  EXPECT_TRUE(getPeriodicVectorSchedule(zmmBits, 32, 16, 3, false));
}

//===----------------------------------------------------------------------===//
// Sums of short rows
//===----------------------------------------------------------------------===//

TEST(RowGroupTest, HasAsManyRowsAsVectorsHaveElements) {
  EXPECT_EQ(getRowGroup(dynamic, 16), 16);
  EXPECT_EQ(getRowGroup(32, 16), 16);
  EXPECT_EQ(getRowGroup(17, 8), 8);
}

TEST(RowGroupTest, HasFewerWhereThereAreFewer) {
  EXPECT_EQ(getRowGroup(8, 16), 8);
  EXPECT_EQ(getRowGroup(3, 16), 4);
}

TEST(RowGroupTest, TakesTwoRowsAndScalarsOneByOne) {
  for (int64_t numRows : {0, 1, 2})
    EXPECT_EQ(getRowGroup(numRows, 16), 1);
  EXPECT_EQ(getRowGroup(dynamic, 1), 1);
}

TEST(MaxTermsOfFoldTest, HasEightTermsInEachAccumulator) {
  EXPECT_EQ(getMaxTermsOfFold({16, 4}, 0), 512);
  EXPECT_EQ(getMaxTermsOfFold({4, 1}, 16), 32);
  EXPECT_EQ(getMaxTermsOfFold({4, 1}, 32), 32);
}

TEST(MaxTermsOfFoldTest, IsHalfOfThePermission) {
  EXPECT_EQ(getMaxTermsOfFold({16, 4}, 8), 256);
  EXPECT_EQ(getMaxTermsOfFold({16, 4}, 1), 0);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

using Sizes = llvm::SmallVector<int64_t>;

Sizes getTileSizes(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<bool> reduced,
                   unsigned elementBits) {
  ScheduleLimits limits;
  limits.transposedElements = 1;
  return getMvnSchedule(shape, reduced, elementBits, limits).tileSizes;
}

KernelShape getShape(llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<bool> reduced, unsigned elementBits = 32) {
  return getMvnSchedule(shape, reduced, elementBits, ScheduleLimits()).shape;
}

TEST(MvnScheduleTest, TakesOneLongLane) {
  EXPECT_EQ(getTileSizes({64, 1 << 20}, {false, true}, 32), Sizes({1, 0}));
}

TEST(MvnScheduleTest, TakesSeveralShortLanes) {
  Sizes tile = getTileSizes({64, 16}, {false, true}, 32);
  EXPECT_GT(tile[0], 1);
  EXPECT_LT(tile[0], 64);
  EXPECT_EQ(tile[1], 0);
}

// The lanes of a tile share a cache: longer lanes, or wider elements, are
// fewer.
TEST(MvnScheduleTest, BoundsTheBytesOfATile) {
  constexpr int64_t cacheBytes = int64_t(32) * 1024;
  int64_t previous = 64;
  for (int64_t length = 16; length <= 1 << 20; length *= 2) {
    Sizes tile = getTileSizes({1000, length}, {false, true}, 32);
    Sizes wide = getTileSizes({1000, length}, {false, true}, 64);
    EXPECT_LE(tile[0], previous);
    EXPECT_LE(wide[0], tile[0]);
    EXPECT_TRUE(tile[0] == 1 || tile[0] * length * 4 <= cacheBytes) << length;
    previous = tile[0];
  }
  EXPECT_EQ(previous, 1);
}

TEST(MvnScheduleTest, LeavesLanesOfUnknownLengthToRunTime) {
  Sizes tile = getTileSizes({64, dynamic}, {false, true}, 32);
  EXPECT_EQ(tile, (Sizes{dynamic, 0}));
}

TEST(MvnScheduleTest, TakesPanelsOfWholeVectors) {
  for (unsigned bits : {16u, 32u, 64u}) {
    Sizes tile = getTileSizes({64, dynamic}, {true, false}, bits);
    VectorSchedule schedule = getVectorSchedule(zmmBits, bits, dynamic, false);
    EXPECT_EQ(tile[0], 0);
    EXPECT_GT(tile[1], 0);
    EXPECT_EQ(tile[1] % (schedule.vectorSize * schedule.unroll), 0) << bits;
  }
}

TEST(MvnScheduleTest, TilesOtherKeptDimensionsByOne) {
  Sizes rows = getTileSizes({8, 3, 64, 3136}, {true, false, false, true}, 32);
  EXPECT_EQ(rows, Sizes({0, 1, 1, 0}));
  Sizes panels = getTileSizes({5, 64, dynamic}, {false, true, false}, 32);
  EXPECT_EQ(panels[0], 1);
  EXPECT_EQ(panels[1], 0);
}

// What fits one tile is not tiled.
TEST(MvnScheduleTest, LeavesWhatFits) {
  EXPECT_EQ(getTileSizes({2, 16}, {false, true}, 32), Sizes({0, 0}));
  EXPECT_EQ(getTileSizes({64, 16}, {true, false}, 32), Sizes({0, 0}));
}

TEST(MvnScheduleTest, LeavesOneLaneOfAllElements) {
  EXPECT_EQ(getTileSizes({64, dynamic}, {true, true}, 32), Sizes({0, 0}));
  EXPECT_EQ(getTileSizes({}, {}, 32), Sizes());
}

TEST(MvnScheduleTest, TakesEmptyLanes) {
  Sizes tile = getTileSizes({64, 0}, {false, true}, 32);
  EXPECT_GT(tile[0], 1);
}

TEST(StreamScheduleTest, ReadsFourCacheLines) {
  auto getUnroll = [](unsigned vectorBits, unsigned elementBits, int64_t size) {
    VectorSchedule schedule =
        getVectorSchedule(vectorBits, elementBits, size, /*forSize=*/false);
    return getStreamSchedule(schedule, vectorBits, elementBits).unroll;
  };
  EXPECT_EQ(getUnroll(512, 32, dynamic), 4);
  EXPECT_EQ(getUnroll(512, 64, dynamic), 4);
  EXPECT_EQ(getUnroll(512, 16, dynamic), 8);
  EXPECT_EQ(getUnroll(256, 16, dynamic), 4);
  // No more than there is.
  EXPECT_EQ(getUnroll(512, 16, 32), 2);
}

TEST(MvnScheduleTest, HasAShapeForEachPattern) {
  EXPECT_EQ(getShape({64, 100}, {false, true}), KernelShape::Lanes);
  EXPECT_EQ(getShape({100}, {true}), KernelShape::Lanes);
  EXPECT_EQ(getShape({8, 64, 100}, {true, false, true}), KernelShape::Lanes);
  EXPECT_EQ(getShape({100, 64}, {true, false}), KernelShape::Panels);
  EXPECT_EQ(getShape({8, 100, 64}, {false, true, false}), KernelShape::Panels);
  EXPECT_EQ(getShape({100, 3}, {true, false}), KernelShape::Periods);
}

TEST(MvnScheduleTest, TransposesShortLanes) {
  constexpr bool rows[] = {false, true};
  for (int64_t size : {2, 7, 8, 12, 16, 19})
    EXPECT_EQ(getShape({64, size}, rows), KernelShape::TransposedLanes) << size;
  EXPECT_EQ(getShape({dynamic, 4}, rows), KernelShape::TransposedLanes);
  // One element, long lanes, lanes that fill vectors, unknown ones, few ones.
  EXPECT_EQ(getShape({64, 1}, rows), KernelShape::Lanes);
  EXPECT_EQ(getShape({64, 20}, rows), KernelShape::Lanes);
  EXPECT_EQ(getShape({64, 16}, rows, 64), KernelShape::Lanes);
  EXPECT_EQ(getShape({64, dynamic}, rows), KernelShape::Lanes);
  EXPECT_EQ(getShape({15, 4}, rows), KernelShape::Lanes);
}

TEST(MvnScheduleTest, TransposesSeveralVectorsOfLanes) {
  auto getLanes = [](int64_t numLanes, int64_t size, unsigned elementBits) {
    MvnSchedule schedule = getMvnSchedule({numLanes, size}, {false, true},
                                          elementBits, ScheduleLimits());
    EXPECT_EQ(schedule.tileSizes.front(),
              schedule.vectors.unroll * schedule.vectors.vectorSize);
    return schedule.tileSizes.front();
  };
  EXPECT_EQ(getLanes(1024, 4, 32), 64);
  EXPECT_EQ(getLanes(1024, 4, 16), 64);
  EXPECT_EQ(getLanes(1024, 4, 64), 32);
  // Fewer where there are several kernels.
  EXPECT_EQ(getLanes(dynamic, 4, 32), 32);
  EXPECT_EQ(getLanes(dynamic, 4, 16), 64);
  EXPECT_EQ(getLanes(dynamic, 4, 64), 16);
  // Tiles have at most 2 KiB.
  EXPECT_EQ(getLanes(1024, 7, 32), 64);
  EXPECT_EQ(getLanes(1024, 9, 32), 32);
  EXPECT_EQ(getLanes(dynamic, 15, 16), 64);
  EXPECT_EQ(getLanes(dynamic, 16, 16), 64);
  EXPECT_EQ(getLanes(dynamic, 17, 16), 32);
  // Multiples of eight vectors of 64 bytes.
  EXPECT_EQ(getLanes(dynamic, 16, 32), 16);
  EXPECT_EQ(getLanes(dynamic, 8, 32), 16);
  EXPECT_EQ(getLanes(dynamic, 8, 64), 8);
  EXPECT_EQ(getLanes(dynamic, 8, 16), 64);
  // No more lanes than there are.
  EXPECT_EQ(getLanes(63, 4, 32), 32);
  EXPECT_EQ(getLanes(16, 4, 32), 16);
}

TEST(MvnScheduleTest, IsPrinted) {
  std::string text;
  llvm::raw_string_ostream(text) << getMvnSchedule(
      {3, 64, dynamic}, {false, false, true}, 32, ScheduleLimits());
  EXPECT_EQ(text, "vectors along lanes, 4 of 16 elements in flight; tiles of "
                  "[1, ?, all]");
}

} // namespace
