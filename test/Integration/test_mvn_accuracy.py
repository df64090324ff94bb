"""V5: the error of each element, for lanes that are hard to get right."""

import numpy as np
import pytest

import reference
from inputs import EXTREMES, FLOATS, FORMS, normal
from mvn_programs import run_and_check, run_one
from reference import quantize


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_large_mean(dtype, form, tmp_path):
    """mean/sigma from 1 to 1e6 (beyond 1e4 the bound grows), and ramps."""
    rows = [normal(dtype, 500, seed=ratio, mean=10.0**ratio) for ratio in range(7)
            if dtype != "f16" or ratio < 5]
    rows += [quantize(dtype, start + np.arange(500.0)) for start in (1000, 40000, 80000)
             if dtype != "f16" or start < 60000]
    x = np.array(rows)
    run_and_check(tmp_path, dtype, [x, x.T.copy()], [{"axes": [1]}, {"axes": [0]}], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_one_outlier(dtype, tmp_path):
    x = normal(dtype, (3, 1000), seed=11)
    x[0, 0], x[1, 500], x[2, 999] = quantize(dtype, [1000, -1000, 5000])
    run_and_check(tmp_path, dtype, [x], [{"axes": [1]}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("length", [40, 1000, 50000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_outlier_at_any_place(dtype, length, axis, tmp_path):
    """No single element may serve as an estimate of the mean."""
    rows = []
    for place in (0, 1, length // 2, length - 1):
        for size in (10, 1000, 1e4 if dtype == "f16" else 1e7):
            row = normal(dtype, length, seed=place)
            row[place] = quantize(dtype, size)
            rows.append(row)
            # The same at every quarter of the lane, where one might take samples.
            several = row.copy()
            several[[0, length // 4, length // 2, length * 3 // 4, length - 1]] = row[place]
            rows.append(several)
    x = np.array(rows)
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_lanes_of_two_values(dtype, axis, tmp_path):
    """Masks and borders: all terms of a partial sum are equal and rounded to one side."""
    length = 1 << 16
    rows = []
    # Values whose multiples f32 rounds especially badly.
    for value in (1.2666997, 1.8894749, 1.9042187, 1 / 3):
        for share in (0.1, 0.2, 0.5):
            row = np.full(length, value)
            row[-int(share * length):] = 0.0
            rows.append(row)
            # And where one might take samples.
            marked = row.copy()
            marked[[0, length // 4, length // 2, length * 3 // 4]] = 0.0
            rows.append(marked)
    x = quantize(dtype, rows)
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_short_lanes_of_two_values(dtype, tmp_path):
    """Their sums are of the type of the terms to the end."""
    arrays = []
    for length in (20, 33, 64, 127, 256, 300, 511, 512):
        rows = []
        for value in (1.2666997, 1.8894749, 1.9042187, 1 / 3):
            for share in (0.1, 0.2, 0.5):
                row = np.full(length, value)
                row[-int(share * length):] = 0.0
                rows += [row, row[::-1], np.random.default_rng(length).permutation(row)]
        arrays += [quantize(dtype, rows), quantize(dtype, np.array(rows) + 100)]
    run_and_check(tmp_path, dtype, arrays, [{"axes": [1]}] * len(arrays))


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_first_part_unlike_the_rest(dtype, axis, tmp_path):
    """Steps and ramps: the start of a lane says little about its mean."""
    length = 5000
    step = np.where(np.arange(length) < 64, 1000.0, 0.0)
    rows = [step, step[::-1], 1000 - step, np.where(np.arange(length) < 2500, 1000.0, -1000.0),
            np.linspace(-1000, 1000, length), np.linspace(0, 1000, length) ** 2 / 100]
    x = quantize(dtype, np.array(rows) + np.random.default_rng(17).normal(size=length))
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v5_spread_of_one_ulp(dtype, form, tmp_path):
    """Neighbouring values: almost constant lanes, whose mean is no value of the type."""
    largest = 1e150 if dtype == "f64" else EXTREMES[dtype][0]
    rows, length = [], 300
    for value in (1.0, 1.9, 300.0, -0.1, largest / 4):
        value = quantize(dtype, value)
        step = float(reference.ulp(dtype, value))
        for share in (1, length // 3, length // 2, length - 1):
            rows.append(np.where(np.random.default_rng(share).permutation(length) < share,
                                 value + step, value))
    x = np.array(rows)
    np.testing.assert_array_equal(quantize(dtype, x), x)
    run_and_check(tmp_path, dtype, [x, x.T.copy()], [{"axes": [1]}, {"axes": [0]}], form)


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype,ratio", [("f16", 1000), ("bf16", 100), ("f32", 1e4), ("f32", 1e5),
                                         ("f64", 1e4), ("f64", 1e5)])
def test_v5_large_mean_with_an_outlier(dtype, ratio, axis, tmp_path):
    """The first element is an outlier, and the mean is far from 0."""
    rows = []
    for length, outlier in ((1000, 0.0), (1000, -ratio), (1000, 3 * ratio)):
        row = normal(dtype, length, seed=3, mean=ratio)
        row[0] = quantize(dtype, outlier)
        rows.append(row)
    x = np.array(rows)
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("shape,axis", [((1, 1_000_000), 1), ((1_000_000, 3), 0)], ids=str)
def test_v5_f64_lanes_of_a_million(shape, axis, tmp_path):
    """mean/sigma of 1e4, where every element has 53 bits that count."""
    x = normal("f64", shape, seed=4, mean=1e4)
    got = run_one(tmp_path, "f64", x, axes=[axis])
    for kept in range(shape[1 - axis]):
        reference.check_long_lane("f64", got.take(kept, 1 - axis), x.take(kept, 1 - axis))
