/*===- EmbeddingTest.c - Tests of meanvar-c/Embedding.h -----------*- C -*-===*\
|*                                                                            *|
|* Part of the meanvar project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "meanvar-c/Embedding.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int numFailures = 0;

static void check(bool holds, const char *what, int line) {
  if (holds)
    return;
  fprintf(stderr, "line %d: %s\n", line, what);
  ++numFailures;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static void checkError(MeanVarStatus actual, MeanVarStatus expected,
                       const char *message, int line) {
  check(actual == expected, "status", line);
  if (strcmp(meanvarGetErrorMessage(), message) == 0)
    return;
  fprintf(stderr, "line %d: message '%s', not '%s'\n", line,
          meanvarGetErrorMessage(), message);
  ++numFailures;
}
#define CHECK_ERROR(call, status, message)                                     \
  checkError(call, status, message, __LINE__)

#define INVALID MEANVAR_INVALID_ARGUMENT

/* Two functions; the first has run-time sizes that must agree, and the second a
   scalar among its inputs. */
static const char *const moduleText =
    "func.func @mean(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>)\n"
    "    -> tensor<?x4xf32> attributes {meanvar.input_names = [\"x\", \"y\"],\n"
    "                                   meanvar.output_names = [\"z\"]} {\n"
    "  %0 = meanvar.mean %x, %y\n"
    "      : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>\n"
    "  return %0 : tensor<?x4xf32>\n"
    "}\n"
    "func.func @fill(%value: f64) -> tensor<3xf64> {\n"
    "  %0 = tensor.splat %value : tensor<3xf64>\n"
    "  return %0 : tensor<3xf64>\n"
    "}\n";

/* Bytes in memory, of a file or made by a test. */
typedef struct Bytes {
  char *data;
  size_t length;
} Bytes;

/* The directory of mean.onnx and other inputs. */
static const char *inputDirectory;

/* Reads a file of inputDirectory; ends the test where it cannot. */
static Bytes readInput(const char *name) {
  char path[4096];
  Bytes bytes;
  snprintf(path, sizeof(path), "%s/%s", inputDirectory, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  bytes.length = (size_t)ftell(file);
  bytes.data = malloc(bytes.length);
  rewind(file);
  if (fread(bytes.data, 1, bytes.length, file) != bytes.length) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

/* A tensor type that is nested as deeply as `levels` says. */
static Bytes makeNestedText(size_t levels) {
  static const char *const start = "func.func private @f(", *const end = ")";
  Bytes bytes;
  bytes.length = strlen(start) + 7 * levels + 3 + strlen(end);
  bytes.data = malloc(bytes.length + 1);
  char *position = bytes.data + sprintf(bytes.data, "%s", start);
  for (size_t i = 0; i < levels; ++i)
    position += sprintf(position, "tuple<");
  position += sprintf(position, "f32");
  for (size_t i = 0; i < levels; ++i)
    position += sprintf(position, ">");
  position += sprintf(position, "%s", end);
  bytes.length = (size_t)(position - bytes.data);
  return bytes;
}

/* Diagnostics as one text: "SEVERITY FILE:LINE:COLUMN MESSAGE;" each. */
typedef struct Log {
  char text[8192];
  pthread_t thread;
  bool isOfOneThread;
} Log;

static void logDiagnostic(const MeanVarDiagnostic *diagnostic, void *context) {
  Log *diagnostics = context;
  size_t length = strlen(diagnostics->text);
  snprintf(diagnostics->text + length, sizeof(diagnostics->text) - length,
           "%d %s:%u:%u %s;", (int)diagnostic->severity, diagnostic->file,
           diagnostic->line, diagnostic->column, diagnostic->message);
  if (!pthread_equal(pthread_self(), diagnostics->thread))
    diagnostics->isOfOneThread = false;
}

/* Returns options that log to `diagnostics`, which is emptied. */
static MeanVarCompileOptions *makeLoggingOptions(Log *diagnostics) {
  MeanVarCompileOptions *options = meanvarCompileOptionsCreate();
  diagnostics->text[0] = 0;
  diagnostics->thread = pthread_self();
  diagnostics->isOfOneThread = true;
  meanvarCompileOptionsSetOptLevel(options, 0);
  meanvarCompileOptionsSetSourceName(options, "source");
  meanvarCompileOptionsSetDiagnosticCallback(options, logDiagnostic,
                                             diagnostics);
  return options;
}

static MeanVarModule *compile(const char *text) {
  MeanVarModule *module = NULL;
  if (meanvarModuleCompile(text, strlen(text), NULL, &module))
    fprintf(stderr, "%s\n", meanvarGetErrorMessage());
  return module;
}

static MeanVarTensor makeTensor(MeanVarElementType type, size_t rank,
                                const int64_t *shape, void *data) {
  MeanVarTensor tensor;
  tensor.elementType = type;
  tensor.rank = rank;
  tensor.shape = shape;
  tensor.data = data;
  return tensor;
}

static void testVersion(void) {
  int major, minor, patch;
  CHECK(sscanf(meanvarGetVersion(), "%d.%d.%d", &major, &minor, &patch) == 3);
}

static void testSignatures(const MeanVarModule *module) {
  const MeanVarFunction *mean = meanvarModuleLookup(module, "mean");
  const MeanVarFunction *fill = meanvarModuleLookup(module, "fill");
  CHECK(meanvarModuleGetNumFunctions(module) == 2);
  CHECK(meanvarModuleGetFunction(module, 0) == mean);
  CHECK(meanvarModuleGetFunction(module, 1) == fill);
  CHECK(meanvarModuleLookup(module, "none") == NULL);
  CHECK(strcmp(meanvarFunctionGetName(mean), "mean") == 0);

  CHECK(meanvarFunctionGetNumInputs(mean) == 2);
  CHECK(meanvarFunctionGetNumOutputs(mean) == 1);
  const MeanVarValue *second = meanvarFunctionGetInput(mean, 1);
  CHECK(strcmp(meanvarValueGetName(second), "y") == 0);
  CHECK(meanvarValueGetElementType(second) == MEANVAR_F32);
  CHECK(meanvarValueIsTensor(second));
  CHECK(meanvarValueGetRank(second) == 2);
  CHECK(meanvarValueGetShape(second)[0] == MEANVAR_DYNAMIC_SIZE);
  CHECK(meanvarValueGetShape(second)[1] == 4);
  CHECK(strcmp(meanvarValueGetName(meanvarFunctionGetOutput(mean, 0)), "z") ==
        0);

  const MeanVarValue *scalar = meanvarFunctionGetInput(fill, 0);
  CHECK(strcmp(meanvarValueGetName(scalar), "") == 0);
  CHECK(meanvarValueGetElementType(scalar) == MEANVAR_F64);
  CHECK(!meanvarValueIsTensor(scalar));
  CHECK(meanvarValueGetRank(scalar) == 0);
}

static void testCalls(const MeanVarFunction *mean,
                      const MeanVarFunction *fill) {
  float x[4] = {1, 2, 3, 4}, y[4] = {3, 4, 5, 6}, z[4] = {0};
  int64_t shape[] = {1, 4}, computed[2] = {0, 0};
  int64_t *shapes[] = {computed};
  MeanVarTensor inputs[2], output;
  inputs[0] = makeTensor(MEANVAR_F32, 2, shape, NULL);
  inputs[1] = inputs[0];
  CHECK(!meanvarFunctionComputeOutputShapes(mean, inputs, 2, shapes, 1));
  CHECK(computed[0] == 1 && computed[1] == 4);

  inputs[0].data = x;
  inputs[1].data = y;
  output = makeTensor(MEANVAR_F32, 2, shape, z);
  CHECK(!meanvarFunctionRun(mean, inputs, 2, &output, 1));
  CHECK(z[0] == 2 && z[1] == 3 && z[2] == 4 && z[3] == 5);

  /* A call sees the buffers as they are when it runs, and keeps no shape. */
  MeanVarCall *call = NULL;
  CHECK(!meanvarCallCreate(mean, inputs, 2, &output, 1, &call));
  shape[0] = 100;
  x[0] = 5;
  CHECK(!meanvarCallRun(call));
  CHECK(z[0] == 4 && z[3] == 5);
  y[3] = 0;
  CHECK(!meanvarCallRun(call));
  CHECK(z[0] == 4 && z[3] == 2);
  meanvarCallDestroy(call);

  double value = 0.5, filled[3] = {0};
  int64_t filledShape[] = {3};
  MeanVarTensor scalar = makeTensor(MEANVAR_F64, 0, NULL, &value);
  output = makeTensor(MEANVAR_F64, 1, filledShape, filled);
  CHECK(!meanvarFunctionRun(fill, &scalar, 1, &output, 1));
  CHECK(filled[0] == 0.5 && filled[2] == 0.5);
}

/* Every failure leaves z alone. */
static void testWrongTensors(const MeanVarFunction *mean) {
  float x[8] = {0}, z[8] = {7, 7, 7, 7, 7, 7, 7, 7};
  const int64_t one[] = {1, 4}, two[] = {2, 4}, negative[] = {-1, 4};
  const int64_t huge[] = {INT64_MAX, 4};
  int64_t computed[2] = {-7, -7};
  int64_t *shapes[] = {computed};
  MeanVarTensor inputs[2], output = makeTensor(MEANVAR_F32, 2, one, z);
  MeanVarCall *call = NULL;
#define CHECK_REFUSED(message)                                                 \
  CHECK_ERROR(meanvarFunctionRun(mean, inputs, 2, &output, 1), INVALID, message)

  inputs[0] = inputs[1] = makeTensor(MEANVAR_F32, 2, one, x);
  CHECK_ERROR(meanvarFunctionRun(mean, inputs, 1, &output, 1), INVALID,
              "function 'mean' takes 2 inputs, but got 1");
  CHECK_ERROR(meanvarFunctionRun(mean, inputs, 2, &output, 0), INVALID,
              "function 'mean' takes 1 output, but got 0");
  CHECK_ERROR(meanvarFunctionComputeOutputShapes(mean, inputs, 2, shapes, 2),
              INVALID,
              "function 'mean' has 1 output, but got room for the shapes of 2");

  inputs[1] = makeTensor(MEANVAR_F64, 2, one, x);
  CHECK_REFUSED("input 1 ('y') of function 'mean' is 'tensor<1x4xf64>' "
                "(allowed: 'tensor<?x4xf32>')");
  inputs[1] = makeTensor((MeanVarElementType)11, 2, one, x);
  CHECK_REFUSED("input 1 has the unknown element type 11 (allowed: 0 to 10)");
  inputs[1] = makeTensor(MEANVAR_F32, 2, NULL, x);
  CHECK_REFUSED("input 1 has rank 2, but no shape");
  inputs[1] = makeTensor(MEANVAR_F32, 2, negative, x);
  CHECK_REFUSED("input 1 has the negative size -1");
  inputs[1] = makeTensor(MEANVAR_F32, 2, huge, x);
  CHECK_REFUSED("input 1 '9223372036854775807x4xf32' exceeds 1099511627776 "
                "bytes");
  inputs[1] = makeTensor(MEANVAR_F32, 2, one, NULL);
  CHECK_REFUSED("input 1 '1x4xf32' has no data");

  inputs[1] = inputs[0];
  output.shape = two;
  CHECK_REFUSED("output 0 of function 'mean' is '2x4xf32' (allowed: "
                "'1x4xf32')");
  CHECK_ERROR(meanvarCallCreate(mean, inputs, 2, &output, 1, &call), INVALID,
              "output 0 of function 'mean' is '2x4xf32' (allowed: '1x4xf32')");
  CHECK(call == NULL);
  output = makeTensor(MEANVAR_F32, 2, one, NULL);
  CHECK_REFUSED("output 0 '1x4xf32' has no data");
  CHECK(computed[0] == -7 && z[0] == 7);
}

/* Sizes that do not agree with one another are found by the function itself. */
static void testWrongSizes(const MeanVarFunction *mean) {
  float x[12] = {0}, z[12];
  const int64_t two[] = {2, 4}, three[] = {3, 4};
  int64_t computed[2];
  int64_t *shapes[] = {computed};
  MeanVarTensor inputs[2], output = makeTensor(MEANVAR_F32, 2, three, z);
  inputs[0] = makeTensor(MEANVAR_F32, 2, two, x);
  inputs[1] = makeTensor(MEANVAR_F32, 2, three, x);
  CHECK(meanvarFunctionComputeOutputShapes(mean, inputs, 2, shapes, 1) ==
        INVALID);
  CHECK(strstr(meanvarGetErrorMessage(), "2") != NULL);
  CHECK(strstr(meanvarGetErrorMessage(), "3") != NULL);
  CHECK(meanvarFunctionRun(mean, inputs, 2, &output, 1) == INVALID);
}

static void testOptions(void) {
  MeanVarCompileOptions *options = meanvarCompileOptionsCreate();
  MeanVarModule *module = NULL;
  CHECK_ERROR(meanvarCompileOptionsSetOptLevel(options, 4), INVALID,
              "optimization level 4 is out of range (allowed: 0 to 3)");
  CHECK_ERROR(meanvarCompileOptionsSetThreads(options, 0), INVALID,
              "number of threads 0 is out of range (allowed: 1 to 1024)");
  CHECK(!meanvarCompileOptionsSetThreads(options, 1));
  CHECK(!meanvarCompileOptionsSetOptLevel(options, 0));
  meanvarCompileOptionsSetTargetCPU(options, "x86-64");
  CHECK(
      !meanvarModuleCompile(moduleText, strlen(moduleText), options, &module));
  meanvarModuleDestroy(module);

  module = NULL;
  meanvarCompileOptionsSetTargetCPU(options, "abacus");
  CHECK(meanvarModuleCompile(moduleText, strlen(moduleText), options,
                             &module) == MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(), "'abacus'") != NULL);
  CHECK(module == NULL);
  meanvarCompileOptionsDestroy(options);
}

static void testCompilationErrors(void) {
  static const char *const syntax = "func.func @f(";
  static const char *const axes =
      "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = meanvar.mvn %x axes = [1] : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n"
      "}\n";
  static const char *const twice = "func.func private @f()\n"
                                   "func.func private @f()\n";
  MeanVarModule *module = NULL;
  CHECK(meanvarModuleCompile(syntax, strlen(syntax), NULL, &module) ==
        MEANVAR_COMPILATION_FAILED);
  CHECK(strncmp(meanvarGetErrorMessage(), "1:", 2) == 0);
  CHECK(meanvarModuleCompile(axes, strlen(axes), NULL, &module) ==
        MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(),
               "axis 1 is out of range for rank 1 (allowed: -1 to 0)") != NULL);
  /* Notes come with what they are of, a line each. */
  CHECK(meanvarModuleCompile(twice, strlen(twice), NULL, &module) ==
        MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(), "redefinition of symbol") != NULL);
  CHECK(strstr(meanvarGetErrorMessage(), "\n1:1: see existing") != NULL);
  /* The text ends where its length says. */
  CHECK(meanvarModuleCompile(moduleText, 10, NULL, &module) ==
        MEANVAR_COMPILATION_FAILED);
  CHECK(module == NULL);
}

static void testDiagnosticCallback(void) {
  static const char *const twice = "func.func private @f()\n"
                                   "func.func private @f()\n";
  Log diagnostics;
  MeanVarCompileOptions *options = makeLoggingOptions(&diagnostics);
  MeanVarModule *module = NULL;
  CHECK_ERROR(meanvarModuleCompile(twice, strlen(twice), options, &module),
              MEANVAR_COMPILATION_FAILED,
              "source:2:1: redefinition of symbol named 'f'\n"
              "source:1:1: see existing symbol definition here");
  CHECK(strcmp(diagnostics.text,
               "2 source:2:1 redefinition of symbol named 'f';"
               "0 source:1:1 see existing symbol definition here;") == 0);
  CHECK(diagnostics.isOfOneThread);

  /* What is no diagnostic of MLIR comes as one without a location. */
  diagnostics.text[0] = 0;
  meanvarCompileOptionsSetTargetCPU(options, "abacus");
  CHECK(meanvarModuleCompile(moduleText, strlen(moduleText), options,
                             &module) == MEANVAR_COMPILATION_FAILED);
  CHECK(strncmp(diagnostics.text, "2 :0:0 ", 7) == 0);
  CHECK(strstr(diagnostics.text, "'abacus'") != NULL);

  /* No callback, and nothing to report. */
  diagnostics.text[0] = 0;
  meanvarCompileOptionsSetDiagnosticCallback(options, NULL, NULL);
  CHECK(meanvarModuleCompile("(", 1, options, &module) ==
        MEANVAR_COMPILATION_FAILED);
  meanvarCompileOptionsSetTargetCPU(options, "host");
  meanvarCompileOptionsSetDiagnosticCallback(options, logDiagnostic,
                                             &diagnostics);
  CHECK(
      !meanvarModuleCompile(moduleText, strlen(moduleText), options, &module));
  CHECK(strcmp(diagnostics.text, "") == 0);
  meanvarModuleDestroy(module);
  meanvarCompileOptionsDestroy(options);
}

static void *compileNestedText(void *text) {
  Bytes *bytes = text;
  MeanVarModule *module = NULL;
  MeanVarStatus status =
      meanvarModuleCompile(bytes->data, bytes->length, NULL, &module);
  CHECK(status == MEANVAR_SUCCESS);
  meanvarModuleDestroy(module);
  return NULL;
}

/* Text that would overflow the stack of MLIR's parser is refused, and what is
   not refused compiles on any stack of the caller. */
static void testNesting(void) {
  MeanVarModule *module = NULL;
  Bytes deep = makeNestedText(200000);
  CHECK_ERROR(meanvarModuleCompile(deep.data, deep.length, NULL, &module),
              MEANVAR_COMPILATION_FAILED,
              "1:3093: nesting of brackets exceeds 512 levels");
  free(deep.data);

  Bytes allowed = makeNestedText(511);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  CHECK(pthread_create(&thread, &attributes, compileNestedText, &allowed) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  free(allowed.data);
}

/* Lets the process map `bytes` more bytes than it has mapped; returns the limit
   before. */
static struct rlimit limitMemory(size_t bytes) {
  struct rlimit previous, limit;
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%zu", &pages) == 1);
  if (file)
    fclose(file);
  getrlimit(RLIMIT_AS, &previous);
  limit = previous;
  limit.rlim_cur = pages * (size_t)sysconf(_SC_PAGESIZE) + bytes;
  setrlimit(RLIMIT_AS, &limit);
  return previous;
}

/* What cannot be had fails; it does not end the process. */
static void testLimits(void) {
  MeanVarModule *module = NULL;
  const size_t mebibyte = 1 << 20;
  char *zeros = calloc(1024 * mebibyte + 1, 1);
  CHECK(zeros != NULL);
  CHECK_ERROR(meanvarModuleCompile(zeros, 1024 * mebibyte + 1, NULL, &module),
              MEANVAR_COMPILATION_FAILED,
              "the module has 1073741825 bytes (allowed: at most 1073741824)");
#ifndef MEANVAR_SANITIZERS /* These map what they like. */
  struct rlimit previous = limitMemory(512 * mebibyte);
  CHECK_ERROR(meanvarModuleCompile(zeros, 1024 * mebibyte, NULL, &module),
              MEANVAR_COMPILATION_FAILED,
              "not enough memory for a copy of the module's 1073741824 bytes");
  setrlimit(RLIMIT_AS, &previous);
  previous = limitMemory(mebibyte);
  MeanVarStatus status = meanvarModuleCompile("", 0, NULL, &module);
  setrlimit(RLIMIT_AS, &previous);
  CHECK(status == MEANVAR_COMPILATION_FAILED);
  CHECK(strncmp(meanvarGetErrorMessage(),
                "cannot start a thread with a stack of 67108864 bytes: ", 54) ==
        0);
#endif
  free(zeros);
  CHECK(module == NULL);
}

static void testBytecode(void) {
  MeanVarModule *module = NULL;
  Bytes bytecode = readInput("mvn.mlirbc");
  CHECK(!meanvarModuleCompile(bytecode.data, bytecode.length, NULL, &module));
  const MeanVarFunction *mvn = meanvarModuleLookup(module, "mvn");
  float x[8] = {1, 2, 3, 4, 5, 5, 5, 5}, y[8];
  const int64_t shape[] = {2, 4};
  MeanVarTensor input = makeTensor(MEANVAR_F32, 2, shape, x);
  MeanVarTensor output = makeTensor(MEANVAR_F32, 2, shape, y);
  CHECK(!meanvarFunctionRun(mvn, &input, 1, &output, 1));
  CHECK(fabs(y[0] + 1.5 / sqrt(1.25)) < 1e-6);
  CHECK(y[4] == 0 && y[7] == 0);
  meanvarModuleDestroy(module);

  module = NULL;
  CHECK(meanvarModuleCompile(bytecode.data, bytecode.length / 2, NULL,
                             &module) == MEANVAR_COMPILATION_FAILED);
  CHECK(strcmp(meanvarGetErrorMessage(), "") != 0);
  CHECK(module == NULL);
  free(bytecode.data);
}

static void testDimensionNames(void) {
  static const char *const text =
      "func.func @f(%x: tensor<?x4xf32>, %s: f32) -> tensor<?x4xf32>\n"
      "    attributes {meanvar.input_dimension_names = [[\"N\", \"\"], []],\n"
      "                meanvar.output_dimension_names = [[\"N\"]]} {\n"
      "  return %x : tensor<?x4xf32>\n"
      "}\n";
  MeanVarModule *module = compile(text);
  const MeanVarFunction *function = meanvarModuleGetFunction(module, 0);
  const MeanVarValue *input = meanvarFunctionGetInput(function, 0);
  CHECK(strcmp(meanvarValueGetDimensionName(input, 0), "N") == 0);
  CHECK(strcmp(meanvarValueGetDimensionName(input, 1), "") == 0);
  /* Names that are too few are none. */
  const MeanVarValue *output = meanvarFunctionGetOutput(function, 0);
  CHECK(strcmp(meanvarValueGetDimensionName(output, 0), "") == 0);
  CHECK(strcmp(meanvarValueGetDimensionName(output, 1), "") == 0);
  meanvarModuleDestroy(module);
}

static void testONNX(void) {
  Log diagnostics;
  MeanVarCompileOptions *options = makeLoggingOptions(&diagnostics);
  MeanVarModule *module = NULL;
  Bytes model = readInput("mean.onnx");
  CHECK(!meanvarModuleCompileONNX(model.data, model.length, NULL, options,
                                  &module));
  const MeanVarFunction *mean = meanvarModuleLookup(module, "average");
  CHECK(mean != NULL);
  const MeanVarValue *second = meanvarFunctionGetInput(mean, 1);
  CHECK(strcmp(meanvarValueGetName(second), "y") == 0);
  CHECK(meanvarValueGetShape(second)[0] == MEANVAR_DYNAMIC_SIZE);
  CHECK(strcmp(meanvarValueGetDimensionName(second, 0), "N") == 0);
  CHECK(strcmp(meanvarValueGetDimensionName(second, 1), "") == 0);
  float x[4] = {1, 2, 3, 4}, y[4] = {3, 4, 5, 6}, z[4];
  int64_t shape[] = {2, 2};
  MeanVarTensor inputs[2], output = makeTensor(MEANVAR_F32, 2, shape, z);
  inputs[0] = makeTensor(MEANVAR_F32, 2, shape, x);
  inputs[1] = makeTensor(MEANVAR_F32, 2, shape, y);
  CHECK(!meanvarFunctionRun(mean, inputs, 2, &output, 1));
  CHECK(z[0] == 2 && z[3] == 5);
  meanvarModuleDestroy(module);
  free(model.data);

  module = NULL;
  model = readInput("unsupported.onnx");
  CHECK(meanvarModuleCompileONNX(model.data, model.length, NULL, options,
                                 &module) == MEANVAR_COMPILATION_FAILED);
  CHECK(strncmp(diagnostics.text, "2 source:0:0 ", 13) == 0);
  CHECK(strstr(meanvarGetErrorMessage(), "Frobnicate") != NULL);
  CHECK(strncmp(meanvarGetErrorMessage(), "source: ", 8) == 0);
  free(model.data);
  CHECK(meanvarModuleCompileONNX("no model", 8, NULL, NULL, &module) ==
        MEANVAR_COMPILATION_FAILED);
  CHECK(module == NULL);
  meanvarCompileOptionsDestroy(options);
}

static void testCheckONNX(void) {
  Log diagnostics;
  MeanVarCompileOptions *options = makeLoggingOptions(&diagnostics);
  size_t numReductions = 0;
  Bytes model = readInput("mean.onnx");
  CHECK(!meanvarCheckONNX(model.data, model.length, NULL, options,
                          &numReductions));
  CHECK(numReductions == 1);
  CHECK(!meanvarCheckONNX(model.data, model.length, NULL, NULL, NULL));
  free(model.data);

  model = readInput("elementwise.onnx");
  CHECK(
      !meanvarCheckONNX(model.data, model.length, NULL, NULL, &numReductions));
  CHECK(numReductions == 0);
  free(model.data);

  numReductions = 5;
  model = readInput("unsupported.onnx");
  CHECK(meanvarCheckONNX(model.data, model.length, NULL, options,
                         &numReductions) == MEANVAR_COMPILATION_FAILED);
  CHECK(numReductions == 5);
  CHECK(strncmp(diagnostics.text, "2 source:0:0 ", 13) == 0);
  CHECK(strstr(meanvarGetErrorMessage(), "Frobnicate") != NULL);
  free(model.data);
  meanvarCompileOptionsDestroy(options);
}

/* External data is found in the directory that is named, and nowhere else. */
static void testExternalData(void) {
  const float weights[2] = {10, 20};
  char path[4096];
  snprintf(path, sizeof(path), "%s/data.bin", inputDirectory);
  FILE *file = fopen(path, "wb");
  CHECK(file && fwrite(weights, sizeof(weights), 1, file) == 1);
  if (file)
    fclose(file);
  MeanVarModule *module = NULL;
  Bytes model = readInput("external.onnx");
  CHECK(meanvarModuleCompileONNX(model.data, model.length, NULL, NULL,
                                 &module) == MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(), "external data") != NULL);
  CHECK(!meanvarModuleCompileONNX(model.data, model.length, inputDirectory,
                                  NULL, &module));
  float x[2] = {0, 0}, y[2];
  const int64_t shape[] = {2};
  MeanVarTensor input = makeTensor(MEANVAR_F32, 1, shape, x);
  MeanVarTensor output = makeTensor(MEANVAR_F32, 1, shape, y);
  CHECK(!meanvarFunctionRun(meanvarModuleGetFunction(module, 0), &input, 1,
                            &output, 1));
  CHECK(y[0] == 5 && y[1] == 10);
  meanvarModuleDestroy(module);
  free(model.data);
}

static bool fileContains(const char *path, const char *text) {
  char content[16384];
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  content[fread(content, 1, sizeof(content) - 1, file)] = '\0';
  fclose(file);
  return strstr(content, text) != NULL;
}

static void testWriteCode(void) {
  char object[4096], header[4096], message[8192];
  snprintf(object, sizeof(object), "%s/written-code.o", inputDirectory);
  snprintf(header, sizeof(header), "%s/written-code.h", inputDirectory);
  size_t length = strlen(moduleText);
  remove(object);
  remove(header);
  CHECK(!meanvarWriteCode(MEANVAR_MLIR, moduleText, length, NULL, NULL, object,
                          header));
  CHECK(fileContains(object, "ELF"));
  CHECK(fileContains(header, "written_code_mean_shape("));

  MeanVarCompileOptions *options = meanvarCompileOptionsCreate();
  meanvarCompileOptionsSetSymbolPrefix(options, "other");
  meanvarCompileOptionsSetTargetTriple(options, "aarch64-linux-gnu");
  Bytes model = readInput("mean.onnx");
  CHECK(!meanvarWriteCode(MEANVAR_ONNX, model.data, model.length, NULL, options,
                          object, header));
  CHECK(fileContains(header, "other_average("));
  free(model.data);

  /* What fails leaves the files as they are. */
  CHECK_ERROR(
      meanvarWriteCode(MEANVAR_MLIR, "", 0, NULL, options, object, header),
      MEANVAR_COMPILATION_FAILED,
      "the module has no public function with tensor results");
  meanvarCompileOptionsSetTargetTriple(options, "abacus");
  CHECK(meanvarWriteCode(MEANVAR_MLIR, moduleText, length, NULL, options,
                         object, NULL) == MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(), "target triple 'abacus' is unknown"));
  meanvarCompileOptionsSetSymbolPrefix(options, "1st");
  CHECK_ERROR(meanvarWriteCode(MEANVAR_MLIR, moduleText, length, NULL, options,
                               object, NULL),
              INVALID,
              "symbol prefix '1st' is not allowed (allowed: letters, digits "
              "and underscores, no digit first)");
  snprintf(message, sizeof(message), "code and header are the same file, '%s'",
           object);
  CHECK_ERROR(meanvarWriteCode(MEANVAR_MLIR, moduleText, length, NULL, NULL,
                               object, object),
              INVALID, message);
  CHECK(fileContains(header, "other_average("));
  CHECK(meanvarWriteCode(MEANVAR_MLIR, moduleText, length, NULL, NULL,
                         "no-such-directory/code.o",
                         NULL) == MEANVAR_COMPILATION_FAILED);
  CHECK(strstr(meanvarGetErrorMessage(), "no-such-directory/code.o"));
  meanvarCompileOptionsDestroy(options);
}

static void testNullHandles(void) {
  meanvarModuleDestroy(NULL);
  meanvarCallDestroy(NULL);
  meanvarCompileOptionsDestroy(NULL);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  inputDirectory = argv[1];
  CHECK(strcmp(meanvarGetErrorMessage(), "") == 0);
  testVersion();
  testOptions();
  testCompilationErrors();
  testDiagnosticCallback();
  testNesting();
  testLimits();
  testBytecode();
  testDimensionNames();
  testONNX();
  testCheckONNX();
  testExternalData();
  testWriteCode();
  testNullHandles();
  MeanVarModule *module = compile(moduleText);
  CHECK(module != NULL);
  if (!module)
    return 1;
  testSignatures(module);
  testCalls(meanvarModuleLookup(module, "mean"),
            meanvarModuleLookup(module, "fill"));
  testWrongTensors(meanvarModuleLookup(module, "mean"));
  testWrongSizes(meanvarModuleLookup(module, "mean"));
  meanvarModuleDestroy(module);
  return numFailures != 0;
}
