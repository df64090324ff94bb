"""meanvar.mean against the exact reference, rule by rule (M1 to M6)."""

import math

import numpy as np
import pytest

import harness
import reference
from reference import quantize
from test_mvn import EXTREMES, FLOATS, FORMS, dynamic_dims, normal


def program(dtype, shapes, dynamics, result_shape, result_dynamic):
    types = [harness.type_text(dtype, s, d) for s, d in zip(shapes, dynamics)]
    result_type = harness.type_text(dtype, result_shape, result_dynamic)
    body = harness.mean_text("%y", [f"%x{i}" for i in range(len(types))], types,
                             result_type)
    return harness.function_text(types, [body], ["%y"], [result_type])


def run(directory, dtype, arrays, form="static"):
    shapes = [a.shape for a in arrays]
    result_shape = np.broadcast_shapes(*shapes)
    dynamics = [dynamic_dims(form, shape) for shape in shapes]
    text = program(dtype, shapes, dynamics, result_shape,
                   dynamic_dims(form, result_shape))
    return harness.run(directory, text, [(dtype, a) for a in arrays], [dtype])[0]


def run_and_check(directory, dtype, arrays, form="static"):
    got = run(directory, dtype, arrays, form)
    want = reference.mean(arrays)
    reference.check(dtype, got, want, reference.mean_bound(dtype, arrays, want))
    return got


BROADCASTS = {
    "same": [(5, 37), (5, 37)],
    "scalar": [(4, 9), ()],
    "scalar_first": [(), (4, 9)],
    "row": [(6, 33), (33,)],
    "column": [(6, 33), (6, 1)],
    "both": [(7, 1), (1, 19)],
    "three": [(2, 1, 17), (5, 1), (2, 5, 17)],
    "inner_and_outer": [(1, 3, 1, 5), (2, 3, 4, 1), (4, 5)],
    "rank_0": [(), ()],
    "all_ones": [(1, 1), (1,)],
    "zero_against_one": [(0, 3), (1, 3)],
    "zero_inside": [(3, 1, 4), (3, 0, 1)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BROADCASTS)
def test_broadcast(name, form, tmp_path):
    """M2, and M3 where the sizes of 1 are known at run time only."""
    dtype = FLOATS[list(BROADCASTS).index(name) % 4]
    arrays = [normal(dtype, shape, seed=i) for i, shape in enumerate(BROADCASTS[name])]
    run_and_check(tmp_path, dtype, arrays, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16, 33])
@pytest.mark.parametrize("dtype", FLOATS)
def test_number_of_operands(dtype, count, form, tmp_path):
    """M1, M5."""
    arrays = [normal(dtype, (3, 41), seed=i, mean=i) for i in range(count)]
    run_and_check(tmp_path, dtype, arrays, form)


@pytest.mark.parametrize("dynamic", [[], [0], [0, 1]], ids=str)
def test_result_type_that_says_less(dynamic, tmp_path):
    """M4: a declared type with `?` where the operands have sizes."""
    arrays = [normal("f32", (3, 20), seed=1), normal("f32", (20,), seed=2)]
    text = program("f32", [a.shape for a in arrays], [[], []], (3, 20), dynamic)
    [got] = harness.run(tmp_path, text, [("f32", a) for a in arrays], ["f32"])
    want = reference.mean(arrays)
    reference.check("f32", got, want, reference.mean_bound("f32", arrays, want))


SIZES_AT_RUN_TIME = [
    [(4, 8), (4, 8)],
    [(4, 1), (4, 8)],
    [(4, 8), (4, 1)],
    [(1, 8), (4, 8)],
    [(1, 1), (4, 8)],
    [(1, 8), (4, 1)],
    [(1, 1), (1, 1)],
    [(0, 8), (1, 8)],
]


@pytest.mark.parametrize("shapes", SIZES_AT_RUN_TIME, ids=str)
def test_one_at_run_time(shapes, tmp_path):
    """M3: the same program for every pair of shapes."""
    run_and_check(tmp_path, "f32",
                  [normal("f32", s, seed=i) for i, s in enumerate(shapes)], "dynamic")


@pytest.mark.parametrize("shapes,sizes", [
    ([(2, 4), (3, 4)], ("2", "3")),
    ([(4, 5), (4, 7)], ("5", "7")),
    ([(6,), (2, 9)], ("6", "9")),
    ([(0, 4), (3, 4)], ("0", "3")),
    ([(1, 4), (3, 4), (5, 4)], ("3", "5")),
], ids=str)
def test_mismatch_at_run_time(shapes, sizes, tmp_path):
    """M3: refused with both sizes, and nothing is written."""
    rank = max(map(len, shapes))
    text = program("f32", shapes, [range(len(s)) for s in shapes], (0,) * rank, range(rank))
    harness.refuse(tmp_path, text, [("f32", np.ones(s)) for s in shapes], sizes)


def test_mismatch_of_tensors_without_elements(tmp_path):
    """M3: also where the types alone show that there is nothing to compute."""
    text = program("f32", [(0, 3), (0, 4)], [[1], [1]], (0, 0), [1])
    harness.refuse(tmp_path, text, [("f32", np.ones((0, 3))), ("f32", np.ones((0, 4)))],
                   ("3", "4"))


@pytest.mark.parametrize("shapes,sizes", [
    ([(2, 4), (2, 4)], ("2", "3")),
    ([(1, 4), (1, 4)], ("1", "3")),
], ids=str)
def test_declared_size_at_run_time(shapes, sizes, tmp_path):
    """M4: what the declared type adds is checked."""
    text = program("f32", shapes, [[0]] * len(shapes), (3, 4), [])
    harness.refuse(tmp_path, text, [("f32", np.ones(s)) for s in shapes], sizes)
    right = [np.full((3, 4), 2.0), np.full((1, 4), 4.0)]
    [got] = harness.run(tmp_path, text, [("f32", a) for a in right], ["f32"])
    np.testing.assert_array_equal(got, np.full((3, 4), 3.0))


@pytest.mark.parametrize("count", [2, 3, 5, 7, 10, 31])
@pytest.mark.parametrize("dtype", FLOATS)
def test_mean_of_equal_values(dtype, count, tmp_path):
    """M5: exact in f16, bf16 and f32; in f64 for powers of two."""
    if dtype == "f64":
        count = 1 << count.bit_length()  # 4, 4, 8, 8, 16, 32
    largest, smallest, subnormal = EXTREMES[dtype]
    values = quantize(dtype, [0.1, -1 / 3, 5, 7, smallest, subnormal, 3 * subnormal]
                      + ([] if dtype == "f64" else [largest, -largest]))
    np.testing.assert_array_equal(run(tmp_path, dtype, [values] * count), values)


@pytest.mark.parametrize("dtype", FLOATS)
def test_sum_beyond_the_type(dtype, tmp_path):
    """M5: finite inputs never overflow on the way; f64 does as in IEEE 754."""
    largest = EXTREMES[dtype][0]
    x, y = np.array([largest, largest, -largest]), np.array([largest, 1.0, -largest])
    if dtype == "f64":
        got = run(tmp_path, dtype, [x, y])
        assert got[0] == math.inf and got[2] == -math.inf
        return
    run_and_check(tmp_path, dtype, [x, y])


@pytest.mark.parametrize("dtype", FLOATS)
def test_cancellation(dtype, tmp_path):
    """M5: small sums of large terms."""
    big = 1e4
    arrays = [quantize(dtype, v) for v in
              ([big, big, -big], [1.0, 2.0, 0.5], [-big, -big, big])]
    run_and_check(tmp_path, dtype, arrays)


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_and_infinity(dtype, tmp_path):
    """M6."""
    inf, nan = math.inf, math.nan
    arrays = [np.array([inf, inf, nan, 1.0, -inf, 1.0]),
              np.array([1.0, -inf, 1.0, nan, 2.0, 1.0])]
    got = run(tmp_path, dtype, arrays)
    np.testing.assert_array_equal(got, [inf, nan, nan, nan, -inf, 1.0])


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("dtype", FLOATS)
def test_subnormals(dtype, count, tmp_path):
    """M6: kept in every type, in inputs and in results."""
    _, smallest, subnormal = EXTREMES[dtype]
    x = subnormal * np.array([1.0, 2, 3, 4, 100])
    y = np.array([0.0, 2 * subnormal, smallest, -subnormal, subnormal])
    run_and_check(tmp_path, dtype, [x, y, x][:count])
