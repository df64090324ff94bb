/* Compiles a module in memory and runs it, through the installed C interface. */
#include <meanvar-c/Embedding.h>

#include <stdio.h>
#include <string.h>

static const char module_text[] =
    "func.func @mvn(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %0 = meanvar.mvn %x axes = [1] : tensor<?x4xf32>\n"
    "  return %0 : tensor<?x4xf32>\n"
    "}\n";

int main(void) {
  float x[8] = {1, 1, 3, 3, 5, 5, 5, 5}, y[8];
  int64_t shape[2] = {2, 4};
  MeanVarTensor input = {MEANVAR_F32, 2, shape, x};
  MeanVarTensor output = {MEANVAR_F32, 2, shape, y};
  MeanVarModule *module;
  if (meanvarModuleCompile(module_text, strlen(module_text), NULL, &module) ||
      meanvarFunctionRun(meanvarModuleLookup(module, "mvn"), &input, 1, &output,
                         1)) {
    fprintf(stderr, "error: %s\n", meanvarGetErrorMessage());
    return 1;
  }
  for (int i = 0; i < 8; ++i)
    printf("%g ", y[i]);
  printf("\n");
  meanvarModuleDestroy(module);
  return 0;
}
