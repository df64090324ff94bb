//===- PrintSchedules.cpp - How operations are computed -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"
#include "meanvar/Codegen/Schedule.h"
#include "meanvar/Dialect/MeanVar/IR/MeanVarOps.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_PRINTSCHEDULESPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct PrintSchedulesPass final
    : meanvar::impl::PrintSchedulesPassBase<PrintSchedulesPass> {
  using PrintSchedulesPassBase::PrintSchedulesPassBase;

  void runOnOperation() override {
    ScheduleLimits limits{vectorBits, tileBytes, tileLanes, panelLanes,
                          transposedElements};
    if (failed(verifyLimits(getOperation(), limits)))
      return signalPassFailure();
    getOperation()->walk([&](MvnOp op) {
      std::string text;
      llvm::raw_string_ostream(text) << getMvnSchedule(op, limits);
      op.emitRemark("schedule: ") << text;
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
