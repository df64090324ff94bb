// RUN: meanvar-opt %s --meanvar-print-schedules --verify-diagnostics
// RUN: meanvar-opt %s --meanvar-print-schedules=vector-bits=256 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NARROW
// RUN: meanvar-opt %s --meanvar-print-schedules="tile-lanes=2 panel-lanes=64 transposed-elements=3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMITS

func.func @schedules(%rows: tensor<4096x768xf32>, %unknown: tensor<8x?x?xf32>, %short: tensor<64x7xf32>, %columns: tensor<4096x5000xbf16>, %channels: tensor<8x50176x3xf64>) {
  // expected-remark @below {{schedule: vectors along lanes, 4 of 16 elements in flight; tiles of [8, all]}}
  %0 = meanvar.mvn %rows axes = [1] : tensor<4096x768xf32>
  // expected-remark @below {{schedule: vectors along lanes, 4 of 16 elements in flight; tiles of [all, ?, all]}}
  %1 = meanvar.mvn %unknown axes = [0, 2] : tensor<8x?x?xf32>
  // expected-remark @below {{schedule: vectors across transposed lanes, 4 of 16 elements in flight; tiles of [64, all]}}
  %2 = meanvar.mvn %short axes = [1] : tensor<64x7xf32>
  // expected-remark @below {{schedule: vectors across neighbouring lanes, 8 of 16 elements in flight; tiles of [all, 1024]}}
  %3 = meanvar.mvn %columns axes = [0] : tensor<4096x5000xbf16>
  // expected-remark @below {{schedule: vectors along rows of a few lanes, 3 of 8 elements in flight; tiles of [1, all, all]}}
  %4 = meanvar.mvn %channels axes = [1] : tensor<8x50176x3xf64>
  return
}

// NARROW: remark: schedule: vectors along lanes, 4 of 8 elements in flight
// NARROW: remark: schedule: vectors across transposed lanes, 4 of 8 elements in flight; tiles of [32, all]

// LIMITS: remark: schedule: {{.*}}; tiles of [2, all]
// LIMITS: remark: schedule: vectors along lanes, 1 of 8 elements in flight; tiles of [2, all]
// LIMITS: remark: schedule: {{.*}}; tiles of [all, 64]
