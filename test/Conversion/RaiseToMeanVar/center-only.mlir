// RUN: meanvar-opt %s --raise-to-meanvar=center-only | FileCheck %s
// RUN: meanvar-opt %s --raise-to-meanvar | FileCheck %s --check-prefix=DEFAULT

// A difference from the mean is a meanvar.mvn on request only: it is also part of much that is
// none.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @centered(
// CHECK-SAME:      %[[X:.*]]: tensor<?x8xf16>
// CHECK-NOT:     linalg
// CHECK:         %[[Y:.*]] = meanvar.mvn %[[X]] axes = [1] epsilon = 0.0{{.*}} center_only : tensor<?x8xf16>
// CHECK-NEXT:    return %[[Y]]
// DEFAULT-NOT: meanvar.mvn
func.func @centered(%x: tensor<?x8xf16>) -> tensor<?x8xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8.0 : f32
  %size = tensor.dim %x, %c0 : tensor<?x8xf16>
  %rows = tensor.empty(%size) : tensor<?xf32>
  %empty = tensor.empty(%size) : tensor<?x8xf16>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf16>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f16, %acc: f32):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<?x8xf16>, tensor<?xf32>) outs(%empty : tensor<?x8xf16>) {
  ^bb0(%in: f16, %s: f32, %out: f16):
    %0 = arith.extf %in : f16 to f32
    %1 = arith.divf %s, %n : f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<?x8xf16>
  return %y : tensor<?x8xf16>
}
