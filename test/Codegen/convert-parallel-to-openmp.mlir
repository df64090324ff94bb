// RUN: meanvar-opt %s --meanvar-convert-parallel-to-openmp | FileCheck %s

func.func private @range(%begin: index, %end: index, %x: memref<?xf32>) {
  return
}

// CHECK-LABEL: func @region(
// CHECK:         %[[THREADS:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK:         omp.parallel num_threads(%[[THREADS]] : i32) {
// CHECK-NEXT:      omp.wsloop nowait {
// CHECK-NEXT:        omp.loop_nest (%[[THREAD:.*]]) : index = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
// CHECK-NEXT:          func.call @range(%[[THREAD]], %{{.*}}, %{{.*}})
// CHECK-NEXT:          omp.yield
// CHECK:           omp.terminator

func.func @region(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    func.call @range(%thread, %c1, %x) : (index, index, memref<?xf32>) -> ()
    scf.reduce
  } {meanvar.num_threads = 2 : i32}
  return
}

// Loops that are not over threads stay, and so do those whose function may run
// short of memory.

// CHECK-LABEL: func @unmarked(
// CHECK:         scf.parallel

func.func @unmarked(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    func.call @range(%thread, %c1, %x) : (index, index, memref<?xf32>) -> ()
    scf.reduce
  }
  return
}

func.func private @allocating_range(%begin: index, %end: index) {
  %0 = memref.alloc(%end) : memref<?xf32>
  memref.dealloc %0 : memref<?xf32>
  return
}

// CHECK-LABEL: func @allocating(
// CHECK-NOT:     omp.
// CHECK:         scf.parallel

func.func @allocating() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%thread) = (%c0) to (%c2) step (%c1) {
    func.call @allocating_range(%thread, %c1) : (index, index) -> ()
    scf.reduce
  } {meanvar.num_threads = 2 : i32}
  return
}
