//===- fuzz-compile.cpp - Programs and broken programs --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of an input are decisions: first those of changes to the text of a
// program, then those of a case of random programs. Without changes the case is
// run and compared; with them the compiler has to compile the module or to say
// what is wrong.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Words that a change puts in place of others.
static constexpr StringRef words[] = {
    "0",    "1",    "2",         "?",   "-1",  "9223372036854775807",
    "f16",  "bf16", "f32",       "f64", "i32", "index",
    "mean", "mvn",  "[]",        "%v0", "%v1", "inside_sqrt",
    "1e-9", "nan",  "4294967296"};

/// Returns the part of `text` from `start` on that is a number, a name or one
/// other character.
static StringRef getWord(StringRef text, size_t start) {
  StringRef word = text.substr(start).take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_'; });
  // A size and the `x` behind it are two words.
  StringRef digits = word.take_while(llvm::isDigit);
  if (!digits.empty())
    return digits;
  return word.empty() ? text.substr(start, 1) : word;
}

/// Returns the places in the lines of meanvar operations and of the signature.
/// LLVM 22 crashes on some errors in operations of linalg.
static SmallVector<size_t> getPlaces(StringRef text) {
  SmallVector<size_t> places;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains("meanvar.") || line.contains("func.func"))
      for (const char &character : line)
        places.push_back(&character - text.data());
  return places;
}

namespace {
/// Replaces, drops or doubles a word of a line, or replaces an element type or
/// a size wherever it stands.
struct Change {
  explicit Change(Choices &choices)
      : place(choices.choose(256) * 256 + choices.choose(256)),
        kind(choices.choose(6)), other(choices.pick<StringRef>(words)) {}

  void apply(std::string &text) const {
    SmallVector<size_t> places = getPlaces(text);
    if (places.empty())
      return;
    size_t start = places[place % places.size()];
    std::string word = getWord(text, start).str();
    if (kind >= 3 && replaceInTypes(text, word))
      return;
    std::string replacement = other.str();
    if (kind == 0)
      replacement = "";
    if (kind == 1)
      replacement = word + " " + word;
    text.replace(start, word.size(), replacement);
  }

private:
  /// Returns false for a word that is no part of a type.
  bool replaceInTypes(std::string &text, const std::string &word) const {
    bool isSize = llvm::all_of(word, llvm::isDigit) || word == "?";
    if (!isSize && word != "f16" && word != "bf16" && word != "f32" &&
        word != "f64")
      return false;
    for (StringRef before : {"<", "x"}) {
      std::string from = before.str() + word + (isSize ? "x" : ">");
      std::string to = before.str() + other.str() + (isSize ? "x" : ">");
      for (size_t at = text.find(from); at != std::string::npos;
           at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    }
    return true;
  }

  size_t place;
  uint32_t kind;
  StringRef other;
};
} // namespace

/// Parses and compiles a module that may be wrong in any way.
static void compileChanged(const Configuration &configuration,
                           MLIRContext &context) {
  unsigned numErrors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    numErrors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  auto module =
      parseSourceString<ModuleOp>(configuration.source, ParserConfig(&context));
  if (!module) {
    if (numErrors == 0)
      llvm::report_fatal_error("a module is refused without an error");
    return;
  }
  auto compiled = compileModule(*module, configuration.options);
  if (!compiled && llvm::toString(compiled.takeError()).empty())
    llvm::report_fatal_error("a compilation fails without an error");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Choices choices(std::vector<uint32_t>(data, data + size));
  // First, for the case takes as many decisions as it likes.
  SmallVector<Change> changes;
  for (uint32_t count = choices.choose(4); count > 0; --count)
    changes.emplace_back(choices);
  Case testCase = llvm::cantFail(makeCase(choices));
  Configuration &configuration = testCase.configurations.front();
  if (changes.empty()) {
    Tally tally;
    if (llvm::Error error = runCase(testCase, 0, context, tally)) {
      llvm::errs() << printCase(testCase, 0);
      llvm::report_fatal_error(std::move(error));
    }
    return 0;
  }
  for (const Change &change : changes)
    change.apply(configuration.source);
  compileChanged(configuration, context);
  return 0;
}
