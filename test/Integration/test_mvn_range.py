"""V6: nothing overflows or underflows on the way."""

import itertools
import math

import numpy as np
import pytest

from inputs import EXTREMES, FLOATS, FORMS, normal
from mvn_programs import run_and_check
from reference import quantize


@pytest.mark.parametrize("epsilon", [None, 0.0], ids=["default", "zero"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v6_range(dtype, form, epsilon, tmp_path):
    """Sums and squares that overflow or underflow the type."""
    largest, smallest, subnormal = EXTREMES[dtype]
    if dtype == "f64":
        largest, smallest, subnormal = 1e150, 1e-140, 1e-150
    unit = np.random.default_rng(12).uniform(-1, 1, size=40)
    unit[:2] = 1, -1
    scales = [largest, largest / 3, math.sqrt(largest), math.sqrt(smallest), smallest,
              100 * subnormal, 3 * subnormal]
    rows = [quantize(dtype, unit * scale) for scale in scales]
    rows.append(quantize(dtype, largest * (0.9 + 0.05 * unit)))
    x = np.array(rows)
    operation = {} if epsilon is None else {"epsilon": epsilon}
    run_and_check(tmp_path, dtype, [x, x.T.copy()],
                  [dict(operation, axes=[1]), dict(operation, axes=[0])], form)


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_v6_tiny_sigma_without_epsilon(dtype, tmp_path):
    x = normal(dtype, (4, 100), seed=13, sigma=1e-25)
    run_and_check(tmp_path, dtype, [x, x], [
        {"axes": [1], "epsilon": 0.0},
        {"axes": [1], "epsilon": 0.0, "inside_sqrt": True}])


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_v6_tiny_and_huge_sigma_with_extreme_epsilon(dtype, inside_sqrt, tmp_path):
    arrays, operations = [], []
    for sigma, epsilon in itertools.product((1e-43, 1e-36, 1e-25, 1e-10, 1e25, 1e37),
                                            (5e-324, 1e-80, 1e-48, 1e-9)):
        arrays.append(normal(dtype, (2, 70), seed=16, sigma=sigma))
        operations.append({"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt})
    for start in range(0, len(arrays), 8):
        some = slice(start, start + 8)
        run_and_check(tmp_path, dtype, arrays[some], operations[some])


@pytest.mark.parametrize("dtype", FLOATS)
def test_v6_range_of_centered_values(dtype, tmp_path):
    largest = 1e150 if dtype == "f64" else EXTREMES[dtype][0]
    x = quantize(dtype, largest * np.array([[0.9, 0.95, 1.0, 0.99], [0.5, -0.5, 0.4, -0.4]]))
    run_and_check(tmp_path, dtype, [x], [{"axes": [1], "center_only": True}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_v6_sums_beyond_the_type(dtype, axis, tmp_path):
    """All of one sign and near the largest finite number (65504 in f16)."""
    largest = EXTREMES[dtype][0]
    unit = np.random.default_rng(18).uniform(0.5, 1, size=(4, 1000))
    one_sign = quantize(dtype, largest * unit)
    # Differences from the mean that are too large for the type are not infinite on the way.
    both_signs = quantize(dtype, [largest * np.where(unit[0] < 0.75, 1.0, -1.0),
                                  np.where(np.arange(1000) == 0, -largest, largest)])
    arrays = [one_sign, both_signs, one_sign]
    run_and_check(tmp_path, dtype, arrays if axis == 1 else [x.T.copy() for x in arrays],
                  [{"axes": [axis]}, {"axes": [axis]}, {"axes": [axis], "center_only": True}])


@pytest.mark.parametrize("clauses", [{}, {"epsilon": 0.0}, {"epsilon": 0.0, "inside_sqrt": True},
                                     {"center_only": True}], ids=str)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v6_subnormals(dtype, form, clauses, tmp_path):
    """Lanes of subnormal numbers only, and some among normal ones."""
    _, smallest, subnormal = EXTREMES[dtype]
    counts = np.random.default_rng(19).integers(-50, 50, size=(3, 70))
    x = np.vstack([subnormal * counts, np.sign(counts[:1]) * smallest,
                   np.where(counts[:1] > 25, 0.5, subnormal), subnormal * (counts[1:2] > 0)])
    run_and_check(tmp_path, dtype, [x, x.T.copy()],
                  [dict(clauses, axes=[1]), dict(clauses, axes=[0])], form)
