//===- Choices.cpp - The decisions behind a random program ----------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"

using namespace mlir::meanvar;

uint32_t Choices::choose(uint32_t count) {
  uint32_t number = 0;
  if (isRandom)
    number = static_cast<uint32_t>(generator() % count);
  else if (taken.size() < given.size())
    number = given[taken.size()] % count;
  taken.push_back(number);
  return number;
}

namespace {
/// A greedy search for a smaller failing sequence.
class Shrinker {
public:
  Shrinker(std::vector<uint32_t> numbers, unsigned maxAttempts,
           llvm::function_ref<bool(const std::vector<uint32_t> &)> isFailing)
      : best(std::move(numbers)), attemptsLeft(maxAttempts),
        isFailing(isFailing) {}

  std::vector<uint32_t> run() {
    while (attemptsLeft > 0) {
      bool isSmaller = dropBlocks();
      isSmaller |= lowerNumbers();
      if (!isSmaller)
        break;
    }
    return best;
  }

private:
  bool tryReplacing(std::vector<uint32_t> candidate) {
    if (attemptsLeft == 0 || candidate == best)
      return false;
    --attemptsLeft;
    if (!isFailing(candidate))
      return false;
    best = std::move(candidate);
    return true;
  }

  bool dropBlocks() {
    bool isSmaller = false;
    for (size_t length = 32; length > 0; length /= 2)
      for (size_t start = 0; start + length <= best.size();) {
        std::vector<uint32_t> candidate = best;
        auto first = candidate.begin() + static_cast<ptrdiff_t>(start);
        candidate.erase(first, first + static_cast<ptrdiff_t>(length));
        if (tryReplacing(std::move(candidate)))
          isSmaller = true;
        else
          start += length;
      }
    return isSmaller;
  }

  bool lowerNumbers() {
    bool isSmaller = false;
    for (size_t index = 0; index < best.size(); ++index)
      for (uint32_t smaller : {uint32_t(0), best[index] / 2, best[index] - 1}) {
        if (index >= best.size() || smaller >= best[index])
          continue;
        std::vector<uint32_t> candidate = best;
        candidate[index] = smaller;
        isSmaller |= tryReplacing(std::move(candidate));
      }
    return isSmaller;
  }

  std::vector<uint32_t> best;
  unsigned attemptsLeft;
  llvm::function_ref<bool(const std::vector<uint32_t> &)> isFailing;
};
} // namespace

std::vector<uint32_t> mlir::meanvar::shrink(
    std::vector<uint32_t> numbers, unsigned maxAttempts,
    llvm::function_ref<bool(const std::vector<uint32_t> &)> isFailing) {
  return Shrinker(std::move(numbers), maxAttempts, isFailing).run();
}
