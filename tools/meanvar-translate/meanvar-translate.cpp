//===- meanvar-translate.cpp - Translations from and to MLIR --------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ImportONNX.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::registerAllTranslations();
  mlir::meanvar::registerONNXToMLIRTranslation();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "meanvar translation driver"));
}
