"""V4: constant lanes give exactly 0."""

import numpy as np
import pytest

from inputs import EXTREMES, FLOATS, FORMS, SIZES
from mvn_programs import run_each, run_one
from reference import quantize


@pytest.mark.parametrize("epsilon", [None, 0.0], ids=["default", "zero"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v4_constant_lanes(dtype, form, epsilon, tmp_path):
    """Every lane holds one value, and every lane another one."""
    largest, smallest, subnormal = EXTREMES[dtype]
    if dtype == "f64":
        largest, smallest, subnormal = 1e150, 1e-150, 1e-150
    constants = quantize(dtype, [0.1, 0.7, 3.3, 7, 1234, -1 / 3, 0, largest, -largest,
                                 largest / 3, smallest, subnormal, 3 * subnormal])
    arrays, operations = [], []
    for n in (1, 3, 10, 33, 257, 1000, 4099):
        arrays.append(np.repeat(constants[:, None], n, axis=1))
        operations.append({"axes": [1]})
    for n in (7, 50, 1001):
        arrays.append(np.repeat(constants[None, :], n, axis=0))
        operations.append({"axes": [0]})
    arrays.append(np.broadcast_to(constants[None, :, None], (5, constants.size, 21)).copy())
    operations.append({"axes": [0, 2]})
    if epsilon is not None:
        operations = [dict(o, epsilon=epsilon) for o in operations]
    for x, got in zip(arrays, run_each(tmp_path, dtype, arrays, operations, form)):
        np.testing.assert_array_equal(got, np.zeros(x.shape), err_msg=str(x.shape))


@pytest.mark.parametrize("dtype", FLOATS)
def test_v4_constant_lanes_in_other_clauses(dtype, tmp_path):
    x = quantize(dtype, np.full((2, 333), 0.1))
    operations = [{"axes": [1], "center_only": True}, {"axes": [], "epsilon": 0.0},
                  {"axes": [1], "epsilon": 0.0, "inside_sqrt": True}]
    for got in run_each(tmp_path, dtype, [x] * 3, operations):
        np.testing.assert_array_equal(got, np.zeros(x.shape))


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v4_constant_lanes_with_extreme_epsilon(dtype, inside_sqrt, tmp_path):
    """The inverse of the epsilon, or of its root, may overflow the statistics' type."""
    largest = 1e150 if dtype == "f64" else EXTREMES[dtype][0]
    constants = quantize(dtype, [0.1, largest, -largest / 2, 0])
    x = np.repeat(constants[:, None], 100, axis=1)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt}
                  for epsilon in (5e-324, 1e-200, 1e-60, 1e-42, 1e-20, 1.0, 1e60, 1e300)]
    results = run_each(tmp_path, dtype, [x] * len(operations), operations)
    for got, operation in zip(results, operations):
        np.testing.assert_array_equal(got, np.zeros(x.shape), err_msg=str(operation))


@pytest.mark.parametrize("dtype,n", [("f32", 1 << 20), ("f16", 200003), ("bf16", 70001),
                                     ("f64", 300007)])
def test_v4_long_constant_lane(dtype, n, tmp_path):
    x = quantize(dtype, np.full(n, 0.7))
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[0]), np.zeros(n))


@pytest.mark.parametrize("dtype", FLOATS)
def test_v4_constant_lanes_of_every_length(dtype, tmp_path):
    """Rows and columns: sums of n times a value round differently for every n.

    Each type takes its share of the static sizes; all of them at run time are in
    RunTimeSizesTest.cpp.
    """
    constants = quantize(dtype, [0.1, 1 / 3, 1.2666997, 1e4])
    rows = [np.repeat(constants[:, None], n, axis=1) for n in SIZES[FLOATS.index(dtype)::4]]
    for arrays, axis in ((rows, 1), ([row.T.copy() for row in rows], 0)):
        operations = [{"axes": [axis], "epsilon": 0.0}] * len(arrays)
        for x, got in zip(arrays, run_each(tmp_path, dtype, arrays, operations)):
            np.testing.assert_array_equal(got, np.zeros(x.shape), err_msg=str(x.shape))
