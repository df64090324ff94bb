// RUN: meanvar-opt %s --meanvar-to-llvm --split-input-file --verify-diagnostics

// What cannot be compiled is named, at its place in the source.

func.func @not_bufferizable(%x: tensor<4xf32>, %y: tensor<8xf32>, %i: tensor<4x1xindex>) -> tensor<8xf32> {
  // expected-error @+1 {{'tensor.scatter' op is not supported on tensors}}
  %0 = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<4xf32>, tensor<8xf32>, tensor<4x1xindex>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @size_from_data(%x: tensor<4xindex>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{makes a result size or a run-time check of public function 'size_from_data' depend on data}}
  %n = tensor.extract %x[%c0] : tensor<4xindex>
  %0 = tensor.splat %f[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @no_lowering(%x: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.extf' op cannot be lowered to the LLVM dialect}}
  %0 = arith.extf %x : tensor<4xf8E4M3FN> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
