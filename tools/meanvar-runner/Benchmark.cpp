//===- Benchmark.cpp - Timing of a call beside a copy ---------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace mlir::meanvar;
using llvm::Error;
using llvm::Expected;

namespace {
using Clock = std::chrono::steady_clock;

/// A sample repeats what it measures until the clock's own cost is below 1 %.
constexpr double minSampleSeconds = 5e-6;
constexpr double defaultTotalSeconds = 1;
constexpr unsigned minDefaultRuns = 10;
constexpr unsigned maxDefaultRuns = 100000;

struct Summary {
  double minimum;
  double median;
};

/// Copies between buffers of its own, of half of the bytes each: the other half
/// is written.
class Copy {
public:
  static Expected<Copy> create(uint64_t usefulBytes) {
    Copy copy;
    auto size = static_cast<int64_t>((usefulBytes + 1) / 2);
    for (HostTensor *buffer : {&copy.source, &copy.target}) {
      Expected<HostTensor> tensor = HostTensor::create(ElementKind::I8, {size});
      if (!tensor)
        return tensor.takeError();
      *buffer = std::move(*tensor);
    }
    return copy;
  }

  void run() {
    std::memcpy(target.getData(), source.getData(), source.getNumBytes());
    // Without a reader the compiler may drop the copy.
    asm volatile("" : : "r"(target.getData()) : "memory");
  }

private:
  HostTensor source, target;
};
} // namespace

/// Returns the seconds that one of `repetitions` runs of `action` takes.
template <typename Action>
static double measure(unsigned repetitions, Action &&action) {
  Clock::time_point start = Clock::now();
  for (unsigned i = 0; i < repetitions; ++i)
    action();
  std::chrono::duration<double> elapsed = Clock::now() - start;
  return elapsed.count() / repetitions;
}

/// Returns how often `action` has to be repeated for one sample. Warms up.
template <typename Action>
static unsigned findRepetitions(Action &&action) {
  unsigned repetitions = 1;
  while (measure(repetitions, action) * repetitions < minSampleSeconds)
    repetitions *= 2;
  return repetitions;
}

static Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  size_t middle = samples.size() / 2;
  double median = samples.size() % 2
                      ? samples[middle]
                      : (samples[middle - 1] + samples[middle]) / 2;
  return {samples.front(), median};
}

static void print(llvm::raw_ostream &stream, llvm::StringRef name,
                  const Summary &summary, uint64_t bytes) {
  stream << llvm::formatv("{0}: min {1:f3} us, median {2:f3} us, {3:f3} GB/s\n",
                          name, summary.minimum * 1e6, summary.median * 1e6,
                          bytes / summary.median * 1e-9);
}

Error mlir::meanvar::runBenchmark(PreparedCall &call, uint64_t usefulBytes,
                                  std::optional<unsigned> numRuns,
                                  llvm::raw_ostream &stream) {
  Expected<Copy> copy = Copy::create(usefulBytes);
  if (!copy)
    return copy.takeError();
  // The first run reports an error; later ones do the same as it.
  if (Error error = call.run())
    return error;
  auto runCall = [&] { llvm::consumeError(call.run()); };
  auto runCopy = [&] { copy->run(); };
  unsigned callRepetitions = findRepetitions(runCall);
  unsigned copyRepetitions = findRepetitions(runCopy);

  std::vector<double> callSamples, copySamples;
  Clock::time_point start = Clock::now();
  auto isDone = [&] {
    if (numRuns)
      return callSamples.size() >= *numRuns;
    std::chrono::duration<double> elapsed = Clock::now() - start;
    return callSamples.size() >= maxDefaultRuns ||
           (callSamples.size() >= minDefaultRuns &&
            elapsed.count() >= defaultTotalSeconds);
  };
  while (!isDone()) {
    callSamples.push_back(measure(callRepetitions, runCall));
    copySamples.push_back(measure(copyRepetitions, runCopy));
  }

  Summary callSummary = summarize(callSamples);
  Summary copySummary = summarize(copySamples);
  stream << "benchmark: " << callSamples.size() << " runs, " << usefulBytes
         << " useful bytes\n";
  print(stream, "function", callSummary, usefulBytes);
  print(stream, "copy", copySummary, usefulBytes);
  stream << llvm::formatv("ratio: {0:f3} times the copy\n",
                          callSummary.median / copySummary.median);
  return Error::success();
}
