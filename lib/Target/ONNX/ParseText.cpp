//===- ParseText.cpp - The textual form of ONNX models --------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parser by recursive descent, one function for each construct, that builds
// the message which the binary form would hold.
//
//===----------------------------------------------------------------------===//

#include "ParseText.h"

#include "Model.h"
#include "Names.h"
#include "meanvar/TensorIO/Quote.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace mlir::meanvar;
using onnx::AttributeProto;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Names = google::protobuf::RepeatedPtrField<std::string>;

namespace {
class TextParser {
public:
  TextParser(StringRef text, StringRef path, MLIRContext *context)
      : text(text), path(path), context(context) {}

  LogicalResult parseModel(onnx::ModelProto &model);

private:
  // Characters and tokens.
  LogicalResult error(const Twine &message);
  void skipSpace();
  bool accept(StringRef token);
  LogicalResult expect(StringRef token, const Twine &where);
  bool isAt(char c);
  bool isAtName();
  LogicalResult parseName(std::string &name, const Twine &what);
  LogicalResult parseString(std::string &value);
  LogicalResult parseInteger(int64_t &value, const Twine &what);
  StringRef takeNumber();
  LogicalResult parseList(StringRef end, const Twine &what,
                          function_ref<LogicalResult()> parseElement);

  // Parts of a model.
  LogicalResult parseModelProperty(onnx::ModelProto &model);
  LogicalResult parseOpsets(
      google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &opsets);
  LogicalResult parseStringPair(onnx::StringStringEntryProto &entry);
  LogicalResult parseFunction(onnx::FunctionProto &function);
  LogicalResult parseFunctionAttribute(onnx::FunctionProto &function);
  LogicalResult parseGraph(onnx::GraphProto &graph);
  LogicalResult parseGraphBody(onnx::GraphProto &graph);
  LogicalResult parseNodes(Nodes &nodes);
  LogicalResult parseNode(onnx::NodeProto &node);
  LogicalResult parseOperator(onnx::NodeProto &node);
  LogicalResult parseNames(StringRef end, Names &names);

  // Types and values.
  std::optional<int32_t> findElementTypeHere();
  LogicalResult parseType(onnx::TypeProto &type);
  LogicalResult parseValueInfo(onnx::GraphProto &graph,
                               onnx::ValueInfoProto &info, bool &hasValue);
  LogicalResult parseTensor(const onnx::TypeProto &type,
                            onnx::TensorProto &tensor);
  LogicalResult parseElement(onnx::TensorProto &tensor);
  LogicalResult parseAttribute(AttributeProto &attribute);
  LogicalResult parseAttributeValue(AttributeProto &attribute);
  LogicalResult parseAttributeNumber(AttributeProto &attribute);
  LogicalResult parseAttributeList(AttributeProto &attribute);

  /// Graphs nest in attributes.
  static constexpr int maxNesting = 64;

  StringRef text, path;
  MLIRContext *context;
  size_t position = 0;
  int nesting = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Characters and tokens
//===----------------------------------------------------------------------===//

LogicalResult TextParser::error(const Twine &message) {
  StringRef before = text.take_front(position);
  size_t line = before.count('\n') + 1;
  size_t column = position - (before.rfind('\n') + 1) + 1;
  Location loc = FileLineColLoc::get(context, path, line, column);
  return emitError(loc) << message;
}

void TextParser::skipSpace() {
  while (position < text.size()) {
    if (llvm::isSpace(text[position]))
      ++position;
    else if (text[position] == '#')
      position = std::min(text.find('\n', position), text.size());
    else
      return;
  }
}

bool TextParser::accept(StringRef token) {
  skipSpace();
  if (!text.substr(position).starts_with(token))
    return false;
  position += token.size();
  return true;
}

LogicalResult TextParser::expect(StringRef token, const Twine &where) {
  if (accept(token))
    return success();
  return error("expected '" + token + "' " + where);
}

bool TextParser::isAt(char c) {
  skipSpace();
  return position < text.size() && text[position] == c;
}

static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }

bool TextParser::isAtName() {
  skipSpace();
  return position < text.size() && isNameStart(text[position]);
}

/// Parses a name: an identifier, or any name as a string.
LogicalResult TextParser::parseName(std::string &name, const Twine &what) {
  if (isAt('"'))
    return parseString(name);
  if (!isAtName())
    return error("expected " + what);
  name = text.substr(position)
             .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
             .str();
  position += name.size();
  return success();
}

LogicalResult TextParser::parseString(std::string &value) {
  skipSpace();
  size_t start = position;
  if (!accept("\""))
    return error("expected a string");
  value.clear();
  for (; position < text.size() && text[position] != '"'; ++position) {
    if (text[position] == '\\' && position + 1 < text.size())
      ++position;
    value += text[position];
  }
  if (position == text.size()) {
    position = start;
    return error("the string has no end");
  }
  ++position;
  return success();
}

/// Takes what looks like a number.
StringRef TextParser::takeNumber() {
  skipSpace();
  StringRef rest = text.substr(position), number = rest;
  number.consume_front("-") || number.consume_front("+");
  StringRef end = number.ltrim("0123456789.");
  if (end.size() < number.size() &&
      (end.starts_with("e") || end.starts_with("E"))) {
    StringRef exponent = end.drop_front();
    exponent.consume_front("-") || exponent.consume_front("+");
    StringRef after = exponent.ltrim("0123456789");
    if (after.size() < exponent.size())
      end = after;
  } else if (end.size() == number.size() &&
             (end.consume_front("inf") || end.consume_front("nan"))) {
    end.consume_front("inity");
  }
  number = rest.drop_back(end.size());
  position += number.size();
  return number;
}

LogicalResult TextParser::parseInteger(int64_t &value, const Twine &what) {
  skipSpace();
  size_t start = position;
  StringRef number = takeNumber();
  number.consume_front("+");
  if (!number.getAsInteger(10, value))
    return success();
  position = start;
  return error("expected " + what + ", an integer of 64 bits");
}

/// Parses elements with commas between, up to `end`.
LogicalResult
TextParser::parseList(StringRef end, const Twine &what,
                      function_ref<LogicalResult()> parseElement) {
  if (accept(end))
    return success();
  do {
    if (failed(parseElement()))
      return failure();
  } while (accept(","));
  return expect(end, "or ',' after " + what);
}

//===----------------------------------------------------------------------===//
// Models and functions
//===----------------------------------------------------------------------===//

LogicalResult TextParser::parseStringPair(onnx::StringStringEntryProto &entry) {
  return failure(failed(parseString(*entry.mutable_key())) ||
                 failed(expect(":", "after the key")) ||
                 failed(parseString(*entry.mutable_value())));
}

LogicalResult TextParser::parseOpsets(
    google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto> &opsets) {
  if (failed(expect("[", "before the imported opsets")))
    return failure();
  return parseList("]", "an imported opset", [&]() -> LogicalResult {
    onnx::OperatorSetIdProto &opset = *opsets.Add();
    int64_t version = 0;
    if (failed(parseString(*opset.mutable_domain())) ||
        failed(expect(":", "after the domain")) ||
        failed(parseInteger(version, "the version of the opset")))
      return failure();
    opset.set_version(version);
    return success();
  });
}

LogicalResult TextParser::parseModelProperty(onnx::ModelProto &model) {
  std::string name, ignored;
  if (failed(parseName(name, "a property of the model")) ||
      failed(expect(":", "after the property")))
    return failure();
  if (name == "opset_import")
    return parseOpsets(*model.mutable_opset_import());
  if (name == "metadata_props") {
    if (failed(expect("[", "before the metadata")))
      return failure();
    return parseList("]", "an entry", [&] {
      return parseStringPair(*model.add_metadata_props());
    });
  }
  if (llvm::is_contained(
          {"producer_name", "producer_version", "domain", "doc_string"},
          StringRef(name)))
    return parseString(ignored);
  int64_t value = 0;
  if (name != "ir_version" && name != "model_version")
    return error("the model has no property " + quoteName(name));
  if (failed(parseInteger(value, "a version")))
    return failure();
  if (name == "ir_version")
    model.set_ir_version(value);
  return success();
}

LogicalResult TextParser::parseModel(onnx::ModelProto &model) {
  if (failed(expect("<", "at the beginning of a model")) ||
      failed(parseList(">", "a property of the model",
                       [&] { return parseModelProperty(model); })) ||
      failed(parseGraph(*model.mutable_graph())))
    return failure();
  while (isAt('<'))
    if (failed(parseFunction(*model.add_functions())))
      return failure();
  if (position == text.size())
    return success();
  return error("expected a function of the model, which begins with '<', or "
               "the end");
}

/// Parses an attribute that a function takes, with the default value if there
/// is one. The packaged headers do not know the field of the latter.
LogicalResult
TextParser::parseFunctionAttribute(onnx::FunctionProto &function) {
  constexpr int attributeProtoField = 11;
  std::string name;
  size_t start = position;
  if (failed(parseName(name, "an attribute")))
    return failure();
  if (!isAt(':') && !isAt('=')) {
    function.add_attribute(name);
    return success();
  }
  position = start;
  AttributeProto attribute;
  if (failed(parseAttribute(attribute)))
    return failure();
  function.mutable_unknown_fields()->AddLengthDelimited(
      attributeProtoField, attribute.SerializeAsString());
  return success();
}

LogicalResult TextParser::parseFunction(onnx::FunctionProto &function) {
  constexpr int overloadField = 13;
  auto parseProperty = [&]() -> LogicalResult {
    std::string name, value;
    if (failed(parseName(name, "a property of the function")) ||
        failed(expect(":", "after the property")))
      return failure();
    if (name == "opset_import")
      return parseOpsets(*function.mutable_opset_import());
    if (!llvm::is_contained({"domain", "overload", "doc_string"},
                            StringRef(name)))
      return error("a function has no property " + quoteName(name));
    if (failed(parseString(value)))
      return failure();
    if (name == "domain")
      function.set_domain(value);
    if (name == "overload")
      function.mutable_unknown_fields()->AddLengthDelimited(overloadField,
                                                            value);
    return success();
  };
  if (failed(expect("<", "before the properties of a function")) ||
      failed(parseList(">", "a property of the function", parseProperty)) ||
      failed(parseName(*function.mutable_name(), "the name of a function")))
    return failure();
  if (accept("<") && failed(parseList(">", "an attribute", [&] {
        return parseFunctionAttribute(function);
      })))
    return failure();
  return failure(failed(expect("(", "before the inputs of the function")) ||
                 failed(parseNames(")", *function.mutable_input())) ||
                 failed(expect("=>", "after the inputs of the function")) ||
                 failed(expect("(", "before the outputs of the function")) ||
                 failed(parseNames(")", *function.mutable_output())) ||
                 failed(parseNodes(*function.mutable_node())));
}

//===----------------------------------------------------------------------===//
// Graphs and nodes
//===----------------------------------------------------------------------===//

LogicalResult TextParser::parseGraph(onnx::GraphProto &graph) {
  if (++nesting > maxNesting)
    return error("graphs are nested deeper than " + Twine(maxNesting));
  LogicalResult parsed = parseGraphBody(graph);
  --nesting;
  return parsed;
}

LogicalResult TextParser::parseGraphBody(onnx::GraphProto &graph) {
  bool hasValue = false;
  auto parseInput = [&] {
    return parseValueInfo(graph, *graph.add_input(), hasValue);
  };
  auto parseOutput = [&] {
    return parseValueInfo(graph, *graph.add_output(), hasValue);
  };
  auto parseDeclaration = [&]() -> LogicalResult {
    onnx::ValueInfoProto info;
    if (failed(parseValueInfo(graph, info, hasValue)))
      return failure();
    if (!hasValue)
      *graph.add_value_info() = info;
    return success();
  };
  if (failed(parseName(*graph.mutable_name(), "the name of a graph")) ||
      failed(expect("(", "before the inputs of the graph")) ||
      failed(parseList(")", "an input of the graph", parseInput)) ||
      failed(expect("=>", "after the inputs of the graph")) ||
      failed(expect("(", "before the outputs of the graph")) ||
      failed(parseList(")", "an output of the graph", parseOutput)))
    return failure();
  if (accept("<") && failed(parseList(">", "an initializer", parseDeclaration)))
    return failure();
  return parseNodes(*graph.mutable_node());
}

LogicalResult TextParser::parseNames(StringRef end, Names &names) {
  return parseList(end, "a name", [&] {
    return parseName(*names.Add(), "the name of a value");
  });
}

LogicalResult TextParser::parseNodes(Nodes &nodes) {
  if (failed(expect("{", "before the nodes")))
    return failure();
  while (!accept("}")) {
    if (failed(parseNode(*nodes.Add())))
      return failure();
    accept(";");
  }
  return success();
}

LogicalResult TextParser::parseNode(onnx::NodeProto &node) {
  if (accept("[") &&
      (failed(parseName(*node.mutable_name(), "the name of a node")) ||
       failed(expect("]", "after the name of a node"))))
    return failure();
  if (failed(parseNames("=", *node.mutable_output())) ||
      failed(parseOperator(node)))
    return failure();
  auto parseAttributes = [&]() -> LogicalResult {
    if (!accept("<"))
      return success();
    return parseList(">", "an attribute",
                     [&] { return parseAttribute(*node.add_attribute()); });
  };
  return failure(failed(parseAttributes()) ||
                 failed(expect("(", "before the inputs of the node")) ||
                 failed(parseNames(")", *node.mutable_input())) ||
                 failed(parseAttributes()));
}

/// Parses `domain.Operator:overload`.
LogicalResult TextParser::parseOperator(onnx::NodeProto &node) {
  constexpr int overloadField = 8;
  std::string part;
  SmallVector<std::string> parts;
  do {
    if (failed(parseName(part, "an operator")))
      return failure();
    parts.push_back(part);
  } while (accept("."));
  node.set_op_type(parts.pop_back_val());
  node.set_domain(llvm::join(parts, "."));
  if (!accept(":"))
    return success();
  if (failed(parseName(part, "an overload")))
    return failure();
  node.mutable_unknown_fields()->AddLengthDelimited(overloadField, part);
  return success();
}

//===----------------------------------------------------------------------===//
// Types and tensors
//===----------------------------------------------------------------------===//

/// Returns the number of the element type `name`, or nothing.
static std::optional<int32_t> findElementType(StringRef name) {
  constexpr int32_t numTypes = 29;
  for (int32_t type = 1; type < numTypes; ++type)
    if (getDataTypeName(type) == name)
      return type;
  return std::nullopt;
}

/// Returns the element type that comes next, if one does.
std::optional<int32_t> TextParser::findElementTypeHere() {
  size_t start = position;
  std::string name;
  std::optional<int32_t> type;
  if (isAtName() && succeeded(parseName(name, "a type")))
    type = findElementType(name);
  position = start;
  return type;
}

/// Parses `float`, which has rank 0, `float[]`, which has no shape, or
/// `float[N, 4, ?]`. There is an element type here.
LogicalResult TextParser::parseType(onnx::TypeProto &type) {
  onnx::TypeProto::Tensor &tensor = *type.mutable_tensor_type();
  std::string name;
  tensor.set_elem_type(*findElementTypeHere());
  if (failed(parseName(name, "a type")))
    return failure();
  bool hasSizes = accept("[");
  if (hasSizes && accept("]"))
    return success();
  onnx::TensorShapeProto &shape = *tensor.mutable_shape();
  if (!hasSizes)
    return success();
  return parseList("]", "a size", [&]() -> LogicalResult {
    auto &dim = *shape.add_dim();
    if (accept("?"))
      return success();
    if (isAtName() || isAt('"'))
      return parseName(*dim.mutable_dim_param(), "a size");
    int64_t size = 0;
    if (failed(parseInteger(size, "a size")))
      return failure();
    dim.set_dim_value(size);
    return success();
  });
}

/// Parses a value with or without type, and its elements if it is an
/// initializer.
LogicalResult TextParser::parseValueInfo(onnx::GraphProto &graph,
                                         onnx::ValueInfoProto &info,
                                         bool &hasValue) {
  if (findElementTypeHere() && failed(parseType(*info.mutable_type())))
    return failure();
  if (failed(parseName(*info.mutable_name(), "the name of a value")))
    return failure();
  hasValue = accept("=");
  if (!hasValue)
    return success();
  onnx::TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(info.name());
  return parseTensor(info.type(), tensor);
}

/// Parses the elements of a tensor of type `type`, or where they are.
LogicalResult TextParser::parseTensor(const onnx::TypeProto &type,
                                      onnx::TensorProto &tensor) {
  if (!type.has_tensor_type())
    return error("a tensor needs a type before its name");
  tensor.set_data_type(type.tensor_type().elem_type());
  for (const auto &dim : type.tensor_type().shape().dim()) {
    if (!dim.has_dim_value())
      return error("the sizes of a tensor have to be numbers");
    tensor.add_dims(dim.dim_value());
  }
  if (accept("[")) {
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    return parseList("]", "an entry", [&] {
      return parseStringPair(*tensor.add_external_data());
    });
  }
  if (failed(expect("{", "before the elements of the tensor")))
    return failure();
  return parseList("}", "an element", [&] { return parseElement(tensor); });
}

/// Converts `number` to `value`, rounded to nearest even.
static bool parseFloat(StringRef number, APFloat &value) {
  llvm::Expected<APFloat::opStatus> status =
      value.convertFromString(number, APFloat::rmNearestTiesToEven);
  if (status)
    return true;
  llvm::consumeError(status.takeError());
  return false;
}

LogicalResult TextParser::parseElement(onnx::TensorProto &tensor) {
  if (tensor.data_type() == onnx::TensorProto::FLOAT ||
      tensor.data_type() == onnx::TensorProto::DOUBLE) {
    bool isFloat = tensor.data_type() == onnx::TensorProto::FLOAT;
    APFloat value(isFloat ? APFloat::IEEEsingle() : APFloat::IEEEdouble());
    if (!parseFloat(takeNumber(), value))
      return error("expected a number");
    if (isFloat)
      tensor.add_float_data(value.convertToFloat());
    else
      tensor.add_double_data(value.convertToDouble());
    return success();
  }
  int64_t value = 0;
  if (failed(parseInteger(value, "an element")))
    return failure();
  if (tensor.data_type() == onnx::TensorProto::INT64)
    tensor.add_int64_data(value);
  else if (value == static_cast<int32_t>(value))
    tensor.add_int32_data(static_cast<int32_t>(value));
  else
    return error("the element " + Twine(value) + " does not fit into 32 bits");
  return success();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Parses `name = value`, `name: type = value` or `name: type = @reference`.
LogicalResult TextParser::parseAttribute(AttributeProto &attribute) {
  std::string typeName;
  AttributeProto::AttributeType type = AttributeProto::UNDEFINED;
  if (failed(parseName(*attribute.mutable_name(), "an attribute")))
    return failure();
  if (accept(":")) {
    if (failed(parseName(typeName, "the type of the attribute")))
      return failure();
    if (!AttributeProto::AttributeType_Parse(StringRef(typeName).upper(),
                                             &type))
      return error("attribute " + quoteName(attribute.name()) + " has type " +
                   quoteName(typeName) +
                   " (allowed: float, int, string, tensor, graph, floats, "
                   "ints, strings)");
  }
  if (failed(expect("=", "after the attribute")))
    return failure();
  attribute.set_type(type);
  if (accept("@"))
    return parseName(*attribute.mutable_ref_attr_name(),
                     "an attribute of the function");
  if (failed(parseAttributeValue(attribute)))
    return failure();
  // A number without a point may be meant as one with it, and an empty list as
  // any.
  if (type == AttributeProto::FLOAT &&
      attribute.type() == AttributeProto::INT) {
    attribute.set_f(static_cast<float>(attribute.i()));
    attribute.clear_i();
    attribute.set_type(type);
  }
  if (type == AttributeProto::FLOATS &&
      attribute.type() == AttributeProto::INTS) {
    for (int64_t value : attribute.ints())
      attribute.add_floats(static_cast<float>(value));
    attribute.clear_ints();
    attribute.set_type(type);
  }
  if (type != AttributeProto::UNDEFINED && attribute.type() != type)
    return error("the value of attribute " + quoteName(attribute.name()) +
                 " is not of type " + quoteName(typeName));
  return success();
}

LogicalResult TextParser::parseAttributeValue(AttributeProto &attribute) {
  if (isAt('"')) {
    attribute.set_type(AttributeProto::STRING);
    return parseString(*attribute.mutable_s());
  }
  if (accept("["))
    return parseAttributeList(attribute);
  if (findElementTypeHere()) {
    attribute.set_type(AttributeProto::TENSOR);
    onnx::TypeProto type;
    if (failed(parseType(type)))
      return failure();
    if (isAtName() &&
        failed(parseName(*attribute.mutable_t()->mutable_name(), "a name")))
      return failure();
    accept("=");
    return parseTensor(type, *attribute.mutable_t());
  }
  StringRef word = text.substr(position).take_while(llvm::isAlpha);
  bool isNumber = word == "inf" || word == "infinity" || word == "nan";
  if (isAtName() && !isNumber) {
    attribute.set_type(AttributeProto::GRAPH);
    return parseGraph(*attribute.mutable_g());
  }
  return parseAttributeNumber(attribute);
}

/// Parses a number: an integer where it has neither point nor exponent.
LogicalResult TextParser::parseAttributeNumber(AttributeProto &attribute) {
  skipSpace();
  size_t start = position;
  StringRef number = takeNumber();
  if (!number.contains_insensitive("n") && !number.contains('.') &&
      !number.contains_insensitive("e")) {
    int64_t value = 0;
    position = start;
    attribute.set_type(AttributeProto::INT);
    if (failed(parseInteger(value, "a value")))
      return failure();
    attribute.set_i(value);
    return success();
  }
  APFloat value(APFloat::IEEEsingle());
  attribute.set_type(AttributeProto::FLOAT);
  if (!parseFloat(number, value)) {
    position = start;
    return error("expected a number");
  }
  attribute.set_f(value.convertToFloat());
  return success();
}

LogicalResult TextParser::parseAttributeList(AttributeProto &attribute) {
  attribute.set_type(AttributeProto::INTS);
  bool isFirst = true;
  return parseList("]", "a value", [&]() -> LogicalResult {
    AttributeProto element;
    if (isAt('['))
      return error("a list holds numbers or strings only");
    if (failed(parseAttributeValue(element)))
      return failure();
    AttributeProto::AttributeType type = AttributeProto::INTS;
    if (element.type() == AttributeProto::INT) {
      attribute.add_ints(element.i());
    } else if (element.type() == AttributeProto::FLOAT) {
      type = AttributeProto::FLOATS;
      attribute.add_floats(element.f());
    } else if (element.type() == AttributeProto::STRING) {
      type = AttributeProto::STRINGS;
      attribute.add_strings(element.s());
    } else {
      return error("a list holds numbers or strings only");
    }
    if (!isFirst && type != attribute.type())
      return error("the values of the list have different types");
    attribute.set_type(type);
    isFirst = false;
    return success();
  });
}

FailureOr<std::unique_ptr<onnx::ModelProto>>
meanvar::parseTextModel(StringRef text, StringRef path, MLIRContext *context) {
  auto model = std::make_unique<onnx::ModelProto>();
  if (failed(TextParser(text, path, context).parseModel(*model)))
    return failure();
  return model;
}
