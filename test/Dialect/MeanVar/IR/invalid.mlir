// RUN: meanvar-opt %s --split-input-file --verify-diagnostics

// One case for each diagnostic of the dialect.

//===----------------------------------------------------------------------===//
// Types of the operands and results
//===----------------------------------------------------------------------===//

func.func @mean_of_i32(%a: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<4xi32>'}}
  %0 = meanvar.mean %a : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @mean_of_index(%a: tensor<4xindex>) {
  // expected-error @+1 {{but got 'tensor<4xindex>'}}
  %0 = meanvar.mean %a : (tensor<4xindex>) -> tensor<4xindex>
  return
}

// -----

func.func @mean_of_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{but got 'tensor<4xcomplex<f32>>'}}
  %0 = meanvar.mean %a : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @mean_of_f8(%a: tensor<4xf8E4M3FN>) {
  // expected-error @+1 {{but got 'tensor<4xf8E4M3FN>'}}
  %0 = meanvar.mean %a : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return
}

// -----

func.func @mean_of_second_operand_i8(%a: tensor<4xf32>, %b: tensor<4xi8>) {
  // expected-error @+1 {{operand #1 must be variadic of ranked tensor}}
  %0 = meanvar.mean %a, %b : (tensor<4xf32>, tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @mean_to_i32(%a: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<4xi32>'}}
  %0 = meanvar.mean %a : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @mean_of_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{but got 'tensor<*xf32>'}}
  %0 = meanvar.mean %a : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @mean_of_memref(%a: memref<4xf32>) {
  // expected-error @+1 {{but got 'memref<4xf32>'}}
  %0 = meanvar.mean %a : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mvn_of_i32(%x: tensor<4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of 16-bit float or bfloat16 type or 32-bit float or 64-bit float values, but got 'tensor<4xi32>'}}
  %0 = meanvar.mvn %x axes = [0] : tensor<4xi32>
  return
}

// -----

func.func @mvn_of_i1(%x: tensor<4xi1>) {
  // expected-error @+1 {{but got 'tensor<4xi1>'}}
  %0 = meanvar.mvn %x axes = [0] : tensor<4xi1>
  return
}

// -----

func.func @mvn_of_f128(%x: tensor<4xf128>) {
  // expected-error @+1 {{but got 'tensor<4xf128>'}}
  %0 = meanvar.mvn %x axes = [0] : tensor<4xf128>
  return
}

// -----

func.func @mvn_of_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = meanvar.mvn %x axes = [0] : tensor<*xf32>
  return
}

// -----

func.func @mvn_of_scalar(%x: f32) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = meanvar.mvn %x axes = [] : f32
  return
}

// -----

func.func @mvn_generic_of_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor}}
  %0 = "meanvar.mvn"(%x) <{axes = array<i64: 0>}> : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// meanvar.mean
//===----------------------------------------------------------------------===//

func.func @mean_no_operand_M1() {
  // expected-error @+1 {{'meanvar.mean' op requires at least one operand}}
  %0 = meanvar.mean : () -> tensor<4xf32>
  return
}

// -----

func.func @mean_two_element_types_M1(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'meanvar.mean' op operand 1 has element type 'f16', but the result has element type 'f32' (allowed: one type for all)}}
  %0 = meanvar.mean %a, %b : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @mean_to_other_element_type_M1(%a: tensor<4xbf16>) {
  // expected-error @+1 {{operand 0 has element type 'bf16', but the result has element type 'f16'}}
  %0 = meanvar.mean %a : (tensor<4xbf16>) -> tensor<4xf16>
  return
}

// -----

func.func @mean_mismatch_M2(%a: tensor<2x4xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'meanvar.mean' op operand 1 has size 3 in result dimension 1, which does not broadcast with size 4 of operand 0 (allowed: 1 or equal sizes)}}
  %0 = meanvar.mean %a, %b : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// Shapes are aligned at the last dimension, not at the first.
func.func @mean_aligned_at_the_end_M2(%a: tensor<2x4xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{operand 1 has size 2 in result dimension 1, which does not broadcast with size 4 of operand 0}}
  %0 = meanvar.mean %a, %b : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @mean_zero_against_two_M2(%a: tensor<0xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{operand 1 has size 2 in result dimension 0, which does not broadcast with size 0 of operand 0}}
  %0 = meanvar.mean %a, %b : (tensor<0xf32>, tensor<2xf32>) -> tensor<0xf32>
  return
}

// -----

// The operand that is named is the one that set the size, here the second.
func.func @mean_names_both_operands_M2(%a: tensor<1xf32>, %b: tensor<2xf32>, %c: tensor<?xf32>, %d: tensor<5xf32>) {
  // expected-error @+1 {{operand 3 has size 5 in result dimension 0, which does not broadcast with size 2 of operand 1}}
  %0 = meanvar.mean %a, %b, %c, %d : (tensor<1xf32>, tensor<2xf32>, tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @mean_incompatible_size_M4(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error @+1 {{'meanvar.mean' op result type 'tensor<5xf32>' is not compatible with the inferred type 'tensor<4xf32>'}}
  %0 = meanvar.mean %a, %b : (tensor<4xf32>, tensor<?xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @mean_incompatible_rank_M4(%a: tensor<4xf32>, %b: tensor<?xf32>) {
  // expected-error @+1 {{result type 'tensor<1x4xf32>' is not compatible with the inferred type 'tensor<4xf32>'}}
  %0 = meanvar.mean %a, %b : (tensor<4xf32>, tensor<?xf32>) -> tensor<1x4xf32>
  return
}

// -----

// The result is not broadcast to its declared type.
func.func @mean_result_is_not_stretched_M4(%a: tensor<1xf32>) {
  // expected-error @+1 {{result type 'tensor<4xf32>' is not compatible with the inferred type 'tensor<1xf32>'}}
  %0 = meanvar.mean %a : (tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// meanvar.mvn
//===----------------------------------------------------------------------===//

func.func @mvn_axis_too_large_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'meanvar.mvn' op axis 3 is out of range for rank 3 (allowed: -3 to 2)}}
  %0 = meanvar.mvn %x axes = [3] : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_axis_too_small_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'meanvar.mvn' op axis -4 is out of range for rank 3 (allowed: -3 to 2)}}
  %0 = meanvar.mvn %x axes = [1, -4] : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_smallest_integer_axis_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis -9223372036854775808 is out of range for rank 3}}
  %0 = meanvar.mvn %x axes = [-9223372036854775808] : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_default_axes_of_rank_3_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis 3 is out of range for rank 3 (allowed: -3 to 2)}}
  %0 = meanvar.mvn %x : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_default_axes_of_rank_0_V2(%x: tensor<f32>) {
  // expected-error @+1 {{axis 0 is out of range for rank 0 (allowed: none)}}
  %0 = meanvar.mvn %x : tensor<f32>
  return
}

// -----

func.func @mvn_axis_out_of_range_with_statistics_V2(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2 (allowed: -2 to 1)}}
  %0:3 = meanvar.mvn %x axes = [2] statistics : tensor<2x3xf32>
  return
}

// -----

func.func @mvn_axis_repeated_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'meanvar.mvn' op axis 1 repeats dimension 1 of rank 3 (allowed: each dimension once)}}
  %0 = meanvar.mvn %x axes = [1, 0, 1] : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_axis_repeated_as_negative_V2(%x: tensor<2x3x4xf32>) {
  // expected-error @+1 {{axis -1 repeats dimension 2 of rank 3}}
  %0 = meanvar.mvn %x axes = [2, -1] : tensor<2x3x4xf32>
  return
}

// -----

func.func @mvn_axes_no_integer_array_V2(%x: tensor<4xf32>) {
  // expected-error @+1 {{Invalid attribute `axes` in property conversion}}
  %0 = "meanvar.mvn"(%x) <{axes = [0]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mvn_negative_epsilon_V3(%x: tensor<4xf32>) {
  // expected-error @+1 {{'meanvar.mvn' op epsilon is -1.000000e-09 (allowed: finite values of at least 0)}}
  %0 = meanvar.mvn %x axes = [0] epsilon = -1.0e-9 : tensor<4xf32>
  return
}

// -----

func.func @mvn_infinite_epsilon_V3(%x: tensor<4xf32>) {
  // expected-error-re @+1 {{epsilon is {{INF|inf}} (allowed: finite values of at least 0)}}
  %0 = meanvar.mvn %x axes = [0] epsilon = 0x7FF0000000000000 : tensor<4xf32>
  return
}

// -----

func.func @mvn_nan_epsilon_V3(%x: tensor<4xf32>) {
  // expected-error @+1 {{epsilon is nan (allowed: finite values of at least 0)}}
  %0 = meanvar.mvn %x axes = [0] epsilon = 0x7FF8000000000000 : tensor<4xf32>
  return
}

// -----

func.func @mvn_epsilon_of_other_type_V3(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'epsilon' failed to satisfy constraint: 64-bit float attribute}}
  %0 = "meanvar.mvn"(%x) <{axes = array<i64: 0>, epsilon = 1.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mvn_clauses_out_of_order(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = meanvar.mvn %x axes = [0] inside_sqrt epsilon = 1.0 : tensor<4xf32>
  return
}

// -----

// Result types follow from the operand; also from a less precise one.
func.func @mvn_other_result_type_V1(%x: tensor<4xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<?xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "meanvar.mvn"(%x) <{axes = array<i64: 0>}> : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @mvn_statistics_without_results_V3(%x: tensor<4xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>', 'tensor<1xf32>', 'tensor<1xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "meanvar.mvn"(%x) <{axes = array<i64: 0>, statistics}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mvn_results_without_statistics_V3(%x: tensor<4xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>', 'tensor<1xf32>', 'tensor<1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = "meanvar.mvn"(%x) <{axes = array<i64: 0>}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @mvn_one_statistic_V3(%x: tensor<4xf32>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation 'tensor<4xf32>', 'tensor<1xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = "meanvar.mvn"(%x) <{axes = array<i64: 0>, statistics}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<1xf32>)
  return
}

// -----

func.func @mvn_parsed_with_too_few_results_V3(%x: tensor<4xf32>) {
  // expected-error @+1 {{operation defines 1 results but was provided 3 to bind}}
  %0, %mean, %scale = meanvar.mvn %x axes = [0] : tensor<4xf32>
  return
}

// -----

func.func @mvn_f16_statistics_V3(%x: tensor<4xf16>) {
  // expected-error @+1 {{result #1 must be ranked tensor of 32-bit float or 64-bit float values, but got 'tensor<1xf16>'}}
  %0:3 = "meanvar.mvn"(%x) <{axes = array<i64: 0>, statistics}> : (tensor<4xf16>) -> (tensor<4xf16>, tensor<1xf16>, tensor<1xf16>)
  return
}

// -----

func.func @mvn_f64_statistics_of_f32_V3(%x: tensor<4xf32>) {
  // expected-error @+2 {{are incompatible with return type(s) of operation 'tensor<4xf32>', 'tensor<1xf64>', 'tensor<1xf64>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = "meanvar.mvn"(%x) <{axes = array<i64: 0>, statistics}> : (tensor<4xf32>) -> (tensor<4xf32>, tensor<1xf64>, tensor<1xf64>)
  return
}

// -----

func.func @mvn_statistics_shape_V3(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2x4xf32>', 'tensor<2x1xf32>', 'tensor<2x1xf32>' are incompatible}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = "meanvar.mvn"(%x) <{axes = array<i64: 1>, statistics}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @mean_encoding(%a: tensor<2xf32, "layout">) -> tensor<2xf32> {
  // expected-error @+1 {{operand 0 has type 'tensor<2xf32, "layout">' (allowed: tensors without an encoding)}}
  %0 = meanvar.mean %a, %a : (tensor<2xf32, "layout">, tensor<2xf32, "layout">) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @mvn_encoding(%x: tensor<2xf32, "layout">) {
  // expected-error @+1 {{operand 0 has type 'tensor<2xf32, "layout">' (allowed: tensors without an encoding)}}
  %0 = meanvar.mvn %x axes = [0] : tensor<2xf32, "layout">
  return
}
