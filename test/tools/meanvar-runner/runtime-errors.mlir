// A check that fails at run time names both sizes, and no output is written.

// RUN: rm -f %t.npy
// RUN: not meanvar-runner %s --input=3xf32=1 --input=4xf32=2 --output=@%t.npy 2>&1 | FileCheck %s
// RUN: not ls %t.npy
// CHECK: {{^}}error: function 'f': {{.*}}4{{.*}}3

// RUN: meanvar-runner %s --input=3xf32=1 --input=1xf32=2 | FileCheck %s --check-prefix=STRETCHED
// STRETCHED: 3xf32=[1.5,1.5,1.5]

func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = meanvar.mean %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
