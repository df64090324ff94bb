"""Threads of callers, threads of calls, processes, signals."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from arrays import normal

import meanvar
from meanvar import _meanvar


def test_concurrent_calls():
    arrays = [normal("f32", (5 + index % 4, 33), seed=index) for index in range(64)]
    want = [meanvar.mvn(array, 1) for array in arrays]
    _meanvar.clear_cache()
    started = _meanvar.num_compiled_kernels()
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda array: meanvar.mvn(array, 1), arrays * 4))
    for result, expected in zip(got, want * 4):
        np.testing.assert_array_equal(result, expected)
    # Whoever comes second waits for the kernel of the first.
    assert _meanvar.num_compiled_kernels() == started + 4


def test_concurrent_calls_of_a_function():
    function = meanvar.compile(
        "func.func @f(%x: tensor<?x?xf64>) -> tensor<?x?xf64> {\n"
        "  %0 = meanvar.mvn %x axes = [0] : tensor<?x?xf64>\n"
        "  return %0 : tensor<?x?xf64>\n}")
    arrays = [normal("f64", (9, 1 + index), seed=index) for index in range(32)]
    want = [function(array) for array in arrays]
    with ThreadPoolExecutor(8) as pool:
        for result, expected in zip(pool.map(function, arrays), want):
            np.testing.assert_array_equal(result, expected)


def test_the_interpreter_is_free_while_it_compiles():
    """Another thread makes progress during a compilation, however short it is."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(_meanvar.num_cached_kernels())
    thread = threading.Thread(target=tick)
    thread.start()
    _meanvar.clear_cache()
    before = len(ticks)
    meanvar.mvn(normal("f32", (4, 5)), 1)
    assert len(ticks) > before
    done.set()
    thread.join()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_of_a_call_keep_the_bits(threads):
    x = normal("f32", (512, 1024))
    np.testing.assert_array_equal(meanvar.mvn(x, 1, threads=threads), meanvar.mvn(x, 1))
    np.testing.assert_array_equal(meanvar.mean(x, x[0], threads=threads),
                                  meanvar.mean(x, x[0]))


def test_openmp_stays_invisible():
    """Other libraries with an OpenMP of their own are not bound to ours."""
    process = run_python("""
        import ctypes
        import numpy as np, meanvar
        meanvar.mvn(np.ones((512, 1024), np.float32), 1, threads=2)
        assert "libomp.so.5" in open("/proc/self/maps").read()
        assert not hasattr(ctypes.CDLL(None), "__kmpc_fork_call")
        assert not hasattr(ctypes.CDLL(None), "GOMP_parallel")
    """)
    assert process.returncode == 0, process.stderr


def run_python(text, **options):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], text=True,
                          capture_output=True, timeout=300, **options)


def test_fork():
    process = run_python("""
        import os, threading
        import numpy as np, meanvar
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        want = meanvar.mvn(x, 1)
        # A compilation goes on in another thread.
        thread = threading.Thread(target=lambda: meanvar.mvn(x, 0))
        thread.start()
        child = os.fork()
        assert (meanvar.mvn(x, 1) == want).all()
        assert meanvar.mvn(x, (0, 1)).shape == x.shape
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        thread.join()
    """)
    assert process.returncode == 0, process.stderr


# A module that takes seconds to compile.
LONG = """
        import os, signal, threading
        import numpy as np, meanvar
        text = "".join(
            f"func.func @f{i}(%x: tensor<?x{i}x?xf32>) -> tensor<?x{i}x?xf32> {{\\n"
            f"  %0 = meanvar.mvn %x axes = [0, 2] : tensor<?x{i}x?xf32>\\n"
            f"  return %0 : tensor<?x{i}x?xf32>\\n}}\\n" for i in range(20, 26))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="needs signals")
def test_interrupt():
    """Ctrl-C ends the wait for a compilation, and the process ends in order."""
    process = run_python(LONG + """
        started = threading.Event()
        def interrupt():
            started.wait()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.2, interrupt).start()
        started.set()
        try:
            meanvar.compile(text, function="f20")
        except KeyboardInterrupt:
            print("interrupted")
        # What is compiled later is right.
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        assert abs(meanvar.mvn(x, 1)[0, 0] + 1.5 / 1.25 ** 0.5) < 1e-6
    """)
    assert process.returncode == 0, process.stderr
    assert process.stdout == "interrupted\n", process.stdout


def test_exit_during_calls():
    """Daemon threads that have left the interpreter do not come back to one that ends."""
    for _ in range(3):
        process = run_python("""
            import threading, time
            import numpy as np, meanvar
            x = np.ones((64, 64), np.float32)
            meanvar.mvn(x, 1)
            def work():
                while True:
                    meanvar.mvn(x, 1)
            for _ in range(4):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.05)
        """)
        assert process.returncode == 0, process.stderr
        assert process.stderr == ""


def test_exit_during_a_compilation():
    process = run_python(LONG + """
        threading.Thread(target=lambda: meanvar.compile(text, function="f20"),
                         daemon=True).start()
    """)
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
