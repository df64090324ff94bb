// RUN: meanvar-opt %s --meanvar-to-llvm="print-schedules tile-lanes=4" 2>&1 | FileCheck %s

// How an operation is computed, and that an option decides on it.

// CHECK: print-schedules.mlir:[[# @LINE + 4]]:8: remark: schedule: vectors along lanes, 2 of 16 elements in flight; tiles of [all, 4, all]
// CHECK-LABEL: llvm.func internal @f_body(
// CHECK:         llvm.mlir.constant(4 : index)
func.func @f(%x: tensor<8x128x4x9xf32>) -> tensor<8x128x4x9xf32> {
  %0 = meanvar.mvn %x axes = [0, 2, 3] : tensor<8x128x4x9xf32>
  return %0 : tensor<8x128x4x9xf32>
}
