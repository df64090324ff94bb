//===- MeanVarDialect.td - The meanvar dialect -------------*- tablegen -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the dialect, its element types and the base class of its operations.
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_TD
#define MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_TD

include "mlir/IR/OpBase.td"

def MeanVar_Dialect : Dialect {
  let name = "meanvar";
  let cppNamespace = "::mlir::meanvar";
  let summary = "Mean and mean-variance normalization of tensors";
  let description = [{
    Two operations on ranked tensors of floating-point elements, with the
    semantics of the ONNX operators `Mean` and `MeanVarianceNormalization`:

    * `meanvar.mean` is the elementwise mean of n tensors with NumPy
      broadcasting;
    * `meanvar.mvn` subtracts from each element the mean of its *lane* and
      divides by the lane's standard deviation. A lane is the set of all
      elements that share their indices along the axes not reduced.

    Both accept `f16`, `bf16`, `f32` and `f64`, any rank, and static or run-time
    sizes. The rules are numbered in `docs/Spec.md`; their labels (M1, V1, ...)
    reappear in the descriptions below, in the verifiers and in the tests.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 0;
}

/// The element types of both operations.

def MeanVar_Tensor : RankedTensorOf<[F16, BF16, F32, F64]>;

/// The types of the optional statistics of `meanvar.mvn`.
def MeanVar_StatisticsTensor : RankedTensorOf<[F32, F64]>;

class MeanVar_Op<string mnemonic, list<Trait> traits = []>
    : Op<MeanVar_Dialect, mnemonic, traits>;

#endif // MEANVAR_DIALECT_MEANVAR_IR_MEANVARDIALECT_TD
