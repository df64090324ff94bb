"""PyTorch, eager, where it is installed (run.sh --with-pytorch)."""

import torch

from data import EPSILON
from engines.engine import Engine, FunctionProgram, Program


def share(array, element_type):
    """A tensor in the memory of `array`."""
    if element_type == "bf16":
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


def make_mvn(case, x, y):
    def run():
        deviation, mean = torch.std_mean(x, case.axes, correction=0, keepdim=True)
        torch.sub(x, mean, out=y)
        torch.div(y, deviation + EPSILON, out=y)

    return run


def make_mean(inputs, y):
    def run():
        torch.add(inputs[0], inputs[1], out=y)
        for x in inputs[2:]:
            torch.add(y, x, out=y)
        torch.div(y, len(inputs), out=y)

    return run


class LayerNorm(Program):
    """Allocates its result, since layer_norm takes no output. The epsilon is within
    the square root."""

    def __init__(self, x, shape):
        self.x, self.shape = x, shape

    def run(self):
        self.output = torch.layer_norm(self.x, self.shape, eps=EPSILON)

    def result(self):
        return self.output.double().numpy()


class PyTorch(Engine):
    def __init__(self, threads):
        super().__init__(threads)
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)

    def version(self):
        return torch.__version__

    def prepare(self, case, inputs, output):
        tensors = [share(array, case.element_type) for array in inputs]
        y = share(output, case.element_type)
        if case.operation == "mean":
            return FunctionProgram(make_mean(tensors, y), output)
        x = tensors[0]
        if case.axes == tuple(range(case.axes[0], x.dim())):
            return LayerNorm(x, x.shape[case.axes[0] :])
        return FunctionProgram(make_mvn(case, x, y), output)
