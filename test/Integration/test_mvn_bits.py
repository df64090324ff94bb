"""V9: the same bits. Alignments are in MeanVarToLLVMTest.cpp."""

import numpy as np
import pytest

from inputs import FLOATS, normal
from mvn_programs import run_one


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_on_every_run(dtype, tmp_path):
    x = normal(dtype, (7, 1000), seed=15)
    first = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[1]), first)
