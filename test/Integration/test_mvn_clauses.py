"""V3: epsilon, inside_sqrt, center_only and statistics."""

import math

import numpy as np
import pytest

import harness
import reference
from inputs import FLOATS, FORMS, dynamic_dims, normal
from mvn_programs import check, run_and_check
from reference import quantize


@pytest.mark.parametrize("dtype", FLOATS)
def test_v3_epsilon(dtype, tmp_path):
    x = normal(dtype, (3, 40), seed=6, sigma=1e-3)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside}
                  for epsilon in (0.0, 1e-9, 1e-5, 0.5, 1e3) for inside in (False, True)]
    run_and_check(tmp_path, dtype, [x] * len(operations), operations)


@pytest.mark.parametrize("dtype", FLOATS)
def test_v3_extreme_epsilon(dtype, tmp_path):
    """Values of the attribute's type, f64, that the statistics' type lacks."""
    x = normal(dtype, (2, 9), seed=7)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside}
                  for epsilon in (5e-324, 1e-200, 1e-60, 1e60, 1e300)
                  for inside in (False, True)]
    run_and_check(tmp_path, dtype, [x] * len(operations), operations)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v3_center_only(dtype, form, tmp_path):
    x = normal(dtype, (5, 6, 37), seed=9, mean=-3, sigma=20)
    operations = [{"axes": axes, "center_only": True} for axes in ([2], [0], [1], [0, 2])]
    run_and_check(tmp_path, dtype, [x] * 4, operations, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("axes", [[1], [0], [0, 1]], ids=str)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v3_statistics(dtype, axes, form, tmp_path):
    x = normal(dtype, (6, 50), seed=10, mean=4)
    kept = tuple(1 if dim in axes else size for dim, size in enumerate(x.shape))
    statistics_dtype = "f64" if dtype == "f64" else "f32"
    dynamic = dynamic_dims(form, x.shape)
    kept_dynamic = [dim for dim in dynamic if dim not in axes]
    types = [harness.type_text(dtype, x.shape, dynamic)]
    types += [harness.type_text(statistics_dtype, kept, kept_dynamic)] * 2
    options = {"axes": axes, "epsilon": 1e-5, "inside_sqrt": True}
    body = harness.mvn_text("%y, %m, %s", "%x0", types[0], statistics=True, **options)
    program = harness.function_text(types[:1], [body], ["%y", "%m", "%s"], types)
    y, mean, scale = harness.run(tmp_path, program, [(dtype, x)],
                                 [dtype, statistics_dtype, statistics_dtype])
    check(dtype, y, x, **options)
    assert mean.shape == scale.shape == kept
    expected = reference.Mvn(dtype, x, **options)
    tolerance = 1e-14 if dtype == "f64" else 1e-6
    for index, lane in zip(np.ndindex(kept), expected.lanes.values()):
        np.testing.assert_allclose(mean[index], float(lane.mean), rtol=tolerance,
                                   atol=tolerance * float(lane.sigma))
        np.testing.assert_allclose(scale[index], float(lane.scale(1e-5, True)),
                                   rtol=tolerance)


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype,value,epsilon", [("f64", 1e150, 1e-300), ("f64", 1e150, 1e-9),
                                                 ("f32", 3e38, 1e-30), ("bf16", 3e38, 1e-9)])
def test_v3_v6_statistics_of_lanes_out_of_range(dtype, value, epsilon, inside_sqrt, tmp_path):
    """V3, V6: the factor of a lane that is computed again, scaled, is not scaled."""
    x = quantize(dtype, [[value] * 40, [-1.0, 1.0] * 20])
    types = [harness.type_text(dtype, x.shape)]
    types += [harness.type_text("f64" if dtype == "f64" else "f32", (2, 1))] * 2
    options = {"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt}
    body = harness.mvn_text("%y, %m, %s", "%x0", types[0], statistics=True, **options)
    program = harness.function_text(types[:1], [body], ["%y", "%m", "%s"], types)
    kind = "f64" if dtype == "f64" else "f32"
    _, mean, scale = harness.run(tmp_path, program, [(dtype, x)], [dtype, kind, kind])
    tolerance = 1e-15 if dtype == "f64" else 1e-7
    np.testing.assert_allclose(mean[:, 0], [x[0, 0], 0.0], rtol=tolerance)
    factors = [1 / math.sqrt(variance + epsilon) if inside_sqrt
               else 1 / (math.sqrt(variance) + epsilon) for variance in (0.0, 1.0)]
    np.testing.assert_allclose(scale[:, 0], factors, rtol=tolerance)
