"""Nothing leaks: neither objects of Python nor memory of the process."""

import gc
import pathlib
import sys
import tracemalloc

import numpy as np
import pytest
from arrays import ForeignArray, normal

import meanvar
from meanvar import _meanvar

X = normal("f32", (4, 8))
B = normal("bf16", (4, 8))
OUT = np.empty_like(X)
FUNCTION = meanvar.compile(
    "func.func @f(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {\n"
    "  %0 = meanvar.mvn %x axes = [1] : tensor<?x8xf32>\n"
    "  return %0 : tensor<?x8xf32>\n}")


def refused(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise AssertionError("was not refused")


CALLS = {
    "mvn": lambda: meanvar.mvn(X, 1),
    "mvn of bfloat16": lambda: meanvar.mvn(B, 1),
    "mvn with statistics": lambda: meanvar.mvn(X, 1, statistics=True),
    "mvn to an output": lambda: meanvar.mvn(X, 1, out=OUT),
    "mvn of strides": lambda: meanvar.mvn(X.T, 1, out=OUT.T),
    "mvn by DLPack": lambda: meanvar.mvn(ForeignArray(X), 1),
    "mean": lambda: meanvar.mean(X, X[0], np.float32(1)),
    "function": lambda: FUNCTION(X),
    "run": lambda: FUNCTION.run({"input_0": X}),
    "wrong type": lambda: refused(lambda: meanvar.mvn(X.astype(int), 1)),
    "wrong output": lambda: refused(lambda: meanvar.mvn(X, 1, out=B)),
    "wrong sizes": lambda: refused(lambda: FUNCTION(OUT[:, :3])),
}


def resident_bytes():
    """The memory of the process, without that of files."""
    status = pathlib.Path("/proc/self/status").read_text()
    return 1024 * int(status.split("RssAnon:")[1].split()[0])


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_objects(call):
    for _ in range(100):
        call()
    gc.collect()
    references = [sys.getrefcount(value) for value in (X, B, OUT, X.dtype)]
    tracemalloc.start()
    try:
        for _ in range(100):
            call()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(2000):
            call()
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # Less than the smallest object a call.
    assert after - before < 16 * 2000
    assert [sys.getrefcount(value) for value in (X, B, OUT, X.dtype)] == references


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("call, count", [
    (CALLS["mvn"], 300_000), (CALLS["mvn of strides"], 100_000),
    (CALLS["mvn with statistics"], 100_000), (CALLS["function"], 100_000),
    (CALLS["wrong sizes"], 50_000)], ids=["mvn", "strides", "statistics", "function", "error"])
def test_memory_of_the_process(call, count):
    def growth():
        before = resident_bytes()
        for _ in range(count):
            call()
        return resident_bytes() - before

    for _ in range(count // 10):
        call()
    # Pages that the system had taken away come back once; a leak grows every time.
    assert any(growth() < 10 * count for _ in range(3))


def test_memory_of_kernels():
    """Kernels that are forgotten give their memory back."""
    def compile_one():
        _meanvar.clear_cache()
        meanvar.mvn(X, 1)
    for _ in range(10):
        compile_one()
    before = resident_bytes()
    for _ in range(20):
        compile_one()
    assert (resident_bytes() - before) / 20 < 200_000
