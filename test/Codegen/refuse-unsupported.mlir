// RUN: meanvar-opt %s --meanvar-refuse-unsupported-tensor-ops --split-input-file --verify-diagnostics

// What bufferization does not know is named before it runs.

func.func @scatter(%x: tensor<4xf32>, %y: tensor<8xf32>, %i: tensor<4x1xindex>) -> tensor<8xf32> {
  // expected-error @+1 {{'tensor.scatter' op is not supported on tensors}}
  %0 = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<4xf32>, tensor<8xf32>, tensor<4x1xindex>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Only the first one is named.

func.func @unregistered(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'math.sin' op is not supported on tensors}}
  %0 = math.sin %x : tensor<4xf32>
  %1 = math.cos %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @supported(%x: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %0 = math.sin %s : f32
  %1 = linalg.fill ins(%0 : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
