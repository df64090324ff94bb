//===- Passes.td - Conversions from and to meanvar ---------*- tablegen -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_CONVERSION_PASSES_TD
#define MEANVAR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMeanVarToLinalgPass : Pass<"convert-meanvar-to-linalg"> {
  let summary = "Convert meanvar operations to linalg on tensors";
  let description = [{
    Decomposes `meanvar.mvn` into one reduction over the elements, operations on
    the statistics of the lanes, and one elementwise operation (the shifted
    algorithm):

    ```
    m    = mean of a small sample of the lane
    c    = sum(x - m) / N
    var  = max(0, sum((x - m)^2) / N - c^2)
    y    = ((x - m) - c) / (sqrt(var) + epsilon)
    ```

    Terms are computed in `f32` (`f64` for `f64`), sums have the type `f64`. The
    attribute `meanvar.partial_sums = n` on a reduction allows code generation to
    let each accumulator take up to n terms in the type of the terms, and to add
    the few accumulators of a lane pairwise, before it adds to the sum. Where
    accumulators have at most half as many terms, so may their elements be.

    Where m is further than one standard deviation from the mean of some lane, or
    sums are not finite or squares have underflowed, an `scf.if` computes the
    parameters of such lanes again: corrected two-pass, in `f64`, on inputs scaled
    by a power of two (V5, V6).

    `meanvar.mean` becomes one elementwise operation. An operand whose size may
    turn out to be 1 at run time is read through a slice whose stride is then 0,
    so nothing is materialized (M3).

    ```mlir
    %0 = meanvar.mvn %x axes = [1] center_only : tensor<4x8xf16>
    ```
    becomes
    ```mlir
    %sample = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%piece0, %piece1, %piece2, %piece3 : ...) outs(%zero : tensor<4xf64>) {...}
    %shift = linalg.generic {...} ins(%sample : tensor<4xf64>) outs(... : tensor<4xf32>) {...}
    %sums:2 = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%x, %shift : ...) outs(%zero, %zero : tensor<4xf64>, tensor<4xf64>)
        attrs = {meanvar.partial_sums = 16 : i64} {...}
    %usual:3 = linalg.generic {...} ins(%shift, %sums#0, %sums#1 : ...) {...}
    %parameters:4 = scf.if %some_lane_is_unreliable -> (...) {
      ...
    } else {
      scf.yield %shift, %usual#0, %usual#1, %usual#2 : ...
    }
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%x, %parameters#0, ... : ...) outs(... : tensor<4x8xf16>) {...}
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertONNXToMeanVarPass : Pass<"convert-onnx-to-meanvar"> {
  let summary = "Convert ONNX operations of other compilers to meanvar";
  let description = [{
    Takes `Mean`, `MeanVarianceNormalization`, `LayerNormalization` and
    `InstanceNormalization` from the dialects that other compilers import ONNX models to,
    whether those are registered or, with `--allow-unregistered-dialect`, in their generic
    form:

    * `onnx.Mean` and so on, on tensors, as onnx-mlir has them;
    * `torch.operator` with the name of one of them, as torch-mlir has them, between casts
      from and to builtin tensors.

    Scale and bias become a `linalg.generic` after the `meanvar.mvn`, in the type of its
    statistics. The mean and the factor of a `LayerNormalization` are its statistics.

    Operations on unranked tensors, on other types than `f16`, `bf16`, `f32` and `f64`, with
    axes that are none of their operand, or with a scale or bias of which a size is known at
    run time only and may be 1, are left alone.

    ```mlir
    %0 = "onnx.MeanVarianceNormalization"(%x) {axes = [0, 2, 3]}
        : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    %1 = "torch.operator"(%y) <{name = "onnx.Mean"}>
        : (!torch.vtensor<[4,?],f32>) -> !torch.vtensor<[4,?],f32>
    ```
    becomes
    ```mlir
    %0 = meanvar.mvn %x axes = [0, 2, 3] : tensor<2x3x4x5xf32>
    %y_tensor = "torch_c.to_builtin_tensor"(%y)
        : (!torch.vtensor<[4,?],f32>) -> tensor<4x?xf32>
    %mean = meanvar.mean %y_tensor : (tensor<4x?xf32>) -> tensor<4x?xf32>
    %1 = "torch_c.from_builtin_tensor"(%mean)
        : (tensor<4x?xf32>) -> !torch.vtensor<[4,?],f32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::meanvar::MeanVarDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RaiseToMeanVarPass : Pass<"raise-to-meanvar"> {
  let summary = "Replace decomposed mean-variance normalizations by meanvar.mvn";
  let description = [{
    Finds tensors that are a mean-variance normalization of another one, however linalg,
    arith and math operations on tensors compute it, and makes them a `meanvar.mvn`:

    * in two passes, `E[(x - E[x])^2]`, or in one, `E[x^2] - E[x]^2`, also with a maximum
      with 0;
    * divided by `sqrt(var + epsilon)`, by `sqrt(var) + epsilon` or by `sqrt(var)`, or
      multiplied by what `rsqrt` gives, before or after a scale;
    * operation by operation, or fused into bodies of `linalg.generic`; with sizes of 1 kept,
      dropped, or stretched by a broadcast; in the types of the elements or in wider ones;
    * with the number of elements as a constant, as its rounded reciprocal, or computed from
      `tensor.dim`.

    What is replaced is the same function of real numbers, and nothing that merely resembles
    one: a variance divided by n - 1, other axes in mean and variance, a clamped deviation or
    sums that do not begin with 0 stay. Rounding differs: `meanvar.mvn` is accurate where
    the decomposed form cancels, overflows or divides by 0. Other uses of a mean or a variance
    keep the operations that compute them; those without uses are erased.

    ```mlir
    %zero = linalg.fill ins(%c0 : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<4x8xf32>) outs(%zero : tensor<4xf32>)
        dimensions = [1]
    %squares = linalg.square ins(%x : tensor<4x8xf32>) outs(%e1 : tensor<4x8xf32>)
        -> tensor<4x8xf32>
    %sum2 = linalg.reduce { arith.addf } ins(%squares : tensor<4x8xf32>)
        outs(%zero : tensor<4xf32>) dimensions = [1]
    %y = linalg.generic {...} ins(%x, %sum, %sum2 : ...) outs(%e1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %s: f32, %s2: f32, %out: f32):
      %mean = arith.divf %s, %c8 : f32
      %mean2 = arith.divf %s2, %c8 : f32
      %squared = arith.mulf %mean, %mean : f32
      %var = arith.subf %mean2, %squared : f32
      %shifted = arith.addf %var, %epsilon : f32
      %factor = math.rsqrt %shifted : f32
      %centered = arith.subf %in, %mean : f32
      %normalized = arith.mulf %centered, %factor : f32
      linalg.yield %normalized : f32
    } -> tensor<4x8xf32>
    ```
    becomes
    ```mlir
    %y = meanvar.mvn %x axes = [1] epsilon = 1.0e-05 inside_sqrt : tensor<4x8xf32>
    ```
  }];
  let options = [
    Option<"centerOnly", "center-only", "bool", /*default=*/"false",
           "Also replace differences from a mean, by meanvar.mvn with center_only">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::meanvar::MeanVarDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::arith::ArithDialect"];
}

#endif // MEANVAR_CONVERSION_PASSES_TD
