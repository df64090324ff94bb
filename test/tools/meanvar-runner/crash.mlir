// Compiled code that crashes is told apart from a compiler that does. The function
// is written by hand, after docs/CallingConvention.md.

// RUN: rm -f %t.npy
// RUN: not meanvar-runner %s --input=f32=1 --output=@%t.npy 2>&1 | FileCheck %s --implicit-check-not=compiler
// RUN: not ls %t.npy
// CHECK: {{^}}error: function 'f' crashed while it ran{{$}}

llvm.func @_mlir_ciface_f(%x: !llvm.ptr, %y: !llvm.ptr, %detail: !llvm.ptr) -> i32 {
  %status = llvm.call @f(%x, %y, %detail) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %status : i32
}
llvm.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %detail: !llvm.ptr) -> i32
    attributes {meanvar.signature = (tensor<f32>) -> tensor<f32>, meanvar.shape_function = @f_shape} {
  "llvm.intr.trap"() : () -> ()
  llvm.unreachable
}
llvm.func @_mlir_ciface_f_shape(%x: !llvm.ptr, %sizes: !llvm.ptr, %detail: !llvm.ptr) -> i32 {
  %success = llvm.mlir.constant(0 : i32) : i32
  llvm.return %success : i32
}
