// RUN: not meanvar-opt %s --meanvar-tile-lanes=tile-bytes=0 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: not meanvar-opt %s --meanvar-tile-lanes=tile-lanes=-1 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not meanvar-opt %s --meanvar-to-llvm=panel-lanes=0 2>&1 | FileCheck %s --check-prefix=PANEL
// RUN: not meanvar-opt %s --meanvar-transpose-short-lanes=transposed-elements=0 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHORT
// RUN: not meanvar-opt %s --meanvar-print-schedules=vector-bits=1 2>&1 | FileCheck %s --check-prefix=VECTOR

// BYTES:  error: tile-bytes is 0 (allowed: positive numbers)
// LANES:  error: tile-lanes is -1 (allowed: positive numbers)
// PANEL:  error: panel-lanes is 0 (allowed: positive numbers)
// SHORT:  error: transposed-elements is 0 (allowed: positive numbers)
// VECTOR: error: vector-bits is 1 (allowed: powers of two of at least 128)
func.func @f(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
