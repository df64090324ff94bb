// Results are the same to the bit for any number of threads, which may be larger
// than that of the lanes or of the processors.

// RUN: meanvar-runner %s --function=rows '--input=5x40000xf32=random(1)' --output=@%t.1.npy
// RUN: meanvar-runner %s --function=rows '--input=5x40000xf32=random(1)' --threads=2 --output=@%t.2.npy
// RUN: cmp %t.1.npy %t.2.npy
// RUN: meanvar-runner %s --function=rows '--input=5x40000xf32=random(1)' --threads=9 --output=@%t.9.npy
// RUN: cmp %t.1.npy %t.9.npy

func.func @rows(%x: tensor<5x40000xf32>) -> tensor<5x40000xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<5x40000xf32>
  return %0 : tensor<5x40000xf32>
}

// Without the run-time library of OpenMP there is one thread.

// RUN: rm -rf %t.dir && mkdir %t.dir && echo no library > %t.dir/libomp.so.5
// RUN: env LD_LIBRARY_PATH=%t.dir not meanvar-runner %s --function=rows --input=5x40000xf32=1 --threads=2 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: {{^}}error: code for several threads needs the run-time library of OpenMP, which cannot be loaded: {{.*}}libomp.so.5{{.*$}}
// RUN: env LD_LIBRARY_PATH=%t.dir meanvar-runner %s --function=rows --input=5x40000xf32=1 --threads=1 --output=@%t.npy
