// RUN: meanvar-opt %s | FileCheck %s
// RUN: meanvar-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: meanvar-opt %s --mlir-print-op-generic | meanvar-opt | FileCheck %s
// RUN: meanvar-opt %s --emit-bytecode | meanvar-opt | FileCheck %s

// The syntax of both operations, and what the parser infers.

//===----------------------------------------------------------------------===//
// meanvar.mean
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @mean_one_operand_M1
// CHECK: meanvar.mean %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// GENERIC: "meanvar.mean"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @mean_one_operand_M1(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = meanvar.mean %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @mean_broadcast_M2
// CHECK: meanvar.mean %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x2xf32>, tensor<f32>, tensor<2x1xf32>) -> tensor<2x2xf32>
func.func @mean_broadcast_M2(%a: tensor<2x2xf32>, %b: tensor<f32>,
                             %c: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %0 = meanvar.mean %a, %b, %c
      : (tensor<2x2xf32>, tensor<f32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// No operand has the shape of the result.
// CHECK-LABEL: func @mean_broadcast_both_ways_M2
// CHECK: (tensor<3x1xf64>, tensor<1x4xf64>) -> tensor<3x4xf64>
func.func @mean_broadcast_both_ways_M2(%a: tensor<3x1xf64>,
                                       %b: tensor<1x4xf64>) -> tensor<3x4xf64> {
  %0 = meanvar.mean %a, %b : (tensor<3x1xf64>, tensor<1x4xf64>) -> tensor<3x4xf64>
  return %0 : tensor<3x4xf64>
}

// CHECK-LABEL: func @mean_zero_against_one_M2
// CHECK: (tensor<0x3xf16>, tensor<1x3xf16>) -> tensor<0x3xf16>
func.func @mean_zero_against_one_M2(%a: tensor<0x3xf16>,
                                    %b: tensor<1x3xf16>) -> tensor<0x3xf16> {
  %0 = meanvar.mean %a, %b : (tensor<0x3xf16>, tensor<1x3xf16>) -> tensor<0x3xf16>
  return %0 : tensor<0x3xf16>
}

// CHECK-LABEL: func @mean_rank_0_M2
// CHECK: (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
func.func @mean_rank_0_M2(%a: tensor<bf16>, %b: tensor<bf16>) -> tensor<bf16> {
  %0 = meanvar.mean %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// `?` with a static size, with 1 and with `?`.
// CHECK-LABEL: func @mean_dynamic_M4
// CHECK: (tensor<?x?x?xf32>, tensor<4x1x?xf32>) -> tensor<4x?x?xf32>
func.func @mean_dynamic_M4(%a: tensor<?x?x?xf32>,
                           %b: tensor<4x1x?xf32>) -> tensor<4x?x?xf32> {
  %0 = meanvar.mean %a, %b
      : (tensor<?x?x?xf32>, tensor<4x1x?xf32>) -> tensor<4x?x?xf32>
  return %0 : tensor<4x?x?xf32>
}

// The declared type may say less or more than the inferred one.
// CHECK-LABEL: func @mean_compatible_result_M4
// CHECK: (tensor<4x?xf32>) -> tensor<?x?xf32>
// CHECK: (tensor<4x?xf32>, tensor<1xf32>) -> tensor<4x8xf32>
func.func @mean_compatible_result_M4(%a: tensor<4x?xf32>, %b: tensor<1xf32>)
    -> (tensor<?x?xf32>, tensor<4x8xf32>) {
  %0 = meanvar.mean %a : (tensor<4x?xf32>) -> tensor<?x?xf32>
  %1 = meanvar.mean %a, %b : (tensor<4x?xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func @mean_attributes
// CHECK: meanvar.mean %{{.*}} {note = "kept"} : (tensor<2xf32>) -> tensor<2xf32>
func.func @mean_attributes(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = meanvar.mean %a {note = "kept"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// meanvar.mvn
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @mvn_defaults_V2_V3
// CHECK: meanvar.mvn %{{[^ ]*}} : tensor<3x3x3x1x2xf32>
// GENERIC: "meanvar.mvn"(%{{.*}}) <{axes = array<i64: 0, 2, 3>, epsilon = 1.000000e-09 : f64}>
func.func @mvn_defaults_V2_V3(%x: tensor<3x3x3x1x2xf32>) -> tensor<3x3x3x1x2xf32> {
  %0 = meanvar.mvn %x : tensor<3x3x3x1x2xf32>
  return %0 : tensor<3x3x3x1x2xf32>
}

// Clauses that repeat the defaults are not printed.
// CHECK-LABEL: func @mvn_spelled_out_defaults
// CHECK: meanvar.mvn %{{[^ ]*}} : tensor<2x3x4x5xf64>
func.func @mvn_spelled_out_defaults(%x: tensor<2x3x4x5xf64>) -> tensor<2x3x4x5xf64> {
  %0 = meanvar.mvn %x axes = [0, 2, 3] epsilon = 1.0e-09 : tensor<2x3x4x5xf64>
  return %0 : tensor<2x3x4x5xf64>
}

// CHECK-LABEL: func @mvn_negative_axis_V2
// CHECK: meanvar.mvn %{{.*}} axes = [-1] : tensor<?x1024xf16>
func.func @mvn_negative_axis_V2(%x: tensor<?x1024xf16>) -> tensor<?x1024xf16> {
  %0 = meanvar.mvn %x axes = [-1] : tensor<?x1024xf16>
  return %0 : tensor<?x1024xf16>
}

// CHECK-LABEL: func @mvn_unsorted_axes_V2
// CHECK: meanvar.mvn %{{.*}} axes = [2, -3] : tensor<2x3x4xf32>
func.func @mvn_unsorted_axes_V2(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = meanvar.mvn %x axes = [2, -3] : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @mvn_all_axes_V2
// CHECK: meanvar.mvn %{{.*}} axes = [] : tensor<2x?xf32>
// GENERIC: "meanvar.mvn"(%{{.*}}) <{axes = array<i64>, epsilon
func.func @mvn_all_axes_V2(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = meanvar.mvn %x axes = [] : tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// CHECK-LABEL: func @mvn_rank_0_V2
// CHECK: meanvar.mvn %{{.*}} axes = [] : tensor<f64>
func.func @mvn_rank_0_V2(%x: tensor<f64>) -> tensor<f64> {
  %0 = meanvar.mvn %x axes = [] : tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func @mvn_inside_sqrt_V3
// CHECK: meanvar.mvn %{{.*}} axes = [1] epsilon = 1.000000e-05 inside_sqrt : tensor<4x?xf32>
// GENERIC: <{axes = array<i64: 1>, epsilon = 1.000000e-05 : f64, inside_sqrt}>
func.func @mvn_inside_sqrt_V3(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-05 inside_sqrt : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func @mvn_zero_epsilon_V3
// CHECK: meanvar.mvn %{{.*}} axes = [1] epsilon = 0.000000e+00 : tensor<4x?xf32>
func.func @mvn_zero_epsilon_V3(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = meanvar.mvn %x axes = [1] epsilon = 0.0 : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func @mvn_center_only_V3
// CHECK: meanvar.mvn %{{.*}} axes = [1] center_only : tensor<4x8xbf16>
func.func @mvn_center_only_V3(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = meanvar.mvn %x axes = [1] center_only : tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// The statistics are f32, or f64 for f64, with 1 in place of the reduced sizes.
// CHECK-LABEL: func @mvn_statistics_V3
// CHECK: %{{.*}}, %[[MEAN:.*]], %[[SCALE:.*]] = meanvar.mvn %{{.*}} axes = [1] statistics : tensor<4x8xf16>
// CHECK: return %[[MEAN]], %[[SCALE]] : tensor<4x1xf32>, tensor<4x1xf32>
// GENERIC: (tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<4x1xf32>, tensor<4x1xf32>)
func.func @mvn_statistics_V3(%x: tensor<4x8xf16>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %0, %mean, %scale = meanvar.mvn %x axes = [1] statistics : tensor<4x8xf16>
  return %mean, %scale : tensor<4x1xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func @mvn_statistics_f64_V3
// CHECK: axes = [-2] statistics : tensor<?x?xf64>
// CHECK: return {{.*}} : tensor<1x?xf64>, tensor<1x?xf64>
func.func @mvn_statistics_f64_V3(%x: tensor<?x?xf64>) -> (tensor<1x?xf64>, tensor<1x?xf64>) {
  %0, %mean, %scale = meanvar.mvn %x axes = [-2] statistics : tensor<?x?xf64>
  return %mean, %scale : tensor<1x?xf64>, tensor<1x?xf64>
}

// The default axes, too, say which sizes the statistics lack.
// CHECK-LABEL: func @mvn_statistics_default_axes_V2
// CHECK: meanvar.mvn %{{[^ ]*}} statistics : tensor<2x3x4x5xf32>
// CHECK: return {{.*}} : tensor<1x3x1x1xf32>
func.func @mvn_statistics_default_axes_V2(%x: tensor<2x3x4x5xf32>) -> tensor<1x3x1x1xf32> {
  %0, %mean, %scale = meanvar.mvn %x statistics : tensor<2x3x4x5xf32>
  return %mean : tensor<1x3x1x1xf32>
}

// CHECK-LABEL: func @mvn_statistics_of_empty_lanes_V8
// CHECK: return {{.*}} : tensor<4x1xf32>
func.func @mvn_statistics_of_empty_lanes_V8(%x: tensor<4x0xbf16>) -> tensor<4x1xf32> {
  %0, %mean, %scale = meanvar.mvn %x axes = [1] statistics : tensor<4x0xbf16>
  return %mean : tensor<4x1xf32>
}

// CHECK-LABEL: func @mvn_every_clause
// CHECK: meanvar.mvn %{{.*}} axes = [0, 1] epsilon = 5.000000e-01 inside_sqrt center_only statistics {note = "kept"} : tensor<4x8xf32>
func.func @mvn_every_clause(%x: tensor<4x8xf32>) -> tensor<1x1xf32> {
  %0, %mean, %scale = meanvar.mvn %x axes = [0, 1] epsilon = 0.5 inside_sqrt center_only
      statistics {note = "kept"} : tensor<4x8xf32>
  return %mean : tensor<1x1xf32>
}

// Left out in the generic form, attributes take their defaults.
// CHECK-LABEL: func @mvn_generic_defaults
// CHECK: meanvar.mvn %{{[^ ]*}} : tensor<2x3x4x5xf16>
func.func @mvn_generic_defaults(%x: tensor<2x3x4x5xf16>) -> tensor<2x3x4x5xf16> {
  %0 = "meanvar.mvn"(%x) : (tensor<2x3x4x5xf16>) -> tensor<2x3x4x5xf16>
  return %0 : tensor<2x3x4x5xf16>
}
