//===- CompiledModuleTest.cpp - Tests of functions compiled in memory -----===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modules are written by hand from docs/CallingConvention.md: what is
// tested is the caller's side of it.
//
//===----------------------------------------------------------------------===//

#include "meanvar/Execution/CompiledModule.h"
#include "../TensorIO/TensorTesting.h"
#include "meanvar/TensorIO/TensorSpec.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::meanvar;

namespace {
/// @scale: tensor<?xf32> times a scalar; at most four elements.
constexpr const char *scaleModule = R"mlir(
!vector = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>

llvm.func @_mlir_ciface_scale(%x: !llvm.ptr, %factor: f32, %y: !llvm.ptr,
                              %detail: !llvm.ptr) -> i32 {
  %0 = llvm.call @scale(%x, %factor, %y, %detail)
      : (!llvm.ptr, f32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %0 : i32
}
llvm.func @scale(%x: !llvm.ptr, %factor: f32, %y: !llvm.ptr,
                 %detail: !llvm.ptr) -> i32
    attributes {meanvar.signature = (tensor<?xf32>, f32) -> tensor<?xf32>,
                meanvar.shape_function = @scale_shape,
                meanvar.input_names = ["x", "factor"],
                meanvar.output_names = ["y"],
                meanvar.messages = ["size {0} exceeds {1}, or {2} of {0}"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %success = llvm.mlir.constant(0 : i32) : i32
  %sizes = llvm.alloca %one x !vector : (i64) -> !llvm.ptr
  %size = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  %sizes_data = llvm.getelementptr %sizes[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  llvm.store %size, %sizes_data : !llvm.ptr, !llvm.ptr
  %status = llvm.call @scale_shape(%x, %factor, %sizes, %detail)
      : (!llvm.ptr, f32, !llvm.ptr, !llvm.ptr) -> i32
  %ok = llvm.icmp "eq" %status, %success : i32
  llvm.cond_br %ok, ^start, ^failure
^failure:
  llvm.return %status : i32
^start:
  %n = llvm.load %size : !llvm.ptr -> i64
  %x_field = llvm.getelementptr %x[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %x_data = llvm.load %x_field : !llvm.ptr -> !llvm.ptr
  %y_field = llvm.getelementptr %y[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %y_data = llvm.load %y_field : !llvm.ptr -> !llvm.ptr
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^done
^body:
  %from = llvm.getelementptr %x_data[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %value = llvm.load %from : !llvm.ptr -> f32
  %product = llvm.fmul %value, %factor : f32
  %to = llvm.getelementptr %y_data[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %product, %to : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^done:
  llvm.return %success : i32
}

llvm.func @_mlir_ciface_scale_shape(%x: !llvm.ptr, %factor: f32,
                                    %sizes: !llvm.ptr, %detail: !llvm.ptr) -> i32 {
  %0 = llvm.call @scale_shape(%x, %factor, %sizes, %detail)
      : (!llvm.ptr, f32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %0 : i32
}
llvm.func @scale_shape(%x: !llvm.ptr, %factor: f32, %sizes: !llvm.ptr,
                       %detail: !llvm.ptr) -> i32 {
  %success = llvm.mlir.constant(0 : i32) : i32
  %too_large = llvm.mlir.constant(1 : i32) : i32
  %limit = llvm.mlir.constant(4 : i64) : i64
  %n_field = llvm.getelementptr %x[0, 3, 0] : (!llvm.ptr) -> !llvm.ptr, !vector
  %n = llvm.load %n_field : !llvm.ptr -> i64
  %bad = llvm.icmp "sgt" %n, %limit : i64
  llvm.cond_br %bad, ^failure, ^good
^failure:
  %detail_field = llvm.getelementptr %detail[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %first = llvm.load %detail_field : !llvm.ptr -> !llvm.ptr
  llvm.store %n, %first : i64, !llvm.ptr
  %second = llvm.getelementptr %first[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %limit, %second : i64, !llvm.ptr
  llvm.return %too_large : i32
^good:
  %sizes_field = llvm.getelementptr %sizes[0, 1] : (!llvm.ptr) -> !llvm.ptr, !vector
  %sizes_data = llvm.load %sizes_field : !llvm.ptr -> !llvm.ptr
  llvm.store %n, %sizes_data : i64, !llvm.ptr
  llvm.return %success : i32
}
)mlir";

/// Returns a module whose function @f runs `body` on `%x` and `%y`, pointers to
/// the only element of an input and an output of the types, and returns
/// `status`.
std::string makeScalarModule(const std::string &inputType,
                             const std::string &outputType,
                             const std::string &body,
                             const std::string &status = "0") {
  std::string parameters = "(%xd: !llvm.ptr, %yd: !llvm.ptr, %d: !llvm.ptr) "
                           "-> i32";
  return R"mlir(
!scalar = !llvm.struct<(ptr, ptr, i64)>
llvm.func @_mlir_ciface_f)mlir" +
         parameters + R"mlir( {
  %0 = llvm.call @f(%xd, %yd, %d) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  llvm.return %0 : i32
}
llvm.func @f)mlir" +
         parameters + " attributes {meanvar.signature = (tensor<" + inputType +
         ">) -> tensor<" + outputType + R"mlir(>,
    meanvar.shape_function = @f_shape, meanvar.messages = []} {
  %status = llvm.mlir.constant()mlir" +
         status + R"mlir( : i32) : i32
  %xf = llvm.getelementptr %xd[0, 1] : (!llvm.ptr) -> !llvm.ptr, !scalar
  %x = llvm.load %xf : !llvm.ptr -> !llvm.ptr
  %yf = llvm.getelementptr %yd[0, 1] : (!llvm.ptr) -> !llvm.ptr, !scalar
  %y = llvm.load %yf : !llvm.ptr -> !llvm.ptr
)mlir" + body +
         R"mlir(
  llvm.return %status : i32
}
llvm.func @_mlir_ciface_f_shape)mlir" +
         parameters + R"mlir( {
  %success = llvm.mlir.constant(0 : i32) : i32
  llvm.return %success : i32
}
)mlir";
}

class CompiledModuleTest : public ::testing::Test {
protected:
  CompiledModuleTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  llvm::Expected<std::unique_ptr<CompiledModule>>
  tryCompile(const std::string &source, const CompileOptions &options = {}) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, ParserConfig(&context));
    if (!module)
      return llvm::createStringError("test module does not parse");
    return CompiledModule::create(*module, options);
  }

  std::unique_ptr<CompiledModule> compile(const std::string &source,
                                          const CompileOptions &options = {}) {
    return llvm::cantFail(tryCompile(source, options));
  }

  std::string compileError(const std::string &source,
                           const CompileOptions &options = {}) {
    auto module = tryCompile(source, options);
    return module ? "" : llvm::toString(module.takeError());
  }

  MLIRContext context;
};

HostTensor parse(llvm::StringRef spec) {
  return llvm::cantFail(parseTensorSpec(spec));
}

/// Runs a function and returns its only result as text, or the error.
std::string run(const CompiledFunction &function,
                std::vector<std::string> specs) {
  std::vector<HostTensor> inputs;
  for (const std::string &spec : specs)
    inputs.push_back(parse(spec));
  auto outputs = function.run(makeViews(inputs));
  return outputs ? print(outputs->front())
                 : llvm::toString(outputs.takeError());
}

TEST_F(CompiledModuleTest, DescribesFunctions) {
  auto module = compile(scaleModule);
  ASSERT_EQ(module->getFunctions().size(), 1u);
  EXPECT_EQ(module->lookup("scale_shape"), nullptr);
  const CompiledFunction *function = module->lookup("scale");
  ASSERT_NE(function, nullptr);
  const FunctionSignature &signature = function->getSignature();
  EXPECT_EQ(signature.inputs[0].str(), "tensor<?xf32>");
  EXPECT_EQ(signature.inputs[1].str(), "f32");
  EXPECT_EQ(signature.inputNames[1], "factor");
  EXPECT_EQ(signature.outputNames[0], "y");
}

TEST_F(CompiledModuleTest, RunsAtEveryLevel) {
  for (unsigned level = 0; level <= 3; ++level) {
    CompileOptions options;
    options.optLevel = level;
    auto module = compile(scaleModule, options);
    const CompiledFunction &function = module->getFunctions().front();
    EXPECT_EQ(run(function, {"3xf32=[1,2,0.5]", "f32=3"}), "3xf32=[3,6,1.5]");
    EXPECT_EQ(run(function, {"0xf32=[]", "f32=3"}), "0xf32=[]");
  }
}

TEST_F(CompiledModuleTest, F1ReportsStatusWithItsDetail) {
  auto module = compile(scaleModule);
  EXPECT_EQ(run(module->getFunctions().front(), {"5xf32=1", "f32=3"}),
            "function 'scale': size 5 exceeds 4, or {2} of 5");
  module = compile(makeScalarModule("f32", "f32", "", /*status=*/"7"));
  EXPECT_EQ(run(module->getFunctions().front(), {"f32=1"}),
            "function 'f' returned the unknown status 7");
}

TEST_F(CompiledModuleTest, ChecksInputs) {
  auto module = compile(scaleModule);
  const CompiledFunction &function = module->getFunctions().front();
  EXPECT_EQ(run(function, {"3xf32=1"}),
            "function 'scale' takes 2 inputs, but got 1");
  EXPECT_EQ(run(function, {"3xf16=1", "f32=1"}),
            "input 0 ('x') of function 'scale' is 'tensor<3xf16>' (allowed: "
            "'tensor<?xf32>')");
  EXPECT_EQ(run(function, {"3x1xf32=1", "f32=1"}),
            "input 0 ('x') of function 'scale' is 'tensor<3x1xf32>' (allowed: "
            "'tensor<?xf32>')");
  EXPECT_EQ(run(function, {"3xf32=1", "f64=1"}),
            "input 1 ('factor') of function 'scale' is 'f64' (allowed: 'f32')");
}

TEST_F(CompiledModuleTest, F2ChecksOutputsAndOverlap) {
  auto module = compile(scaleModule);
  const CompiledFunction &function = module->getFunctions().front();
  HostTensor x = parse("4xf32=[1,2,3,4]"), factor = parse("f32=2");
  SmallVector<TensorView> inputs = {x, factor};

  HostTensor y = parse("3xf32=0");
  EXPECT_EQ(errorText(function.run(inputs, {y})),
            "output 0 of function 'scale' is '3xf32' (allowed: '4xf32')");
  auto *data = reinterpret_cast<float *>(x.getData());
  int64_t size = 3;
  SmallVector<TensorView> shortInputs = {
      TensorView(ElementKind::F32, size, data), factor};
  EXPECT_THAT_TEXT(
      errorText(function.run(shortInputs,
                             {TensorView(ElementKind::F32, size, data + 1)})),
      "output 0 of function 'scale' overlaps input 0");
  EXPECT_EQ(print(x), "4xf32=[1,2,3,4]");

  EXPECT_EQ(errorText(function.run(inputs, {x})), "");
  EXPECT_EQ(print(x), "4xf32=[2,4,6,8]");
}

TEST_F(CompiledModuleTest, RepeatsPreparedCalls) {
  auto module = compile(scaleModule);
  HostTensor x = parse("2xf32=[1,2]"), factor = parse("f32=2"),
             y = parse("2xf32=0");
  PreparedCall call = llvm::cantFail(
      PreparedCall::create(module->getFunctions().front(), {x, factor}, {y}));
  for (int i = 1; i <= 3; ++i) {
    x.setFloat(0, i);
    EXPECT_EQ(errorText(call.run()), "");
    EXPECT_EQ(y.getFloat(0), 2 * i);
  }
}

/// Returns a body that allocates 64 bytes, then by `allocation`, and writes the
/// number 1 to both and to the output.
static std::string makeAllocations(const std::string &allocation) {
  return R"mlir(
  %small = llvm.mlir.constant(64 : i64) : i64
  %count = llvm.mlir.constant(3 : i64) : i64
  %huge = llvm.mlir.constant(4611686018427387904 : i64) : i64
  %one = llvm.mlir.constant(1.0 : f32) : f32
  %first = llvm.call @malloc(%small) : (i64) -> !llvm.ptr
  llvm.store volatile %one, %first : f32, !llvm.ptr
  %second = llvm.call )mlir" +
         allocation + R"mlir( -> !llvm.ptr
  llvm.store volatile %one, %second : f32, !llvm.ptr
  llvm.store %one, %y : f32, !llvm.ptr
  llvm.call @free(%first) : (!llvm.ptr) -> ()
  llvm.call @free(%second) : (!llvm.ptr) -> ())mlir";
}

TEST_F(CompiledModuleTest, ReportsThatMemoryIsShort) {
  const char *functions = R"mlir(
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @calloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
)mlir";
  HostTensor x = parse("f32=0"), y = parse("f32=0");
  for (auto [allocation, bytes] :
       {std::pair("@malloc(%huge) : (i64)", "4611686018427387904"),
        std::pair("@calloc(%huge, %count) : (i64, i64)",
                  "13835058055282163712")}) {
    auto module =
        compile(makeScalarModule("f32", "f32", makeAllocations(allocation)) +
                functions);
    // The next call is not disturbed by the one that was left.
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(errorText(module->getFunctions().front().run({x}, {y})),
                "function 'f': not enough memory for a temporary of " +
                    std::string(bytes) + " bytes");
    EXPECT_EQ(y.getFloat(0), 0);
  }
  auto module = compile(makeScalarModule("f32", "f32",
                                         makeAllocations("@malloc(%small) : "
                                                         "(i64)")) +
                        functions);
  EXPECT_EQ(errorText(module->getFunctions().front().run({x}, {y})), "");
  EXPECT_EQ(y.getFloat(0), 1);
}

TEST_F(CompiledModuleTest, ConvertsSmallFloatsOnAnyCPU) {
  std::string half = makeScalarModule("f16", "f16", R"mlir(
  %a = llvm.load %x : !llvm.ptr -> f16
  %b = llvm.fpext %a : f16 to f32
  %c = llvm.fdiv %b, %b : f32
  %s = llvm.fadd %c, %b : f32
  %e = llvm.fptrunc %s : f32 to f16
  llvm.store %e, %y : f16, !llvm.ptr)mlir");
  std::string bfloat = makeScalarModule("f64", "bf16", R"mlir(
  %a = llvm.load %x : !llvm.ptr -> f64
  %b = llvm.fptrunc %a : f64 to bf16
  llvm.store %b, %y : bf16, !llvm.ptr)mlir");
  SmallVector<std::string> cpus = {"host"};
  // Without instructions for f16, the JIT's own functions are called.
  if (llvm::Triple(llvm::sys::getProcessTriple()).getArch() ==
      llvm::Triple::x86_64)
    cpus.push_back("x86-64");
  for (const std::string &cpu : cpus) {
    CompileOptions options;
    options.targetCPU = cpu;
    EXPECT_EQ(run(compile(half, options)->getFunctions().front(), {"f16=2.25"}),
              "f16=3.25");
    EXPECT_EQ(
        run(compile(bfloat, options)->getFunctions().front(), {"f64=1.0039"}),
        "bf16=1");
  }
}

TEST_F(CompiledModuleTest, RefusesUnknownCPUs) {
  CompileOptions options;
  options.targetCPU = "abacus";
  EXPECT_THAT_TEXT(compileError(scaleModule, options),
                   "target CPU 'abacus' is unknown");
}

TEST_F(CompiledModuleTest, RefusesCPUsThatThisHostIsNot) {
  if (llvm::Triple(llvm::sys::getProcessTriple()).getArch() !=
      llvm::Triple::x86_64)
    GTEST_SKIP() << "the names are those of x86-64";
  CompileOptions options;
  options.targetCPU = "pentium";
  EXPECT_EQ(compileError(scaleModule, options),
            "target CPU 'pentium' has no 64-bit instructions");

  // Of AMD's and Intel's CPUs each has a feature that the other's lack.
  std::string error;
  for (const char *cpu : {"znver4", "diamondrapids"}) {
    options.targetCPU = cpu;
    error = compileError(scaleModule, options);
    if (!error.empty())
      break;
  }
  if (error.empty())
    GTEST_SKIP() << "this host has the features of all";
  EXPECT_THAT_TEXT(error,
                   "target CPU '" + options.targetCPU + "' has the feature '");
  EXPECT_THAT_TEXT(error, "', which this host (" +
                              llvm::sys::getHostCPUName().str() + ") lacks");
}

TEST_F(CompiledModuleTest, RefusesUndefinedFunctions) {
  std::string source = makeScalarModule("f32", "f32", R"mlir(
  llvm.call @no_such_function() : () -> ())mlir");
  EXPECT_EQ(compileError(source + "llvm.func @no_such_function()\n"),
            "function 'no_such_function' is declared, but not defined");
}

TEST_F(CompiledModuleTest, RefusesIncompleteDescriptions) {
  EXPECT_EQ(compileError(R"mlir(
llvm.func @f() -> i32 attributes {meanvar.signature = () -> tensor<f32>} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
})mlir"),
            "function 'f' lacks the attribute 'meanvar.shape_function'");
  EXPECT_EQ(compileError(R"mlir(
llvm.func @f() attributes {meanvar.signature = "not a type"} {
  llvm.return
})mlir"),
            "function 'f' was not compiled by meanvar: it lacks the attribute "
            "'meanvar.signature'");
  EXPECT_THAT_TEXT(compileError(R"mlir(
llvm.func @f() attributes {meanvar.signature = (tensor<*xf32>) -> tensor<f32>} {
  llvm.return
})mlir"),
                   "has type 'tensor<*xf32>' for input 0");
  EXPECT_THAT_TEXT(compileError(R"mlir(
llvm.func @f() attributes {meanvar.signature = () -> f32} {
  llvm.return
})mlir"),
                   "function 'f' has no tensor among its results");
}
} // namespace
