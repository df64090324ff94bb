// Wrong usage is a line "error: ..." and exit code 1.

// RUN: not meanvar-runner 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: {{^}}error: no input file (see --help){{$}}

// RUN: not meanvar-runner %s --no-such-option 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}error: unknown command line argument '--no-such-option'. (see --help){{$}}

// RUN: not meanvar-runner %s --opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: {{^}}error: --opt-level=4 is not allowed (allowed: 0 to 3){{$}}

// RUN: not meanvar-runner %s --threads=0 2>&1 | FileCheck %s --check-prefix=NO-THREAD
// NO-THREAD: {{^}}error: --threads=0 is not allowed (allowed: 1 to 1024){{$}}

// RUN: not meanvar-runner %s --threads=1025 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: {{^}}error: --threads=1025 is not allowed (allowed: 1 to 1024){{$}}

// RUN: not meanvar-runner %s --threads=all 2>&1 | FileCheck %s --check-prefix=THREADS-WORD
// THREADS-WORD: {{^}}error: --threads=all is not allowed (allowed: 1 to 1024){{$}}

// RUN: not meanvar-runner %s --benchmark=0 2>&1 | FileCheck %s --check-prefix=BENCHMARK
// BENCHMARK: {{^}}error: --benchmark=0 is not allowed (allowed: 1 to 1000000000){{$}}

// RUN: not meanvar-runner %s --guard-buffers=middle 2>&1 | FileCheck %s --check-prefix=GUARD
// GUARD: {{^}}error: --guard-buffers=middle is not allowed (allowed: begin, end){{$}}

// RUN: not meanvar-runner %s --guard-buffers=end --benchmark 2>&1 | FileCheck %s --check-prefix=GUARDED-BENCHMARK
// GUARDED-BENCHMARK: {{^}}error: --guard-buffers is not allowed with --benchmark{{$}}

// RUN: not meanvar-runner %s --input=2xf32=1 --target-cpu=abacus 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: {{^}}error: target CPU 'abacus' is unknown for {{.*}} (this host: {{.*}}){{$}}

// RUN: not meanvar-runner %s --mlir-timing=maybe 2>&1 | FileCheck %s --check-prefix=MLIR
// MLIR: {{^}}error: for the --mlir-timing option: 'maybe' is invalid value for boolean argument! Try 0 or 1 (see --help){{$}}

// RUN: not meanvar-runner %s --mlir-print-ir-after=nopass 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: {{^}}error: for the --mlir-print-ir-after option: Cannot find option named 'nopass'! (see --help){{$}}

// RUN: not meanvar-runner %s --input 2>&1 | FileCheck %s --check-prefix=VALUE --implicit-check-not=meanvar-runner:
// VALUE: {{^}}error: for the --input option: requires a value! (see --help){{$}}

// A close name is suggested by LLVM on a second line, which is dropped.
// RUN: not meanvar-runner %s --inputs=1 2>&1 | FileCheck %s --check-prefix=CLOSE --implicit-check-not=meanvar-runner:
// CLOSE: {{^}}error: unknown command line argument '--inputs=1'. (see --help){{$}}

// RUN: not meanvar-runner %s other.mlir 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: {{^}}error: 'other.mlir' is a second input file (allowed: one){{$}}

// RUN: meanvar-runner --help | FileCheck %s --check-prefix=HELP
// HELP: Compiles one function of an MLIR module or ONNX model and runs it
// HELP: Literals of floats are rounded to the nearest value of the type
// HELP: those too large for it become inf.
// HELP: Examples
// HELP: --mlir-print-ir-after-all
// HELP: --expected-output=<SPEC>
// HELP: --guard-buffers=<begin or end>

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// The version is that of meanvar, and of LLVM.

// RUN: meanvar-runner --version | FileCheck %s --check-prefix=VERSION
// VERSION: LLVM version
// VERSION: meanvar version {{[0-9]+\.[0-9]+\.[0-9]+}}
