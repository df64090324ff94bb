"""V9: the same bits. Alignments are in MeanVarToLLVMTest.cpp."""

import numpy as np
import pytest

import mean_programs
from inputs import FLOATS, FORMS, normal
from mvn_programs import run_each, run_one


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_on_every_run(dtype, tmp_path):
    x = normal(dtype, (7, 1000), seed=15)
    first = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[1]), first)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_past_the_caches(dtype, form, tmp_path):
    """Rows, few channels, panels and segments whose results bypass the caches; where
    they begin to depends on the addresses, which the guards of the buffers vary."""
    shapes = [((5, 1000), [1]), ((3, 501, 3), [1]), ((2, 700, 5), [1]), ((40, 261), [0]),
              ((3, 4, 333), [0, 2]), ((777,), [0]), ((100, 70), [1])]
    arrays = [normal(dtype, shape, seed=i, mean=2) for i, (shape, _) in enumerate(shapes)]
    operations = [{"axes": axes} for _, axes in shapes]
    usual, past = (run_each(tmp_path, dtype, arrays, operations, form,
                            [f"--streaming-bytes={count}"]) for count in (0, 1))
    for first, second in zip(usual, past):
        np.testing.assert_array_equal(second, first)


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_of_means_past_the_caches(dtype, tmp_path):
    cases = [[normal(dtype, shape, seed=i) for i, shape in enumerate(shapes)]
             for shapes in ([(5, 333), (5, 333)], [(7, 261), (261,)], [(1001,)] * 3)]
    usual, past = (mean_programs.run_each(tmp_path, dtype, cases, "static",
                                          [f"--streaming-bytes={count}"]) for count in (0, 1))
    for first, second in zip(usual, past):
        np.testing.assert_array_equal(second, first)
