"""Outputs of the caller: in place, overlapping, several."""

import numpy as np
import pytest
from arrays import DTYPES, normal

import meanvar


@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place(dtype):
    x = normal(dtype, (8, 33))
    want = meanvar.mvn(x, 1)
    assert meanvar.mvn(x, 1, out=x) is x
    np.testing.assert_array_equal(x, want)
    y = normal(dtype, (8, 33), seed=1)
    want = meanvar.mean(x, y)
    assert meanvar.mean(x, y, out=y) is y
    np.testing.assert_array_equal(y, want)


OVERLAPS = {
    "ahead": (np.s_[:-1], np.s_[1:]),
    "behind": (np.s_[1:], np.s_[:-1]),
    "reversed": (np.s_[:], np.s_[::-1]),
    "columns": (np.s_[:, :-1], np.s_[:, 1:]),
    "interleaved": (np.s_[::2], np.s_[1::2]),
}


@pytest.mark.parametrize("source, target", OVERLAPS.values(), ids=OVERLAPS)
def test_overlap_as_in_numpy(source, target):
    memory = normal("f32", (8, 34))
    expected = memory.copy()
    expected[target] = meanvar.mvn(memory[source].copy(), 1)
    meanvar.mvn(memory[source], 1, out=memory[target])
    np.testing.assert_array_equal(memory, expected)


def test_overlap_with_a_broadcast_operand():
    x = normal("f32", (5, 5))
    want = meanvar.mean(x.copy(), x[2].copy())
    np.testing.assert_array_equal(meanvar.mean(x, x[2], out=x), want)


def test_overlap_with_another_shape_at_the_same_address():
    x = normal("f32", (1, 6))
    want = meanvar.mean(x.copy(), x.reshape(6).copy())
    np.testing.assert_array_equal(meanvar.mean(x, x.reshape(6), out=x), want)


def test_statistics():
    x = normal("f16", (4, 9))
    want = meanvar.mvn(x, 1, statistics=True)
    mean = np.empty((4, 1), np.float32)
    got = meanvar.mvn(x, 1, statistics=True, out=(None, mean, None))
    assert got[1] is mean and got[0] is not x
    for result, expected in zip(got, want):
        np.testing.assert_array_equal(result, expected)
    got = meanvar.mvn(x, 1, statistics=True, out=tuple(map(np.empty_like, want)))
    for result, expected in zip(got, want):
        np.testing.assert_array_equal(result, expected)


def test_one_output_in_a_tuple():
    x = normal("f32", (4, 9))
    out = np.empty_like(x)
    assert meanvar.mvn(x, 1, out=(out,)) is out


@pytest.mark.parametrize("make_out, error, message", [
    (lambda x: np.empty((9, 4), np.float32), ValueError,
     r"out has shape \(9, 4\) \(allowed: \(4, 9\)\)"),
    (lambda x: np.empty(x.shape), TypeError,
     r"out has elements of float64 \(allowed: float32\)"),
    (lambda x: np.broadcast_to(np.float32(0), x.shape), TypeError, "out is read-only"),
    (lambda x: [x], TypeError, "out is of type 'list'"),
    (lambda x: (x, x), ValueError, r"out has 2 arrays \(allowed: 1\)"),
])
def test_refused(make_out, error, message):
    x = normal("f32", (4, 9))
    before = x.copy()
    with pytest.raises(error, match=message):
        meanvar.mvn(x, 1, out=make_out(x))
    np.testing.assert_array_equal(x, before)


def test_refused_statistics():
    x = normal("f32", (4, 9))
    memory = np.empty((5, 1), np.float32)
    with pytest.raises(TypeError, match="out is one array .allowed: a tuple of 3 arrays"):
        meanvar.mvn(x, 1, statistics=True, out=x)
    with pytest.raises(ValueError, match="out 1 and out 2 overlap"):
        meanvar.mvn(x, 1, statistics=True, out=(None, memory[1:], memory[:-1]))
    with pytest.raises(ValueError, match=r"out 1 has shape \(5, 1\)"):
        meanvar.mvn(x, 1, statistics=True, out=(None, memory, None))
