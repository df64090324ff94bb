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
#include "llvm/Support/CommandLine.h"

static constexpr llvm::StringLiteral examples = R"(
EXAMPLES:

  meanvar-opt model.mlir --convert-meanvar-to-linalg
  meanvar-opt model.mlir --meanvar-to-llvm=vector-bits=256 -o lowered.mlir
  meanvar-opt model.mlir --meanvar-to-llvm=print-schedules -o /dev/null
)";

int main(int argc, char **argv) {
  const llvm::cl::extrahelp help(examples);
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
