"""V1: lanes of every length, at every place and beside every kept size."""

import numpy as np
import pytest

import reference
from inputs import FLOATS, FORMS, SIZES, normal
from mvn_programs import run_and_check, run_one
from reference import quantize


# Places of the reduced (R) and the kept dimensions (K), of which one has `n` elements.
PATTERNS = {
    "KR": (lambda n: (3, n), [1]),
    "RK": (lambda n: (n, 3), [0]),
    "KRK": (lambda n: (2, n, 5), [1]),
    "RKR": (lambda n: (2, 3, n), [0, 2]),
    "kept RK": (lambda n: (37, n), [0]),
    "kept KRK": (lambda n: (2, 9, n), [1]),
    "kept KR": (lambda n: (n, 37), [1]),
}


def run_sizes(directory, dtype, pattern, sizes, form):
    make_shape, axes = PATTERNS[pattern]
    arrays = [normal(dtype, make_shape(n), seed=n) for n in sizes]
    run_and_check(directory, dtype, arrays, [{"axes": axes}] * len(arrays), form)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("pattern", PATTERNS)
def test_v1_static_sizes(pattern, turn, tmp_path):
    """Every size, in one of the types; sizes at run time are in RunTimeSizesTest.cpp."""
    dtype = FLOATS[(list(PATTERNS).index(pattern) + turn) % 4]
    run_sizes(tmp_path, dtype, pattern, SIZES[turn::4], "static")


@pytest.mark.parametrize("form", FORMS[1:])
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v1_sizes_at_run_time(dtype, pattern, form, tmp_path):
    run_sizes(tmp_path, dtype, pattern, [1, 7, 33, 129], form)


@pytest.mark.parametrize("length", [21, 32, 64, 100, 256, 512, 513])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v1_groups_of_short_rows(dtype, length, tmp_path):
    """Rows whose sums are folded together: whole groups, with a rest, and too few; in
    tiles of a size that is static, and of one that is not."""
    for form in ("static", "partial"):
        arrays = [normal(dtype, (count, length), seed=count, mean=3)
                  for count in (2, 3, 7, 8, 15, 32, 35, 67)]
        run_and_check(tmp_path, dtype, arrays, [{"axes": [1]}] * len(arrays), form)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("form", FORMS)
def test_v1_images_with_channels_last(dtype, form, tmp_path):
    x = normal(dtype, (2, 13, 11, 3), seed=3, mean=2)
    run_and_check(tmp_path, dtype, [x, x],
                  [{"axes": [1, 2]}, {"axes": [0, 1, 2]}], form)


@pytest.mark.parametrize("axes,shape", [([1], (2, 100003)), ([0], (20011, 5)),
                                        ([], (50, 40, 50))], ids=str)
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_v1_long_lanes(dtype, axes, shape, tmp_path):
    x = normal(dtype, shape, seed=5, mean=100)
    run_and_check(tmp_path, dtype, [x], [{"axes": axes}])


@pytest.mark.parametrize("axes,shape", [([0], (1 << 24,)), ([0], (1 << 22, 3))], ids=str)
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_v1_longest_lanes(dtype, axes, shape, tmp_path):
    """Of 2^24 elements, and columns of 2^22."""
    x = quantize(dtype, np.random.default_rng(1).integers(-500, 500, size=shape) / 4 + 20)
    got = run_one(tmp_path, dtype, x, axes=axes)
    for column in range(shape[1] if len(shape) == 2 else 1):
        lane, result = ((a if a.ndim == 1 else a[:, column]) for a in (x, got))
        reference.check_long_lane(dtype, result, lane)
