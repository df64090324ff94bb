// Results are printed, written and compared.

// RUN: meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] | FileCheck %s
// RUN: meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] --output=- --output=- --output=- | FileCheck %s
// CHECK:      {{^}}2x2xf16={{\[\[}}-1,1],[0,0]]{{$}}
// CHECK-NEXT: {{^}}2x1xf32={{\[\[}}2],[5]]{{$}}
// CHECK-NEXT: {{^}}2x1xf32={{\[\[}}1],[1e+09]]{{$}}

// What was written is read back, and replaces an older file.
// RUN: echo old > %t.y.npy
// RUN: meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] \
// RUN:   --output=@%t.y.npy --output=@%t.mean.npy --output=- | FileCheck %s --check-prefix=MIXED
// MIXED-NOT: f16
// MIXED: {{^}}2x1xf32={{\[\[}}1],[1e+09]]{{$}}
// RUN: meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] \
// RUN:   --expected-output=@%t.y.npy --expected-output=@%t.mean.npy \
// RUN:   --expected-output=2x1xf32=[[1],[1e9]] 2>&1 >/dev/null | FileCheck %s --check-prefix=AGREES
// AGREES:      {{^}}output 0 agrees with the expected one: the largest error is 0.000e+00 (0.0 ulp){{$}}
// AGREES-NEXT: {{^}}output 1 agrees with the expected one: the largest error is 0.000e+00 (0.0 ulp){{$}}
// AGREES-NEXT: {{^}}output 2 agrees with the expected one: the largest error is 0.000e+00 (0.0 ulp){{$}}

// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=- 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}error: function 'f' has 3 results, but --output was given 1 time{{$}}

// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=file.txt 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: {{^}}error: --output=file.txt is not allowed (allowed: @FILE.npy, or - for standard output){{$}}

// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=@%t.missing/y.npy --output=- --output=- 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: {{^}}error: cannot write '{{.*}}.missing/y.npy': No such file or directory{{$}}

// Where one file cannot be written, neither the others nor anything else is.
// RUN: rm -rf %t.dir && mkdir %t.dir && echo old > %t.dir/old.npy
// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=- --output=@%t.dir/old.npy --output=@%t.missing/z.npy 2>%t.err \
// RUN:   | count 0
// RUN: FileCheck %s --check-prefix=PARTIAL < %t.err
// PARTIAL: {{^}}error: cannot write '{{.*}}.missing/z.npy': No such file or directory{{$}}
// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=@%t.dir/new.npy --output=@%t.dir/old.npy --output=@%t.missing/z.npy
// RUN: ls %t.dir | FileCheck %s --check-prefix=LIST
// LIST-NOT: {{.}}
// LIST:     {{^}}old.npy{{$}}
// LIST-NOT: {{.}}
// RUN: FileCheck %s --check-prefix=OLD < %t.dir/old.npy
// OLD: {{^}}old{{$}}

// A file serves one result, however its name is spelled.
// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=@%t.y.npy --output=- --output=@%t.y.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=@%t.dir/new.npy --output=- --output=@%t.dir/./new.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: {{^}}error: --output=@{{.*}}.npy is given twice{{$}}

// RUN: mkdir -p %t.directory.npy
// RUN: not meanvar-runner %s --input=2x2xf16=1 --output=@%t.directory.npy --output=- --output=- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: {{^}}error: cannot write '{{.*}}.directory.npy': Is a directory{{$}}

// RUN: not meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] --expected-output=2x2xf16=[[-1,1],[0,1]] \
// RUN:   --expected-output=2x1xf32=[[2],[5]] --expected-output=2x1xf32=[[2],[1e9]] 2>&1 >/dev/null | FileCheck %s --check-prefix=MISMATCH
// MISMATCH: {{^}}error: output 0: 1 of 4 elements are wrong: the first is [1,1], got 0, expected 1; the largest error is 1.000e+00 (1.024e+03 ulp) at [1,1]{{$}}
// MISMATCH: {{^}}error: output 2: 1 of 2 elements are wrong: the first is [0,0], got 1, expected 2; the largest error is 1.000e+00 (4.194e+06 ulp) at [0,0]{{$}}

// RUN: not meanvar-runner %s --input=2x2xf16=1 --expected-output=2x2xf32=1 --expected-output=2x1xf32=1 \
// RUN:   --expected-output=2x1xf32=1e9 2>&1 >/dev/null | FileCheck %s --check-prefix=TYPE
// TYPE: {{^}}error: output 0: expected '2x2xf32', but got '2x2xf16'{{$}}

// Tolerances.
// RUN: meanvar-runner %s --input=2x2xf16=[[1,3],[5,5]] --expected-output=2x2xf16=[[-1.5,1],[0,0]] \
// RUN:   --expected-output=2x1xf32=[[2],[5]] --expected-output=2x1xf32=[[1],[1e9]] --atol=0.5 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=WITHIN
// WITHIN: {{^}}output 0 agrees with the expected one: the largest error is 5.000e-01 (512.0 ulp){{$}}
// RUN: not meanvar-runner %s --input=2x2xf16=1 --atol=-1 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: {{^}}error: --atol=-1 is not a tolerance (allowed: numbers of at least 0){{$}}

func.func @f(%x: tensor<2x2xf16>) -> (tensor<2x2xf16>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<2x2xf16>
  return %0#0, %0#1, %0#2 : tensor<2x2xf16>, tensor<2x1xf32>, tensor<2x1xf32>
}
