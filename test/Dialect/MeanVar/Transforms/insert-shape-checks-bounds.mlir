// RUN: meanvar-opt %s --meanvar-insert-shape-checks --split-input-file | FileCheck %s

// Slices and elements are in bounds; nothing is checked where that is known.

// CHECK-LABEL: func @slice(
// CHECK-SAME:      %[[X:.*]]: tensor<?x8xf32>, %[[O:.*]]: index, %[[N:.*]]: index
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' has offset {0} in dimension 0 (allowed: at least {1})"
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' has size {0} in dimension 0 (allowed: at least {1})"
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK:         %[[SUM:.*]] = arith.addi %[[O]], %[[N]]
// CHECK:         %[[END:.*]] = arith.minui %[[SUM]], %c9223372036854775807
// CHECK:         %[[OK:.*]] = arith.cmpi ule, %[[END]], %[[SIZE]]
// CHECK:         cf.assert %[[OK]], "'tensor.extract_slice' slice ends at {0} in dimension 0, which has size {1}" {meanvar.checked_op = "tensor.extract_slice"}
// CHECK-NOT:     cf.assert
// CHECK:         tensor.extract_slice
func.func @slice(%x: tensor<?x8xf32>, %o: index, %n: index) -> tensor<?x3xf32> {
  %0 = tensor.extract_slice %x[%o, 2] [%n, 3] [1, 2] : tensor<?x8xf32> to tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func @strided_slice(
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' has offset
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' has size
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' has stride {0} in dimension 0 (allowed: at least {1})"
// CHECK:         arith.mului_extended
// CHECK:         cf.assert {{.*}} "'tensor.extract_slice' slice ends at {0} in dimension 0, which has size {1}"
func.func @strided_slice(%x: tensor<?xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A stride of 0 gives one element many times. Operations that only read the
// slice may have it, those that write to it may not.

// CHECK-LABEL: func @read_slice(
// CHECK-SAME:      %{{.*}}, %{{.*}}: index, %[[S:.*]]: index,
// CHECK:         %[[OK:.*]] = arith.cmpi sge, %[[S]], %c0
// CHECK:         cf.assert %[[OK]], "'tensor.extract_slice' has stride {0} in dimension 0 (allowed: at least {1})"
// CHECK:         linalg.add
func.func @read_slice(%x: tensor<?xf32>, %n: index, %s: index, %d: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[0] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.add ins(%0, %0 : tensor<?xf32>, tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @written_slice(
// CHECK-SAME:      %{{.*}}, %{{.*}}: index, %[[S:.*]]: index,
// CHECK:         %[[OK:.*]] = arith.cmpi sge, %[[S]], %c1
// CHECK:         cf.assert %[[OK]], "'tensor.extract_slice' has stride {0} in dimension 0 (allowed: at least {1})"
// CHECK:         linalg.exp
func.func @written_slice(%x: tensor<?xf32>, %n: index, %s: index, %d: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[0] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  %1 = linalg.exp ins(%d : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @known_slices(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @known_slices(%x: tensor<?xf32>, %init: tensor<1xf32>) -> (tensor<?xf32>, tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (tensor<1xf32>) {
    %2 = tensor.extract_slice %x[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    scf.yield %2 : tensor<1xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func @insert_slice(
// CHECK:         cf.assert {{.*}} "'tensor.insert_slice' operand 0 has size {0} in dimension 0, which differs from size {1} of the slice"
// CHECK:         cf.assert {{.*}} "'tensor.insert_slice' slice ends at {0} in dimension 1, which has size {1}"
func.func @insert_slice(%x: tensor<?xf32>, %y: tensor<4x?xf32>, %n: index) -> tensor<4x?xf32> {
  %0 = tensor.insert_slice %x into %y[1, 2] [1, %n] [1, 1] : tensor<?xf32> into tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func @elements(
// CHECK-SAME:      %[[X:.*]]: tensor<?x4xf32>, %[[I:.*]]: index
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %[[I]], %[[SIZE]]
// CHECK:         cf.assert %[[OK]], "'tensor.extract' has index {0} in dimension 0, which has size {1}"
// CHECK-NOT:     cf.assert
// CHECK:         tensor.extract
// CHECK:         cf.assert {{.*}} "'tensor.insert' has index {0} in dimension 1, which has size {1}"
// CHECK:         tensor.insert
func.func @elements(%x: tensor<?x4xf32>, %i: index) -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%i, %c2] : tensor<?x4xf32>
  %1 = tensor.insert %0 into %x[%c0, %i] : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func @dimension(
// CHECK:         cf.assert {{.*}} "'tensor.dim' asks for dimension {0} of a tensor of rank {1}"
// CHECK-NOT:     cf.assert
func.func @dimension(%x: tensor<?x4xf32>, %i: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %x, %i : tensor<?x4xf32>
  %1 = tensor.dim %x, %c1 : tensor<?x4xf32>
  return %0, %1 : index, index
}

// -----

// Checks of what a body reads are made before it, for all of its indices.

// CHECK-LABEL: func @body(
// CHECK-SAME:      %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>, %[[LAST:.*]]: index
// CHECK:         %[[N:.*]] = tensor.dim %[[Y]], %c0
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %[[N]]
// CHECK:           %[[J:.*]] = arith.subi %[[LAST]], %[[I]]
// CHECK:           %[[SIZE:.*]] = tensor.dim %[[X]]
// CHECK:           %[[OK:.*]] = arith.cmpi ult, %[[J]], %[[SIZE]]
// CHECK:           cf.assert %[[OK]], "'tensor.extract' has index
// CHECK:         linalg.generic
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @body(%x: tensor<?xf32>, %y: tensor<?xf32>, %last: index) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%y : tensor<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.subi %last, %i : index
    %e = tensor.extract %x[%j] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: func @generated(
// CHECK-SAME:      %[[X:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK:         cf.assert {{.*}} "'tensor.generate' result has size {0} in dimension 0 (allowed: at least {1})"
// CHECK:         scf.for %{{.*}} = %c0{{.*}} to %[[N]]
// CHECK:           scf.for %[[J:.*]] = %c0{{.*}} to %c3
// CHECK:             arith.cmpi ult, %[[J]],
// CHECK:             cf.assert {{.*}} "'tensor.extract' has index
// CHECK:         tensor.generate
func.func @generated(%x: tensor<?xf32>, %n: index) -> tensor<?x3xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%j] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

// What the terminator of a parallel loop inserts is checked before the loop.

// CHECK-LABEL: func @parallel(
// CHECK:         scf.for
// CHECK:           cf.assert {{.*}} "'tensor.parallel_insert_slice' slice ends at {0} in dimension 0, which has size {1}"
// CHECK:         scf.forall
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @parallel(%x: tensor<1xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %y) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %0 : tensor<?xf32>
}

// -----

// A check that depends on data stays where it is.

// CHECK-LABEL: func @gather(
// CHECK:         linalg.generic
// CHECK:           cf.assert
func.func @gather(%x: tensor<?xf32>, %i: tensor<?xindex>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%i : tensor<?xindex>) outs(%y : tensor<?xf32>) {
  ^bb0(%in: index, %out: f32):
    %e = tensor.extract %x[%in] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Data that is clamped is in bounds.

// CHECK-LABEL: func @clamped(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @clamped(%x: tensor<8xf32>, %i: tensor<4xindex>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %0 = tensor.generate {
  ^bb0(%j: index):
    %k = tensor.extract %i[%c0] : tensor<4xindex>
    %low = arith.maxsi %k, %c0 : index
    %index = arith.minsi %low, %c7 : index
    %e = tensor.extract %x[%index] : tensor<8xf32>
    tensor.yield %e : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Indices of padding are those of the result.

// CHECK-LABEL: func @padded_by_elements(
// CHECK:         scf.for
// CHECK:           cf.assert {{.*}} "'tensor.extract' has index
// CHECK:         tensor.pad
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @padded_by_elements(%x: tensor<?xf32>, %values: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %e = tensor.extract %values[%i] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
