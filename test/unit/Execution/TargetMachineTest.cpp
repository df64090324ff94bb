//===- TargetMachineTest.cpp - Tests of the optimization of modules -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/TargetMachine.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace mlir::meanvar;

namespace {

/// Optimizes `source` for this host and returns the number of comparisons that
/// are left in its function `f`.
unsigned countComparisonsLeft(llvm::StringRef source) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(source, diagnostic, context);
  if (!module) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return 0;
  }
  auto machine = createJITTargetMachine("host", /*optLevel=*/3);
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return 0;
  }
  module->setDataLayout((*machine)->createDataLayout());
  optimizeModule(*module, **machine, /*optLevel=*/3);
  unsigned comparisons = 0;
  for (llvm::Instruction &instruction :
       llvm::instructions(*module->getFunction("f")))
    comparisons += llvm::isa<llvm::ICmpInst>(instruction);
  return comparisons;
}

TEST(OptimizeModuleTest, RemovesRepeatedComparisons) {
  EXPECT_EQ(countComparisonsLeft(R"(
define i1 @f(i64 %a, i64 %b) {
  %first = icmp ult i64 %a, %b
  br i1 %first, label %then, label %else
then:
  %second = icmp ult i64 %a, %b
  ret i1 %second
else:
  ret i1 true
})"),
            0u);
}

// Nothing but constraint elimination knows that a < b < c makes a < c true.
// For the checks of a mean of many operands it takes far too long.
TEST(OptimizeModuleTest, LeavesOutConstraintElimination) {
  EXPECT_EQ(countComparisonsLeft(R"(
define i1 @f(i64 %a, i64 %b, i64 %c) {
  %first = icmp ult i64 %a, %b
  br i1 %first, label %middle, label %else
middle:
  %second = icmp ult i64 %b, %c
  br i1 %second, label %then, label %else
then:
  %third = icmp ult i64 %a, %c
  ret i1 %third
else:
  ret i1 true
})"),
            3u);
}

} // namespace
