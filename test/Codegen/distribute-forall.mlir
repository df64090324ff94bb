// RUN: meanvar-opt %s --split-input-file --meanvar-distribute-forall="threads=3 min-bytes=1024" --canonicalize --cse | FileCheck %s
// RUN: meanvar-opt %s --split-input-file --meanvar-distribute-forall | FileCheck %s --check-prefix=ONE --implicit-check-not=scf.parallel
// RUN: not meanvar-opt %s --split-input-file --meanvar-distribute-forall="threads=0" 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: threads is 0 (allowed: 1 to 1024)

// 100 iterations: one thread runs 34, two run 33 each.

// CHECK-LABEL: func private @rows_range(
// CHECK-SAME:      %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: memref<800x4xf32>) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step
// CHECK:           %[[ROW:.*]] = arith.muli %[[I]], %[[C8]]
// CHECK:           memref.subview %[[X]][%{{.*}}, 0] [8, 4] [1, 1]

// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:.*]]: memref<800x4xf32>)
// CHECK-DAG:     %[[C33:.*]] = arith.constant 33 : index
// CHECK:         scf.parallel (%[[THREAD:.*]]) =
// CHECK:           %[[FULL:.*]] = arith.muli %[[THREAD]], %{{.*}}
// CHECK:           %[[MORE:.*]] = arith.minui %[[THREAD]], %{{.*}}
// CHECK:           arith.addi %[[FULL]], %[[MORE]]
// CHECK:           func.call @rows_range(%{{.*}}, %{{.*}}, %[[X]])
// CHECK:         } {meanvar.num_threads = 3 : i32}

// ONE-LABEL: func @rows(
// ONE:         scf.forall

func.func @rows(%x: memref<800x4xf32>) {
  %c0 = arith.constant 0.0 : f32
  scf.forall (%i) = (0) to (800) step (8) {
    %rows = memref.subview %x[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%c0 : f32) outs(%rows : memref<8x4xf32, strided<[4, 1], offset: ?>>)
  }
  return
}

// -----

// The number of an iteration gives its indices; the branch is taken at run time.

// CHECK-LABEL: func private @grid_range(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           arith.remui %[[I]]
// CHECK:           arith.divui %[[I]]

// CHECK-LABEL: func @grid(
// CHECK:         %[[LARGE:.*]] = arith.cmpi sge
// CHECK:         %[[SEVERAL:.*]] = arith.cmpi sgt
// CHECK:         %[[PAYS:.*]] = arith.andi %[[LARGE]], %[[SEVERAL]]
// CHECK:         scf.if %[[PAYS]] {
// CHECK:           scf.parallel
// CHECK:         } else {
// CHECK:           func.call @grid_range(%{{.*}}, %{{.*}}, %{{.*}})

func.func @grid(%x: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (%m, %n) {
    memref.store %c0, %x[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----

// Too small.

// CHECK-LABEL: func @small(
// CHECK:         scf.forall

func.func @small(%x: memref<255xf32>) {
  %c0 = arith.constant 0.0 : f32
  scf.forall (%i) in (255) {
    memref.store %c0, %x[%i] : memref<255xf32>
  }
  return
}

// -----

// One level of threads.

// CHECK-LABEL: func private @nest_range(
// CHECK-NOT:     scf.parallel
// CHECK:         scf.forall
// CHECK-LABEL: func @nest(
// CHECK:         scf.parallel
// CHECK-NOT:     scf.forall

func.func @nest(%x: memref<256x256xf32>) {
  %c0 = arith.constant 0.0 : f32
  scf.forall (%i) in (256) {
    scf.forall (%j) in (256) {
      memref.store %c0, %x[%i, %j] : memref<256x256xf32>
    }
  }
  return
}

// -----

// Temporaries that are too large for the stack are taken out of the loop, one for each thread,
// 65600 bytes, which are whole cache lines; the others stay.

// CHECK-LABEL: func private @temporaries_range(
// CHECK-SAME:      %[[BEGIN:.*]]: index, %[[END:[^:]*]]: index, %{{.*}}: memref<{{[^,]*}}, %{{.*}}: memref<{{[^,]*}})
// CHECK:         memref.alloc() : memref<4x4xf32>
// CHECK-NOT:     memref.alloc

// CHECK-LABEL: func @temporaries(
// CHECK-SAME:      %[[X:.*]]: memref<800x4xf32>)
// CHECK:         %[[POOL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<196800xi8>
// CHECK:         scf.parallel (%[[THREAD:.*]]) =
// CHECK:           %[[BYTES:.*]] = arith.muli %[[THREAD]], %c65600
// CHECK:           %[[MINE:.*]] = memref.view %[[POOL]][%[[BYTES]]][] : memref<196800xi8> to memref<16385xf32>
// CHECK:           func.call @temporaries_range(%{{.*}}, %{{.*}}, {{.*}}%[[MINE]]
func.func @temporaries(%x: memref<800x4xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) = (0) to (800) step (8) {
    %large = memref.alloc() : memref<16385xf32>
    %small = memref.alloc() : memref<4x4xf32>
    %v = memref.load %x[%i, %c0] : memref<800x4xf32>
    memref.store %v, %large[%c0] : memref<16385xf32>
    memref.store %v, %small[%c0, %c0] : memref<4x4xf32>
    %w = memref.load %large[%c0] : memref<16385xf32>
    %u = memref.load %small[%c0, %c0] : memref<4x4xf32>
    %s = arith.addf %w, %u : f32
    memref.store %s, %x[%i, %c0] : memref<800x4xf32>
  }
  return
}

// -----

// The functions of loops do not see what others read: @rows above only writes, and its
// argument may bypass the caches. Here one loop writes a temporary and a result that the
// other one reads.

// CHECK-LABEL: func private @writes_range(
// CHECK-SAME:      memref<800x4xf32> {meanvar.is_read}, %{{.*}}: memref<800x4xf32> {meanvar.is_read}, %{{.*}}: memref<800x4xf32>)
// CHECK-LABEL: func private @writes_range_0(
// CHECK-SAME:      memref<800x4xf32> {meanvar.is_read}, %{{.*}}: memref<800x4xf32> {meanvar.is_read}, %{{.*}}: memref<800x4xf32>)
func.func @writes(%read: memref<800x4xf32>, %y: memref<800x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %temporary = memref.alloc() : memref<800x4xf32>
  scf.forall (%i) = (0) to (800) step (8) {
    %a = memref.subview %temporary[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%a : memref<8x4xf32, strided<[4, 1], offset: ?>>)
    %b = memref.subview %read[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%b : memref<8x4xf32, strided<[4, 1], offset: ?>>)
    %c = memref.subview %y[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%c : memref<8x4xf32, strided<[4, 1], offset: ?>>)
  }
  scf.forall (%i) = (0) to (800) step (8) {
    %a = memref.subview %temporary[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    %b = memref.subview %read[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    %c = memref.subview %y[%i, 0] [8, 4] [1, 1] : memref<800x4xf32> to memref<8x4xf32, strided<[4, 1], offset: ?>>
    linalg.add ins(%a, %b : memref<8x4xf32, strided<[4, 1], offset: ?>>, memref<8x4xf32, strided<[4, 1], offset: ?>>)
        outs(%c : memref<8x4xf32, strided<[4, 1], offset: ?>>)
  }
  memref.dealloc %temporary : memref<800x4xf32>
  return
}
