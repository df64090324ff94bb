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
    Decomposes `meanvar.mvn` into two reductions, one elementwise operation on the
    lanes' statistics, and one on all elements, the corrected two-pass algorithm:

    ```
    m    = round(sum(x) / N)
    c    = sum(x - m) / N
    var  = max(0, sum((x - m)^2) / N - c^2)
    y    = ((x - m) - c) / (sqrt(var) + epsilon)
    ```

    Terms are computed in `f32` (`f64` for `f64`), sums have the type `f64`. The
    attribute `meanvar.partial_sums = n` on a reduction allows code generation to
    add up to n terms in the type of the terms before it adds to the sum, in any
    fixed order. Where the range of the type makes it possible, lanes whose
    statistics overflowed or underflowed are found, and the statistics of the tile
    are computed again in `f64` on inputs scaled by a power of two (V6).

    `meanvar.mean` becomes one elementwise operation. An operand whose size may
    turn out to be 1 at run time is read through a slice whose stride is then 0,
    so nothing is materialized (M3).

    ```mlir
    %0 = meanvar.mvn %x axes = [1] center_only : tensor<4x8xf16>
    ```
    becomes
    ```mlir
    %sum = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<4x8xf16>) outs(%zero : tensor<4xf64>)
        attrs = {meanvar.partial_sums = 32 : i64} {...}
    %mean = linalg.generic {...} ins(%sum : tensor<4xf64>) outs(... : tensor<4xf32>) {...}
    %sums = linalg.generic {iterator_types = ["parallel", "reduction"]}
        ins(%x, %mean : ...) outs(%zero : tensor<4xf64>) {...}
    %correction = linalg.generic {...} ins(%sums : tensor<4xf64>) outs(... : tensor<4xf32>) {...}
    %y = linalg.generic {iterator_types = ["parallel", "parallel"]}
        ins(%x, %mean, %correction : ...) outs(... : tensor<4x8xf16>) {...}
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // MEANVAR_CONVERSION_PASSES_TD
