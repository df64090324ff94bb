// Files are told apart by their content, and damaged ones are refused without a
// crash.

// RUN: meanvar-runner - --input=2xf32=1 < %s | FileCheck %s
// RUN: meanvar-opt %s --emit-bytecode -o %t.mlirbc
// RUN: meanvar-runner %t.mlirbc --input=2xf32=1 | FileCheck %s
// CHECK: {{^}}2xf32=[1,1]{{$}}

// RUN: not meanvar-runner %t.missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}error: cannot read '{{.*}}.missing.mlir': No such file or directory{{$}}

// RUN: not meanvar-runner %S 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: {{^}}error: cannot read '{{.*}}': Is a directory{{$}}

// RUN: echo "func.func @f(" > %t.syntax.mlir
// RUN: not meanvar-runner %t.syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: {{^}}error: {{.*}}.syntax.mlir:1:14: expected non-function type

// RUN: %python -c "print('(' * 200000)" > %t.deep.mlir
// RUN: not meanvar-runner %t.deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: {{^}}error: {{.*}}.deep.mlir:1:513: nesting of brackets exceeds 512 levels{{$}}

// Brackets in comments and strings, and arrows, nest nothing.
// RUN: %python -c "print('//' + '(' * 1000, '#a = \"' + '[' * 1000 + '\"', sep='\n')" > %t.comment.mlir
// RUN: cat %s >> %t.comment.mlir
// RUN: meanvar-runner %t.comment.mlir --input=2xf32=1 | FileCheck %s

// Recursion that follows no bracket ends in crash recovery.
// RUN: %python -c "print('#m = affine_map<(d0) -> (' + '-' * 2000000 + 'd0)>')" > %t.minus.mlir
// RUN: not meanvar-runner %t.minus.mlir 2>&1 | FileCheck %s --check-prefix=CRASH
// CRASH: {{^}}error: the compiler crashed on '{{.*}}.minus.mlir'{{$}}

// RUN: %python -c "import sys; sys.stdout.buffer.write(b'ML\xefR' + b'garbage' * 9)" > %t.damaged.mlirbc
// RUN: not meanvar-runner %t.damaged.mlirbc 2>&1 | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: {{^}}error: {{.*}}.damaged.mlirbc: {{.*$}}

// RUN: echo nonsense > %t.onnx
// RUN: not meanvar-runner %t.onnx 2>&1 | FileCheck %s --check-prefix=ONNX
// ONNX: {{^}}error: {{.*}}.onnx: {{.*$}}

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
