"""V9: the same bits for every number of threads."""

import numpy as np
import pytest

import harness
import mean_programs
import mvn_programs
from inputs import FLOATS, normal

COUNTS = [1, 2, 3, 8]
# Large enough for threads, in odd sizes: lanes in rows, segments and panels, few or
# one of them, with few or many elements.
LANES = [((67, 2011), [1]), ((300007,), [0]), ((3, 100003), [1]), ((4999, 61), [0]),
         ((263, 1103), [0]), ((3, 7, 41, 331), [0, 2, 3]), ((5, 1499, 79), [1]),
         ((2, 113, 331, 3), [0, 1, 2]), ((5, 3, 7, 11, 13, 17, 3), [0, 2, 4, 6]),
         ((60013, 5), [1])]
MEANS = [[(300007,), (300007,)], [(263, 1103), (1103,)], [(263, 1103), (263, 1)],
         [(64, 1, 1), (1, 63, 1), (1, 1, 101)], [(3, 100003), (100003,)],
         [(60013, 5)] * 3, [(300007,)] * 11]


def same_bits(outputs):
    for other in outputs[1:]:
        for first, result in zip(outputs[0], other):
            np.testing.assert_array_equal(result, first)


FORMS = [(dtype, "static") for dtype in FLOATS] + [("f32", "dynamic")]


@pytest.mark.parametrize("dtype,form", FORMS)
def test_v9_mvn_on_any_number_of_threads(dtype, form, tmp_path):
    arrays = [normal(dtype, shape, seed=index, mean=3)
              for index, (shape, _) in enumerate(LANES)]
    operations = [{"axes": axes} for _, axes in LANES]
    outputs = [mvn_programs.run_each(tmp_path, dtype, arrays, operations, form,
                                     [f"--threads={count}"]) for count in COUNTS]
    same_bits(outputs)
    for x, result, (_, axes) in zip(arrays, outputs[0], LANES):
        # The exact reference would take long for so many elements.
        lanes = x.std(axis=tuple(axes), keepdims=True)
        want = (x - x.mean(axis=tuple(axes), keepdims=True)) / (lanes + 1e-9)
        np.testing.assert_allclose(result, want, rtol=2e-2 if dtype == "bf16" else 2e-3,
                                   atol=1e-5)


@pytest.mark.parametrize("dtype,form", FORMS)
def test_v9_means_on_any_number_of_threads(dtype, form, tmp_path):
    cases = [[normal(dtype, shape, seed=10 * index + i) for i, shape in enumerate(shapes)]
             for index, shapes in enumerate(MEANS)]
    outputs = [mean_programs.run_each(tmp_path, dtype, cases, form, [f"--threads={count}"])
               for count in COUNTS]
    same_bits(outputs)
    for operands, result in zip(cases, outputs[0]):
        np.testing.assert_allclose(result, sum(operands) / len(operands), atol=1e-5,
                                   rtol=2e-2 if dtype == "bf16" else 2e-3)


def test_v4_v7_constant_lanes_and_nan_on_threads(tmp_path):
    """One lane in blocks: a NaN in one of them reaches all, equal elements none."""
    x = np.full(300007, 0.1)
    for count in COUNTS:
        options = [f"--threads={count}"]
        result, = mvn_programs.run_each(tmp_path, "f32", [x], [{"axes": [0]}], "static", options)
        assert not result.any()
    x[200000] = np.nan
    result, = mvn_programs.run_each(tmp_path, "f32", [x], [{"axes": [0]}], "static",
                                    ["--threads=3"])
    assert np.isnan(result).all()


def test_f4_checks_come_before_threads(tmp_path):
    text = mean_programs.program("f32", [(1, 1), (1, 1)], [[0, 1], [0, 1]], (1, 1), [0, 1])
    harness.refuse(tmp_path, text, [("f32", np.ones((300, 1000))), ("f32", np.ones((300, 999)))],
                   ["1000", "999"], options=["--threads=2"])
