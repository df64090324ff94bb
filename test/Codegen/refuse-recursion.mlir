// RUN: meanvar-opt %s --meanvar-refuse-recursion --split-input-file --verify-diagnostics

// A stack that overflows has no status.

// expected-error @+1 {{function 'recursive' calls itself (allowed: no recursion in public functions with tensor results, and in what they call)}}
func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @recursive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @calls_recursion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @first(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @+1 {{function 'first' calls itself by way of 'second' (allowed: no recursion}}
func.func private @first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @second(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @second(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @first(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Scalars are no exception.

func.func @calls_scalar_recursion(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, index) {
  %0 = call @factorial(%n) : (index) -> index
  return %x, %0 : tensor<4xf32>, index
}
// expected-error @+1 {{function 'factorial' calls itself (allowed: no recursion}}
func.func private @factorial(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %is_zero = arith.cmpi eq, %n, %zero : index
  %0 = scf.if %is_zero -> index {
    scf.yield %one : index
  } else {
    %rest = arith.subi %n, %one : index
    %1 = func.call @factorial(%rest) : (index) -> index
    %2 = arith.muli %n, %1 : index
    scf.yield %2 : index
  }
  return %0 : index
}

// -----

// Without tensor results a function is what it is in upstream's pipelines, and so is
// what no entry point calls.

func.func @scalar_recursion(%x: index) -> index {
  %0 = call @scalar_recursion(%x) : (index) -> index
  return %0 : index
}
func.func @entry_point(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// More functions than inlining gets through.

// expected-error @+1 {{function 'f0' calls itself by way of 'f1' (allowed: no recursion}}
func.func @f0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f1(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f2(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f3(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f3(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f4(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f4(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f4(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f5(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f5(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f5(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @f0(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
