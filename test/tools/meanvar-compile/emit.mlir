// What --emit writes. Only the functions of the C interface are visible.

// RUN: meanvar-compile %s -o - --emit=mlir | FileCheck %s --check-prefix=MLIR
// RUN: meanvar-compile %s -o - --emit=mlir | meanvar-opt | FileCheck %s --check-prefix=MLIR
// RUN: meanvar-compile %s -o - --emit=llvm --target-cpu=x86-64-v3 --target-triple=x86_64-linux-gnu \
// RUN:   | FileCheck %s --check-prefix=LLVM
// RUN: meanvar-compile %s -o - --emit=asm --target-triple=aarch64-linux-gnu \
// RUN:   | FileCheck %s --check-prefix=ASM
// RUN: meanvar-compile %s -o %t.o --target-triple=x86_64-linux-gnu
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJ --implicit-check-not=" T "
// RUN: meanvar-compile %s -o %t.so --emit=shared --prefix=p
// RUN: llvm-nm --dynamic --defined-only %t.so | FileCheck %s --check-prefix=SHARED

// A module that is in the LLVM dialect already:
// RUN: meanvar-opt %s --meanvar-to-llvm | meanvar-compile - -o - --emit=mlir --prefix=emit \
// RUN:   | FileCheck %s --check-prefix=MLIR

// MLIR-NOT: _mlir_ciface
// MLIR:     llvm.func internal @rows(
// MLIR:     llvm.func @emit_rows(
// MLIR:     llvm.func @emit_rows_shape(

// LLVM: target triple = "x86_64-unknown-linux-gnu"
// LLVM: define {{.*}}i32 @emit_rows(
// LLVM: "target-cpu"="x86-64-v3"

// ASM: emit_rows:
// ASM: fsub v{{[0-9]+}}.4s

// OBJ-DAG: T emit_rows
// OBJ-DAG: T emit_rows_shape

// SHARED: T p_rows

func.func @rows(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x100xf32>
  return %0 : tensor<64x100xf32>
}
