// A module that the pipeline has lowered already runs as it is, and options of MLIR
// reach the pipeline.

// RUN: meanvar-opt %s --meanvar-to-llvm -o %t.mlir
// RUN: meanvar-runner %t.mlir --input=2xf64=[1,3] | FileCheck %s
// CHECK: {{^}}2xf64=[-1,1]{{$}}

// RUN: meanvar-runner %s --input=2xf64=[1,3] --mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=IR
// IR: IR Dump After

func.func @f(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = meanvar.mvn %x axes = [0] epsilon = 0.0 : tensor<2xf64>
  return %0 : tensor<2xf64>
}
