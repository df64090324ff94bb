// Output that cannot be written is an error, whatever wrote it.

// REQUIRES: system-linux

// RUN: not meanvar-runner %s --input=2xf32=1 2>&1 >/dev/full | FileCheck %s --implicit-check-not=LLVM
// RUN: not meanvar-runner %s --input=2xf32=1 --output=- --output=- 2>&1 >/dev/full | FileCheck %s --implicit-check-not=LLVM
// RUN: not meanvar-runner %s --input=2xf32=1 --benchmark=2 2>&1 >/dev/full | FileCheck %s --implicit-check-not=LLVM
// RUN: not meanvar-runner --help 2>&1 >/dev/full | FileCheck %s --implicit-check-not=LLVM
// RUN: not meanvar-runner --version 2>&1 >/dev/full | FileCheck %s --implicit-check-not=LLVM
// CHECK: {{^}}error: cannot write to standard output: No space left on device{{$}}

// A link to a device is written through, and no file is left when that fails.
// RUN: rm -rf %t && mkdir %t && ln -s /dev/full %t/full.npy
// RUN: not meanvar-runner %s --input=2xf32=1 --output=@%t/x.npy --output=@%t/full.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEVICE
// RUN: ls %t | count 1
// DEVICE: {{^}}error: cannot write '{{.*}}full.npy': No space left on device{{$}}

func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}
