// RUN: meanvar-opt %s --meanvar-insert-shape-checks --split-input-file | FileCheck %s

// M3: what the types leave open is checked.

// CHECK-LABEL: func @against_static(
// CHECK-SAME:      %[[A:.*]]: tensor<?x4xf32>
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[SIZE]], %c3
// CHECK:         %[[ONE:.*]] = arith.cmpi eq, %[[SIZE]], %c1
// CHECK:         %[[OK:.*]] = arith.ori %[[SAME]], %[[ONE]]
// CHECK:         cf.assert %[[OK]], "'meanvar.mean' operand 0 has size {0} in result dimension 0, which does not broadcast with size {1} of the other operands"
// CHECK-NOT:     cf.assert
// CHECK:         meanvar.mean
func.func @against_static(%a: tensor<?x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// Each of several sizes `?` is compared with the broadcast size of those before.

// CHECK-LABEL: func @against_each_other(
// CHECK-SAME:      %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<?xf32>)
// CHECK:         %[[SIZE_A:.*]] = tensor.dim %[[A]]
// CHECK:         %[[SIZE_B:.*]] = tensor.dim %[[B]]
// CHECK:         arith.cmpi eq, %[[SIZE_B]], %[[SIZE_A]]
// CHECK:         cf.assert {{.*}} operand 1 has size
// CHECK:         %[[BOTH:.*]] = arith.select %{{.*}}, %[[SIZE_B]], %[[SIZE_A]]
// CHECK:         %[[SIZE_C:.*]] = tensor.dim %[[C]]
// CHECK:         arith.cmpi eq, %[[SIZE_C]], %[[BOTH]]
// CHECK:         cf.assert {{.*}} operand 2 has size
func.func @against_each_other(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %a, %b, %c : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// M4: what a declared type adds to the inferred one is checked.

// CHECK-LABEL: func @declared(
// CHECK:         %[[SIZE:.*]] = tensor.dim
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[SIZE]], %c5
// CHECK:         cf.assert %[[OK]], "'meanvar.mean' result has size {0} in dimension 0, but its declared size is {1}"
func.func @declared(%a: tensor<?xf32>, %b: tensor<1xf32>) -> tensor<5xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<1xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK-LABEL: func @cast(
// CHECK:         cf.assert {{.*}} "'tensor.cast' operand has size {0} in dimension 1, but its declared size is {1}"
// CHECK:         tensor.cast
func.func @cast(%a: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %a : tensor<?x?xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @all_known(
// CHECK-NOT:     cf.assert
func.func @all_known(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %x: tensor<?xf32>) -> (tensor<2x3xf32>, tensor<?xf32>) {
  %0 = meanvar.mean %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = meanvar.mvn %x axes = [0] : tensor<?xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<?xf32>
}

// -----

// Operands of a linalg operation that share a loop have the same size there;
// nothing is checked where that is known.

// CHECK-LABEL: func @linalg(
// CHECK-SAME:      %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>
// CHECK-DAG:     %[[SIZE_B:.*]] = tensor.dim %[[B]], %c0
// CHECK-DAG:     %[[SIZE_A:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[SIZE_B]], %[[SIZE_A]]
// CHECK:         cf.assert %[[OK]], "'linalg.add' operand 1 has size {0} in dimension 0, which differs from size {1} of operand 0"
// CHECK-NOT:     cf.assert
// CHECK:         linalg.add
func.func @linalg(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %a, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%size) : tensor<?x4xf32>
  %0 = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @concat(
// CHECK-SAME:      %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<3x?xf32>, %[[C:.*]]: tensor<?x2xf32>
// CHECK:         %[[SIZE_A:.*]] = tensor.dim %[[A]], %c0
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %c3{{.*}}, %[[SIZE_A]]
// CHECK:         cf.assert %[[OK]], "'tensor.concat' operand 1 has size {0} in dimension 0, which differs from size {1} of operand 0"
// CHECK:         cf.assert {{.*}} "'tensor.concat' operand 2 has size {0} in dimension 0, which differs from size {1} of operand 0"
// CHECK-NOT:     cf.assert
// CHECK:         tensor.concat
func.func @concat(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>, %c: tensor<?x2xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(1) %a, %b, %c : (tensor<?x4xf32>, tensor<3x?xf32>, tensor<?x2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func @declared_concat(
// CHECK:         cf.assert {{.*}} "'tensor.concat' result has size {0} in dimension 0, but its declared size is {1}"
// CHECK-NOT:     cf.assert
// CHECK:         tensor.concat
func.func @declared_concat(%a: tensor<?xf32>) -> tensor<5xf32> {
  %0 = tensor.concat dim(0) %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Elementwise operations are named as the user wrote them. Tensors that are selected
// by one condition are of one size, too: they become a linalg operation.

// CHECK-LABEL: func @elementwise(
// CHECK:         cf.assert {{.*}} "'arith.addf' operand 1 has size {0} in dimension 0, which differs from size {1} of operand 0"
// CHECK:         cf.assert {{.*}} "'arith.select' operand 2 has size {0} in dimension 0, which differs from size {1} of operand 1"
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @elementwise(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = arith.addf %a, %b : tensor<?xf32>
  %1 = arith.select %c, %a, %b : tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func @softmax(
// CHECK:         cf.assert {{.*}} "'linalg.softmax' operand 1 has size {0} in dimension 0, which differs from size {1} of operand 0"
// CHECK-NOT:     cf.assert
// CHECK:         linalg.softmax
func.func @softmax(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<?x4xf32>) outs(%b : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// The input of a convolution is as large as the output and the kernel ask.

// CHECK-LABEL: func @convolution(
// CHECK:         arith.cmpi ult
// CHECK:         cf.assert {{.*}} "'linalg.conv_1d' reaches index {0} in dimension 0 of operand 0, which has size {1}"
// CHECK-NOT:     cf.assert
// CHECK:         linalg.conv_1d
func.func @convolution(%x: tensor<?xf32>, %k: tensor<3xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<3xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Sizes that are given are not negative, and the bytes can be counted.

// CHECK-LABEL: func @given_sizes(
// CHECK:         cf.assert {{.*}} "'tensor.splat' result has size {0} in dimension 1 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.splat' result has more than {1} bytes"
// CHECK:         tensor.splat
// CHECK:         cf.assert {{.*}} "'tensor.empty' result has size {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.empty' result has more than {1} bytes"
// CHECK:         tensor.empty
func.func @given_sizes(%f: f32, %n: index) -> (tensor<4x?xf32>, tensor<?xf32>) {
  %0 = tensor.splat %f[%n] : tensor<4x?xf32>
  %1 = tensor.empty(%n) : tensor<?xf32>
  return %0, %1 : tensor<4x?xf32>, tensor<?xf32>
}

// -----

// M3: so can those of a mean that is larger than each of its operands.

// CHECK-LABEL: func @outer_mean(
// CHECK:         cf.assert {{.*}} "'meanvar.mean' result has more than {1} bytes"
// CHECK:         meanvar.mean
// CHECK-LABEL: func @inner_mean(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @outer_mean(%a: tensor<?x1xf32>, %b: tensor<1x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @inner_mean(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = meanvar.mean %a, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @padding(
// CHECK:         cf.assert {{.*}} "'tensor.pad' has low padding {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.pad' has high padding {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.pad' result has size {0} in dimension 0, but its declared size is {1}"
// CHECK-NOT:     cf.assert
// CHECK:         tensor.pad
func.func @padding(%x: tensor<?xf32>, %z: f32, %n: index) -> tensor<5xf32> {
  %0 = tensor.pad %x low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<?xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Reshapes keep the number of elements.

// CHECK-LABEL: func @expand(
// CHECK:         cf.assert {{.*}} "'tensor.expand_shape' result has size {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.expand_shape' result has {0} elements for dimension 0, which has size {1}"
// CHECK-NOT:     cf.assert
// CHECK:         tensor.expand_shape
func.func @expand(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @reshape(
// CHECK:         cf.assert {{.*}} "'tensor.reshape' result has size {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.reshape' result has size {0} in dimension 1, but its declared size is {1}"
// CHECK:         cf.assert {{.*}} "'tensor.reshape' result has {0} elements, but its operand has {1}"
// CHECK:         tensor.reshape
func.func @reshape(%x: tensor<?xf32>, %shape: tensor<2xi32>) -> tensor<?x4xf32> {
  %0 = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A loop without a step would not end.

// CHECK-LABEL: func @loop(
// CHECK:         arith.cmpi sgt
// CHECK:         cf.assert {{.*}} "'scf.for' has the step {0} (allowed: greater than {1})"
// CHECK:         scf.for
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %0 = scf.for %i = %c0 to %n step %n iter_args(%y = %x) -> (tensor<4xf32>) {
    %1 = meanvar.mvn %y axes = [0] : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
