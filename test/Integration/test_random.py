"""Random programs: ranks, sizes, axes, types, clauses and run-time dimensions."""

import numpy as np
import pytest

import harness
import reference
from reference import quantize
from inputs import FLOATS

SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32, 33, 48, 65, 100, 131]
OPERATIONS = 6
LARGEST = 20000  # elements of one tensor


def random_shape(rng, rank):
    shape = []
    for _ in range(rank):
        room = LARGEST // max(1, int(np.prod([max(1, s) for s in shape])))
        shape.append(int(rng.choice([s for s in SIZES if s <= room])))
    return tuple(rng.permutation(shape).tolist()) if shape else ()


def random_values(rng, dtype, shape):
    mean, sigma = rng.choice([0, 1, 50]), rng.choice([0.01, 1, 30])
    return quantize(dtype, mean + sigma * rng.normal(size=shape))


def random_dynamic(rng, shape):
    share = rng.choice([0, 0.5, 1])
    return [dim for dim in range(len(shape)) if rng.random() < share]


@pytest.mark.parametrize("seed", range(32))
def test_random_mvn(seed, tmp_path):
    rng = np.random.default_rng(seed)
    inputs, types, body, operations = [], [], [], []
    for index in range(OPERATIONS):
        dtype = str(rng.choice(FLOATS))
        shape = random_shape(rng, int(rng.integers(1, 7)))
        rank = len(shape)
        axes = rng.permutation(rank)[: rng.integers(0, rank + 1)]
        axes = [int(axis - rank * rng.integers(0, 2)) for axis in axes]
        attributes = {"axes": axes}
        if rng.random() < 0.3:
            attributes["center_only"] = True
        elif rng.random() < 0.5:
            attributes["epsilon"] = float(rng.choice([0, 1e-5, 0.1]))
            attributes["inside_sqrt"] = bool(rng.random() < 0.5)
        inputs.append((dtype, random_values(rng, dtype, shape)))
        types.append(harness.type_text(dtype, shape, random_dynamic(rng, shape)))
        body.append(harness.mvn_text(f"%y{index}", f"%x{index}", types[-1], **attributes))
        operations.append(attributes)
    program = harness.function_text(types, body, [f"%y{i}" for i in range(OPERATIONS)],
                                    types)
    results = harness.run(tmp_path, program, inputs, [dtype for dtype, _ in inputs])
    for got, (dtype, x), attributes in zip(results, inputs, operations):
        expected = reference.Mvn(dtype, x, **attributes)
        reference.check(dtype, got, expected.result, expected.bound)


@pytest.mark.parametrize("seed", range(32))
def test_random_mean(seed, tmp_path):
    rng = np.random.default_rng(1000 + seed)
    dtype = str(rng.choice(FLOATS))
    shape = random_shape(rng, int(rng.integers(0, 6)))
    arrays, types = [], []
    for _ in range(int(rng.integers(2, 6))):
        own = [1 if rng.random() < 0.3 else size for size in shape]
        own = tuple(own[int(rng.integers(0, len(own) + 1)) if rng.random() < 0.3 else 0:])
        arrays.append(random_values(rng, dtype, own))
        types.append(harness.type_text(dtype, own, random_dynamic(rng, own)))
    result_shape = np.broadcast_shapes(*(array.shape for array in arrays))
    # Any declared type that agrees with the sizes will do (M4).
    result_type = harness.type_text(dtype, result_shape, random_dynamic(rng, result_shape))
    operands = [f"%x{index}" for index in range(len(arrays))]
    body = harness.mean_text("%y", operands, types, result_type)
    program = harness.function_text(types, [body], ["%y"], [result_type])
    [got] = harness.run(tmp_path, program, [(dtype, a) for a in arrays], [dtype])
    want = reference.mean(arrays)
    reference.check(dtype, got, want, reference.mean_bound(dtype, arrays, want))
