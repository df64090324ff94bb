//===- LinalgKernelAccumulation.cpp - Sums in registers -------------------===//
//
// Part of the meanvar project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgKernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::meanvar;

Value LinalgKernelEmitter::createNeutral(vector::CombiningKind kind,
                                         Type type) {
  switch (kind) {
  case vector::CombiningKind::MAXIMUMF:
  case vector::CombiningKind::MINIMUMF: {
    auto floatType = cast<FloatType>(type);
    bool negative = kind == vector::CombiningKind::MAXIMUMF;
    return arith::ConstantOp::create(
        builder, loc,
        FloatAttr::get(floatType, APFloat::getInf(floatType.getFloatSemantics(),
                                                  negative)));
  }
  case vector::CombiningKind::AND:
  case vector::CombiningKind::MINUI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(type,
                         APInt::getAllOnes(type.getIntOrFloatBitWidth())));
  case vector::CombiningKind::MAXSI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(
            type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth())));
  case vector::CombiningKind::MINSI:
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(
            type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth())));
  default:
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
}

/// Returns the neutral value of each output's terms, `numVectors` of each.
SmallVector<Value> LinalgKernelEmitter::createNeutralTerms(int64_t numVectors) {
  SmallVector<Value> terms;
  for (const Reduction &reduction : kernel.reductions)
    terms.append(numVectors,
                 broadcast(createNeutral(reduction.kind, reduction.termType)));
  return terms;
}

/// Combines the terms at `chunk` into `partials`.
SmallVector<Value> LinalgKernelEmitter::accumulate(const Chunk &chunk,
                                                   ValueRange partials) {
  SmallVector<Value> results(partials);
  for (int64_t vector = 0; vector < chunk.numVectors; ++vector) {
    Point point{chunk, vector, DenseMap<Value, Value>()};
    for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
      Value term = broadcast(evaluate(reduction.term, point));
      Value mask = chunk.getMask(vector);
      if (mask && kernel.reducesAlongVectors())
        term = arith::SelectOp::create(
            builder, loc, mask, term,
            broadcast(createNeutral(reduction.kind, reduction.termType)));
      Value &partial = results[index * chunk.numVectors + vector];
      partial = combine(reduction.kind, partial, term, reduction.fastMath);
    }
  }
  return results;
}

/// Returns the combined terms of a chunk's rows from `begin` to `end`.
SmallVector<Value> LinalgKernelEmitter::accumulateRows(const Chunk &chunk,
                                                       unsigned rowDim,
                                                       Value begin, Value end) {
  return emitRows(begin, end, createNeutralTerms(chunk.numVectors),
                  [&](Value row, ValueRange args) {
                    indices[rowDim] = row;
                    return accumulate(chunk, args);
                  });
}

Value LinalgKernelEmitter::combine(vector::CombiningKind kind, Value lhs,
                                   Value rhs, arith::FastMathFlags fastMath) {
  // LLVM keeps the addition of a zero, for it may change the sign of another
  // one. Sums of zeros have either sign.
  if (kind == vector::CombiningKind::ADD) {
    if (matchPattern(lhs, m_AnyZeroFloat()))
      return rhs;
    if (matchPattern(rhs, m_AnyZeroFloat()))
      return lhs;
  }
  auto flags = arith::FastMathFlagsAttr::get(builder.getContext(), fastMath);
  return vector::makeArithReduction(builder, loc, kind, lhs, rhs, flags);
}

Value LinalgKernelEmitter::widen(const Reduction &reduction, Value term) {
  if (!reduction.isWidened())
    return term;
  return arith::ExtFOp::create(builder, loc, getVectorType(reduction.laneType),
                               term);
}

/// TwoSum (Knuth, The Art of Computer Programming 2, 4.2.2): the rounded sum,
/// and what the rounding lost.
std::pair<Value, Value> LinalgKernelEmitter::addWithError(Value sum,
                                                          Value term) {
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  };
  auto sub = [&](Value lhs, Value rhs) -> Value {
    return arith::SubFOp::create(builder, loc, lhs, rhs);
  };
  Value total = add(sum, term);
  Value termPart = sub(total, sum);
  Value sumPart = sub(total, termPart);
  Value error = add(sub(sum, sumPart), sub(term, termPart));
  return {total, error};
}

/// Combines `partials`, `numVectors` for each output, into as many sums.
SmallVector<Value> LinalgKernelEmitter::flush(ValueRange sums,
                                              ValueRange partials,
                                              int64_t numVectors) {
  SmallVector<Value> results;
  ValueRange rest = sums;
  for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
    SmallVector<Value> totals, errors;
    for (int64_t vector = 0; vector < numVectors; ++vector) {
      Value term = widen(reduction, partials[index * numVectors + vector]);
      if (!reduction.isCompensated) {
        totals.push_back(combine(reduction.kind, rest[vector], term));
        continue;
      }
      auto [total, error] = addWithError(rest[vector], term);
      totals.push_back(total);
      errors.push_back(arith::AddFOp::create(builder, loc,
                                             rest[numVectors + vector], error));
    }
    llvm::append_range(results, totals);
    llvm::append_range(results, errors);
    rest = rest.drop_front(totals.size() + errors.size());
  }
  return results;
}

/// Merges `partials`, `numVectors` for each output, pairwise into one for each
/// place of the period and combines those into the sums.
SmallVector<Value> LinalgKernelEmitter::flushMerged(ValueRange sums,
                                                    ValueRange partials,
                                                    int64_t numVectors) {
  int64_t period = kernel.schedule.periodVectors;
  SmallVector<Value> merged;
  for (auto [index, reduction] : llvm::enumerate(kernel.reductions)) {
    ValueRange terms = partials.slice(index * numVectors, numVectors);
    for (int64_t place = 0; place < period; ++place) {
      SmallVector<Value> level;
      for (int64_t vector = place; vector < numVectors; vector += period)
        level.push_back(terms[vector]);
      merged.push_back(combinePairwise(reduction.kind, std::move(level)));
    }
  }
  return flush(sums, merged, period);
}

/// Combines neighbours, then what that gives, until one value is left.
Value LinalgKernelEmitter::combinePairwise(vector::CombiningKind kind,
                                           SmallVector<Value> level) {
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t pair = 0; pair + 1 < level.size(); pair += 2)
      next.push_back(combine(kind, level[pair], level[pair + 1]));
    if (level.size() % 2)
      next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}
