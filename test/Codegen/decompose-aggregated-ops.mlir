// RUN: meanvar-opt %s --meanvar-decompose-aggregated-ops | FileCheck %s

// linalg.softmax is a maximum, a difference, an exponential, a sum and a quotient.

// CHECK-LABEL: func @softmax(
// CHECK-NOT:     linalg.softmax
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           arith.maxnumf
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:           arith.subf
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           arith.addf
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK:           arith.divf
// CHECK:         return %[[Y]]
func.func @softmax(%x: tensor<?x16xf32>, %init: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x16xf32>) outs(%init : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}
