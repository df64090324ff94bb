"""V7: NaN and infinities in a lane."""

import itertools
import math

import numpy as np
import pytest

from inputs import FLOATS, FORMS, normal
from mvn_programs import run_and_check, run_each, run_one


@pytest.mark.parametrize("center_only", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v7_lanes_with_nan_and_infinity(dtype, form, center_only, tmp_path):
    length = 45
    x = normal(dtype, (12, length), seed=14)
    specials = itertools.product((math.nan, math.inf, -math.inf), (0, 20, length - 1))
    for row, (special, column) in enumerate(specials):
        x[row, column] = special
    x[9, 0], x[9, 1] = math.inf, -math.inf
    operation = {"center_only": center_only}
    run_and_check(tmp_path, dtype, [x, x.T.copy()],
                  [dict(operation, axes=[1]), dict(operation, axes=[0])], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_v7_other_lanes_keep_their_bits(dtype, tmp_path):
    """V7: a NaN, or an outlier in the sample, touches no lane but its own."""
    x = normal(dtype, (24, 300), seed=15, mean=3)
    marked = x.copy()
    marked[5, 17], marked[11, 150], marked[20, 299] = math.nan, math.inf, 1000.0
    others = [row for row in range(24) if row not in (5, 11, 20)]
    for axes, transpose in (([1], False), ([0], True)):
        arrays = [a.T.copy() if transpose else a for a in (x, marked)]
        plain, got = run_each(tmp_path, dtype, arrays, [{"axes": axes}] * 2)
        if transpose:
            plain, got = plain.T, got.T
        np.testing.assert_array_equal(got[others], plain[others])
        assert np.isnan(got[[5, 11]]).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_v7_lanes_of_one_nan(dtype, tmp_path):
    x = np.array([[math.nan], [1.0], [math.inf]])
    got = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(got, [[math.nan], [0], [math.nan]])
