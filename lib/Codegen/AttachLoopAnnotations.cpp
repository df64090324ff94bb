//===- AttachLoopAnnotations.cpp - Loop annotations that reach LLVM -------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Codegen/Passes.h"

namespace mlir::meanvar {
#define GEN_PASS_DEF_ATTACHLOOPANNOTATIONSPASS
#include "meanvar/Codegen/Passes.h.inc"
} // namespace mlir::meanvar

using namespace mlir;
using namespace mlir::meanvar;

namespace {

struct AttachLoopAnnotationsPass final
    : meanvar::impl::AttachLoopAnnotationsPassBase<AttachLoopAnnotationsPass> {
  using AttachLoopAnnotationsPassBase::AttachLoopAnnotationsPassBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto branch = dyn_cast<LLVM::BrOp>(op))
        attach(branch);
      else if (auto branch = dyn_cast<LLVM::CondBrOp>(op))
        attach(branch);
    });
  }

  template <typename BranchOp>
  static void attach(BranchOp branch) {
    constexpr llvm::StringLiteral name = "llvm.loop_annotation";
    auto annotation =
        branch->template getAttrOfType<LLVM::LoopAnnotationAttr>(name);
    if (!annotation)
      return;
    branch->removeDiscardableAttr(name);
    branch.setLoopAnnotationAttr(annotation);
  }
};

} // namespace
