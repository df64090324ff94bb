// A pipeline of upstream's passes alone: bufferization meets the operations as they are and
// lowers them on the spot.

// RUN: mlir-opt --load-dialect-plugin=%meanvar_plugin --load-pass-plugin=%meanvar_plugin %s \
// RUN:     --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline,convert-bufferization-to-memref,convert-linalg-to-loops,convert-vector-to-scf,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-math-to-llvm,convert-vector-to-llvm,finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)' \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:       --shared-libs=%llvm_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @print(%x: tensor<?x4xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%row, %c0], %zero : tensor<?x4xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  return
}

// %x is read again after it was normalized: the result is in another buffer.
func.func private @layer(%x: tensor<?x4xf32>, %bias: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0, %mean, %factor = meanvar.mvn %x axes = [1] statistics : tensor<?x4xf32>
  %1 = meanvar.mean %0, %bias, %mean : (tensor<?x4xf32>, tensor<?xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  %2 = meanvar.mean %x, %factor : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x4xf32>
  return %1, %2 : tensor<?x4xf32>, tensor<?x4xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // The first element of the second row is far from the others: the exceptional case.
  %static = arith.constant dense<[[1.0, 3.0, 3.0, 1.0], [1.0e20, 0.0, 0.0, 1.0e20]]> : tensor<2x4xf32>
  %x = tensor.cast %static : tensor<2x4xf32> to tensor<?x4xf32>
  %ones = arith.constant dense<4.0> : tensor<1xf32>
  %bias = tensor.cast %ones : tensor<1xf32> to tensor<?xf32>
  %0:2 = func.call @layer(%x, %bias) : (tensor<?x4xf32>, tensor<?xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>)
  // CHECK: ( 1.66667, 2.33333, 2.33333, 1.66667 )
  func.call @print(%0#0, %c0) : (tensor<?x4xf32>, index) -> ()
  // CHECK: ( 1.66667e+19, 1.66667e+19, 1.66667e+19, 1.66667e+19 )
  func.call @print(%0#0, %c1) : (tensor<?x4xf32>, index) -> ()
  // CHECK: ( 1, 2, 2, 1 )
  func.call @print(%0#1, %c0) : (tensor<?x4xf32>, index) -> ()
  // CHECK: ( 5e+19, 1e-20, 1e-20, 5e+19 )
  func.call @print(%0#1, %c1) : (tensor<?x4xf32>, index) -> ()
  return
}
