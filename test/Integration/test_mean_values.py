"""M1, M5 and M6: numbers of operands, rounding and special values."""

import math

import numpy as np
import pytest

from inputs import EXTREMES, FLOATS, FORMS, SIZES, normal
from mean_programs import run, run_and_check, run_each_and_check
from reference import quantize


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 16])
@pytest.mark.parametrize("dtype", FLOATS)
def test_m1_m5_number_of_operands(dtype, count, form, tmp_path):
    arrays = [normal(dtype, (3, 41), seed=i, mean=i) for i in range(count)]
    run_and_check(tmp_path, dtype, arrays, form)


@pytest.mark.parametrize("start", range(1, 65, 8))
def test_m1_m5_every_number_of_operands(start, tmp_path):
    """Up to 64; types take turns."""
    for count in range(start, start + 8):
        dtype = FLOATS[(count + start // 8) % 4]
        arrays = [normal(dtype, (2, 19), seed=i, mean=i % 5) for i in range(count)]
        run_and_check(tmp_path, dtype, arrays)


@pytest.mark.parametrize("dtype", FLOATS)
def test_m1_m5_many_operands_at_run_time(dtype, tmp_path):
    arrays = [normal(dtype, (19,), seed=i, mean=i % 5) for i in range(64)]
    run_and_check(tmp_path, dtype, arrays, "dynamic")


def test_m1_m5_hundreds_of_operands(tmp_path):
    arrays = [normal("f32", (2, 19), seed=i, mean=i % 5) for i in range(331)]
    run_and_check(tmp_path, "f32", arrays)


@pytest.mark.parametrize("count", [9, 16, 26])
@pytest.mark.parametrize("dtype", FLOATS)
def test_m1_m5_groups_of_operands(dtype, count, tmp_path):
    """More than are added at once, in tensors of more than one tile."""
    arrays = [normal(dtype, (2, 16400), seed=i, mean=i % 5) for i in range(count)]
    run_and_check(tmp_path, dtype, arrays)


@pytest.mark.parametrize("turn", range(4))
def test_m5_every_size(turn, tmp_path):
    """Sizes of the innermost dimension, of two rows or of one that is stretched."""
    dtype, sizes = FLOATS[turn], SIZES[turn::2]
    run_each_and_check(tmp_path, dtype, [
        [normal(dtype, (3, size), seed=1), normal(dtype, (3 if size % 3 else 1, size), seed=2)]
        for size in sizes])


@pytest.mark.parametrize("count", [2, 3, 5, 7, 10, 31])
@pytest.mark.parametrize("dtype", FLOATS)
def test_m5_mean_of_equal_values(dtype, count, tmp_path):
    """M5: exact in f16, bf16 and f32; in f64 for powers of two."""
    if dtype == "f64":
        count = 1 << count.bit_length()  # 4, 4, 8, 8, 16, 32
    largest, smallest, subnormal = EXTREMES[dtype]
    values = quantize(dtype, [0.1, -1 / 3, 5, 7, smallest, subnormal, 3 * subnormal]
                      + ([] if dtype == "f64" else [largest, -largest]))
    np.testing.assert_array_equal(run(tmp_path, dtype, [values] * count), values)


@pytest.mark.parametrize("dtype", FLOATS)
def test_m5_sum_beyond_the_type(dtype, tmp_path):
    """M5: finite inputs never overflow on the way; f64 does as in IEEE 754."""
    largest = EXTREMES[dtype][0]
    x, y = np.array([largest, largest, -largest]), np.array([largest, 1.0, -largest])
    if dtype == "f64":
        got = run(tmp_path, dtype, [x, y])
        assert got[0] == math.inf and got[2] == -math.inf
        return
    run_and_check(tmp_path, dtype, [x, y])


@pytest.mark.parametrize("dtype", FLOATS)
def test_m5_cancellation(dtype, tmp_path):
    """M5: small sums of large terms."""
    big = 1e4
    arrays = [quantize(dtype, v) for v in
              ([big, big, -big], [1.0, 2.0, 0.5], [-big, -big, big])]
    run_and_check(tmp_path, dtype, arrays)


@pytest.mark.parametrize("dtype", FLOATS)
def test_m5_m6_bits_of_all_kinds(dtype, tmp_path):
    """Pairs whose exponents are anything, or within the precision of each other."""
    generator = np.random.default_rng(5)
    shape = (4000,)
    limits = {"f16": (-24, 16), "bf16": (-133, 128), "f32": (-149, 128), "f64": (-1074, 1000)}
    low, high = limits[dtype]
    exponents = generator.integers(low, high, shape)
    others = np.where(np.arange(4000) % 2 == 0, generator.integers(low, high, shape),
                      np.clip(exponents + generator.integers(-26, 27, shape), low, high - 1))
    arrays = [quantize(dtype, np.ldexp(generator.uniform(1, 1.99, shape), e)
                       * generator.choice([-1, 1], shape)) for e in (exponents, others)]
    run_and_check(tmp_path, dtype, arrays)


@pytest.mark.parametrize("dtype", FLOATS)
def test_m6_nan_and_infinity(dtype, tmp_path):
    """M6."""
    inf, nan = math.inf, math.nan
    arrays = [np.array([inf, inf, nan, 1.0, -inf, 1.0]),
              np.array([1.0, -inf, 1.0, nan, 2.0, 1.0])]
    got = run(tmp_path, dtype, arrays)
    np.testing.assert_array_equal(got, [inf, nan, nan, nan, -inf, 1.0])


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("dtype", FLOATS)
def test_m6_subnormals(dtype, count, tmp_path):
    """M6: kept in every type, in inputs and in results."""
    _, smallest, subnormal = EXTREMES[dtype]
    x = subnormal * np.array([1.0, 2, 3, 4, 100])
    y = np.array([0.0, 2 * subnormal, smallest, -subnormal, subnormal])
    run_and_check(tmp_path, dtype, [x, y, x][:count])


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("count", [2, 3, 33])
def test_m5_large_sums(dtype, count, tmp_path):
    """Near the largest finite number, of one sign or of both."""
    largest = EXTREMES[dtype][0]
    shares = np.random.default_rng(count).uniform(0.9, 1, size=(count, 50))
    signs = np.where(np.arange(count) % 2, -1, 1)[:, None]
    arrays = [*quantize(dtype, largest * shares)]
    run_each_and_check(tmp_path, dtype, [arrays, [*quantize(dtype, largest * shares * signs)]])
