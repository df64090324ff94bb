//===- meanvar-translate.cpp - Translations from and to MLIR --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ONNXReportCommand.h"
#include "meanvar/Target/ONNX/ImportONNX.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

static constexpr llvm::StringLiteral examples = R"(
REPORT ON ONNX MODELS:

  meanvar-translate --onnx-report FILE... lists the nodes that cannot be imported;
  meanvar-translate --onnx-report --help says more.

EXAMPLES:

  meanvar-translate --onnx-to-mlir model.onnx
  meanvar-translate --onnx-report model.onnx
  meanvar-opt model.mlir --meanvar-to-llvm | meanvar-translate --mlir-to-llvmir
)";

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> arguments(argv + 1, argv + argc);
  if (mlir::meanvar::asksForONNXReport(arguments))
    return mlir::meanvar::runONNXReport(arguments);
  const llvm::cl::extrahelp help(examples);
  mlir::registerAllTranslations();
  mlir::meanvar::registerONNXToMLIRTranslation();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "meanvar translation driver"));
}
