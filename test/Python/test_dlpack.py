"""Arrays of other libraries, by DLPack and without a copy."""

import gc

import ml_dtypes
import numpy as np
import pytest
from arrays import DTYPES, ForeignArray, ForeignResult, normal

import meanvar


@pytest.fixture(autouse=True)
def everything_is_given_back():
    yield
    gc.collect()
    assert not ForeignArray.alive


@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_results_are_of_the_same_library(dtype):
    x = normal(dtype, (4, 9))
    got = meanvar.mvn(ForeignArray(x), 1)
    assert isinstance(got, ForeignResult) and got.device == (1, 0)
    np.testing.assert_array_equal(got.numpy(), meanvar.mvn(x, 1))
    y, mean, _ = meanvar.mvn(ForeignArray(x), 1, statistics=True)
    assert isinstance(y, ForeignResult) and isinstance(mean, ForeignResult)
    assert mean.numpy().shape == (4, 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_results_of_unknown_libraries_are_of_numpy(dtype):
    x = normal(dtype, (4, 9))
    got = meanvar.mvn(ForeignArray(x, is_named=False), 1)
    np.testing.assert_array_equal(got, meanvar.mvn(x, 1))
    assert got.dtype == x.dtype


def test_results_stay_valid():
    got = meanvar.mvn(ForeignArray(normal("f32", (64, 64))), 1)
    want = meanvar.mvn(normal("f32", (64, 64)), 1)
    gc.collect()
    for _ in range(10):
        np.empty((64, 64), np.float32).fill(np.nan)
    np.testing.assert_array_equal(got.numpy(), want)


def test_strides():
    x = normal("f64", (6, 8))[::2, ::-3]
    got = meanvar.mvn(ForeignArray(x), 1)
    np.testing.assert_array_equal(got.numpy(), meanvar.mvn(x, 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_outputs_are_written_in_place(dtype):
    x = normal(dtype, (4, 9))
    memory = np.zeros((8, 9), x.dtype)
    out = ForeignArray(memory[::2])
    assert meanvar.mvn(x, 1, out=out) is out
    np.testing.assert_array_equal(memory[::2], meanvar.mvn(x, 1))
    assert not memory[1::2].any()
    dense = ForeignArray(x.copy())
    assert meanvar.mvn(dense, 1, out=dense) is dense
    np.testing.assert_array_equal(dense.array, meanvar.mvn(x, 1))


def test_mixed_libraries():
    x = normal("f32", (4, 9))
    out = np.empty_like(x)
    assert meanvar.mean(x, ForeignArray(x), out=out) is out
    assert isinstance(meanvar.mean(x, ForeignArray(x)), ForeignResult)


def test_other_devices_are_refused():
    with pytest.raises(TypeError, match="x is on a device of DLPack's type 2"):
        meanvar.mvn(ForeignArray(normal("f32", (4, 9)), device=2), 1)


def test_other_types_are_refused():
    with pytest.raises(TypeError, match="x has elements of complex64"):
        x = ForeignArray(normal("f32", (4, 9)).astype(np.complex64))
        x.dtype = x.array.dtype
        meanvar.mvn(x, 1)


class VersionedArray:
    """An array that tells by DLPack's newer protocol whether it is read-only."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0",
                    reason="NumPy's DLPack before 2.1 cannot say it")
def test_read_only_arrays():
    x = normal("f32", (4, 9))
    out = np.zeros_like(x)
    assert meanvar.mvn(VersionedArray(x), 1, out=VersionedArray(out)) is not None
    np.testing.assert_array_equal(out, meanvar.mvn(x, 1))
    x.flags.writeable = out.flags.writeable = False
    np.testing.assert_array_equal(meanvar.mvn(VersionedArray(x), 1), out)
    with pytest.raises(TypeError, match="^out is read-only$"):
        meanvar.mvn(x, 1, out=VersionedArray(out))


def test_errors_of_the_library_pass_through():
    class Broken:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            raise BufferError("not now")

    with pytest.raises(BufferError, match="not now"):
        meanvar.mvn(Broken(), 1)


def test_jax():
    jax = pytest.importorskip("jax")
    x = normal("bf16", (4, 9))
    got = meanvar.mvn(jax.numpy.asarray(x), 1)
    assert isinstance(got, jax.Array) and got.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(np.asarray(got), meanvar.mvn(x, 1))


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.linspace(0, 5, 36, dtype=torch.bfloat16).reshape(9, 4).T
    got = meanvar.mvn(x, 1)
    assert isinstance(got, torch.Tensor) and got.dtype == torch.bfloat16
    want = meanvar.mvn(x.float().numpy().astype(ml_dtypes.bfloat16), 1)
    np.testing.assert_array_equal(got.float().numpy(), want.astype(np.float32))
    x = x.contiguous()
    assert meanvar.mvn(x, 1, out=x) is x
    np.testing.assert_array_equal(x.float().numpy(), want.astype(np.float32))
    with pytest.raises(BufferError):
        meanvar.mvn(torch.ones(3, requires_grad=True), 0)
