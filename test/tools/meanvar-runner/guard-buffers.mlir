// With --guard-buffers, accesses outside of the tensors are errors. The function is
// written by hand, after docs/CallingConvention.md: @f(x, from, target, to) copies
// element `from` of x to element `to` of the target: 0 is the output, 1 the input, 2 a
// temporary of 16 bytes, which is freed, 3 the output without freeing that, and 4 a null
// pointer.

// RUN: meanvar-runner %s --input=3xf32=[1,2,4] --input=i64=2 --input=i64=0 --input=i64=1 --guard-buffers=end | FileCheck %s --check-prefix=GOOD
// RUN: meanvar-runner %s --input=3xf32=[1,2,4] --input=i64=2 --input=i64=0 --input=i64=1 --guard-buffers=begin | FileCheck %s --check-prefix=GOOD
// GOOD: {{^}}3xf32=[{{.*}},4,{{.*}}]{{$}}

// RUN: rm -f %t.npy
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=3 --input=i64=0 --input=i64=0 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=READ-END
// READ-END: {{^}}error: function 'f' accessed memory outside its tensors: byte 12 of input 0, which has 12{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=-1 --input=i64=0 --input=i64=0 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=READ-BEGIN
// READ-BEGIN: {{^}}error: function 'f' accessed memory outside its tensors: byte -4 of input 0, which has 12{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=0 --input=i64=3 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=WRITE-END
// WRITE-END: {{^}}error: function 'f' accessed memory outside its tensors: byte 12 of output 0 ('y'), which has 12{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=0 --input=i64=-2 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=WRITE-BEGIN
// WRITE-BEGIN: {{^}}error: function 'f' accessed memory outside its tensors: byte -8 of output 0 ('y'), which has 12{{$}}

// On the other side there is memory, so that the access is found afterwards; a NaN from
// beside the input is found as well.
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=0 --input=i64=-1 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=PADDING
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=0 --input=i64=3 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=PADDING
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=3 --input=i64=0 --input=i64=3 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=PADDING
// PADDING: {{^}}error: function 'f' wrote outside its tensors, beside output 0 ('y'){{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=1 --input=i64=2 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=1 --input=i64=0 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: {{^}}error: function 'f' wrote to input 0{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=2 --input=i64=4 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=TEMPORARY
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=2 --input=i64=-1 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=TEMPORARY
// TEMPORARY: {{^}}error: function 'f' accessed memory outside its tensors, beside a temporary{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=2 --input=i64=-1 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=TEMPORARY-PADDING
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=2 --input=i64=4 --guard-buffers=begin --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=TEMPORARY-PADDING
// TEMPORARY-PADDING: {{^}}error: function 'f' wrote outside its tensors, beside a temporary{{$}}

// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=3 --input=i64=0 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=LEAK
// LEAK: {{^}}error: function 'f' did not free 1 of its temporaries{{$}}

// An access elsewhere is a crash as without the option.
// RUN: not meanvar-runner %s --input=3xf32=1 --input=i64=0 --input=i64=4 --input=i64=0 --guard-buffers=end --output=@%t.npy 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: {{^}}error: function 'f' crashed while it ran{{$}}
// RUN: not ls %t.npy

!vector = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>

llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)

llvm.func @_mlir_ciface_f(%xd: !llvm.ptr, %from: i64, %target: i64, %to: i64,
                          %yd: !llvm.ptr, %detail: !llvm.ptr) -> i32 {
  %status = llvm.call @f(%xd, %from, %target, %to, %yd, %detail)
      : (!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %status : i32
}
llvm.func @f(%xd: !llvm.ptr, %from: i64, %target: i64, %to: i64,
             %yd: !llvm.ptr, %detail: !llvm.ptr) -> i32
    attributes {meanvar.signature = (tensor<3xf32>, i64, i64, i64) -> tensor<3xf32>,
                meanvar.output_names = ["y"], meanvar.shape_function = @f_shape} {
  %success = llvm.mlir.constant(0 : i32) : i32
  %temporary_bytes = llvm.mlir.constant(16 : i64) : i64
  %temporary = llvm.call @malloc(%temporary_bytes) : (i64) -> !llvm.ptr
  %xf = llvm.getelementptr %xd[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %x = llvm.load %xf : !llvm.ptr -> !llvm.ptr
  %yf = llvm.getelementptr %yd[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %y = llvm.load %yf : !llvm.ptr -> !llvm.ptr
  %nowhere = llvm.mlir.zero : !llvm.ptr
  llvm.switch %target : i64, ^copy(%nowhere : !llvm.ptr) [
    0: ^copy(%y : !llvm.ptr),
    1: ^copy(%x : !llvm.ptr),
    2: ^copy(%temporary : !llvm.ptr),
    3: ^copy(%y : !llvm.ptr)
  ]
^copy(%tensor: !llvm.ptr):
  %source = llvm.getelementptr %x[%from] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %value = llvm.load volatile %source : !llvm.ptr -> f32
  %place = llvm.getelementptr %tensor[%to] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store volatile %value, %place : f32, !llvm.ptr
  %three = llvm.mlir.constant(3 : i64) : i64
  %keeps = llvm.icmp "eq" %target, %three : i64
  llvm.cond_br %keeps, ^done, ^free
^free:
  llvm.call @free(%temporary) : (!llvm.ptr) -> ()
  llvm.br ^done
^done:
  llvm.return %success : i32
}

llvm.func @_mlir_ciface_f_shape(%xd: !llvm.ptr, %from: i64, %target: i64, %to: i64,
                                %sizes: !llvm.ptr, %detail: !llvm.ptr) -> i32 {
  %success = llvm.mlir.constant(0 : i32) : i32
  %sizes_field = llvm.getelementptr %sizes[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %sizes_data = llvm.load %sizes_field : !llvm.ptr -> !llvm.ptr
  %three = llvm.mlir.constant(3 : i64) : i64
  llvm.store %three, %sizes_data : i64, !llvm.ptr
  llvm.return %success : i32
}
