// RUN: meanvar-opt %s --meanvar-attach-loop-annotations | FileCheck %s --check-prefixes=CHECK,MLIR
// RUN: meanvar-opt %s --meanvar-attach-loop-annotations \
// RUN:   | meanvar-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// The conversion of scf.for leaves the annotation of a loop where the translation
// to LLVM IR does not look.

#unroll = #llvm.loop_unroll<disable = true>
#annotation = #llvm.loop_annotation<unroll = #unroll>

// MLIR: #[[$ANNOTATION:.*]] = #llvm.loop_annotation<

// CHECK-LABEL: @branch(
// MLIR-NOT:      llvm.loop_annotation
// MLIR:          llvm.br ^{{.*}} {loop_annotation = #[[$ANNOTATION]]}
// LLVM-LABEL: @branch(
// LLVM:          br label %{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
llvm.func @branch(%c: i1) {
  llvm.br ^header
^header:
  llvm.cond_br %c, ^body, ^exit
^body:
  llvm.br ^header {llvm.loop_annotation = #annotation}
^exit:
  llvm.return
}

// CHECK-LABEL: @conditional(
// MLIR:          llvm.cond_br %{{.*}}, ^{{.*}}, ^{{.*}} {loop_annotation = #[[$ANNOTATION]]}
llvm.func @conditional(%c: i1) {
  llvm.br ^header
^header:
  llvm.cond_br %c, ^header, ^exit {llvm.loop_annotation = #annotation}
^exit:
  llvm.return
}

// Other attributes and branches are left alone.

// CHECK-LABEL: @others(
// MLIR:          llvm.br ^{{.*}} {note = 1 : i64}
llvm.func @others() {
  llvm.br ^exit {note = 1 : i64}
^exit:
  llvm.return
}
// LLVM: ![[LOOP]] = distinct !{![[LOOP]], ![[UNROLL:[0-9]+]]}
// LLVM: ![[UNROLL]] = !{!"llvm.loop.unroll.disable"}
