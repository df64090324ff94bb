//===- Diagnostics.cpp - Errors as single lines ---------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/ToolSupport/Diagnostics.h"
#include "meanvar/ToolSupport/ProgressLine.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Prints in one piece, with line breaks as spaces.
static void printLine(StringRef severity, const Twine &message) {
  std::string line = (severity + ": " + message).str();
  for (char &c : line)
    if (c == '\n' || c == '\r')
      c = ' ';
  ProgressLine::clearCurrent();
  llvm::errs() << StringRef(line).rtrim().str() + "\n";
}

void mlir::meanvar::printError(StringRef message) {
  printLine("error", message);
}

void mlir::meanvar::printError(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    printLine("error", info.message());
  });
}

static StringRef getSeverityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

/// Returns "file:line:column: " of the place in a file that `location` has, if
/// any.
static std::string printLocation(Location location) {
  FileLineColLoc place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  std::string text = place.getFilename().str();
  if (place.getLine() != 0)
    text += ":" + std::to_string(place.getLine()) + ":" +
            std::to_string(place.getColumn());
  return text + ": ";
}

static void printDiagnostic(Diagnostic &diagnostic) {
  printLine(getSeverityName(diagnostic.getSeverity()),
            printLocation(diagnostic.getLocation()) + diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

SingleLineDiagnosticHandler::SingleLineDiagnosticHandler(MLIRContext *context)
    : ScopedDiagnosticHandler(context) {
  setHandler([](Diagnostic &diagnostic) { printDiagnostic(diagnostic); });
}
