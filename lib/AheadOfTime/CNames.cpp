//===- CNames.cpp - Names of functions and parameters in C ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedAllocations.h"
#include "meanvar/AheadOfTime/CInterface.h"
#include "meanvar/TensorIO/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::meanvar;
using llvm::createStringError;
using llvm::Expected;

bool CValue::hasShapeParameter() const {
  return type.isTensor && llvm::is_contained(type.shape, dynamicSize);
}

std::string mlir::meanvar::makeCIdentifier(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  if (identifier.empty() || llvm::isDigit(identifier.front()))
    identifier.insert(0, "_");
  return identifier;
}

/// Returns true for words that are no names of parameters in C or C++, or are
/// taken by the header.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = {
      "alignas",   "alignof",   "and",       "and_eq",       "asm",
      "auto",      "bitand",    "bitor",     "bool",         "break",
      "case",      "catch",     "char",      "class",        "compl",
      "const",     "continue",  "default",   "delete",       "do",
      "double",    "else",      "enum",      "explicit",     "export",
      "extern",    "false",     "float",     "for",          "friend",
      "goto",      "if",        "inline",    "int",          "long",
      "mutable",   "namespace", "new",       "noexcept",     "not",
      "not_eq",    "nullptr",   "operator",  "or",           "or_eq",
      "private",   "protected", "public",    "register",     "requires",
      "restrict",  "return",    "short",     "signed",       "sizeof",
      "static",    "struct",    "switch",    "template",     "this",
      "throw",     "true",      "try",       "typedef",      "typeof",
      "typeid",    "typename",  "union",     "unsigned",     "using",
      "virtual",   "void",      "volatile",  "while",        "xor",
      "xor_eq",    "error",     "NULL",      "concept",      "decltype",
      "constexpr", "consteval", "constinit", "thread_local", "static_assert",
      "co_await",  "co_return", "co_yield"};
  // Also those of the implementation.
  return words.contains(name) || name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && llvm::isUpper(name[1]));
}

namespace {

/// Gives parameters of one function names that differ.
class ParameterNames {
public:
  /// Returns a name for the value `modelName` of a model, or for the `index`-th
  /// `kind` of value where that is "" or no name in C.
  std::string get(StringRef modelName, StringRef kind, size_t index) {
    std::string name = makeCIdentifier(modelName);
    if (modelName.empty() || isReserved(name))
      name = (kind + Twine(index)).str();
    while (!taken.insert(name).second || !taken.insert(name + "_shape").second)
      name += "_";
    return name;
  }

private:
  llvm::StringSet<> taken;
};

} // namespace

static std::vector<CValue> nameValues(ArrayRef<ValueType> types,
                                      ArrayRef<std::string> modelNames,
                                      StringRef kind, ParameterNames &names) {
  std::vector<CValue> values;
  for (auto [index, type] : llvm::enumerate(types)) {
    std::string modelName =
        index < modelNames.size() ? modelNames[index] : std::string();
    values.push_back({type, names.get(modelName, kind, index), modelName});
  }
  return values;
}

Expected<std::vector<CFunction>>
mlir::meanvar::describeCFunctions(ModuleOp module, StringRef prefix) {
  auto descriptions = describeFunctions(module);
  if (!descriptions)
    return descriptions.takeError();
  llvm::SetVector<LLVM::LLVMFuncOp> allocating =
      findAllocatingFunctions(module);
  std::vector<CFunction> functions;
  llvm::StringMap<std::string> symbols;
  for (FunctionDescription &description : *descriptions) {
    const FunctionSignature &signature = description.signature;
    CFunction function;
    function.symbol = (prefix + "_" + makeCIdentifier(signature.name)).str();
    for (StringRef suffix : {"", "_shape", "_message"}) {
      std::string symbol = function.symbol + suffix.str();
      auto [other, isNew] = symbols.try_emplace(symbol, signature.name);
      if (!isNew)
        return createStringError("functions '" + other->second + "' and '" +
                                 signature.name +
                                 "' have the same name in C, '" + symbol + "'");
      if (module.lookupSymbol(symbol))
        return createStringError("'" + symbol + "', the name of function '" +
                                 signature.name +
                                 "' in C, is taken by another function of the "
                                 "module (allowed: another prefix)");
    }
    ParameterNames names;
    function.inputs =
        nameValues(signature.inputs, signature.inputNames, "input", names);
    function.outputs =
        nameValues(signature.outputs, signature.outputNames, "output", names);
    function.description = std::move(description);
    function.allocates =
        allocating.contains(module.lookupSymbol<LLVM::LLVMFuncOp>(
            function.description.signature.name));
    if (function.allocates)
      function.description.messages.push_back(memoryShortMessage.str());
    functions.push_back(std::move(function));
  }
  return functions;
}
