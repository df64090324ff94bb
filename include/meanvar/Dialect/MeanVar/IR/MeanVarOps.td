//===- MeanVarOps.td - The meanvar operations --------------*- tablegen -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines meanvar.mean and meanvar.mvn.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_TD
#define MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_TD

include "meanvar/Dialect/MeanVar/IR/MeanVarDialect.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// MeanOp
//===----------------------------------------------------------------------===//

def MeanVar_MeanOp : MeanVar_Op<"mean", [
    // No memory is touched, but a run-time size mismatch is an error (M3): only
    // an op whose shapes are known to agree may be hoisted above a branch.
    NoMemoryEffect,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    // Sizes of the result in terms of the operands' sizes.
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Elementwise mean of tensors with broadcasting";
  let description = [{
    `result[i] = (inputs_0[i] + ... + inputs_{n-1}[i]) / n`, where each operand
    is first stretched to the common shape.

    * M1: one or more operands of one element type. With one operand the
      operation folds to it.
    * M2: shapes are aligned at the last dimension; a size of 1 is stretched;
      0 against 1 gives 0; two different sizes other than 1 are an error.
    * M3: a dimension `?` may be 1 at run time and is then stretched. A mismatch
      at run time is reported to the caller of the compiled function.
    * M4: in the result type a static size other than 1 wins over `?`; `?` with
      `?` or 1 is `?`. A declared result type need only be compatible with that;
      what it adds is checked at run time.
    * M5: operands are added in order in a wider type (`f32` for `f16` and
      `bf16`, `f64` otherwise), scaled by 1/n once and rounded once. Sums of
      finite `f16`, `bf16` and `f32` values never overflow on the way.
    * M6: NaN and infinities follow IEEE 754; subnormals are kept.

    Example:

    ```mlir
    %0 = meanvar.mean %a, %b, %c
        : (tensor<2x2xf32>, tensor<f32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    ```
  }];

  let arguments = (ins Variadic<MeanVar_Tensor>:$inputs);
  let results = (outs MeanVar_Tensor:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type($inputs, $result)
  }];

  // A declared result type may differ from the inferred one (M4), and where none
  // can be inferred the verifier says why, so this is a builder and not
  // InferTypeOpInterface.
  let builders = [
    /// Infers the result type from `inputs`, whose shapes must broadcast.
    OpBuilder<(ins "::mlir::ValueRange":$inputs)>
  ];

  let extraClassDeclaration = [{
    /// Returns true if dimension `dim` of operand number `index` is `?` and not
    /// known to be as large as the result's, so that it is stretched where it
    /// turns out to be 1 (M3).
    bool mayBeStretched(unsigned index, int64_t dim);
  }];

  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// MvnOp
//===----------------------------------------------------------------------===//

def MeanVar_MvnOp : MeanVar_Op<"mvn", [
    Pure,
    // With `statistics` there are three results, without it one.
    SameVariadicResultSize,
    // All result types follow from the operand and the attributes.
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    // Sizes of the results in terms of the operand's sizes.
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Mean-variance normalization over axes";
  let description = [{
    `result = (x - E[x]) / (sqrt(E[(x - E[x])^2]) + epsilon)`, where the
    expectations are taken over each *lane*: all elements that share the indices
    of the axes not listed in `axes`.

    * V1: population variance; the result type is the operand type.
    * V2: `axes` defaults to `[0, 2, 3]`, in any order; negative axes count from
      the end; `[]` means all axes. An axis out of range or repeated is an error,
      and so are the default axes on a tensor of rank below 4.
    * V3: `epsilon` (default 1e-9, finite, not negative) is added to the standard
      deviation, or with `inside_sqrt` to the variance:
      `(x - E[x]) / sqrt(var + epsilon)`. It is applied in the type of the
      statistics, `f32` (`f64` for `f64`) or wider. With `center_only` the result
      is `x - E[x]`. With `statistics` two more results give the mean and the
      factor `1 / (sqrt(var) + epsilon)` or `1 / sqrt(var + epsilon)`, in `f32`
      (`f64` for `f64`), shaped like the operand with 1 in place of the reduced
      sizes.
    * V4: a constant lane gives exactly 0, also with `epsilon = 0`.
    * V5, V6: accuracy and range are bounded in `docs/Spec.md`.
    * V7: a NaN or an infinity makes its own lane NaN and touches no other lane.
    * V8: a tensor without elements gives a tensor without elements.

    Example:

    ```mlir
    %0 = meanvar.mvn %x : tensor<3x3x3x1x2xf32>                    // axes = [0, 2, 3]
    %1 = meanvar.mvn %x axes = [-1] : tensor<?x1024xf16>
    %2 = meanvar.mvn %x axes = [1] epsilon = 1.0e-05 inside_sqrt : tensor<4x?xf32>
    %3 = meanvar.mvn %x axes = [1] center_only : tensor<4x8xbf16>
    // %mean and %scale are of type tensor<4x1xf32>.
    %4, %mean, %scale = meanvar.mvn %x axes = [1] statistics : tensor<4x8xf16>
    ```
  }];

  let arguments = (ins
    MeanVar_Tensor:$input,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 2, 3}">:$axes,
    DefaultValuedAttr<F64Attr, "1.0e-9">:$epsilon,
    UnitAttr:$inside_sqrt,
    UnitAttr:$center_only,
    UnitAttr:$statistics
  );
  let results = (outs
    MeanVar_Tensor:$result,
    Optional<MeanVar_StatisticsTensor>:$mean,
    Optional<MeanVar_StatisticsTensor>:$scale
  );
  let assemblyFormat = [{
    $input (`axes` `=` $axes^)? (`epsilon` `=` $epsilon^)?
    (`inside_sqrt` $inside_sqrt^)? (`center_only` $center_only^)?
    (`statistics` $statistics^)? attr-dict `:` type($input)
  }];

  let extraClassDeclaration = [{
    /// Returns for each dimension of the operand whether it is reduced; the op
    /// must be valid.
    ::llvm::SmallVector<bool> getReducedDims();

    /// Returns the element type of the statistics of a tensor with elements of
    /// type `elementType`: f64 for f64, f32 for every other type.
    static ::mlir::FloatType getStatisticsElementType(::mlir::Type elementType);
  }];

  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

#endif // MEANVAR_DIALECT_MEANVAR_IR_MEANVAROPS_TD
