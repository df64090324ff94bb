// Wrong usage is a line "error: ..." and exit code 1.

// RUN: not meanvar-runner 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: {{^}}error: no input file (see --help){{$}}

// RUN: not meanvar-runner %s --no-such-option 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}error: unknown command line argument '--no-such-option'. (see --help){{$}}

// RUN: not meanvar-runner %s --opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: {{^}}error: --opt-level=4 is not allowed (allowed: 0 to 3){{$}}

// RUN: not meanvar-runner %s --threads=2 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: {{^}}error: --threads=2 is not supported (allowed: 1){{$}}

// RUN: not meanvar-runner %s --benchmark=0 2>&1 | FileCheck %s --check-prefix=BENCHMARK
// BENCHMARK: {{^}}error: --benchmark=0 is not allowed (allowed: 1 to 1000000000){{$}}

// RUN: not meanvar-runner %s --input=2xf32=1 --target-cpu=abacus 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: {{^}}error: target CPU 'abacus' is unknown for {{.*}} (this host: {{.*}}){{$}}

// RUN: not meanvar-runner %s --mlir-timing=maybe 2>&1 | FileCheck %s --check-prefix=MLIR
// MLIR: {{^}}error: invalid command line (see --help){{$}}

// RUN: meanvar-runner --help | FileCheck %s --check-prefix=HELP
// HELP: Compiles one function of an MLIR module or ONNX model and runs it
// HELP: Examples
// HELP: --mlir-print-ir-after-all
// HELP: --expected-output=<SPEC>

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
