//===- fuzz-import-onnx.cpp - Damaged and hostile ONNX models -------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a model. It is imported as if it lay in a directory with the file
// data.bin and with a link to the file secret.bin outside of the directory.
// What is imported must be valid, and must not have read secret.bin; what is
// refused must be refused with one error, about the model. The report on what
// is not supported must agree.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Target/ONNX/ImportONNX.h"
#include "meanvar/Target/ONNX/ReportONNX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::meanvar;
namespace fs = llvm::sys::fs;

namespace {
/// The directory of the model and its surroundings, as long as the process.
class Surroundings {
public:
  Surroundings() {
    bool isMade = !fs::createUniqueDirectory("fuzz-import-onnx", root) &&
                  !fs::create_directory(getModelDirectory()) &&
                  write("secret.bin", getSecret()) &&
                  write("model/data.bin", std::string(64, '\1')) &&
                  !fs::create_link("../secret.bin", getPath("model/link"));
    if (!isMade)
      llvm::report_fatal_error("cannot make the directory of the model");
  }
  ~Surroundings() { fs::remove_directories(root); }

  std::string getModelDirectory() const { return getPath("model"); }

  /// Returns the content of secret.bin, which differs from run to run.
  StringRef getSecret() const { return root; }

private:
  std::string getPath(StringRef name) const {
    return (root + "/" + name).str();
  }
  bool write(StringRef name, StringRef content) const {
    std::error_code error;
    llvm::raw_fd_ostream(getPath(name), error) << content;
    return !error;
  }

  SmallString<128> root;
};
} // namespace

/// Checks that the module is valid, shows nothing of secret.bin, and can be
/// printed and parsed.
static void checkModule(ModuleOp module, StringRef secret) {
  if (failed(verify(module)))
    llvm::report_fatal_error("the module is not valid");
  module.walk([&](arith::ConstantOp constant) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements)
      return;
    ArrayRef<char> bytes = elements.getRawData();
    // Fewer bytes may be the same by chance.
    constexpr size_t enoughBytes = 16;
    if (bytes.size() >= enoughBytes &&
        secret.contains(StringRef(bytes.data(), enoughBytes)))
      llvm::report_fatal_error("a file outside of the directory was read");
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, ParserConfig(module.getContext()));
  std::string reprinted;
  llvm::raw_string_ostream restream(reprinted);
  if (parsed)
    parsed->print(restream);
  if (reprinted != text)
    llvm::report_fatal_error("the printed module does not parse to itself");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Surroundings surroundings;
  // A context keeps all types, attributes and locations: a new one each time.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  int numErrors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    ++numErrors;
    std::string message = diagnostic.str();
    // The verifier speaks of operations, which no model has.
    if (StringRef(message).starts_with("'"))
      llvm::report_fatal_error("an error of the verifier");
    if (!llvm::all_of(message, llvm::isPrint))
      llvm::report_fatal_error("an error without a printable message");
    return success();
  });
  llvm::MemoryBufferRef buffer(
      StringRef(reinterpret_cast<const char *>(data), size), "model.onnx");
  OwningOpRef<ModuleOp> module =
      importONNXModel(buffer, &context, surroundings.getModelDirectory());
  if (module)
    checkModule(*module, surroundings.getSecret());
  if (numErrors != (module ? 0 : 1))
    llvm::report_fatal_error("not exactly one error where the import fails");
  FailureOr<ONNXReport> report = reportONNXModel(
      buffer, &context, surroundings.getModelDirectory(), [](uint64_t) {});
  bool isSupported = succeeded(report) && report->isSupported();
  if (isSupported != static_cast<bool>(module))
    llvm::report_fatal_error("the report and the import do not agree");
  return 0;
}
