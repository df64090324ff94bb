// Compiled by the packaged mlir-opt and run by the packaged mlir-runner: the documented
// examples give the documented values.

// RUN: mlir-opt --load-dialect-plugin=%meanvar_plugin --load-pass-plugin=%meanvar_plugin %s \
// RUN:     --pass-pipeline='builtin.module(meanvar-to-llvm{vector-bits=128})' \
// RUN:   | mlir-runner -e main --entry-point-result=void \
// RUN:       --shared-libs=%llvm_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

func.func private @print(%x: tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%c0], %zero : tensor<3xf32>, vector<3xf32>
  vector.print %v : vector<3xf32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32

  // The mean of three, of one and of two tensors.
  %a = arith.constant dense<[3.0, 0.0, 2.0]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 3.0, 4.0]> : tensor<3xf32>
  %c = arith.constant dense<[2.0, 6.0, 6.0]> : tensor<3xf32>
  // CHECK: ( 2, 3, 4 )
  %0 = meanvar.mean %a, %b, %c : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  call @print(%0) : (tensor<3xf32>) -> ()
  // CHECK: ( 3, 0, 2 )
  %1 = meanvar.mean %a : (tensor<3xf32>) -> tensor<3xf32>
  call @print(%1) : (tensor<3xf32>) -> ()
  // CHECK: ( 2, 1.5, 3 )
  %2 = meanvar.mean %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  call @print(%2) : (tensor<3xf32>) -> ()

  // The normalization over the default axes: its first and its last three elements.
  %x = arith.constant dense<[
    [[[0.8439683], [0.5665144], [0.05836735]], [[0.02916367], [0.12964272], [0.5060197]],
     [[0.79538304], [0.9411346], [0.9546573]]],
    [[[0.17730942], [0.46192095], [0.26480448]], [[0.6746842], [0.01665257], [0.62473077]],
     [[0.9240844], [0.9722341], [0.11965699]]],
    [[[0.41356155], [0.9129373], [0.59330076]], [[0.81929934], [0.7862604], [0.11799799]],
     [[0.69248444], [0.54119414], [0.07513223]]]]> : tensor<3x3x3x1xf32>
  %y = meanvar.mvn %x axes = [0, 2, 3] : tensor<3x3x3x1xf32>
  %first = tensor.extract_slice %y[0, 0, 0, 0] [1, 1, 3, 1] [1, 1, 1, 1] : tensor<3x3x3x1xf32> to tensor<3xf32>
  // CHECK: ( 1.354{{[0-9]*}}, 0.3305{{[0-9]*}}, -1.545{{[0-9]*}} )
  call @print(%first) : (tensor<3xf32>) -> ()
  %last = tensor.extract_slice %y[2, 2, 0, 0] [1, 1, 3, 1] [1, 1, 1, 1] : tensor<3x3x3x1xf32> to tensor<3xf32>
  // CHECK: ( 0.0721{{[0-9]*}}, -0.3817{{[0-9]*}}, -1.779{{[0-9]*}} )
  call @print(%last) : (tensor<3xf32>) -> ()
  return
}
