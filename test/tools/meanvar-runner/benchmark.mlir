// Times are beside those of a copy; results are printed on request only.

// RUN: meanvar-runner %s --input=8x8xf32=random(1) --benchmark=5 | FileCheck %s
// CHECK-NOT:  8x8xf32
// CHECK:      benchmark: 5 runs, 512 useful bytes
// CHECK-NEXT: function: min {{[0-9.]+}} us, median {{[0-9.]+}} us, {{[0-9.]+}} GB/s
// CHECK-NEXT: copy: min {{[0-9.]+}} us, median {{[0-9.]+}} us, {{[0-9.]+}} GB/s
// CHECK-NEXT: ratio: {{[0-9.]+}} times the copy

// RUN: meanvar-runner %s --input=8x8xf32=1 --benchmark=1 --output=- | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: 8x8xf32=
// OUTPUT: benchmark: 1 runs

// RUN: meanvar-runner %s --input=0x8xf32=[] --benchmark=1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: benchmark: 1 runs, 0 useful bytes

func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
