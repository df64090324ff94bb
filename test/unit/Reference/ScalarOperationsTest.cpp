//===- ScalarOperationsTest.cpp - Tests of arith and math on numbers ------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Reference/ScalarOperations.h"
#include "../TensorIO/TensorTesting.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::meanvar;

namespace {
class ScalarOperationsTest : public ::testing::Test {
protected:
  ScalarOperationsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        math::MathDialect>();
  }

  /// Returns an operation on %x and %y of the given type.
  Operation *parse(const std::string &operation, const std::string &type) {
    module = parseSourceString<ModuleOp>(
        "func.func private @f(%x: " + type + ", %y: " + type +
            ") {\n  %0 = " + operation + "\n  return\n}",
        ParserConfig(&context));
    auto function = *module->getOps<func::FuncOp>().begin();
    return &function.getBody().front().front();
  }

  Approximation evaluate(const std::string &operation, const std::string &type,
                         ArrayRef<Approximation> operands) {
    Operation *op = parse(operation, type);
    return llvm::cantFail(getScalarFunction(op))(op, operands);
  }

  /// Evaluates an operation, such as "arith.addf", on determined operands.
  long double evaluateOn(const std::string &name, const std::string &type,
                         std::vector<long double> values) {
    std::vector<Approximation> operands;
    for (long double value : values)
      operands.push_back({value, 0});
    std::string text = name + (values.size() == 1 ? " %x : " : " %x, %y : ");
    Approximation result = evaluate(text + type, type, operands);
    EXPECT_TRUE(result.isDetermined()) << name;
    return result.value;
  }

  std::string getMessage(const std::string &operation,
                         const std::string &type) {
    auto function = getScalarFunction(parse(operation, type));
    return function ? "no error" : llvm::toString(function.takeError());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

//===----------------------------------------------------------------------===//
// Determined operands
//===----------------------------------------------------------------------===//

template <typename Float>
struct BinaryOperation {
  const char *name;
  Float (*compute)(Float, Float);
};

/// The maximum of IEEE 754-2019: NaN wins, and 0 is larger than -0.
template <typename Float>
Float maximum(Float x, Float y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  if (x == 0 && y == 0)
    return std::signbit(x) ? y : x;
  return std::max(x, y);
}

template <typename Float>
Float minimum(Float x, Float y) {
  return -maximum<Float>(-x, -y);
}

/// Every operation of the processor's own arithmetic.
template <typename Float>
const BinaryOperation<Float> binaryOperations[] = {
    {"arith.addf", [](Float x, Float y) { return x + y; }},
    {"arith.subf", [](Float x, Float y) { return x - y; }},
    {"arith.mulf", [](Float x, Float y) { return x * y; }},
    {"arith.divf", [](Float x, Float y) { return x / y; }},
    {"arith.maximumf", maximum<Float>},
    {"arith.minimumf", minimum<Float>},
};

template <typename Float>
std::vector<Float> getInterestingValues() {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> values = {0,
                               1,
                               3,
                               Float(0.1),
                               Float(1) / 3,
                               1 + Limits::epsilon(),
                               Float(1e10),
                               Limits::min(),
                               Limits::denorm_min(),
                               3 * Limits::denorm_min(),
                               Limits::max(),
                               Limits::max() / 2,
                               Limits::infinity(),
                               Limits::quiet_NaN()};
  for (size_t i = 0, size = values.size(); i < size; ++i)
    values.push_back(-values[i]);
  return values;
}

template <typename Float>
void expectSame(long double actual, Float expected, const std::string &what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what;
    return;
  }
  EXPECT_EQ(actual, expected) << what;
  EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << what;
}

/// Returns true for divisions whose infinite quotients have the sign of a zero.
template <typename Float>
bool isDivisionByZero(llvm::StringRef name, Float x, Float y) {
  return name == "arith.divf" && y == 0 && std::isinf(x / y);
}

#define EXPECT_HOST_ARITHMETIC(Float, type)                                    \
  for (const auto &operation : binaryOperations<Float>) {                      \
    Operation *op =                                                            \
        parse(std::string(operation.name) + " %x, %y : " type, type);          \
    ScalarFunction function = llvm::cantFail(getScalarFunction(op));           \
    for (Float x : getInterestingValues<Float>())                              \
      for (Float y : getInterestingValues<Float>()) {                          \
        if (isDivisionByZero(operation.name, x, y))                            \
          continue;                                                            \
        expectSame(function(op, {{x, 0}, {y, 0}}).value,                       \
                   operation.compute(x, y),                                    \
                   operation.name + (" " + std::to_string(x)) + ", " +         \
                       std::to_string(y));                                     \
      }                                                                        \
  }

TEST_F(ScalarOperationsTest, F32IsThatOfTheHost) {
  EXPECT_HOST_ARITHMETIC(float, "f32");
}

TEST_F(ScalarOperationsTest, F64IsThatOfTheHost) {
  EXPECT_HOST_ARITHMETIC(double, "f64");
}

TEST_F(ScalarOperationsTest, SquareRootsAreThoseOfTheHost) {
  for (float x : getInterestingValues<float>())
    expectSame(evaluateOn("math.sqrt", "f32", {x}), std::sqrt(x), "f32");
  for (double x : getInterestingValues<double>())
    expectSame(evaluateOn("math.sqrt", "f64", {x}), std::sqrt(x), "f64");
}

TEST_F(ScalarOperationsTest, SignsAndWidths) {
  for (double x : getInterestingValues<double>()) {
    expectSame(evaluateOn("arith.negf", "f64", {x}), -x, "negf");
    expectSame(evaluateOn("math.absf", "f64", {x}), std::abs(x), "absf");
    Approximation number{x, 0};
    expectSame(evaluate("arith.truncf %x : f64 to f32", "f64", number).value,
               static_cast<float>(x), "truncf");
    expectSame(evaluate("arith.extf %x : f32 to f64", "f32", number).value, x,
               "extf");
  }
}

TEST_F(ScalarOperationsTest, KnownValuesOfF16) {
  EXPECT_EQ(evaluateOn("arith.addf", "f16", {2048, 1}), 2048);
  EXPECT_EQ(evaluateOn("arith.addf", "f16", {2050, 1}), 2052);
  EXPECT_EQ(evaluateOn("arith.addf", "f16", {65504, 15}), 65504);
  EXPECT_EQ(evaluateOn("arith.addf", "f16", {65504, 16}), INFINITY);
  EXPECT_EQ(evaluateOn("arith.subf", "f16", {1, 0x1p-12L}), 1);
  EXPECT_EQ(evaluateOn("arith.mulf", "f16", {0x1p-24L, 0.5L}), 0);
  EXPECT_EQ(evaluateOn("arith.mulf", "f16", {3 * 0x1p-24L, 0.5L}), 0x1p-23L);
  EXPECT_EQ(evaluateOn("arith.divf", "f16", {1, 3}), 0x1.554p-2L);
  EXPECT_EQ(evaluateOn("math.sqrt", "f16", {2}), 0x1.6ap0L);
}

TEST_F(ScalarOperationsTest, KnownValuesOfBF16) {
  EXPECT_EQ(evaluateOn("arith.addf", "bf16", {256, 1}), 256);
  EXPECT_EQ(evaluateOn("arith.addf", "bf16", {258, 1}), 260);
  EXPECT_EQ(evaluateOn("arith.mulf", "bf16", {0x1.fep127L, 2}), INFINITY);
  EXPECT_EQ(evaluateOn("arith.divf", "bf16", {1, 3}), 0x1.56p-2L);
  EXPECT_EQ(evaluateOn("math.sqrt", "bf16", {2}), 0x1.6ap0L);
}

TEST_F(ScalarOperationsTest, LibraryFunctionsHaveAnError) {
  for (auto [name, compute] :
       {std::pair(
            "math.exp", +[](double x) { return std::exp(x); }),
        std::pair(
            "math.tanh", +[](double x) { return std::tanh(x); }),
        std::pair("math.rsqrt", +[](double x) { return 1 / std::sqrt(x); })})
    for (double x : {0.1, 1.0, 2.5, 30.0}) {
      Approximation result =
          evaluate(std::string(name) + " %x : f32", "f32", {{x, 0}});
      EXPECT_NEAR(result.value / compute(x), 1, 1e-15) << name << x;
      EXPECT_EQ(result.error, 4 * getUlp(ElementKind::F32, result.value));
    }
}

TEST_F(ScalarOperationsTest, InfinitiesWithTheSignOfAZeroAreUnknown) {
  for (double zero : {0.0, -0.0}) {
    for (double x : {1.0, -1.0, double(INFINITY)})
      EXPECT_TRUE(
          evaluate("arith.divf %x, %y : f32", "f32", {{x, 0}, {zero, 0}})
              .isUnknown());
    EXPECT_TRUE(
        evaluate("math.rsqrt %x : f32", "f32", {{zero, 0}}).isUnknown());
    EXPECT_TRUE(std::isnan(evaluateOn("arith.divf", "f32", {0, zero})));
  }
}

TEST_F(ScalarOperationsTest, LibraryFunctionsOfSpecialValues) {
  EXPECT_EQ(evaluateOn("math.exp", "f32", {INFINITY}), INFINITY);
  EXPECT_EQ(evaluateOn("math.exp", "f32", {100}), INFINITY);
  EXPECT_TRUE(std::isnan(evaluateOn("math.rsqrt", "f32", {-1})));
  EXPECT_TRUE(std::isnan(evaluateOn("math.tanh", "f32", {NAN})));
}

TEST_F(ScalarOperationsTest, IntegersWrap) {
  EXPECT_EQ(evaluateOn("arith.addi", "i32", {2147483647, 1}), -2147483648.0L);
  EXPECT_EQ(evaluateOn("arith.subi", "i8", {-128, 1}), 127);
  EXPECT_EQ(evaluateOn("arith.muli", "i16", {256, 256}), 0);
  EXPECT_EQ(evaluateOn("arith.muli", "i64", {0x1p62L, 2}), -0x1p63L);
  EXPECT_EQ(evaluateOn("arith.addi", "index", {3, 4}), 7);
  Approximation number{300, 0};
  EXPECT_EQ(
      evaluate("arith.index_cast %x : index to i8", "index", number).value, 44);
}

TEST_F(ScalarOperationsTest, IntegersDivide) {
  EXPECT_EQ(evaluateOn("arith.divsi", "i32", {-7, 2}), -3);
  EXPECT_EQ(evaluateOn("arith.divui", "i64", {7, 2}), 3);
  // What compiled code makes of divisors that would trap.
  EXPECT_EQ(evaluateOn("arith.divsi", "i32", {7, 0}), 7);
  EXPECT_EQ(evaluateOn("arith.divui", "i64", {7, 0}), 7);
  EXPECT_EQ(evaluateOn("arith.divsi", "i64", {-0x1p63L, -1}), -0x1p63L);
}

TEST_F(ScalarOperationsTest, ExtremesOfIntegers) {
  EXPECT_EQ(evaluateOn("arith.maxsi", "i8", {-3, 2}), 2);
  EXPECT_EQ(evaluateOn("arith.minsi", "i8", {-3, 2}), -3);
  EXPECT_EQ(evaluateOn("math.absi", "i8", {-3}), 3);
  EXPECT_EQ(evaluateOn("math.absi", "i8", {-128}), -128);
}

TEST_F(ScalarOperationsTest, IntegersConvert) {
  auto convert = [&](const std::string &name, const std::string &from,
                     const std::string &to, long double value) {
    return evaluate(name + " %x : " + from + " to " + to, from,
                    Approximation{value, 0})
        .value;
  };
  EXPECT_EQ(convert("arith.extsi", "i8", "i32", -1), -1);
  EXPECT_EQ(convert("arith.extui", "i8", "i32", -1), 255);
  EXPECT_EQ(convert("arith.extui", "i1", "i8", -1), 1);
  EXPECT_EQ(convert("arith.trunci", "i32", "i8", 300), 44);
  EXPECT_EQ(convert("arith.sitofp", "i8", "f32", -1), -1);
  EXPECT_EQ(convert("arith.uitofp", "i8", "f32", -56), 200);
  EXPECT_EQ(convert("arith.uitofp", "i1", "f32", -1), 1);
  EXPECT_EQ(convert("arith.sitofp", "i32", "f32", 16777217), 16777216);
}

TEST_F(ScalarOperationsTest, FloatsBecomeIntegers) {
  auto convert = [&](long double value) {
    return evaluate("arith.fptosi %x : f32 to i8", "f32",
                    Approximation{value, 0});
  };
  EXPECT_EQ(convert(-2.75).value, -2);
  EXPECT_EQ(convert(127.5).value, 127);
  EXPECT_TRUE(convert(300).isUnknown());
  EXPECT_TRUE(convert(NAN).isUnknown());
}

TEST_F(ScalarOperationsTest, ComparedFloats) {
  EXPECT_EQ(evaluateOn("arith.cmpf une,", "f32", {0, -0.0L}), 0);
  EXPECT_EQ(evaluateOn("arith.cmpf une,", "f32", {0, NAN}), -1);
  EXPECT_EQ(evaluateOn("arith.cmpf olt,", "f32", {1, 2}), -1);
}

TEST_F(ScalarOperationsTest, Selects) {
  for (long double condition : {-1, 0})
    EXPECT_EQ(evaluate("arith.select %x, %x, %y : i1", "i1",
                       {{condition, 0}, {5, 0}, {7, 0}})
                  .value,
              condition != 0 ? 5 : 7);
}

TEST_F(ScalarOperationsTest, ComparedIntegers) {
  EXPECT_EQ(evaluateOn("arith.cmpi slt,", "i32", {-1, 1}), -1); // true
  EXPECT_EQ(evaluateOn("arith.cmpi ult,", "i32", {-1, 1}), 0);
  EXPECT_EQ(evaluateOn("arith.cmpi eq,", "index", {5, 5}), -1);
}

//===----------------------------------------------------------------------===//
// Uncertain operands
//===----------------------------------------------------------------------===//

TEST_F(ScalarOperationsTest, ErrorsAreBounds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  // Multiples of 2^-20, so that the ends of ranges are numbers of f64.
  auto makeMultiple = [&](double range) {
    return std::floor(range * uniform(random) * 0x1p20) * 0x1p-20;
  };
  auto makeNumber = [&] {
    return Approximation{0.5L + makeMultiple(2), makeMultiple(0.3)};
  };
  auto move = [&](const Approximation &number) {
    long double share = std::round(4 * uniform(random) - 2) / 2;
    return Approximation{number.value + share * number.error, 0};
  };
  for (const char *name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf",
        "arith.maximumf", "arith.minimumf", "math.sqrt", "math.rsqrt",
        "math.exp", "math.tanh", "arith.negf", "math.absf"}) {
    bool isUnary = StringRef(name).starts_with("math") ||
                   StringRef(name).ends_with("negf");
    Operation *op = parse(
        std::string(name) + (isUnary ? " %x : f64" : " %x, %y : f64"), "f64");
    ScalarFunction function = llvm::cantFail(getScalarFunction(op));
    long double tightest = 0;
    for (int trial = 0; trial < 5000; ++trial) {
      Approximation x = makeNumber(), y = makeNumber();
      Approximation outer = function(op, {x, y});
      Approximation inner = function(op, {move(x), move(y)});
      ASSERT_FALSE(outer.isUnknown()) << name;
      long double reach = std::abs(inner.value - outer.value);
      ASSERT_LE(reach, outer.error)
          << name << " of " << x.value << " +- " << x.error;
      tightest = std::max(tightest, reach / outer.error);
    }
    EXPECT_GT(tightest, 0.7) << name;
  }
}

TEST_F(ScalarOperationsTest, TruncationAddsItsRounding) {
  Approximation result =
      evaluate("arith.truncf %x : f64 to f16", "f64", {{1.5L, 0x1p-20L}});
  EXPECT_EQ(result.value, 1.5L);
  EXPECT_EQ(result.error, 0x1p-20L + 0x1p-11L);
  EXPECT_TRUE(evaluate("arith.truncf %x : f64 to f16", "f64", {{65500, 30}})
                  .isUnknown());
}

TEST_F(ScalarOperationsTest, WhatErrorsLeaveOpenIsUnknown) {
  Approximation nearZero{0.1L, 0.2L}, one{1, 0}, infinity{INFINITY, 0},
      notANumber{NAN, 0};
  EXPECT_TRUE(
      evaluate("arith.divf %x, %y : f32", "f32", {one, nearZero}).isUnknown());
  EXPECT_TRUE(evaluate("arith.mulf %x, %y : f32", "f32", {infinity, nearZero})
                  .isUnknown());
  EXPECT_TRUE(evaluate("math.sqrt %x : f32", "f32", nearZero).isUnknown());
  EXPECT_TRUE(evaluate("math.rsqrt %x : f32", "f32", nearZero).isUnknown());
  EXPECT_TRUE(
      evaluate("math.exp %x : f32", "f32", {{88.7L, 0.1L}}).isUnknown());
  for (const char *name : {"math.sqrt", "math.rsqrt", "math.exp", "math.tanh",
                           "arith.negf", "math.absf"})
    EXPECT_TRUE(evaluate(std::string(name) + " %x : f32", "f32", makeUnknown())
                    .isUnknown());
  EXPECT_TRUE(evaluate("arith.addf %x, %y : f32", "f32", {one, makeUnknown()})
                  .isUnknown());
  EXPECT_TRUE(std::isnan(
      evaluate("arith.addf %x, %y : f32", "f32", {nearZero, notANumber})
          .value));
  EXPECT_TRUE(evaluate("arith.addi %x, %y : i32", "i32", {one, makeUnknown()})
                  .isUnknown());
  EXPECT_TRUE(
      evaluate("arith.index_cast %x : i32 to index", "i32", makeUnknown())
          .isUnknown());
}

TEST_F(ScalarOperationsTest, ContractedProductsAreNotRounded) {
  Approximation result = evaluate("arith.mulf %x, %y fastmath<contract> : f32",
                                  "f32", {{3, 0}, {5, 0}});
  EXPECT_EQ(result.value, 15);
  EXPECT_EQ(result.error, getUlp(ElementKind::F32, 15) / 2);
  EXPECT_TRUE(evaluate("arith.addf %x, %y fastmath<contract> : f32", "f32",
                       {{3, 0}, {5, 0}})
                  .isDetermined());
}

//===----------------------------------------------------------------------===//
// Refusals, and attributes
//===----------------------------------------------------------------------===//

TEST_F(ScalarOperationsTest, RefusesUnknownOperations) {
  EXPECT_EQ(getMessage("math.sin %x : f32", "f32"),
            "the reference does not evaluate 'math.sin'");
}

TEST_F(ScalarOperationsTest, RefusesUnknownTypes) {
  EXPECT_EQ(getMessage("arith.truncf %x : f32 to f8E5M2", "f32"),
            "the reference does not evaluate 'arith.truncf' of type 'f8E5M2'");
  EXPECT_EQ(getMessage("arith.addi %x, %y : i7", "i7"),
            "the reference does not evaluate 'arith.addi' of type 'i7'");
}

TEST_F(ScalarOperationsTest, RefusesFastMath) {
  const char *reason = "with fastmath<none>, fastmath<contract> and "
                       "to_nearest_even only";
  EXPECT_THAT_TEXT(
      getMessage("arith.addf %x, %y fastmath<reassoc> : f32", "f32"), reason);
  EXPECT_THAT_TEXT(getMessage("math.exp %x fastmath<fast> : f32", "f32"),
                   reason);
  EXPECT_THAT_TEXT(
      getMessage("arith.truncf %x to_nearest_away : f64 to f32", "f64"),
      reason);
}

TEST_F(ScalarOperationsTest, NumbersOfAttributes) {
  auto getValue = [&](StringRef text) {
    return getNumber(parseAttribute(text, &context));
  };
  EXPECT_EQ(getValue("1.5 : f16")->value, 1.5L);
  EXPECT_EQ(getValue("-3 : i32")->value, -3);
  EXPECT_EQ(getValue("true")->value, -1);
  EXPECT_EQ(getValue("5 : index")->value, 5);
  EXPECT_FALSE(getValue("5 : i128"));
  EXPECT_FALSE(getValue("1.0 : f128"));
  EXPECT_FALSE(getValue("\"text\""));
}
} // namespace
