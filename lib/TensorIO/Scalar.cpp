//===- Scalar.cpp - Text of single elements -------------------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "meanvar/TensorIO/Scalar.h"
#include "meanvar/TensorIO/FloatFormat.h"
#include "meanvar/TensorIO/Quote.h"
#include "meanvar/TensorIO/SmallFloat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>
#include <cstring>

using namespace mlir::meanvar;
using llvm::APFloat;
using llvm::createStringError;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// Returns true for an optionally signed decimal or hexadecimal number with at
/// least one digit. APFloat accepts more, such as "snan(...)", and relies on
/// its caller for some of the rest.
static bool isNumber(StringRef text) {
  if (!text.consume_front("-"))
    text.consume_front("+");
  bool isHex = text.consume_front("0x") || text.consume_front("0X");
  auto isDigit = [&](char c) {
    return isHex ? llvm::isHexDigit(c) : llvm::isDigit(c);
  };
  size_t digits = text.size();
  text = text.drop_while(isDigit);
  digits -= text.size();
  if (text.consume_front(".")) {
    digits += text.size();
    text = text.drop_while(isDigit);
    digits -= text.size();
  }
  if (digits == 0)
    return false;
  if (text.empty())
    return true;
  if (!text.consume_front_insensitive(isHex ? "p" : "e"))
    return false;
  if (!text.consume_front("-"))
    text.consume_front("+");
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

/// The value nearest to `text`, or nothing when it is not a float.
static std::optional<APFloat> parseFloat(StringRef text, ElementKind kind) {
  const llvm::fltSemantics &semantics = getFloatSemantics(kind);
  StringRef word = text;
  bool isNegative = word.consume_front("-");
  if (word == "inf")
    return APFloat::getInf(semantics, isNegative);
  if (word == "nan")
    return APFloat::getNaN(semantics, isNegative);
  if (!isNumber(text))
    return std::nullopt;
  // APFloat wants an exponent after hexadecimal digits.
  std::string number = text.str();
  if (text.contains_insensitive("0x") && !text.contains_insensitive("p"))
    number += "p0";
  APFloat value(semantics);
  auto status = value.convertFromString(number, APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  return value;
}

static Error parseFloatElement(StringRef text, HostTensor &tensor,
                               int64_t index) {
  std::optional<APFloat> value = parseFloat(text, tensor.getKind());
  if (!value)
    return createStringError(
        quoteName(text) + " is not a value of type " +
        getElementName(tensor.getKind()) +
        " (allowed: decimal and hexadecimal floats, nan, inf, -inf)");
  uint64_t bits = value->bitcastToAPInt().getZExtValue();
  size_t size = getElementSize(tensor.getKind());
  // The low bytes come first on every host that the project supports.
  std::memcpy(tensor.getData() + index * size, &bits, size);
  return Error::success();
}

static Error parseIntegerElement(StringRef text, HostTensor &tensor,
                                 int64_t index) {
  ElementKind kind = tensor.getKind();
  bool isBoolean = kind == ElementKind::I1;
  unsigned bits = 8 * getElementSize(kind);
  bool isUnsigned = isBoolean || kind == ElementKind::UI8;
  int64_t minimum = isUnsigned ? 0 : llvm::minIntN(bits);
  int64_t maximum = isBoolean    ? 1
                    : isUnsigned ? static_cast<int64_t>(llvm::maxUIntN(bits))
                                 : llvm::maxIntN(bits);
  int64_t value;
  if (isBoolean && (text == "true" || text == "false"))
    value = text == "true";
  else if (text.getAsInteger(10, value) || value < minimum || value > maximum)
    return createStringError(
        quoteName(text) + " is not a value of type " + getElementName(kind) +
        " (allowed: " + Twine(minimum) + " to " + Twine(maximum) + ")");
  tensor.setInteger(index, value);
  return Error::success();
}

Error mlir::meanvar::parseElement(StringRef text, HostTensor &tensor,
                                  int64_t index) {
  return isFloat(tensor.getKind()) ? parseFloatElement(text, tensor, index)
                                   : parseIntegerElement(text, tensor, index);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// Large enough for every shortest double and for six digits in any format.
static constexpr size_t textCapacity = 64;

template <typename T>
static std::string printShortest(T value) {
  char text[textCapacity];
  std::to_chars_result result = std::to_chars(text, text + textCapacity, value);
  return std::string(text, result.ptr);
}

/// Tries ever more digits of the exact value until they name the same 16 bits.
static std::string printShortestSmallFloat(double value, ElementKind kind) {
  constexpr int enoughDigits = 5;
  for (int digits = 1;; ++digits) {
    char text[textCapacity];
    std::to_chars_result result = std::to_chars(
        text, text + textCapacity, value, std::chars_format::general, digits);
    StringRef shown(text, result.ptr - text);
    if (digits == enoughDigits)
      return shown.str();
    APFloat parsed = *parseFloat(shown, kind);
    bool losesInfo;
    parsed.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    if (parsed.convertToDouble() == value)
      return shown.str();
  }
}

std::string mlir::meanvar::printElement(const HostTensor &tensor,
                                        int64_t index) {
  ElementKind kind = tensor.getKind();
  if (!isFloat(kind))
    return std::to_string(tensor.getInteger(index));
  double value = tensor.getFloat(index);
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  if (kind == ElementKind::F64)
    return printShortest(value);
  if (kind == ElementKind::F32)
    return printShortest(static_cast<float>(value));
  return printShortestSmallFloat(value, kind);
}
