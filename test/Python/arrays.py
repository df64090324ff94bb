"""Arrays of every element type, and of libraries that speak DLPack only."""

import ctypes

import ml_dtypes
import numpy as np

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32,
          "f64": np.float64}


def normal(dtype, shape, seed=0):
    """An array of the type that is named "f16", ..."""
    values = np.random.default_rng(seed).normal(size=shape)
    return values.astype(DTYPES[dtype])


class _Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _ManagedTensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER)]


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class ForeignArray:
    """An array with the memory of one of NumPy's, which knows DLPack and no NumPy."""

    # What has been exported and not yet deleted, and its number of deletions.
    alive = {}

    def __init__(self, array, device=1, is_named=True):
        self.array, self.device = array, device
        if is_named:
            self.__array_namespace__ = lambda: _Namespace

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **_):
        array = self.array
        managed = _ManagedTensor()
        sizes = ctypes.c_int64 * array.ndim
        shape, item = sizes(*array.shape), array.dtype.itemsize
        strides = sizes(*(stride // item for stride in array.strides))
        code = 4 if array.dtype == ml_dtypes.bfloat16 else {"f": 2, "i": 0}.get(
            array.dtype.kind, 5)
        managed.tensor = _Tensor(array.ctypes.data, self.device, 0, array.ndim, code,
                                 8 * item, 1, shape, strides, 0)
        address = ctypes.addressof(managed)
        managed.deleter = _DELETER(lambda pointer: ForeignArray.alive.pop(address))
        ForeignArray.alive[address] = managed, array
        return _new_capsule(address, b"dltensor", None)


class _Namespace:
    """The library that ForeignArray comes from."""

    @staticmethod
    def from_dlpack(shared):
        return ForeignResult(shared)


class ForeignResult:
    """What the library makes of the memory of others."""

    def __init__(self, shared):
        self.shared = shared
        self.device = shared.__dlpack_device__()

    def numpy(self):
        return np.from_dlpack(self.shared)
