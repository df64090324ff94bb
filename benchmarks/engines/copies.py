"""Copies of as many bytes as a case moves: half are read, half are written."""

import ctypes

import numpy as np

import data
from engines.engine import Engine, Program
from engines.meanvar import LIBRARIES


class CopyProgram(Program):
    def __init__(self, engine, num_bytes):
        self.engine = engine
        self.source = data.allocate((num_bytes,), np.dtype(np.uint8))
        self.target = data.allocate((num_bytes,), np.dtype(np.uint8))
        self.source[:] = 1
        self.target[:] = 0

    def run(self):
        self.measure(1, 1)

    def result(self):
        if not np.array_equal(self.source, self.target):
            raise RuntimeError("the copy differs")

    def measure(self, samples, repetitions):
        seconds = (ctypes.c_double * samples)()
        self.engine.loops.measureCopy(
            ctypes.c_void_p(self.target.ctypes.data),
            ctypes.c_void_p(self.source.ctypes.data),
            ctypes.c_size_t(self.source.size), self.engine.is_streaming,
            self.engine.threads, samples, repetitions, seconds)
        return list(seconds)


class Memcpy(Engine):
    is_streaming = False

    def __init__(self, threads):
        super().__init__(threads)
        self.loops = ctypes.CDLL(LIBRARIES / "libMeanVarBenchmarkLoops.so")
        self.loops.measureCopy.restype = None

    def version(self):
        return None

    def prepare(self, case, inputs, output):
        return CopyProgram(self, (case.useful_bytes + 1) // 2)


class StreamingCopy(Memcpy):
    is_streaming = True
