// Inputs are checked against the types of the function.

// RUN: meanvar-runner %s --input=2x2xf32=[[1,2],[3,4]] --input=f32=10 | FileCheck %s
// CHECK: {{^}}2x2xf32={{\[\[}}5.5,6],[6.5,7]]{{$}}

// RUN: not meanvar-runner %s --input=2x2xf32=1 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}error: function 'f' has 2 arguments, but --input was given 1 time{{$}}

// RUN: not meanvar-runner %s --input=2x2xf32=1 --input=f64=1 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: {{^}}error: input 1 of function 'f' is 'tensor<f64>' (allowed: 'tensor<f32>'){{$}}

// RUN: not meanvar-runner %s --input=2x3xf32=1 --input=f32=1 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: {{^}}error: input 0 of function 'f' is 'tensor<2x3xf32>' (allowed: 'tensor<?x2xf32>'){{$}}

// RUN: not meanvar-runner %s --input=2x2xf32=[1,2] --input=f32=1 2>&1 | FileCheck %s --check-prefix=SPEC
// SPEC: {{^}}error: input 0: list for '2x2xf32' has value '1' at depth 1 (allowed: depth 2){{$}}

// RUN: not meanvar-runner %s --input=@%t.missing.npy --input=f32=1 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: {{^}}error: input 0: cannot read '{{.*}}.missing.npy': No such file or directory{{$}}

// RUN: not meanvar-runner %s --input=@%s --input=f32=1 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: {{^}}error: input 0: '{{.*}}inputs.mlir' is neither a .npy file nor named '*.pb' as an ONNX TensorProto is{{$}}

// A file of 16-bit words, as bf16 is written, serves no other type.
// RUN: %python -c "import sys; h = b'{\'descr\': \'<u2\', \'fortran_order\': False, \'shape\': (2,2)}'; sys.stdout.buffer.write(b'\x93NUMPY\x01\x00' + bytes([len(h), 0]) + h)" > %t.bits.npy
// RUN: not meanvar-runner %s --input=@%t.bits.npy --input=f32=1 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: {{^}}error: input 0: {{.*}}.bits.npy: element type '<u2' is read as bf16 only, not as f32{{$}}

func.func @f(%x: tensor<?x2xf32>, %y: tensor<f32>) -> tensor<?x2xf32> {
  %0 = meanvar.mean %x, %y : (tensor<?x2xf32>, tensor<f32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
