// The packaged mlir-opt with the plugin: the dialect, its passes with their options, and
// the pipelines.

// RUN: mlir-opt --load-dialect-plugin=%meanvar_plugin %s | FileCheck %s --check-prefix=DIALECT
// RUN: mlir-opt --load-dialect-plugin=%meanvar_plugin --load-pass-plugin=%meanvar_plugin %s \
// RUN:     --pass-pipeline='builtin.module(func.func(meanvar-collapse-dims,meanvar-tile-lanes{tile-lanes=2}))' \
// RUN:   | FileCheck %s --check-prefix=PASSES
// RUN: mlir-opt --load-dialect-plugin=%meanvar_plugin --load-pass-plugin=%meanvar_plugin %s \
// RUN:     --pass-pipeline='builtin.module(meanvar-to-llvm{vector-bits=256})' \
// RUN:   | FileCheck %s --check-prefix=PIPELINE
// RUN: mlir-opt --load-pass-plugin=%meanvar_plugin --help | FileCheck %s --check-prefix=HELP
// RUN: llvm-nm -D --defined-only %meanvar_plugin | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not="{{ [TVW] }}"

// DIALECT: meanvar.mvn %{{.*}} axes = [2, 3] : tensor<2x3x4x5xf32>
// PASSES: scf.forall {{.*}} = (0) to (6) step (2)
// PASSES: meanvar.mvn {{.*}} : tensor<2x20xf32>
// PIPELINE-NOT: meanvar.mvn
// PIPELINE: llvm.load %{{.*}} : !llvm.ptr -> vector<{{[48]}}xf32>
// HELP: --meanvar-to-llvm
// SYMBOLS-DAG: W mlirGetDialectPluginInfo
// SYMBOLS-DAG: W mlirGetPassPluginInfo

func.func @f(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = meanvar.mvn %x axes = [2, 3] : tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}
