//===- Choices.h - The decisions behind a random program --------*- C++ -*-===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEANVAR_TEST_DIFFERENTIAL_CHOICES_H
#define MEANVAR_TEST_DIFFERENTIAL_CHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <random>
#include <vector>

namespace mlir::meanvar {

/// A source of decisions. Whatever is generated from it is a function of the
/// sequence of its numbers, so a case is repeated by the sequence, made smaller
/// by a smaller sequence, and steered by whoever writes the sequence: a seed, a
/// fuzzer. The idea is that of D. MacIver's Hypothesis.
class Choices {
public:
  /// Decisions at random.
  explicit Choices(uint64_t seed) : isRandom(true), generator(seed) {}
  /// The given decisions, each modulo the number of choices, then always 0.
  explicit Choices(std::vector<uint32_t> numbers) : given(std::move(numbers)) {}

  /// Returns a number below `count`, which is at least 1. 0 should be the
  /// simplest choice.
  uint32_t choose(uint32_t count);

  /// Returns true once in `count` times; false is the simpler choice.
  bool isOneIn(uint32_t count) { return choose(count) == count - 1; }

  /// Returns one of `options`; the first is the simplest.
  template <typename T>
  const T &pick(llvm::ArrayRef<T> options) {
    return options[choose(static_cast<uint32_t>(options.size()))];
  }

  /// Returns all numbers so far.
  const std::vector<uint32_t> &getTaken() const { return taken; }

private:
  bool isRandom = false;
  std::mt19937_64 generator;
  std::vector<uint32_t> given;
  std::vector<uint32_t> taken;
};

/// Returns a sequence for which `isFailing` still holds, as it does for
/// `numbers`, and which is as short and has numbers as small as a greedy search
/// of at most `maxAttempts` calls finds.
std::vector<uint32_t>
shrink(std::vector<uint32_t> numbers, unsigned maxAttempts,
       llvm::function_ref<bool(const std::vector<uint32_t> &)> isFailing);

} // namespace mlir::meanvar

#endif // MEANVAR_TEST_DIFFERENTIAL_CHOICES_H
