"""NumPy, with every result written into an array that is there already. 16-bit types
are computed in f32, which is faster as well as exact enough."""

import numpy as np

import data
from engines.engine import Engine, FunctionProgram


def make_mvn(case, x, y):
    squares = data.allocate(x.shape, x.dtype)

    def run():
        np.subtract(x, x.mean(case.axes, keepdims=True), out=y)
        np.multiply(y, y, out=squares)
        deviation = np.sqrt(squares.mean(case.axes, keepdims=True))
        np.divide(y, deviation + y.dtype.type(data.EPSILON), out=y)

    return run


def make_mean(inputs, y):
    factor = y.dtype.type(1 / len(inputs))

    def run():
        np.add(inputs[0], inputs[1], out=y)
        for x in inputs[2:]:
            np.add(y, x, out=y)
        np.multiply(y, factor, out=y)

    return run


def make_run(case, inputs, output):
    if case.operation == "mvn":
        return make_mvn(case, inputs[0], output)
    return make_mean(inputs, output)


def make_widening_run(case, inputs, output):
    """Computes in f32, between copies from the inputs and to the output."""
    wide_inputs = [data.allocate(x.shape, np.dtype(np.float32)) for x in inputs]
    wide_output = data.allocate(output.shape, np.dtype(np.float32))
    run_wide = make_run(case, wide_inputs, wide_output)

    def run():
        for wide, x in zip(wide_inputs, inputs):
            np.copyto(wide, x)
        run_wide()
        np.copyto(output, wide_output, casting="same_kind")

    return run


class NumPy(Engine):
    def __init__(self, threads):
        super().__init__(threads)
        if threads > 1:
            self.remark = "runs on one thread"

    def version(self):
        return np.__version__

    def prepare(self, case, inputs, output):
        make = make_widening_run if output.dtype.itemsize == 2 else make_run
        return FunctionProgram(make(case, inputs, output), output)
