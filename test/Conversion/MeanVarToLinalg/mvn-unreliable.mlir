// RUN: meanvar-opt %s --convert-meanvar-to-linalg --split-input-file | FileCheck %s

// Sums that cannot be trusted are found: those that are not finite (V6) or not a
// number, and those taken too far from the mean, where errors show (V5).

// CHECK-LABEL: func @check(
// CHECK-DAG:     %[[INFINITY:.*]] = arith.constant 0x7FF0000000000000 : f64
// CHECK-DAG:     %[[COUNT:.*]] = arith.constant 1.024000e+03 : f64
// CHECK:         %[[SUMS:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:         %[[ANY:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK-SAME:        ins(%[[SUMS]]#0, %[[SUMS]]#1 : tensor<4xf64>, tensor<4xf64>) outs(%{{.*}} : tensor<i1>)
// CHECK-NEXT:    ^bb0(%[[SUM1:.*]]: f64, %[[SUM2:.*]]: f64, %[[OUT:.*]]: i1):
// CHECK-DAG:       %[[C:.*]] = arith.divf %[[SUM1]], %[[COUNT]] : f64
// CHECK-DAG:       %[[DISTANCE:.*]] = arith.mulf %[[C]], %[[C]] : f64
// CHECK-DAG:       %[[MEAN2:.*]] = arith.divf %[[SUM2]], %[[COUNT]] : f64
// CHECK-DAG:       %[[VARIANCE:.*]] = arith.subf %[[MEAN2]], %[[DISTANCE]] : f64
// CHECK-DAG:       %[[IS_INFINITE:.*]] = arith.cmpf uge, %[[SUM2]], %[[INFINITY]] : f64
// CHECK-DAG:       %[[IS_FAR:.*]] = arith.cmpf ugt, %[[DISTANCE]], %[[VARIANCE]] : f64
// CHECK:           %[[EITHER:.*]] = arith.ori %[[IS_INFINITE]], %[[IS_FAR]] : i1
// CHECK:           %[[NEXT:.*]] = arith.ori %[[OUT]], %[[EITHER]] : i1
// CHECK:           linalg.yield %[[NEXT]] : i1
// CHECK:         %[[CONDITION:.*]] = tensor.extract %[[ANY]][] : tensor<i1>
// CHECK:         scf.if %[[CONDITION]]
func.func @check(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// -----

// All lanes of the tile are then computed again, in f64 and scaled by the power of
// two that brings the largest magnitude close to 1. `meanvar.cold` asks for small
// instead of fast code; temporaries are in front of the branch so that their buffers
// can leave the loop around it.

// CHECK-LABEL: func @branch(
// CHECK-SAME:      %[[X:.*]]: tensor<4x1024xf16>)
// CHECK-DAG:     %[[EPSILON:.*]] = arith.constant 1.000000e-09 : f64
// CHECK:         %[[SHIFT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK:         %[[LANES:.*]]:3 = linalg.generic {{.*}} outs({{.*}} : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK:         tensor.empty() : tensor<4xf64>
// CHECK:         scf.if %{{.*}} -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
// CHECK-NOT:       tensor.empty
//
// The largest magnitude, and from its exponent the scale.
//
// CHECK:           %[[LARGEST:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) attrs = {meanvar.cold} {
// CHECK:             math.absf
// CHECK:             arith.maximumf
// CHECK:           %[[SCALE:.*]] = linalg.generic {{.*}} ins(%[[LARGEST]] : tensor<4xf64>) {{.*}} attrs = {meanvar.cold} {
// CHECK:             arith.bitcast %{{.*}} : f64 to i64
// CHECK:             arith.bitcast %{{.*}} : i64 to f64
//
// The mean, rounded; then the sums of deviations from that.
//
// CHECK:           %[[TOTAL:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[SCALE]] : {{.*}}) attrs = {meanvar.cold, meanvar.partial_sums = 16 : i64} {
// CHECK:           %[[MEAN:.*]] = linalg.generic {{.*}} ins(%[[TOTAL]] : {{.*}}) attrs = {meanvar.cold} {
// CHECK:           %[[SUMS:.*]]:2 = linalg.generic {{.*}} ins(%[[X]], %[[MEAN]], %[[SCALE]] : {{.*}}) attrs = {meanvar.cold, meanvar.partial_sums = 16 : i64} {
// CHECK-NEXT:      ^bb0(%[[IN:.*]]: f16, %[[M:.*]]: f64, %[[S:.*]]: f64, %{{.*}}: f64, %{{.*}}: f64):
// CHECK:             %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f64
// CHECK:             %[[SCALED:.*]] = arith.mulf %[[WIDE]], %[[S]] fastmath<contract> : f64
// CHECK:             arith.subf %[[SCALED]], %[[M]] fastmath<contract> : f64
//
// The values of the unreliable lanes are replaced in place, and of no others (V7).
// Epsilon is scaled like the elements.
//
// CHECK:           %[[SCALED_LANES:.*]]:4 = linalg.generic {{.*}} ins(%[[MEAN]], %[[SCALE]], %[[SUMS]]#0, %[[SUMS]]#1, %[[USUAL_SUMS:[^#]*]]#0, %[[USUAL_SUMS]]#1 : {{.*}}) outs(%[[SHIFT]], %[[LANES]]#0, %[[LANES]]#1, %[[LANES]]#2 : {{.*}}) attrs = {meanvar.cold} {
// CHECK-NEXT:      ^bb0(%{{[^ ]*}}: f64, %[[S:[^ ]*]]: f64,
// CHECK-DAG:         %[[SCALED_EPSILON:.*]] = arith.mulf %[[S]], %[[EPSILON]] : f64
// CHECK-DAG:         %[[DEVIATION:.*]] = math.sqrt
// CHECK:             arith.addf %[[DEVIATION]], %[[SCALED_EPSILON]] : f64
// CHECK:             %[[IS_UNRELIABLE:.*]] = arith.ori
// CHECK-COUNT-4:     arith.select %[[IS_UNRELIABLE]],
// CHECK:           scf.yield %[[SCALED_LANES]]#0, %[[SCALED_LANES]]#1, %[[SCALED_LANES]]#2, %[[SCALED_LANES]]#3
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[SHIFT]], %[[LANES]]#0, %[[LANES]]#1, %[[LANES]]#2
func.func @branch(%x: tensor<4x1024xf16>) -> tensor<4x1024xf16> {
  %0 = meanvar.mvn %x axes = [1] : tensor<4x1024xf16>
  return %0 : tensor<4x1024xf16>
}

// -----

// Inside the root, epsilon is scaled like the squares.

// CHECK-LABEL: func @inside_sqrt(
// CHECK:         %[[EPSILON:.*]] = arith.constant 1.000000e-05 : f64
// CHECK:         scf.if
// CHECK:           %[[ONCE:.*]] = arith.mulf %[[SCALE:.*]], %[[EPSILON]] : f64
// CHECK:           arith.mulf %[[ONCE]], %[[SCALE]] : f64
func.func @inside_sqrt(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-05 inside_sqrt : tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// -----

// V6: squares of small deviations underflow in f32. Epsilon hides that in general,
// but not when it is 0 or tiny: then a small variance is not trusted either.

// CHECK-LABEL: func @epsilon_0(
// CHECK-DAG:     %[[LIMIT:.*]] = arith.constant 7.7037197775489434E-34 : f64
// CHECK:         arith.cmpf uge
// CHECK:         arith.cmpf ugt
// CHECK:         arith.cmpf olt, %{{.*}}, %[[LIMIT]] : f64
// CHECK:         scf.if
func.func @epsilon_0(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 0.0 : tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// -----

// Deviations themselves do not underflow. Those of scaled lanes are scaled back.

// CHECK-LABEL: func @center_only(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NOT:     arith.cmpf olt
// CHECK:         scf.if
// CHECK:           ^bb0(%{{[^ ]*}}: f64, %[[SCALE:[^ ]*]]: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f32,
// CHECK:             %[[FACTOR:.*]] = arith.divf %[[ONE]], %[[SCALE]] : f64
// CHECK:             %[[FACTOR_F32:.*]] = arith.truncf %[[FACTOR]] : f64 to f32
// CHECK:             %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[FACTOR_F32]], %{{.*}} : f32
// CHECK:             linalg.yield %{{.*}}, %{{.*}}, %[[CHOSEN]], %{{.*}} :
func.func @center_only(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 0.0 center_only : tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// -----

// So are the statistics that are returned.

// CHECK-LABEL: func @statistics(
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG:     %[[EPSILON:.*]] = arith.constant 1.000000e-09 : f64
// CHECK:         scf.if
// CHECK:           ^bb0(%[[SHIFT:[^ ]*]]: f64, %[[SCALE:[^ ]*]]: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f64, %{{[^ ]*}}: f32,
// CHECK-DAG:         %[[SCALED_MEAN:.*]] = arith.addf %[[SHIFT]], %{{.*}} : f64
// CHECK-DAG:         %[[MEAN:.*]] = arith.divf %[[SCALED_MEAN]], %[[SCALE]] : f64
// CHECK-DAG:         %[[DEVIATION:.*]] = arith.divf %{{.*}}, %[[SCALE]] : f64
// CHECK-DAG:         %[[SPREAD:.*]] = arith.addf %[[DEVIATION]], %[[EPSILON]] : f64
// CHECK-DAG:         %[[INVERSE:.*]] = arith.divf %[[ONE]], %[[SPREAD]] : f64
// CHECK-DAG:         %[[MEAN_F32:.*]] = arith.truncf %[[MEAN]] : f64 to f32
// CHECK-DAG:         %[[INVERSE_F32:.*]] = arith.truncf %[[INVERSE]] : f64 to f32
// CHECK-DAG:         %[[CHOSEN_MEAN:.*]] = arith.select %{{.*}}, %[[MEAN_F32]], %{{.*}} : f32
// CHECK-DAG:         %[[CHOSEN_INVERSE:.*]] = arith.select %{{.*}}, %[[INVERSE_F32]], %{{.*}} : f32
// CHECK:             linalg.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[CHOSEN_MEAN]], %[[CHOSEN_INVERSE]] :
func.func @statistics(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0:3 = meanvar.mvn %x axes = [1] statistics : tensor<4x8xf32>
  return %0#0, %0#1, %0#2 : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}
