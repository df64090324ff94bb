//===- Loops.cpp - Loops that the benchmarks time in machine code ---------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called from Python through ctypes (engines/copies.py, engines/meanvar.py).
// Each function takes `samples` samples of `repetitions` repetitions and writes
// the seconds of one repetition to `seconds`, a value a sample.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <sched.h>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

template <typename Action>
static void measure(unsigned samples, unsigned repetitions, double *seconds,
                    Action &&action) {
  for (unsigned sample = 0; sample < samples; ++sample) {
    Clock::time_point start = Clock::now();
    for (unsigned i = 0; i < repetitions; ++i)
      action();
    std::chrono::duration<double> elapsed = Clock::now() - start;
    seconds[sample] = elapsed.count() / repetitions;
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A cache line, which is the unit that streaming stores fill.
using Line = double __attribute__((vector_size(64)));

/// Copies with stores that bypass the caches. `target` is aligned to a line.
static void copyStreaming(std::byte *target, const std::byte *source,
                          size_t bytes) {
  size_t lines = bytes / sizeof(Line);
  for (size_t i = 0; i < lines; ++i) {
    Line line;
    std::memcpy(&line, source + i * sizeof(Line), sizeof(Line));
    __builtin_nontemporal_store(line, reinterpret_cast<Line *>(target) + i);
  }
  size_t done = lines * sizeof(Line);
  std::memcpy(target + done, source + done, bytes - done);
  _mm_sfence();
}

namespace {
struct Copy {
  std::byte *target;
  const std::byte *source;
  size_t bytes;
  bool isStreaming;

  /// Copies part `index` of `count`, in whole lines.
  void run(size_t index, size_t count) const {
    size_t lines = (bytes + sizeof(Line) - 1) / sizeof(Line);
    size_t begin = lines * index / count * sizeof(Line);
    size_t end = std::min(lines * (index + 1) / count * sizeof(Line), bytes);
    if (isStreaming)
      copyStreaming(target + begin, source + begin, end - begin);
    else
      std::memcpy(target + begin, source + begin, end - begin);
  }
};
} // namespace

/// Returns the cores that this process may use.
static std::vector<size_t> getCores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<size_t> cores;
  for (size_t core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set))
      cores.push_back(core);
  return cores;
}

/// Keeps the calling thread on one core.
static void pinThread(size_t core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof(set), &set);
}

/// Waits for a change that another thread makes in a moment; gives way to
/// others where it is held up.
template <typename Condition>
static void spinUntil(Condition &&condition) {
  constexpr unsigned spinsPerYield = 4096;
  for (unsigned spins = 1; !condition(); ++spins) {
    if (spins % spinsPerYield == 0)
      std::this_thread::yield();
    else
      _mm_pause();
  }
}

namespace {
/// Runs a copy on several threads at a time, the calling one and others that
/// spin between copies, so that a copy pays for no system call. Each has a
/// core.
class CopyTeam {
public:
  CopyTeam(const Copy &copy, unsigned numThreads)
      : copy(copy), numThreads(numThreads) {
    sched_getaffinity(0, sizeof(previousCores), &previousCores);
    std::vector<size_t> cores = getCores();
    pinThread(cores[0]);
    for (unsigned index = 1; index < numThreads; ++index)
      helpers.emplace_back([this, index, core = cores[index % cores.size()]] {
        pinThread(core);
        help(index);
      });
  }

  ~CopyTeam() {
    isDone = true;
    for (std::thread &helper : helpers)
      helper.join();
    sched_setaffinity(0, sizeof(previousCores), &previousCores);
  }

  void run() {
    numRunning = numThreads - 1;
    ++generation;
    copy.run(0, numThreads);
    spinUntil([&] { return numRunning == 0; });
  }

private:
  void help(unsigned index) {
    for (uint64_t seen = 0;; ++seen) {
      spinUntil([&] { return isDone || generation != seen; });
      if (isDone)
        return;
      copy.run(index, numThreads);
      --numRunning;
    }
  }

  const Copy &copy;
  unsigned numThreads;
  cpu_set_t previousCores;
  std::vector<std::thread> helpers;
  std::atomic<uint64_t> generation = 0;
  std::atomic<unsigned> numRunning = 0;
  std::atomic<bool> isDone = false;
};
} // namespace

/// Times copies of `bytes` bytes on `threads` threads, by streaming stores or
/// by memcpy. `target` is aligned to 64 bytes.
extern "C" void measureCopy(void *target, const void *source, size_t bytes,
                            bool isStreaming, unsigned threads,
                            unsigned samples, unsigned repetitions,
                            double *seconds) {
  Copy copy = {static_cast<std::byte *>(target),
               static_cast<const std::byte *>(source), bytes, isStreaming};
  CopyTeam team(copy, threads);
  team.run();
  measure(samples, repetitions, seconds, [&] {
    team.run();
    // Without a reader the compiler may drop the copy.
    asm volatile("" : : "r"(target) : "memory");
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Times calls of `function`, a function of the C interface whose status can be
/// ignored, with `argument`.
extern "C" void measureCalls(int (*function)(void *), void *argument,
                             unsigned samples, unsigned repetitions,
                             double *seconds) {
  measure(samples, repetitions, seconds, [&] { function(argument); });
}
