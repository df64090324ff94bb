"""mvn and mean on NumPy arrays, against the reference of test/Integration."""

import itertools

import ml_dtypes
import numpy as np
import pytest
import reference
from arrays import DTYPES, normal

import meanvar

SHAPES = [(2, 3, 4, 5), (3, 17), (7,), (), (1, 1), (2, 0, 3), (33, 3), (4, 1, 6)]


def axes_of(shape):
    return [None, *itertools.chain.from_iterable(
        itertools.combinations(range(len(shape)), count) for count in (1, 2))]


def check_mvn(dtype, got, x, axes, **clauses):
    want = reference.Mvn(dtype, x.astype(np.float64), axes or [], **clauses)
    reference.check(dtype, got.astype(np.float64), want.result, want.bound)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_mvn(dtype, shape):
    x = normal(dtype, shape)
    for axes in axes_of(shape):
        got = meanvar.mvn(x, axes)
        assert type(got) is np.ndarray and got.dtype == x.dtype
        check_mvn(dtype, got, x, axes)


@pytest.mark.parametrize("clauses", [
    {"epsilon": 0.5}, {"epsilon": 1}, {"epsilon": 1e-5, "inside_sqrt": True},
    {"center_only": True}])
def test_mvn_clauses(clauses):
    x = normal("f32", (4, 9))
    check_mvn("f32", meanvar.mvn(x, (1,), **clauses), x, (1,), **clauses)


def test_mvn_default_axes():
    x = normal("f32", (2, 3, 4, 5))
    check_mvn("f32", meanvar.mvn(x), x, (0, 2, 3))


@pytest.mark.parametrize("axes", [1, -1, [1], np.array([1]), np.int64(1), range(1, 2)])
def test_mvn_spellings_of_axes(axes):
    x = normal("f32", (4, 9))
    np.testing.assert_array_equal(meanvar.mvn(x, axes), meanvar.mvn(x, (1,)))


@pytest.mark.parametrize("axes", [None, (), (0, 1)])
def test_mvn_all_axes(axes):
    x = normal("f32", (4, 9))
    check_mvn("f32", meanvar.mvn(x, axes), x, (0, 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_mvn_statistics(dtype):
    x = normal(dtype, (3, 4, 5))
    y, mean, factor = meanvar.mvn(x, (0, -1), epsilon=0.25, statistics=True)
    wide = x.astype(np.float64)
    check_mvn(dtype, y, x, (0, 2), epsilon=0.25)
    statistics = np.float64 if dtype == "f64" else np.float32
    assert mean.dtype == factor.dtype == statistics
    np.testing.assert_allclose(mean, wide.mean((0, 2), keepdims=True), rtol=1e-5)
    np.testing.assert_allclose(factor, 1 / (wide.std((0, 2), keepdims=True) + 0.25),
                               rtol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", [
    [(2, 3)], [(2, 3), ()], [(2, 3), (3,), (2, 1)], [(4, 1), (1, 5)], [(0, 3), (1, 3)],
    [(6,)] * 11])
def test_mean(dtype, shapes):
    arrays = [normal(dtype, shape, seed) for seed, shape in enumerate(shapes)]
    got = meanvar.mean(*arrays)
    wide = [array.astype(np.float64) for array in arrays]
    want = reference.mean(wide)
    assert got.dtype == arrays[0].dtype
    reference.check(dtype, got.astype(np.float64), want,
                    reference.mean_bound(dtype, wide, want))


def test_mean_of_numpy_scalars():
    got = meanvar.mean(np.ones((2, 2), np.float32), np.float32(4))
    np.testing.assert_array_equal(got, np.full((2, 2), 2.5, np.float32))
    assert meanvar.mean(ml_dtypes.bfloat16(3)).shape == ()


def test_subclasses_give_plain_arrays():
    x = np.ma.masked_array(normal("f32", (4, 4)), mask=False)
    assert type(meanvar.mvn(x, 1)) is np.ndarray


def test_read_only_inputs():
    x = normal("f32", (4, 4))
    want = meanvar.mvn(x, 1)
    x.flags.writeable = False
    np.testing.assert_array_equal(meanvar.mvn(x, 1), want)
    y = normal("bf16", (4, 4))
    y.flags.writeable = False
    assert meanvar.mvn(y, 1).flags.writeable
