//===- ONNXReportCommand.cpp - meanvar-translate --onnx-report ------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ONNXReportCommand.h"

#include "meanvar/Target/ONNX/ReportONNX.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mlir::meanvar;
using llvm::ArrayRef;
using llvm::StringRef;

/// Every so many nodes of a model a line of progress is shown.
static constexpr uint64_t nodesBetweenProgress = 10000;

static constexpr StringRef usage =
    R"(usage: meanvar-translate --onnx-report FILE...

Lists every node of the ONNX models that cannot be imported, with the reason, then
how often each operator is among them. Nodes of functions of the model count once
for each call. Where there are several files or more than 10000 nodes, standard
error shows the progress.

The exit status is 0 if all nodes of all files are supported, and 1 otherwise.

examples:
  meanvar-translate --onnx-report model.onnx
  meanvar-translate --onnx-report models/*.onnx > report.txt
)";

/// Returns the argument without the dashes of an option.
static StringRef getOption(StringRef argument) {
  if (!argument.consume_front("--"))
    argument.consume_front("-");
  return argument;
}

bool meanvar::asksForONNXReport(ArrayRef<StringRef> arguments) {
  return llvm::any_of(arguments, [](StringRef argument) {
    return argument.starts_with("-") && getOption(argument) == "onnx-report";
  });
}

/// "Relu (domain ai.onnx, opset 13)"
static std::string describeOperator(const UnsupportedONNXNode &node) {
  std::string text = node.opType + " (domain " + node.domain;
  if (node.opset != 0)
    text += ", opset " + std::to_string(node.opset);
  return text + ")";
}

/// Prints how often each operator is not supported, the most frequent first.
static void printCounts(ArrayRef<UnsupportedONNXNode> nodes,
                        llvm::raw_ostream &output) {
  std::map<std::string, uint64_t> counts;
  for (const UnsupportedONNXNode &node : nodes)
    ++counts[describeOperator(node)];
  SmallVector<std::pair<std::string, uint64_t>> sorted(counts.begin(),
                                                       counts.end());
  llvm::sort(sorted, [](const auto &lhs, const auto &rhs) {
    return std::make_pair(rhs.second, lhs.first) <
           std::make_pair(lhs.second, rhs.first);
  });
  for (const auto &[name, count] : sorted)
    output << "  " << count << " x " << name << "\n";
}

static void printReport(StringRef path, const ONNXReport &report,
                        llvm::raw_ostream &output) {
  for (const std::string &error : report.otherErrors)
    output << path << ": " << error << "\n";
  for (const UnsupportedONNXNode &node : report.unsupported) {
    output << path << ": node " << node.node << ", " << describeOperator(node);
    if (!node.function.empty())
      output << " of function " << node.function;
    output << ": " << node.reason << "\n";
  }
  output << path << ": " << report.unsupported.size() << " of "
         << report.numNodes
         << (report.numNodes == 1 ? " node is" : " nodes are")
         << " not supported";
  if (report.numPartlyChecked != 0)
    output << ", " << report.numPartlyChecked
           << " more could only be checked without types";
  output << "\n";
  printCounts(report.unsupported, output);
  output.flush();
}

/// Reports on one model. Returns whether it is supported.
static bool reportFile(StringRef path) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::errs() << path << ": error: " << diagnostic.str() << "\n";
    return success();
  });
  FailureOr<ONNXReport> report =
      reportONNXModel(path, &context, [&](uint64_t numNodes) {
        if (numNodes % nodesBetweenProgress == 0)
          llvm::errs() << path << ": " << numNodes << " nodes\n";
      });
  if (failed(report))
    return false;
  printReport(path, *report, llvm::outs());
  return report->isSupported();
}

int meanvar::runONNXReport(ArrayRef<StringRef> arguments) {
  llvm::SmallVector<StringRef> paths;
  for (StringRef argument : arguments) {
    if (!argument.starts_with("-")) {
      paths.push_back(argument);
      continue;
    }
    StringRef option = getOption(argument);
    if (option == "help" || option == "h") {
      llvm::outs() << usage;
      return 0;
    }
    if (option == "onnx-report")
      continue;
    llvm::errs() << "error: unknown argument '" << argument
                 << "' next to --onnx-report (allowed: files, --help)\n";
    return 1;
  }
  if (paths.empty()) {
    llvm::errs() << "error: --onnx-report needs a file (allowed: 1 and up)\n";
    return 1;
  }
  size_t numSupported = 0;
  for (auto [index, path] : llvm::enumerate(paths)) {
    if (paths.size() > 1)
      llvm::errs() << "[" << index + 1 << "/" << paths.size() << "] " << path
                   << "\n";
    numSupported += reportFile(path);
  }
  if (paths.size() > 1)
    llvm::outs() << numSupported << " of " << paths.size()
                 << " files are supported\n";
  return numSupported == paths.size() ? 0 : 1;
}
