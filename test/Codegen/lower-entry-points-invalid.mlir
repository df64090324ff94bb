// RUN: meanvar-opt %s --meanvar-lower-entry-points --split-input-file --verify-diagnostics

// What has no place in the calling convention is refused by name.

// expected-error @+1 {{argument 1 of public function 'complex_argument' has type 'tensor<4xcomplex<f32>>' (allowed: index, integers, floats, and ranked tensors of them)}}
func.func @complex_argument(%x: tensor<4xf32>, %y: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 of public function 'unranked_argument' has type 'tensor<*xf32>' (allowed: index, integers, floats, and ranked tensors of them)}}
func.func @unranked_argument(%x: tensor<*xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 of public function 'buffer_argument' has type 'memref<4xf32>' (allowed: index, integers, floats, and ranked tensors of them)}}
func.func @buffer_argument(%x: memref<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 of public function 'encoded_argument' has type 'tensor<4xf32, "layout">' (allowed: index, integers, floats, and ranked tensors of them)}}
func.func @encoded_argument(%x: tensor<4xf32, "layout">, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{result 1 of public function 'vector_result' has type 'vector<4xf32>' (allowed: index, integers, floats, and ranked tensors of them)}}
func.func @vector_result(%x: tensor<4xf32>) -> (tensor<4xf32>, vector<4xf32>) {
  %0 = arith.constant dense<0.0> : vector<4xf32>
  return %x, %0 : tensor<4xf32>, vector<4xf32>
}

// -----

// expected-error @+1 {{public function 'blocks' has several blocks (allowed: one, with control flow of the scf dialect)}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^exit
^exit:
  return %x : tensor<4xf32>
}

// -----

// Calls are inlined before, so a call that is left is recursion.

// expected-error @+1 {{public function 'recursive' has tensor results and is still called after inlining (allowed: no recursion)}}
func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @recursive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// F3: the caller could not know the sizes of the results.

func.func @size_from_data(%x: tensor<4xindex>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tensor.extract' op makes a result size or a run-time check of public function 'size_from_data' depend on data (allowed: on the sizes of its inputs)}}
  %n = tensor.extract %x[%c0] : tensor<4xindex>
  %0 = tensor.splat %f[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// F4: nor could it be checked before the results are written.

func.func @check_of_data(%x: tensor<4xi1>) -> tensor<4xi1> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tensor.extract' op makes a result size or a run-time check of public function 'check_of_data' depend on data (allowed: on the sizes of its inputs)}}
  %ok = tensor.extract %x[%c0] : tensor<4xi1>
  cf.assert %ok, "the first element is false"
  return %x : tensor<4xi1>
}

// -----

// An operation may change what the size depends on.

func.func private @size() -> index

func.func @size_from_call(%f: f32) -> tensor<?xf32> {
  // expected-error @+1 {{'func.call' op makes a result size or a run-time check of public function 'size_from_call' depend on data (allowed: on the sizes of its inputs)}}
  %n = call @size() : () -> index
  %0 = tensor.splat %f[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Functions without a status cannot report that a check fails.

func.func private @no_status(%ok: i1) {
  // expected-error @+1 {{'cf.assert' op is a run-time check in function 'no_status', which cannot report that it fails (allowed: in public functions with tensor results, and in what is inlined into them)}}
  cf.assert %ok, "not ok"
  return
}
