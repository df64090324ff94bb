"""The C++ reference (`--reference`) against the exact one of reference.py.

They share no code: this one computes in integers and fractions, that one in long
doubles. What it prints is its value, rounded to a double and then to the element type.
"""

import numpy as np
import pytest

import harness
import reference
from inputs import EXTREMES, FLOATS, random_dynamic, random_shape, random_values

OPERATIONS = 30
CLAUSES = [{}, {"epsilon": 0.0}, {"epsilon": 0.1}, {"center_only": True},
           {"epsilon": 1e-5, "inside_sqrt": True}]


def check_rounded(dtype, got, want, unit=0):
    """Half an ulp, and beside a tie what the value had lost before that last rounding:
    the bits beyond a double's, and a few of the last bits of a long double, of which
    deviations from a mean have as many as their lane's sigma (`unit`)."""
    lost = 8 * np.longdouble(2.0**-64) * np.maximum(np.abs(want), unit)
    if dtype != "f64":
        lost += 2.0**-53 * np.abs(want)
    half = reference.ulp(dtype, np.abs(want) + lost) / 2
    overflow = np.abs(want) >= EXTREMES[dtype][0] + half
    want = np.where(overflow, np.copysign(np.inf, want), want)
    reference.check(dtype, got, want, half + lost)


def random_axes(rng, rank):
    axes = rng.permutation(rank)[: rng.integers(0, rank + 1)]
    return [int(axis - rank * rng.integers(0, 2)) for axis in axes]


def small_shape(rng, rank):
    while True:
        shape = random_shape(rng, rank)
        if np.prod(shape) <= 2000:
            return shape


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", FLOATS)
def test_mvn(dtype, seed, tmp_path):
    rng = np.random.default_rng(2000 + seed)
    arrays, types, body, operations = [], [], [], []
    for index in range(OPERATIONS):
        x = random_values(rng, dtype, small_shape(rng, int(rng.integers(1, 5))))
        # Means far from 0, values far from 1, and special ones.
        x = reference.quantize(dtype, x * 10.0 ** rng.integers(-6, 3)
                               + rng.choice([0, 0, 1e3]))
        if x.size and rng.random() < 0.2:
            x.flat[rng.integers(0, x.size)] = rng.choice([np.nan, np.inf, -np.inf])
        operation = {"axes": random_axes(rng, x.ndim), **CLAUSES[index % len(CLAUSES)]}
        arrays.append(x)
        types.append(harness.type_text(dtype, x.shape, random_dynamic(rng, x.shape)))
        body.append(harness.mvn_text(f"%y{index}", f"%x{index}", types[-1], **operation))
        operations.append(operation)
    program = harness.function_text(types, body, [f"%y{i}" for i in range(OPERATIONS)],
                                    types)
    results = harness.run(tmp_path, program, [(dtype, x) for x in arrays],
                          [dtype] * OPERATIONS, ["--reference"])
    for got, x, operation in zip(results, arrays, operations):
        want = reference.Mvn(dtype, x, **operation).result
        lane = tuple(operation["axes"]) or None
        # The root mean square of a lane's results is sigma over the divisor.
        unit = np.sqrt(np.mean(want**2, axis=lane, keepdims=True)) if want.size else 0
        check_rounded(dtype, got, want, unit)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("dtype", FLOATS)
def test_mean(dtype, seed, tmp_path):
    rng = np.random.default_rng(3000 + seed)
    inputs, input_types, body, types, wanted = [], [], [], [], []
    for index in range(OPERATIONS):
        shape = small_shape(rng, int(rng.integers(0, 4)))
        operands = []
        for _ in range(int(rng.integers(2, 7))):
            own = [1 if rng.random() < 0.3 else size for size in shape]
            operands.append(random_values(rng, dtype, own[int(rng.integers(0, 2)):]))
        names = [f"%x{len(inputs) + i}" for i in range(len(operands))]
        operand_types = [harness.type_text(dtype, x.shape, random_dynamic(rng, x.shape))
                         for x in operands]
        wanted.append(reference.mean(operands))
        types.append(harness.type_text(dtype, wanted[-1].shape))
        body.append(harness.mean_text(f"%y{index}", names, operand_types, types[-1]))
        inputs += operands
        input_types += operand_types
    program = harness.function_text(input_types, body,
                                    [f"%y{i}" for i in range(OPERATIONS)], types)
    results = harness.run(tmp_path, program, [(dtype, x) for x in inputs],
                          [dtype] * OPERATIONS, ["--reference"])
    for got, want in zip(results, wanted):
        check_rounded(dtype, got, want)


UPSTREAM = """
#matrix = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<4x33xT>, %y: tensor<4x33xT>, %z: tensor<4xT>)
    -> (tensor<4x33xT>, tensor<4xT>, tensor<4x33xT>) {
  %0 = arith.addf %x, %y : tensor<4x33xT>
  %1 = arith.mulf %0, %y : tensor<4x33xT>
  %2 = arith.divf %1, %x : tensor<4x33xT>
  %3 = arith.subf %2, %0 : tensor<4x33xT>
  %4 = arith.maximumf %3, %x : tensor<4x33xT>
  %5 = math.absf %4 : tensor<4x33xT>
  %6 = math.sqrt %5 : tensor<4x33xT>
  %7 = linalg.reduce ins(%6 : tensor<4x33xT>) outs(%z : tensor<4xT>) dimensions = [1]
      (%in: T, %sum: T) {
    %9 = arith.mulf %in, %in : T
    %10 = arith.addf %sum, %9 : T
    linalg.yield %10 : T
  }
  %8 = linalg.generic {
      indexing_maps = [#matrix, affine_map<(i, j) -> (i)>, #matrix],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %7 : tensor<4x33xT>, tensor<4xT>) outs(%y : tensor<4x33xT>) {
  ^bb0(%in: T, %scale: T, %out: T):
    %9 = arith.addf %in, %out : T
    %10 = arith.mulf %9, %scale : T
    %11 = arith.minimumf %10, %out : T
    linalg.yield %11 : T
  } -> tensor<4x33xT>
  return %6, %7, %8 : tensor<4x33xT>, tensor<4xT>, tensor<4x33xT>
}
"""


@pytest.mark.parametrize("dtype", FLOATS)
def test_upstream_operations(dtype, tmp_path):
    """Operations of IEEE 754 have one result: compiled code gives it to the bit."""
    rng = np.random.default_rng(4000)
    inputs = [(dtype, reference.quantize(dtype, rng.normal(size=shape)))
              for shape in ((4, 33), (4, 33), (4,))]
    program = UPSTREAM.replace("T>", dtype + ">").replace(": T", ": " + dtype)
    expected = harness.run(tmp_path, program, inputs, [dtype] * 3, ["--reference"])
    got = harness.run(tmp_path, program, inputs, [dtype] * 3)
    for actual, wanted in zip(got, expected):
        np.testing.assert_array_equal(actual, wanted)
