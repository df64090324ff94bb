"""The cache of compiled kernels: what is shared, and what bounds it."""

import numpy as np
import pytest
import reference
from arrays import normal

import meanvar
from meanvar import _meanvar

STATIC_KERNELS = 16


@pytest.fixture(autouse=True)
def empty_cache():
    _meanvar.clear_cache()
    yield
    _meanvar.clear_cache()


def test_equal_calls_share_a_kernel():
    started = _meanvar.num_compiled_kernels()
    x = normal("f32", (4, 9))
    for array in (x, x.copy(), normal("f32", (9, 4)).T):
        meanvar.mvn(array, 1)
    assert _meanvar.num_compiled_kernels() == started + 1
    assert _meanvar.num_cached_kernels() == 1


def test_what_makes_another_kernel():
    x = normal("f32", (4, 9))
    calls = [{}, {"axes": 0}, {"axes": (0, 1)}, {"epsilon": 1}, {"inside_sqrt": True},
             {"center_only": True}, {"statistics": True}, {"threads": 2},
             {"x": x[:2]}, {"x": x.reshape(9, 4)}, {"x": x[None]},
             {"x": x.astype(np.float64)}]
    for count, arguments in enumerate(calls):
        assert _meanvar.num_cached_kernels() == count
        meanvar.mvn(**{"x": x, "axes": 1, **arguments})
    count = _meanvar.num_cached_kernels()
    for operands in [(x,), (x, x), (x, x[0]), (x, x[:1])]:
        meanvar.mean(*operands)
    assert _meanvar.num_cached_kernels() == count + 4


def test_many_shapes_share_one_kernel():
    """After the first shapes, one kernel for all sizes, within the same bounds."""
    for rows in range(1, 2 * STATIC_KERNELS):
        x = normal("f32", (rows, 11), seed=rows)
        want = reference.Mvn("f32", x.astype(np.float64), [1])
        reference.check("f32", meanvar.mvn(x, 1).astype(np.float64), want.result,
                        want.bound)
    assert _meanvar.num_cached_kernels() == STATIC_KERNELS + 1


def test_shapes_keep_their_kernels():
    shapes = [(2, 300 + size) for size in range(STATIC_KERNELS + 4)]
    first = [meanvar.mvn(normal("f32", shape), 1) for shape in shapes]
    for shape, result in zip(reversed(shapes), reversed(first)):
        np.testing.assert_array_equal(meanvar.mvn(normal("f32", shape), 1), result)


def test_run_time_sizes_of_means():
    for size in range(1, STATIC_KERNELS + 4):
        x, y = normal("f32", (size, 5)), normal("f32", (1, 5))
        got = meanvar.mean(x, y)
        want = reference.mean([x.astype(np.float64), y.astype(np.float64)])
        reference.check("f32", got.astype(np.float64), want,
                        reference.mean_bound("f32", [x, y], want))
    assert _meanvar.num_cached_kernels() == STATIC_KERNELS + 1
    # Its sizes are checked when it runs.
    with pytest.raises(ValueError, match="size 3 .*size 2"):
        meanvar.mean(normal("f32", (2, 5)), normal("f32", (3, 5)))


def test_bound_of_the_cache():
    """Whole families go, those first that were not used for the longest time."""
    _meanvar.set_max_cached_kernels(4)
    try:
        x = normal("f32", (4, 9))
        want = [meanvar.mvn(array, 1) for array in (x, x[:2], x[:3])]
        meanvar.mvn(x, 0)
        meanvar.mvn(x, 1)
        meanvar.mean(x)
        # The family of axis 0 has made room, and the used one has stayed.
        started = _meanvar.num_compiled_kernels()
        for array, expected in zip((x, x[:2], x[:3]), want):
            np.testing.assert_array_equal(meanvar.mvn(array, 1), expected)
        assert _meanvar.num_compiled_kernels() == started
        assert _meanvar.num_cached_kernels() == 4
        # A family of its own may be larger than the bound.
        for rows in range(1, 8):
            meanvar.mvn(normal("f32", (rows, 3)), 1, epsilon=2)
        assert _meanvar.num_cached_kernels() == 7
    finally:
        _meanvar.set_max_cached_kernels(256)


def test_a_failed_compilation_leaves_room():
    for axis in range(2, 2 + STATIC_KERNELS):
        with pytest.raises(meanvar.CompilationError):
            meanvar.mvn(normal("f32", (4, 9)), axis)
    assert _meanvar.num_cached_kernels() == 0
