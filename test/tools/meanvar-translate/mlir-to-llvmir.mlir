// Upstream's translations are there, with the dialects they translate.

// RUN: meanvar-translate --mlir-to-llvmir %s | FileCheck %s

// CHECK-LABEL: define float @add(float %0, float %1)
// CHECK:         fadd float %0, %1
llvm.func @add(%a: f32, %b: f32) -> f32 {
  %0 = llvm.fadd %a, %b : f32
  llvm.return %0 : f32
}
