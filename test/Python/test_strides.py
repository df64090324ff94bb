"""Any strides give the result of a contiguous copy, to the bit."""

import itertools

import numpy as np
import pytest
from arrays import DTYPES, normal

import meanvar

VIEWS = {
    "transposed": lambda x: x.transpose(2, 0, 1),
    "fortran": np.asfortranarray,
    "reversed": lambda x: x[::-1, :, ::-1],
    "sliced": lambda x: x[1:, ::2, 1:-1],
    "one": lambda x: x[:, 1:2, ::3],
    "broadcast": lambda x: np.broadcast_to(x[:, :1], (4, 9, 6)),
    "empty": lambda x: x[:, 5:5, ::-2],
}


def misaligned(x):
    """A copy whose elements begin at odd addresses."""
    memory = np.empty(x.nbytes + 1, np.uint8)
    view = memory[1:].view(x.dtype).reshape(x.shape)
    view[...] = x
    return view


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", [*VIEWS.values(), misaligned],
                         ids=[*VIEWS, "misaligned"])
def test_inputs(dtype, view):
    x = view(normal(dtype, (4, 5, 6)))
    copy = np.array(x, order="C", copy=True)
    before = x.copy()
    for axes in (1, (0, 2)):
        got, want = meanvar.mvn(x, axes), meanvar.mvn(copy, axes)
        assert got.flags.c_contiguous
        np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(meanvar.mean(x, copy), meanvar.mean(copy, copy))
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [*itertools.permutations(range(4))])
def test_orders_of_dimensions(dtype, order):
    """Copies go in blocks, which these sizes do not fill."""
    x = normal(dtype, (18, 2, 35, 17)).transpose(order)
    # The mean of one operand is the operand.
    np.testing.assert_array_equal(meanvar.mean(x), np.ascontiguousarray(x))
    out = np.zeros_like(x)
    assert out.strides == x.strides
    meanvar.mean(np.ascontiguousarray(x), out=out)
    np.testing.assert_array_equal(out, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", [VIEWS[name] for name in
                                  ("transposed", "reversed", "sliced", "one", "empty")])
def test_outputs(dtype, view):
    memory = normal(dtype, (4, 5, 6))
    memory[...] = 7
    out = view(memory)
    x = normal(dtype, out.shape, seed=1)
    want = meanvar.mvn(x, 1)
    assert meanvar.mvn(x, 1, out=out) is out
    np.testing.assert_array_equal(out, want)
    # Nothing beside the view is written.
    out[...] = 7
    assert np.all(memory == 7)


def test_misaligned_output():
    x = normal("f32", (4, 5))
    out = misaligned(x)
    np.testing.assert_array_equal(meanvar.mvn(x, 1, out=out), meanvar.mvn(x, 1))
