// RUN: meanvar-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --cse --split-input-file | FileCheck %s

// Sizes of results in terms of the sizes of operands, without the operation.

// CHECK-LABEL: func @mvn
// CHECK-SAME: (%[[X:.*]]: tensor<?x8x?xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[D0:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[D2:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK-NOT: meanvar.mvn
// CHECK: return %[[D0]], %[[D2]]
func.func @mvn(%x: tensor<?x8x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = meanvar.mvn %x axes = [1] : tensor<?x8x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x8x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x8x?xf32>
  return %d0, %d2 : index, index
}

// -----

// CHECK-LABEL: func @mvn_statistics_V3
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf16>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[D1:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK-NOT: meanvar.mvn
// CHECK: return %[[C1]], %[[D1]], %[[D1]]
func.func @mvn_statistics_V3(%x: tensor<?x?xf16>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0, %mean, %scale = meanvar.mvn %x axes = [0] statistics : tensor<?x?xf16>
  %d0 = tensor.dim %mean, %c0 : tensor<1x?xf32>
  %d1 = tensor.dim %mean, %c1 : tensor<1x?xf32>
  %d2 = tensor.dim %scale, %c1 : tensor<1x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// -----

// The size of the first operand, or where that is 1 the size of the second.
// CHECK-LABEL: func @mean_dynamic_M3
// CHECK-SAME: (%[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[DA:.*]] = tensor.dim %[[A]], %[[C0]]
// CHECK-DAG: %[[DB:.*]] = tensor.dim %[[B]], %[[C0]]
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[DA]], %[[C1]]
// CHECK: %[[SIZE:.*]] = arith.select %[[ONE]], %[[DB]], %[[DA]]
// CHECK-NOT: meanvar.mean
// CHECK: return %[[SIZE]]
func.func @mean_dynamic_M3(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?xf32>
  return %d0 : index
}

// -----

// A static 1 is neutral, and so is a dimension that an operand does not have.
// CHECK-LABEL: func @mean_of_lower_rank_M2
// CHECK-SAME: (%{{.*}}: tensor<1x3xf32>, %[[B:.*]]: tensor<?x1xf32>, %{{.*}}: tensor<3xf32>)
// CHECK: %[[DB:.*]] = tensor.dim %[[B]], %{{.*}}
// CHECK-NEXT: return %[[DB]]
func.func @mean_of_lower_rank_M2(%a: tensor<1x3xf32>, %b: tensor<?x1xf32>, %c: tensor<3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %a, %b, %c : (tensor<1x3xf32>, tensor<?x1xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x3xf32>
  return %d0 : index
}

// -----

// A static size that is not 1 decides, also where the result type leaves it open.
// CHECK-LABEL: func @mean_static_size_wins_M4
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT: return %[[C4]]
func.func @mean_static_size_wins_M4(%a: tensor<?xf32>, %b: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?xf32>
  return %d0 : index
}

// -----

// The declared type adds a size.
// CHECK-LABEL: func @mean_declared_size_M4
// CHECK: %[[C7:.*]] = arith.constant 7 : index
// CHECK-NEXT: return %[[C7]]
func.func @mean_declared_size_M4(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<7xf32>
  %d0 = tensor.dim %0, %c0 : tensor<7xf32>
  return %d0 : index
}

// -----

// CHECK-LABEL: func @mean_of_three_M3
// CHECK-COUNT-2: arith.select
// CHECK-NOT: arith.select
// CHECK: return
func.func @mean_of_three_M3(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %a, %b, %c : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?xf32>
  return %d0 : index
}
