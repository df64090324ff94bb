// With one thread there is no OpenMP in the code, and neither is a function for
// ranges of iterations; with more each operation on much data has a region.

// RUN: meanvar-opt %s --meanvar-to-llvm | FileCheck %s --check-prefix=ONE --implicit-check-not=omp. --implicit-check-not=_range
// RUN: meanvar-opt %s --meanvar-to-llvm="threads=1" | meanvar-translate --mlir-to-llvmir | FileCheck %s --check-prefix=ONE-IR --implicit-check-not=kmpc --implicit-check-not=omp
// RUN: meanvar-opt %s --meanvar-to-llvm="threads=4" | FileCheck %s
// RUN: meanvar-opt %s --meanvar-to-llvm="threads=4" | meanvar-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// RUN: not meanvar-opt %s --meanvar-to-llvm="threads=0" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: threads is 0 (allowed: 1 to 1024)
// RUN: not meanvar-opt %s --meanvar-to-llvm="threads=1025" 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: threads is 1025 (allowed: 1 to 1024)

// ONE: llvm.func internal @rows_body(
// ONE-IR: define internal void @rows_body(

// The function of a range is entered from the region, or with all iterations
// where the sizes are known at run time only and turn out to be small.

// CHECK-LABEL: llvm.func internal @rows_body_range(
// CHECK-LABEL: llvm.func internal @rows_body(
// CHECK:         llvm.cond_br
// CHECK:         omp.parallel num_threads(
// CHECK:           omp.wsloop nowait
// CHECK:             llvm.call @rows_body_range(
// CHECK:         llvm.call @rows_body_range(
// IR: call void {{.*}}@__kmpc_fork_call(

func.func @rows(%x: tensor<?x768xf32>) -> tensor<?x768xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x768xf32>
  return %0 : tensor<?x768xf32>
}

// No region below the size where it pays.

// CHECK-LABEL: llvm.func internal @small_body(
// CHECK-NOT:     omp.parallel

func.func @small(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// One lane: its sums, and then the normalization.

// CHECK-LABEL: llvm.func internal @lane_body(
// CHECK-COUNT-2: omp.parallel
// CHECK-NOT:     omp.parallel

func.func @lane(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = meanvar.mvn %x axes = [0] : tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

// CHECK-LABEL: llvm.func internal @mean_body(
// CHECK:         omp.parallel
// CHECK-NOT:     omp.parallel

func.func @mean(%a: tensor<1048576xf32>, %b: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = meanvar.mean %a, %b : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

// Loops of the user stay with one thread: their sums are in order.

// CHECK-LABEL: llvm.func internal @loop_body(
// CHECK-NOT:     omp.

func.func @loop(%x: tensor<1048576xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1048576 = arith.constant 1048576 : index
  %sum = scf.parallel (%i) = (%c0) to (%c1048576) step (%c1) init (%zero) -> f32 {
    %element = tensor.extract %x[%i] : tensor<1048576xf32>
    scf.reduce(%element : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  %result = tensor.splat %sum : tensor<1xf32>
  return %result : tensor<1xf32>
}
