//===- Passes.td - Passes within the meanvar dialect -------*- tablegen -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_TD
#define MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CollapseDimsPass : Pass<"meanvar-collapse-dims"> {
  let summary = "Bring any rank and axes to a short pattern of dimensions";
  let description = [{
    Merges neighbouring dimensions that a meanvar operation treats alike and drops
    unit dimensions, with views only. A `meanvar.mvn` of any rank becomes one
    whose kept (K) and reduced (R) dimensions alternate; where every lane holds
    one element, one whose first, reduced dimension is 1. In a `meanvar.mean`,
    dimensions along which each operand is either whole or stretched throughout
    are merged; dimensions `?`, which may turn out to be 1, stay. Where a result
    is written to a buffer, the buffer is collapsed instead of the result expanded.
    An elementwise operation that consumes the result follows it to the new shape,
    and dimensions that it tells apart are not merged.

    ```mlir
    %0 = meanvar.mvn %x axes = [0, 2, 3] : tensor<8x64x56x56xf32>
    ```
    becomes
    ```mlir
    %collapsed = tensor.collapse_shape %x [[0], [1], [2, 3]]
        : tensor<8x64x56x56xf32> into tensor<8x64x3136xf32>
    %0 = meanvar.mvn %collapsed axes = [0, 2] : tensor<8x64x3136xf32>
    %1 = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [8, 64, 56, 56]
        : tensor<8x64x3136xf32> into tensor<8x64x56x56xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def InsertShapeChecksPass : Pass<"meanvar-insert-shape-checks"> {
  let summary = "Check at run time what types leave open";
  let description = [{
    Inserts in front of operations the checks that their types do not decide:

    * `meanvar.mean`: sizes broadcast (M3), and a declared result type holds (M4);
    * `tensor.cast`, `tensor.concat`, `tensor.pad`: declared sizes hold;
    * linalg and elementwise operations, `tensor.concat`: sizes of operands agree;
    * slices, elements and `tensor.dim`: offsets, sizes and indices are in bounds;
    * `tensor.empty`, `tensor.splat`, `tensor.generate`, `tensor.pad`: sizes are not
      negative, and the bytes of the result can be counted in 63 bits;
    * `tensor.expand_shape`, `tensor.reshape`: the number of elements stays;
    * `scf.for`: the step is positive.

    What ValueBoundsOpInterface proves is not checked. Checks in the body of
    a linalg operation, `tensor.generate`, `tensor.pad` or a parallel loop that depend on
    its indices become loops over these in front of it.

    A check is a `cf.assert`. `{0}` and `{1}` in its message stand for the two
    operands of the comparison that feeds it, and `meanvar.checked_op` names the
    operation that is checked; `meanvar-lower-entry-points` turns checks into
    status codes.

    ```mlir
    %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
    ```
    becomes
    ```mlir
    %size = tensor.dim %a, %c0 : tensor<?xf32>
    %same = arith.cmpi eq, %size, %c3 : index
    %one = arith.cmpi eq, %size, %c1 : index
    %ok = arith.ori %same, %one : i1
    cf.assert %ok, "'meanvar.mean' operand 0 has size {0} in result dimension 0, which does not broadcast with size {1} of the other operands"
    %0 = meanvar.mean %a, %b : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // MEANVAR_DIALECT_MEANVAR_TRANSFORMS_PASSES_TD
