// Every wrong use is one line that names what is wrong; nothing is written.

// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: not meanvar-compile 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not meanvar-compile %s 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// RUN: not meanvar-compile %s %s -o out 2>&1 | FileCheck %s --check-prefix=TWO-FILES
// RUN: not meanvar-compile %s -o out --header=out 2>&1 | FileCheck %s --check-prefix=ONE-FILE
// RUN: not meanvar-compile %s -o out --emit=exe 2>&1 | FileCheck %s --check-prefix=EMIT
// RUN: not meanvar-compile %s -o - --emit=shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not meanvar-compile %s -o out --prefix=2d 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not meanvar-compile %s -o out --threads=0 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not meanvar-compile %s -o out --opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not meanvar-compile %s -o out --target-triple=vax-vms 2>&1 | FileCheck %s --check-prefix=TRIPLE
// RUN: not meanvar-compile %s -o out --target-triple=i386-linux-gnu 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not meanvar-compile %s -o out --target-cpu=z80 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not meanvar-compile %s -o out --target-triple=aarch64-linux-gnu --target-cpu=host 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST
// RUN: not meanvar-compile %s -o out --target-triple=aarch64-linux-gnu --emit=shared 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CROSS
// RUN: not meanvar-compile %s -o missing/out 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// RUN: not meanvar-compile %s -o out --header=missing/out.h 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not meanvar-compile no.mlir -o out 2>&1 | FileCheck %s --check-prefix=NO-INPUT
// RUN: echo 'module {}' | not meanvar-compile - -o out 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: sed s/@f/@\"f.g\"/ %s > two.mlir && sed -n '/^func/,$p' %s | sed s/@f/@\"f-g\"/ >> two.mlir
// RUN: not meanvar-compile two.mlir -o out 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: sed s/@f/@p_f/ %s > taken.mlir && sed -n '/^func/,$p' %s >> taken.mlir
// RUN: not meanvar-compile taken.mlir -o out --prefix=p 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: ls | FileCheck %s --check-prefix=FILES --implicit-check-not=out

// NO-FILE:   {{^}}error: no input file (see --help)
// NO-OUTPUT: {{^}}error: no output file: -o is missing (see --help)
// TWO-FILES: {{^}}error: '{{.*}}usage.mlir' is a second input file (allowed: one)
// ONE-FILE:  {{^}}error: -o and --header are the same file, 'out'
// EMIT:      {{^}}error: --emit=exe is not allowed (allowed: obj, shared, asm, llvm, mlir)
// SHARED:    {{^}}error: --emit=shared needs a file (allowed: -o FILE)
// PREFIX:    {{^}}error: --prefix=2d is not allowed (allowed: letters, digits and underscores, no digit first)
// THREADS:   {{^}}error: --threads=0 is not allowed (allowed: 1 to 1024)
// LEVEL:     {{^}}error: --opt-level=4 is not allowed (allowed: 0 to 3)
// TRIPLE:    {{^}}error: target triple 'vax-{{.*}}' is unknown (allowed: those of LLVM, such as x86_64-linux-gnu and aarch64-linux-gnu)
// BITS:      {{^}}error: target triple 'i386-{{.*}}' has no 64-bit pointers
// CPU:       {{^}}error: target CPU 'z80' is unknown for {{.*}}
// HOST:      {{^}}error: target CPU 'host' is one of {{.*}}, not of aarch64-unknown-linux-gnu
// CROSS:     {{^}}error: a shared library is linked for {{.*}} only (allowed: an object, and a linker of aarch64-unknown-linux-gnu)
// DIRECTORY: {{^}}error: {{.*}}missing/out
// HEADER:    {{^}}error: {{.*}}missing/out.h
// NO-INPUT:  {{^}}error: {{.*}}no.mlir
// EMPTY:     {{^}}error: '-' has no public function with tensor results
// SAME:      {{^}}error: functions 'f.g' and 'f-g' have the same name in C, 'two_f_g'
// TAKEN:     {{^}}error: 'p_f', the name of function 'f' in C, is taken by another function of the module (allowed: another prefix)
// FILES:     taken.mlir
// FILES:     two.mlir

func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
