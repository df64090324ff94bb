//===- CHeader.cpp - The header of compiled functions ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/AheadOfTime/CInterface.h"
#include "meanvar/TensorIO/Files.h"
#include "meanvar/TensorIO/HostTensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::meanvar;

/// Returns the type of an element in C.
static StringRef getCType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return "uint16_t";
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  case ElementKind::I1:
  case ElementKind::UI8:
    return "uint8_t";
  case ElementKind::I8:
    return "int8_t";
  case ElementKind::I16:
    return "int16_t";
  case ElementKind::I32:
    return "int32_t";
  case ElementKind::I64:
  case ElementKind::Index:
    return "int64_t";
  }
  llvm_unreachable("all kinds have a type");
}

/// Returns `text` without what would end a comment.
static std::string getCommentText(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isPrint(c) && c != '*' && c != '\\' ? c : '?';
  return result;
}

/// Prints the lines of a comment that describe `value`.
static void printValue(llvm::raw_ostream &os, const CValue &value) {
  os << " *   " << value.name << ": " << value.type.str();
  if (value.type.kind == ElementKind::F16 ||
      value.type.kind == ElementKind::BF16)
    os << " (its bits)";
  if (!value.modelName.empty() && value.modelName != value.name)
    os << ", '" << getCommentText(value.modelName) << "' of the model";
  os << "\n";
}

namespace {

/// The parameters of a function, printed one below the other.
class Parameters {
public:
  void addData(const CValue &value, bool isOutput) {
    StringRef type = getCType(value.type.kind);
    if (isOutput)
      add(type + " *" + value.name);
    else if (value.type.isTensor)
      add("const " + type + " *" + value.name);
    else
      add(type + " " + value.name);
  }
  void addShape(const CValue &value, bool isWritten) {
    if (value.hasShapeParameter())
      add(StringRef(isWritten ? "" : "const ") + "int64_t " + value.name +
          "_shape[" + Twine(value.type.shape.size()) + "]");
  }
  void addError() { add("meanvar_error *error"); }

  void print(llvm::raw_ostream &os) const {
    llvm::interleave(list, os, ",\n    ");
  }

private:
  void add(const Twine &text) { list.push_back(text.str()); }

  std::vector<std::string> list;
};

} // namespace

static void printKernel(llvm::raw_ostream &os, const CFunction &function) {
  Parameters parameters;
  for (const CValue &value : function.inputs) {
    parameters.addData(value, /*isOutput=*/false);
    parameters.addShape(value, /*isWritten=*/false);
  }
  for (const CValue &value : function.outputs) {
    parameters.addData(value, /*isOutput=*/true);
    parameters.addShape(value, /*isWritten=*/false);
  }
  parameters.addError();
  os << "/* Computes '" << getCommentText(function.description.signature.name)
     << "'. The sizes of outputs are those that\n * " << function.symbol
     << "_shape gives. Inputs:\n";
  for (const CValue &value : function.inputs)
    printValue(os, value);
  os << " * Outputs:\n";
  for (const CValue &value : function.outputs)
    printValue(os, value);
  os << " */\nint32_t " << function.symbol << "(\n    ";
  parameters.print(os);
  os << ");\n\n";
}

static void printShapeFunction(llvm::raw_ostream &os,
                               const CFunction &function) {
  Parameters parameters;
  for (const CValue &value : function.inputs) {
    if (!value.type.isTensor)
      parameters.addData(value, /*isOutput=*/false);
    parameters.addShape(value, /*isWritten=*/false);
  }
  for (const CValue &value : function.outputs)
    parameters.addShape(value, /*isWritten=*/true);
  parameters.addError();
  os << "/* Checks the sizes of inputs, as " << function.symbol
     << " does,\n * and stores those of outputs. */\nint32_t "
     << function.symbol << "_shape(\n    ";
  parameters.print(os);
  os << ");\n\n";
}

/// Prints a message as a format string and the integers that it takes.
static void printMessage(llvm::raw_ostream &os, StringRef message) {
  std::string format, arguments;
  while (!message.empty()) {
    for (int64_t index : {0, 1})
      if (message.consume_front("{" + std::to_string(index) + "}")) {
        format += "%\" PRId64 \"";
        arguments += ", error->values[" + std::to_string(index) + "]";
      }
    if (message.empty())
      break;
    char c = message.front();
    if (c == '{' && (message.starts_with("{0}") || message.starts_with("{1}")))
      continue;
    message = message.drop_front();
    if (c == '%')
      format += "%%";
    else if (llvm::isPrint(c) && c != '"' && c != '\\' && c != '?')
      format += c;
    else // three octal digits end by themselves
      format += {'\\', char('0' + (static_cast<unsigned char>(c) >> 6)),
                 char('0' + (static_cast<unsigned char>(c) >> 3 & 7)),
                 char('0' + (c & 7))};
  }
  os << "    return snprintf(text, size, \"" << format << "\"" << arguments
     << ");\n";
}

static void printMessageFunction(llvm::raw_ostream &os,
                                 const CFunction &function) {
  os << "/* Writes what `status` of the two above means, with what they left "
        "in\n * `error`, as snprintf writes to `text`, `size` bytes. */\n"
     << "static inline int " << function.symbol
     << "_message(\n    int32_t status,\n    const meanvar_error *error,\n"
     << "    char *text,\n    size_t size) {\n"
     << "  (void)error;\n  switch (status) {\n  case 0:\n"
     << "    return snprintf(text, size, \"success\");\n";
  for (auto [index, message] : llvm::enumerate(function.description.messages)) {
    os << "  case " << index + 1 << ":\n";
    printMessage(os, message);
  }
  os << "  default:\n    return snprintf(text, size, \"unknown status %\" "
        "PRId32,"
        " status);\n  }\n}\n\n";
}

void mlir::meanvar::printCHeader(llvm::raw_ostream &os,
                                 ArrayRef<CFunction> functions,
                                 StringRef prefix, StringRef origin) {
  std::string guard = prefix.upper() + "_MEANVAR_H";
  os << "/* " << getCommentText(origin) << "\n *\n"
     << " * Functions return 0, or the status that ..._message explains; then "
        "nothing has\n * been written to the outputs, unless memory was short. "
        "`error` may be null.\n * Tensors are dense and row-major, and an "
        "output may be exactly the buffer of an\n * input of the same type. "
        "*/\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <inttypes.h>\n#include <stddef.h>\n#include <stdint.h>\n"
     << "#include <stdio.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "#ifndef MEANVAR_ERROR_DEFINED\n#define MEANVAR_ERROR_DEFINED\n"
     << "/* The numbers that a message names. */\n"
     << "typedef struct meanvar_error {\n  int64_t values[2];\n} "
        "meanvar_error;\n#endif\n\n";
  for (const CFunction &function : functions) {
    printKernel(os, function);
    printShapeFunction(os, function);
    printMessageFunction(os, function);
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

llvm::Error mlir::meanvar::writeWithCHeader(
    StringRef headerPath, ArrayRef<CFunction> functions, StringRef prefix,
    StringRef origin, llvm::function_ref<llvm::Error()> writeCode) {
  if (headerPath.empty())
    return writeCode();
  auto header = StagedFile::create(headerPath, [&](llvm::raw_ostream &stream) {
    printCHeader(stream, functions, prefix, origin);
  });
  if (!header)
    return header.takeError();
  if (llvm::Error error = writeCode())
    return error;
  return header->commit();
}
