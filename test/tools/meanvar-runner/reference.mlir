// --reference evaluates a function by the definitions instead of compiling it.

// RUN: split-file %s %t

// RUN: meanvar-runner %t/chain.mlir --reference --input=2x3xf32=[[1,1,4],[0,0,0]] --input=1xf32=[4] | FileCheck %s --check-prefix=CHAIN
// CHAIN: {{^}}2x3xf32={{\[\[}}-0.70710677,-0.70710677,1.4142135],[0,0,0]]{{$}}
// CHAIN-NEXT: {{^}}i64=2{{$}}

// A value is that of real arithmetic, rounded: in f16 sums do not overflow, and 1/3
// of 65504 + 65504 + 65472 is 65493.33, which f16 rounds to 65504.
// RUN: meanvar-runner %t/mean.mlir --reference --input=f16=65504 --input=f16=65504 --input=f16=65472 --output=@%t/out.npy --expected-output=f16=65504 2>&1 | FileCheck %s --check-prefix=MEAN
// MEAN: output 0 agrees with the expected one: the largest error is 0
// RUN: meanvar-runner %t/mean.mlir --input=f16=65504 --input=f16=65504 --input=f16=65472 --expected-output=@%t/out.npy 2>&1 | FileCheck %s --check-prefix=MEAN

// RUN: not meanvar-runner %t/mean.mlir --reference --input=f16=1 --input=f16=2 --input=f16=3 --expected-output=f16=3 2>&1 | FileCheck %s --check-prefix=MISMATCH
// MISMATCH: error: output 0: 1 of 1 elements are wrong: the first is [], got 2, expected 3

// RUN: not meanvar-runner %t/sizes.mlir --reference --input=3xf32=1 --input=4xf32=2 --output=@%t/refused.npy 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not ls %t/refused.npy
// SIZES: {{^}}error: 'meanvar.mean': sizes 3 and 4 do not broadcast{{$}}

// RUN: not meanvar-runner %t/unknown.mlir --reference --input=2xf32=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}error: 'math.sin': the reference does not evaluate 'math.sin'{{$}}

// RUN: not meanvar-runner %t/recursive.mlir --reference --input=f32=1 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RECURSIVE: {{^}}error: 'func.call': function 'f' calls itself{{$}}

// RUN: meanvar-opt %t/mean.mlir --meanvar-to-llvm -o %t/compiled.mlir
// RUN: not meanvar-runner %t/compiled.mlir --reference --input=f16=1 --input=f16=2 --input=f16=3 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: {{^}}error: --reference takes functions before compilation only, and 'f' has been compiled{{$}}

// RUN: not meanvar-runner %t/mean.mlir --reference --benchmark 2>&1 | FileCheck %s --check-prefix=BENCHMARK
// BENCHMARK: {{^}}error: --benchmark times compiled code, which --reference does without (allowed: one of the two){{$}}

//--- chain.mlir
func.func @f(%x: tensor<?x3xf32>, %y: tensor<?xf32>) -> (tensor<?x3xf32>, i64) {
  %c0 = arith.constant 0 : index
  %0 = meanvar.mean %x, %y : (tensor<?x3xf32>, tensor<?xf32>) -> tensor<?x3xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x3xf32>
  %n = tensor.dim %1, %c0 : tensor<?x3xf32>
  %size = arith.index_cast %n : index to i64
  return %1, %size : tensor<?x3xf32>, i64
}

//--- mean.mlir
func.func @f(%x: tensor<f16>, %y: tensor<f16>, %z: tensor<f16>) -> tensor<f16> {
  %0 = meanvar.mean %x, %y, %z : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<f16>
  return %0 : tensor<f16>
}

//--- sizes.mlir
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- unknown.mlir
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.sin %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

//--- recursive.mlir
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
