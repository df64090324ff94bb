// RUN: meanvar-opt %s --meanvar-expand-arith | FileCheck %s
// RUN: meanvar-opt %s --meanvar-expand-arith=expand-f16 | FileCheck %s --check-prefix=F16

// M6: rounding to bf16 keeps subnormals on every target.

// CHECK-LABEL: func @round_to_bf16(
// CHECK-SAME:      %[[X:.*]]: vector<16xf32>)
// CHECK-NOT:     arith.truncf
// CHECK:         %[[IS_NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK:         %[[NUMBER:.*]] = arith.select %[[IS_NAN]], %{{.*}}, %[[X]] : vector<16xi1>, vector<16xf32>
// CHECK:         arith.bitcast %[[NUMBER]] : vector<16xf32> to vector<16xi32>
// CHECK:         arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
func.func @round_to_bf16(%x: vector<16xf32>) -> vector<16xbf16> {
  %0 = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  return %0 : vector<16xbf16>
}

// LLVM would round its own bf16 arithmetic with that instruction, too.

// CHECK-LABEL: func @multiply_bf16(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK:         arith.trunci %{{.*}} : vector<16xi32> to vector<16xi16>
func.func @multiply_bf16(%x: vector<16xbf16>, %y: vector<16xbf16>) -> vector<16xbf16> {
  %0 = arith.mulf %x, %y : vector<16xbf16>
  return %0 : vector<16xbf16>
}

// CHECK-LABEL: func @functions_of_bf16(
// CHECK:         math.tanh %{{.*}} : f32
// CHECK:         math.fma %{{.*}} : f32
func.func @functions_of_bf16(%x: bf16) -> bf16 {
  %0 = math.tanh %x : bf16
  %1 = math.fma %0, %x, %x : bf16
  return %1 : bf16
}

// Each operation is rounded, as in bf16.

// CHECK-LABEL: func @add_twice_bf16(
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.trunci
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.trunci
func.func @add_twice_bf16(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y : bf16
  %1 = arith.addf %0, %y : bf16
  return %1 : bf16
}

// CHECK-LABEL: func @round_up(
// CHECK-NOT:     arith.ceildivsi
func.func @round_up(%x: index, %y: index) -> index {
  %0 = arith.ceildivsi %x, %y : index
  return %0 : index
}

// The maximum of 0.0 and -0.0 is 0.0, as LLVM knows.

// CHECK-LABEL: func @maximum(
// CHECK:         arith.maximumf
func.func @maximum(%x: f32, %y: f32) -> f32 {
  %0 = arith.maximumf %x, %y : f32
  return %0 : f32
}

// F3: integer divisions do not trap.

// CHECK-LABEL: func @divide(
// CHECK-SAME:      %[[X:.*]]: i32, %[[Y:.*]]: i32)
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[Y]], %c0_i32
// CHECK:         %[[IS_LEAST:.*]] = arith.cmpi eq, %[[X]], %c-2147483648_i32
// CHECK:         %[[IS_MINUS_ONE:.*]] = arith.cmpi eq, %[[Y]], %c-1_i32
// CHECK:         %[[OVERFLOWS:.*]] = arith.andi %[[IS_LEAST]], %[[IS_MINUS_ONE]]
// CHECK:         %[[TRAPS:.*]] = arith.ori %[[IS_ZERO]], %[[OVERFLOWS]]
// CHECK:         %[[DIVISOR:.*]] = arith.select %[[TRAPS]], %c1_i32, %[[Y]]
// CHECK:         arith.divsi %[[X]], %[[DIVISOR]]
func.func @divide(%x: i32, %y: i32) -> i32 {
  %0 = arith.divsi %x, %y : i32
  return %0 : i32
}

// CHECK-LABEL: func @unsigned_remainders(
// CHECK-SAME:      %[[X:.*]]: vector<4xi8>, %[[Y:.*]]: vector<4xi8>)
// CHECK:         %[[IS_ZERO:.*]] = arith.cmpi eq, %[[Y]],
// CHECK:         %[[DIVISOR:.*]] = arith.select %[[IS_ZERO]], %{{.*}}, %[[Y]]
// CHECK:         arith.remui %[[X]], %[[DIVISOR]]
func.func @unsigned_remainders(%x: vector<4xi8>, %y: vector<4xi8>) -> vector<4xi8> {
  %0 = arith.remui %x, %y : vector<4xi8>
  return %0 : vector<4xi8>
}

// CHECK-LABEL: func @known_divisor(
// CHECK-NOT:     arith.select
// CHECK:         arith.remsi
func.func @known_divisor(%x: index) -> index {
  %c8 = arith.constant 8 : index
  %0 = arith.remsi %x, %c8 : index
  return %0 : index
}

// From f64 by way of f32, rounded to odd, so that it is rounded once.

// CHECK-LABEL: func @round_f64_to_bf16(
// CHECK-SAME:      %[[X:.*]]: f64
// CHECK:         %[[NEAREST:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK:         %[[EXACT:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK:         %[[AWAY:.*]] = arith.cmpf ogt
// CHECK:         %[[INEXACT:.*]] = arith.cmpf one, %[[EXACT]], %[[X]] : f64
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[NEAREST]] : f32 to i32
// CHECK:         %[[LESS:.*]] = arith.subi %[[BITS]]
// CHECK:         %[[CHOPPED:.*]] = arith.select %[[AWAY]], %[[LESS]], %[[BITS]]
// CHECK:         %[[ODD:.*]] = arith.ori %[[CHOPPED]]
// CHECK:         arith.select %[[INEXACT]], %[[ODD]], %[[CHOPPED]]
// CHECK:         arith.trunci %{{.*}} : i32 to i16
func.func @round_f64_to_bf16(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// f16 is left to targets that convert it. For others it is converted by its bits.

// CHECK-LABEL: func @f16(
// CHECK:         arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:         arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// F16-LABEL: func @f16(
// F16-SAME:      %[[X:.*]]: vector<8xf16>
// F16-NOT:       arith.extf
// F16-NOT:       arith.truncf
// F16:           %[[BITS:.*]] = arith.bitcast %[[X]] : vector<8xf16> to vector<8xi16>
// F16:           arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
// F16:           arith.mulf %{{.*}} : vector<8xf32>
// F16:           arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
// F16-NOT:       arith.truncf
// F16:           return
func.func @f16(%x: vector<8xf16>) -> vector<8xf16> {
  %0 = arith.extf %x : vector<8xf16> to vector<8xf32>
  %1 = arith.truncf %0 : vector<8xf32> to vector<8xf16>
  return %1 : vector<8xf16>
}

// Its arithmetic is that of f32, rounded.

// CHECK-LABEL: func @add_f16(
// CHECK:         arith.addf %{{.*}} : f16
// F16-LABEL: func @add_f16(
// F16:           arith.addf %{{.*}} : f32
func.func @add_f16(%x: f16, %y: f16) -> f16 {
  %0 = arith.addf %x, %y : f16
  return %0 : f16
}
