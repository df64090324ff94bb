// RUN: meanvar-opt %s --meanvar-to-llvm="streaming-bytes=65536" | FileCheck %s --check-prefix=ONE
// RUN: meanvar-opt %s --meanvar-to-llvm="streaming-bytes=65536 threads=2 parallel-bytes=1024" \
// RUN:   | FileCheck %s --check-prefix=TWO

// Results bypass the caches whether threads share them or not, and what is normalized
// again does not.

// ONE-LABEL: llvm.func internal @twice_body(
// ONE:         llvm.store {{.*}} : vector<16xf32>, !llvm.ptr
// ONE:         llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
// ONE:         llvm.return

// TWO-LABEL: llvm.func internal @twice_body_range(
// TWO-NOT:     nontemporal
// TWO:         llvm.return
// TWO-LABEL: llvm.func internal @twice_body_range_0(
// TWO:         llvm.store {{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
// TWO:         llvm.fence seq_cst
// TWO:         llvm.return
func.func @twice(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<64x1024xf32>
  %1 = meanvar.mvn %0 axes = [1] inside_sqrt : tensor<64x1024xf32>
  return %1 : tensor<64x1024xf32>
}
