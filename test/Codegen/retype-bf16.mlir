// RUN: meanvar-opt %s --meanvar-retype-bf16 | FileCheck %s

// Values, constants, blocks and functions take the bits.

// CHECK-LABEL: llvm.func @moves(
// CHECK-SAME:      %[[P:.*]]: !llvm.ptr, %[[S:.*]]: i16, %[[C:.*]]: i1) -> i16
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
// CHECK:         %[[TWO:.*]] = llvm.mlir.constant(dense<16384> : vector<4xi16>) : vector<4xi16>
// CHECK:         %[[V:.*]] = llvm.intr.masked.load %[[P]], %{{.*}}, %[[TWO]] {{.*}} -> vector<4xi16>
// CHECK:         llvm.intr.masked.store %[[V]], %[[P]], %{{.*}} : vector<4xi16>
// CHECK:         llvm.cond_br %[[C]], ^bb1(%[[ONE]] : i16), ^bb1(%[[S]] : i16)
// CHECK:       ^bb1(%[[R:.*]]: i16):
// CHECK:         llvm.return %[[R]] : i16
llvm.func @moves(%p: !llvm.ptr, %s: bf16, %c: i1) -> bf16 {
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %two = llvm.mlir.constant(dense<2.0> : vector<4xbf16>) : vector<4xbf16>
  %mask = llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
  %v = llvm.intr.masked.load %p, %mask, %two {alignment = 2 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xbf16>) -> vector<4xbf16>
  llvm.intr.masked.store %v, %p, %mask {alignment = 2 : i32} : vector<4xbf16>, vector<4xi1> into !llvm.ptr
  llvm.cond_br %c, ^bb1(%one : bf16), ^bb1(%s : bf16)
^bb1(%r: bf16):
  llvm.return %r : bf16
}

// What computes with bf16 takes and gives it by casts.

// CHECK-LABEL: llvm.func @computes(
// CHECK-SAME:      %[[A:.*]]: i16) -> i16
// CHECK:         %[[X:.*]] = llvm.bitcast %[[A]] : i16 to bf16
// CHECK:         %[[Y:.*]] = llvm.fneg %[[X]] : bf16
// CHECK:         %[[R:.*]] = llvm.bitcast %[[Y]] : bf16 to i16
// CHECK:         llvm.return %[[R]] : i16
llvm.func @computes(%a: bf16) -> bf16 {
  %0 = llvm.fneg %a : bf16
  llvm.return %0 : bf16
}

// Other types stay.

// CHECK-LABEL: llvm.func @others(%{{.*}}: f16, %{{.*}}: vector<4xf32>) -> f16
llvm.func @others(%a: f16, %b: vector<4xf32>) -> f16 {
  llvm.return %a : f16
}
