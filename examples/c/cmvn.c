/* Normalizes the features of two utterances with a function that was compiled ahead of
   time, and checks the result. build.sh says how to compile it; nothing of meanvar or
   LLVM is needed to run it. */
#include "cmvn.h"

#include <math.h>
#include <stdlib.h>

enum { COEFFICIENTS = 13 };

/* Prints what went wrong and ends the program. */
static void fail(int32_t status, const meanvar_error *error) {
  char text[200];
  cmvn_normalize_message(status, error, text, sizeof text);
  fprintf(stderr, "error: %s\n", text);
  exit(EXIT_FAILURE);
}

/* Returns how far mean and standard deviation of a coefficient are from 0 and 1. */
static double deviation(const float *features, int64_t frames, int64_t coefficient) {
  double sum = 0, squares = 0;
  for (int64_t frame = 0; frame < frames; ++frame) {
    double value = features[frame * COEFFICIENTS + coefficient];
    sum += value;
    squares += value * value;
  }
  double mean = sum / (double)frames;
  double spread = sqrt(squares / (double)frames - mean * mean);
  return fmax(fabs(mean), fabs(spread - 1));
}

static void normalize(int64_t frames) {
  int64_t shape[2] = {frames, COEFFICIENTS}, result_shape[2];
  meanvar_error error;
  int32_t status = cmvn_normalize_shape(shape, result_shape, &error);
  if (status)
    fail(status, &error);
  float *features = malloc((size_t)frames * COEFFICIENTS * sizeof *features);
  for (int64_t i = 0; i < frames * COEFFICIENTS; ++i)
    features[i] = 20.0f + 3.0f * sinf(0.1f * (float)(i * i % 1009));

  /* In place: an output may be the buffer of an input. */
  status = cmvn_normalize(features, shape, features, result_shape, &error);
  if (status)
    fail(status, &error);

  double largest = 0;
  for (int64_t coefficient = 0; coefficient < COEFFICIENTS; ++coefficient)
    largest = fmax(largest, deviation(features, frames, coefficient));
  printf("%5ld frames: means and standard deviations are 0 and 1, but for %.1e\n",
         (long)frames, largest);
  free(features);
  if (largest > 1e-5)
    exit(EXIT_FAILURE);
}

int main(void) {
  normalize(300);
  normalize(12345);

  /* A wrong size is an error with a message, not a crash. */
  int64_t wrong[2] = {300, 12}, result_shape[2];
  meanvar_error error;
  char text[200];
  int32_t status = cmvn_normalize_shape(wrong, result_shape, &error);
  cmvn_normalize_message(status, &error, text, sizeof text);
  printf("300x12: %s\n", text);
  return status ? EXIT_SUCCESS : EXIT_FAILURE;
}
