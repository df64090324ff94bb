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

// -----

// A branch between blocks is named where it is written, not where it is inlined.

func.func private @branching(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-error @+1 {{'cf.cond_br' op makes several blocks of public function 'caller' (allowed: one, with control flow of the scf dialect)}}
  cf.cond_br %c, ^same, ^normal
^same:
  return %x : tensor<4xf32>
^normal:
  %0 = meanvar.mvn %x axes = [0] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @caller(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = call @branching(%x, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sizes whose product overflows are refused before anything is computed from them.

// expected-error @+1 {{tensor type 'tensor<4294967296x?x2147483648xf64>' has too many bytes (allowed: at most 9223372036854775807)}}
func.func @oversized(%x: tensor<4294967296x?x2147483648xf64>) -> tensor<4xf32> {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @oversized_constant(%n: index, %f: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.constant' op of type 'tensor<1152921504606846976xf32>' is too large for a constant (allowed: at most 1073741824 bytes; linalg.fill makes more)}}
  %0 = arith.constant dense<1.0> : tensor<1152921504606846976xf32>
  %1 = tensor.insert %f into %0[%n] : tensor<1152921504606846976xf32>
  %2 = tensor.extract_slice %1[%n] [4] [1] : tensor<1152921504606846976xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
