// RUN: meanvar-opt %s --meanvar-refuse-oversized-tensors --split-input-file --verify-diagnostics

// expected-error @+1 {{tensor type 'tensor<9223372036854775807xf16>' has too many bytes (allowed: at most 9223372036854775807)}}
func.func @argument(%x: tensor<9223372036854775807xf16>) {
  return
}

// -----

// expected-error @+1 {{tensor type 'tensor<?x2305843009213693952xf32>' has too many bytes}}
func.func private @result() -> tensor<?x2305843009213693952xf32>

// -----

func.func @value() {
  // expected-error @+1 {{tensor type 'tensor<4294967296x4294967296xi8>' has too many bytes}}
  %0 = tensor.empty() : tensor<4294967296x4294967296xi8>
  return
}

// -----

// No elements have no bytes, whatever the other sizes are.

func.func @counted(%x: tensor<9223372036854775807x0xf64>, %y: tensor<9223372036854775807xi8>) -> tensor<1152921504606846975xindex> {
  %0 = tensor.empty() : tensor<1152921504606846975xindex>
  return %0 : tensor<1152921504606846975xindex>
}
