// RUN: meanvar-opt %s --meanvar-specialize-short-dims --canonicalize --split-input-file | FileCheck %s

// Lanes of unknown size: versions for usual short ones, chosen by the size at run time.

// CHECK-LABEL: func @f(
// CHECK-SAME:      %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>)
// CHECK:         %[[SIZE:.*]] = memref.dim %[[X]], %c1
// CHECK:         %[[IS_THREE:.*]] = arith.cmpi eq, %[[SIZE]], %c3
// CHECK:         scf.if %[[IS_THREE]] {
// CHECK-NEXT:      func.call @body_3(%[[X]], %[[Y]])
// CHECK-NEXT:    } else {
// CHECK:           %[[IS_FOUR:.*]] = arith.cmpi eq, %[[SIZE]], %c4
// CHECK:           scf.if %[[IS_FOUR]] {
// CHECK-NEXT:        func.call @body_4(%[[X]], %[[Y]])
// CHECK-NEXT:      } else {
// CHECK-NEXT:        func.call @body(%[[X]], %[[Y]])
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  call @body(%x, %y) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// CHECK-LABEL: func private @body(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<?x?xf32>
// CHECK-LABEL: func private @body_4(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<?x4xf32>
// CHECK-LABEL: func private @body_3(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<?x3xf32>
func.func private @body(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// -----

// An unknown number of channels.

// CHECK-LABEL: func private @channels_4(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<?x?x4xf32>
// CHECK-LABEL: func private @channels_3(
// CHECK:         meanvar.mvn %{{.*}} axes = [1] : tensor<?x?x3xf32>
func.func private @channels(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<?x?x?xf32> to tensor<?x?x?xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x?x?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<?x?x?xf32>, memref<?x?x?xf32>) -> ()
  return
}
func.func @g(%x: memref<?x?x?xf32>, %y: memref<?x?x?xf32>) {
  call @channels(%x, %y) : (memref<?x?x?xf32>, memref<?x?x?xf32>) -> ()
  return
}

// -----

// Not where the innermost size is known, where the dimension before it is of the same
// kind or another one is reduced as well, in public functions, and where other
// operations may have their own idea of the size.

// CHECK-LABEL: func private @known(
// CHECK-LABEL: func private @same(
// CHECK-LABEL: func private @others(
// CHECK-LABEL: func private @contradicts(
// CHECK-LABEL: func @public(
// CHECK-NOT:   func private
func.func private @known(%x: memref<?x4xf32>) -> () {
  %0 = bufferization.to_tensor %x restrict : memref<?x4xf32> to tensor<?x4xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %x : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
func.func private @same(%x: memref<?x?xf32>) -> () {
  %0 = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %1 = meanvar.mvn %0 axes = [0, 1] : tensor<?x?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %x : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
func.func private @others(%x: memref<?x?x?xf32>) -> () {
  %0 = bufferization.to_tensor %x restrict : memref<?x?x?xf32> to tensor<?x?x?xf32>
  %1 = meanvar.mvn %0 axes = [0, 2] : tensor<?x?x?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %x : (tensor<?x?x?xf32>, memref<?x?x?xf32>) -> ()
  return
}
// An addition that holds the size to be 2.
func.func private @contradicts(%x: memref<?x?xf32>, %y: memref<?x2xf32>) -> () {
  %0 = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %1 = bufferization.to_tensor %y restrict : memref<?x2xf32> to tensor<?x2xf32>
  %2 = meanvar.mvn %0 axes = [1] : tensor<?x?xf32>
  %3 = tensor.empty() : tensor<1x2xf32>
  %4 = tensor.cast %3 : tensor<1x2xf32> to tensor<?x2xf32>
  %5 = linalg.add ins(%2, %1 : tensor<?x?xf32>, tensor<?x2xf32>) outs(%4 : tensor<?x2xf32>) -> tensor<?x2xf32>
  bufferization.materialize_in_destination %5 in restrict writable %y : (tensor<?x2xf32>, memref<?x2xf32>) -> ()
  return
}
func.func @public(%x: memref<?x?xf32>, %y: memref<?x4xf32>, %z: memref<?x?x?xf32>) {
  %0 = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x?xf32>
  bufferization.materialize_in_destination %1 in restrict writable %x : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  call @known(%y) : (memref<?x4xf32>) -> ()
  call @same(%x) : (memref<?x?xf32>) -> ()
  call @others(%z) : (memref<?x?x?xf32>) -> ()
  %v = memref.cast %x : memref<?x?xf32> to memref<?x2xf32>
  call @contradicts(%x, %v) : (memref<?x?xf32>, memref<?x2xf32>) -> ()
  return
}
