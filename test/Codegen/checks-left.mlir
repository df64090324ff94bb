// RUN: meanvar-opt %s --meanvar-lower-entry-points | FileCheck %s

// In functions that keep their signature, and so have no status, checks of upstream
// operations are left to the caller, and checks that the user wrote stay.

// CHECK-LABEL: func @no_tensor_result(
// CHECK-NOT:     meanvar.checked_op
// CHECK:         cf.assert %{{.*}}, "asked for by the user"
func.func @no_tensor_result(%x: tensor<?xf32>, %ok: i1, %user: i1) -> index {
  cf.assert %ok, "sizes differ" {meanvar.checked_op = "linalg.generic"}
  cf.assert %user, "asked for by the user"
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %x, %c0 : tensor<?xf32>
  return %0 : index
}
