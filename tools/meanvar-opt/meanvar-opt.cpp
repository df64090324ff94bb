//===- meanvar-opt.cpp - The meanvar optimizer driver ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlir::meanvar::registerAllDialects(registry);
  mlir::meanvar::registerAllExtensions(registry);
  mlir::meanvar::registerAllPasses();
  mlir::meanvar::registerAllPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "meanvar optimizer driver\n", registry));
}
