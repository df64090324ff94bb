//===- meanvar-lsp-server.cpp - Editor support for the dialect ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

static constexpr llvm::StringLiteral examples = R"(
EXAMPLES:

  An editor starts the server and talks to it by standard input and output. In the
  settings of Visual Studio Code's extension for MLIR:

    "mlir.server_path": "meanvar-lsp-server"

  By hand, with requests one after the other and `// -----` between:

    meanvar-lsp-server --lit-test < requests.txt
)";

int main(int argc, char **argv) {
  const llvm::cl::extrahelp help(examples);
  mlir::DialectRegistry registry;
  mlir::meanvar::registerAllDialects(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
