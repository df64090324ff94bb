// The function to run: the only public one, or the one named.

// RUN: split-file %s %t

// RUN: meanvar-runner %t/one.mlir --input=2xf32=[1,2] | FileCheck %s --check-prefix=ONE
// ONE: {{^}}2xf32=[1,2]{{$}}

// RUN: not meanvar-runner %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: the module has several public functions: choose one by --function (allowed: 'first', 'second')

// RUN: meanvar-runner %t/several.mlir --function=second --input=f64=3 | FileCheck %s --check-prefix=SECOND
// SECOND: {{^}}f64=3{{$}}

// RUN: not meanvar-runner %t/several.mlir --function=third 2>&1 | FileCheck %s --check-prefix=THIRD
// THIRD: error: the module has no public function 'third' (allowed: 'first', 'second')

// RUN: not meanvar-runner %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: the module has no public function to run

// RUN: not meanvar-runner %t/no-tensor.mlir 2>&1 | FileCheck %s --check-prefix=NOTENSOR
// NOTENSOR: error: function 'main' has no tensor among its results and keeps its own calling convention (mlir-runner runs it)

// RUN: not meanvar-runner %t/unranked.mlir 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: error: function 'unranked' has type 'tensor<*xf32>' for input 0, which cannot be passed (allowed: ranked tensors and scalars of f16, bf16, f32, f64, i1, i8, i16, i32, i64 and index)

// RUN: not meanvar-runner %t/foreign.mlir 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: {{^}}error: function 'foreign' was not compiled by meanvar: it lacks the attribute 'meanvar.signature'{{$}}

//--- one.mlir
func.func @one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @hidden(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @hidden(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

//--- several.mlir
func.func @first(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
func.func @second(%x: tensor<f64>) -> tensor<f64> {
  return %x : tensor<f64>
}

//--- none.mlir
func.func private @hidden(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

//--- no-tensor.mlir
func.func @main() -> i32 {
  %0 = arith.constant 0 : i32
  return %0 : i32
}

//--- unranked.mlir
func.func @unranked(%x: tensor<*xf32>) -> tensor<2xf32> {
  %0 = tensor.cast %x : tensor<*xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- foreign.mlir
llvm.func @foreign() attributes {meanvar.signature = "not a type"} {
  llvm.return
}
