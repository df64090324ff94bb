"""Inputs of cases, and what the operations give for them in float64."""

import math
import pathlib

import ml_dtypes
import numpy as np

DTYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}

# The largest difference from the float64 result that counts as right. Results are
# of magnitude 1 to 5. For f32 this is what the tests of ONNX allow, for 16 bits two
# units in the last place of 4; f64 leaves room for an epsilon within the square root.
TOLERANCES = {"f16": 8e-3, "bf16": 6.3e-2, "f32": 1e-3, "f64": 1e-8}

EPSILON = 1e-9


def allocate(shape, dtype):
    """An array on a cache line. NumPy asks for huge pages where it is large."""
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size].view(dtype).reshape(shape)


def make_inputs(case):
    """Standard normal values, the same in every run."""
    generator = np.random.default_rng(1)
    dtype = DTYPES[case.element_type]
    return [
        generator.standard_normal(shape, np.float32).astype(dtype)
        for shape in case.shapes
    ]


def compute_reference(case, inputs):
    """The result in float64, straight from the definition."""
    if case.operation == "mean":
        total = np.zeros(case.output_shape)
        for array in inputs:
            total += array.astype(np.float64)
        return total / len(inputs)
    x = inputs[0].astype(np.float64)
    x -= x.mean(case.axes, keepdims=True)
    deviation = np.sqrt(np.square(x).mean(case.axes, keepdims=True))
    x /= deviation + EPSILON
    return x


def largest_error(result, reference):
    """The largest absolute difference; infinite where it is not a number."""
    flat_result, flat_reference = result.reshape(-1), reference.reshape(-1)
    largest, block = 0.0, 1 << 14  # temporaries that stay in a cache
    for start in range(0, flat_result.size, block):
        part = flat_result[start : start + block].astype(np.float64)
        part -= flat_reference[start : start + block]
        error = np.abs(part).max()
        largest = max(largest, math.inf if np.isnan(error) else float(error))
    return largest


class CaseData:
    """Files with the inputs and the reference of one case, shared by workers."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def write(self, case):
        inputs = make_inputs(case)
        for index, array in enumerate(inputs):
            array.tofile(self.directory / f"input{index}")
        compute_reference(case, inputs).tofile(self.directory / "reference")

    def read_inputs(self, case):
        arrays = []
        for index, shape in enumerate(case.shapes):
            array = allocate(shape, DTYPES[case.element_type])
            with open(self.directory / f"input{index}", "rb") as file:
                file.readinto(array.reshape(-1).view(np.uint8))
            arrays.append(array)
        return arrays

    def read_reference(self, case):
        return np.memmap(
            self.directory / "reference", np.float64, "r", shape=case.output_shape
        )
