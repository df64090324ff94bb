// RUN: meanvar-opt %s --meanvar-insert-shape-checks --meanvar-lower-entry-points \
// RUN:   --split-input-file --verify-diagnostics

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

func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'cf.br' op makes several blocks of public function 'blocks' (allowed: one, with control flow of the scf dialect)}}
  cf.br ^exit
^exit:
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{public function 'called' has tensor results and is still called after inlining (allowed: calls that can be inlined)}}
func.func @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
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

// M3: functions without a status cannot report that a mean's sizes do not broadcast.

func.func private @no_status(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'meanvar.mean' op needs a run-time check in function 'no_status', which cannot report that it fails (allowed: in public functions with tensor results, and in what is inlined into them)}}
  %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The sizes of what a loop carries must be known before it.

func.func @growing(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op may change the sizes of the tensor of type 'tensor<?xf32>' that it carries (allowed: sizes that all iterations keep)}}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?xf32>) {
    %1 = tensor.pad %y low[0] high[1] {
    ^bb0(%j: index):
      tensor.yield %zero : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

func.func @swapping(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op may change the sizes of the tensor of type 'tensor<?xf32>' that it carries (allowed: sizes that all iterations keep)}}
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %b, %a : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0 : tensor<?xf32>
}

// -----

// Of control flow only scf.for and scf.if are seen through.

func.func @size_through_while(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.while' op makes a result size or a run-time check of public function 'size_through_while' depend on data (allowed: on the sizes of its inputs, through scf.for and scf.if)}}
  %0:2 = scf.while (%t = %x, %i = %c1) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %t, %i : tensor<?xf32>, index
  } do {
  ^bb0(%t: tensor<?xf32>, %i: index):
    %j = arith.addi %i, %c1 : index
    %1 = meanvar.mvn %t axes = [0] : tensor<?xf32>
    scf.yield %1, %j : tensor<?xf32>, index
  }
  return %0#0 : tensor<?xf32>
}

// -----

func.func @size_through_switch(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @+1 {{'scf.index_switch' op makes a result size or a run-time check of public function 'size_through_switch' depend on data (allowed: on the sizes of its inputs, through scf.for and scf.if)}}
  %0 = scf.index_switch %n -> tensor<?xf32>
  case 0 {
    scf.yield %x : tensor<?xf32>
  }
  default {
    scf.yield %y : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Where a check of an operation depends on data, that operation is named.

func.func @check_in_while(%x: tensor<?xf32>) -> tensor<4xi1> {
  %c0 = arith.constant 0 : index
  %true = arith.constant dense<true> : tensor<4xi1>
  %0 = scf.while (%t = %true) : (tensor<4xi1>) -> tensor<4xi1> {
    %c = tensor.extract %t[%c0] : tensor<4xi1>
    scf.condition(%c) %t : tensor<4xi1>
  } do {
  ^bb0(%t: tensor<4xi1>):
    // expected-error @+1 {{'tensor.cast' op needs a run-time check in public function 'check_in_while' that depends on data by 'scf.while' (allowed: on the sizes of its inputs, through scf.for and scf.if)}}
    %1 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %2 = arith.cmpf olt, %1, %zero : tensor<4xf32>
    scf.yield %2 : tensor<4xi1>
  }
  return %0 : tensor<4xi1>
}

// -----

func.func @offset_from_data(%x: tensor<?xf32>, %offsets: tensor<4xindex>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %offset = tensor.extract %offsets[%c0] : tensor<4xindex>
  // expected-error @+1 {{'tensor.extract_slice' op needs a run-time check in public function 'offset_from_data' that depends on data by 'tensor.extract' (allowed: on the sizes of its inputs)}}
  %0 = tensor.extract_slice %x[%offset] [2] [1] : tensor<?xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A counter that a loop carries in a tensor is data.

func.func @counter(%x: tensor<?xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant dense<0> : tensor<1xindex>
  %init = arith.constant dense<0.0> : tensor<2xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %start, %a = %init) -> (tensor<1xindex>, tensor<2xf32>) {
    %offset = tensor.extract %c[%c0] : tensor<1xindex>
    %next = arith.addi %offset, %c1 : index
    %counter = tensor.insert %next into %c[%c0] : tensor<1xindex>
    // expected-error @+1 {{'tensor.extract_slice' op needs a run-time check in public function 'counter' that depends on data by 'tensor.extract'}}
    %1 = tensor.extract_slice %x[%offset] [2] [1] : tensor<?xf32> to tensor<2xf32>
    scf.yield %counter, %1 : tensor<1xindex>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}

// -----

// F1: nor can private functions, which entry points call where they are not inlined.

func.func private @callee(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tensor.cast' op needs a run-time check in function 'callee', which cannot report that it fails (allowed: in public functions with tensor results, and in what is inlined into them)}}
  %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @caller(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = call @callee(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Compiled code would call such a function in place of the library's.

// expected-error @+1 {{function 'expf' has the name of a library function that compiled code may call (allowed: other names)}}
func.func @expf(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{function '__truncsfhf2' has the name of a library function that compiled code may call (allowed: other names)}}
func.func @__truncsfhf2(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{function 'memcpy' has the name of a library function that compiled code may call (allowed: other names)}}
func.func private @memcpy(%x: index) -> index {
  return %x : index
}

// -----

// Others may be declared, to be called.

func.func private @sinf(f32) -> f32

// expected-error @+1 {{function 'malloc' has the name of a library function that compiled code may call (allowed: other names)}}
func.func private @malloc(index) -> index

// -----

// expected-error @+1 {{function '_mlir_ciface_f' has a name that starts with '_mlir_', as those of C interfaces do (allowed: other names)}}
func.func @_mlir_ciface_f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{function '__kmpc_barrier' has the name of a library function that compiled code may call (allowed: other names)}}
func.func private @__kmpc_barrier(index) -> index
