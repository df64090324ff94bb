/*===- MLIRTest.c - meanvar through MLIR's C API ------------------*- C -*-===*\
|*                                                                            *|
|* Part of the meanvar project, under the Apache License v2.0 with LLVM       *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
\*===----------------------------------------------------------------------===*/

#include "meanvar-c/Dialects.h"
#include "meanvar-c/Passes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <stdio.h>
#include <string.h>

static int numFailures = 0;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);          \
      ++numFailures;                                                           \
    }                                                                          \
  } while (0)

static const char source[] =
    "func.func @mvn(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %0 = meanvar.mvn %x axes = [1] : tensor<?x4xf32>\n"
    "  return %0 : tensor<?x4xf32>\n"
    "}\n";

static MlirStringRef getString(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

/** Notes whether a name is part of what is printed. A name may lie across two
    pieces, so it is looked for in all of them together. */
typedef struct Text {
  char characters[1 << 20];
  size_t length;
} Text;

static void append(MlirStringRef piece, void *userData) {
  Text *text = userData;
  if (text->length + piece.length < sizeof(text->characters)) {
    memcpy(text->characters + text->length, piece.data, piece.length);
    text->length += piece.length;
    text->characters[text->length] = 0;
  }
}

static int prints(MlirModule module, const char *name) {
  static Text text;
  text.length = 0;
  text.characters[0] = 0;
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  return strstr(text.characters, name) != NULL;
}

/** Loads the dialect alone. */
static void testDialectHandle(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectHandle handle = mlirGetDialectHandle__meanvar__();
  EXPECT(mlirStringRefEqual(mlirDialectHandleGetNamespace(handle),
                            getString("meanvar")));
  MlirDialect dialect = mlirDialectHandleLoadDialect(handle, context);
  EXPECT(!mlirDialectIsNull(dialect));
  EXPECT(mlirContextIsRegisteredOperation(context, getString("meanvar.mvn")));
  mlirContextDestroy(context);
}

/** Parses, tiles by a pass, and lowers by a pipeline. */
static void testPassesAndPipelines(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__meanvar__(), registry);
  meanvarRegisterAllExtensions(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  meanvarRegisterAllPasses();
  meanvarRegisterAllPipelines();

  MlirModule module = mlirModuleCreateParse(context, getString(source));
  EXPECT(!mlirModuleIsNull(module));
  const char *pipelines[] = {"builtin.module(func.func(meanvar-tile-lanes))",
                             "builtin.module(meanvar-to-llvm)"};
  const char *results[] = {"scf.forall", "llvm.func @mvn("};
  for (int i = 0; i < 2; ++i) {
    MlirPassManager manager = mlirPassManagerCreate(context);
    MlirStringRef pipeline = getString(pipelines[i]);
    EXPECT(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
        mlirPassManagerGetAsOpPassManager(manager), pipeline, NULL, NULL)));
    EXPECT(!prints(module, results[i]));
    EXPECT(mlirLogicalResultIsSuccess(
        mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
    EXPECT(prints(module, results[i]));
    mlirPassManagerDestroy(manager);
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

int main(void) {
  testDialectHandle();
  testPassesAndPipelines();
  return numFailures != 0;
}
