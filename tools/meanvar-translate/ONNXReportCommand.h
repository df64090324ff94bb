//===- ONNXReportCommand.h - meanvar-translate --onnx-report ----*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TOOLS_MEANVAR_TRANSLATE_ONNXREPORTCOMMAND_H
#define MEANVAR_TOOLS_MEANVAR_TRANSLATE_ONNXREPORTCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::meanvar {

/// Returns true if the command line asks for a report on ONNX models, instead
/// of a translation.
bool asksForONNXReport(llvm::ArrayRef<llvm::StringRef> arguments);

/// Reports which nodes of the models are not supported. Returns the exit
/// status: 0 if all are, and all models could be read.
int runONNXReport(llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace mlir::meanvar

#endif // MEANVAR_TOOLS_MEANVAR_TRANSLATE_ONNXREPORTCOMMAND_H
