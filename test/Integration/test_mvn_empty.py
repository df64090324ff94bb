"""V8: tensors without elements."""

import numpy as np
import pytest

from inputs import FLOATS, FORMS
from mvn_programs import run_each


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v8_no_elements(dtype, form, tmp_path):
    shapes = [(0, 4), (4, 0), (0,), (2, 0, 3), (0, 0)]
    arrays = [np.zeros(shape) for shape in shapes]
    axes = [[1], [1], [0], [0, 2], []]
    results = run_each(tmp_path, dtype, arrays, [{"axes": a} for a in axes], form)
    assert [got.shape for got in results] == shapes
