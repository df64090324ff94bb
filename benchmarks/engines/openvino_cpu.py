"""OpenVINO's CPU plugin, with inputs and outputs in NumPy's memory."""

import math

import numpy as np
import openvino
from openvino import opset13

import data
from engines.engine import Engine, FunctionProgram

TYPES = {
    "f16": openvino.Type.f16,
    "bf16": openvino.Type.bf16,
    "f32": openvino.Type.f32,
    "f64": openvino.Type.f64,
}


def build_model(case):
    element_type = TYPES[case.element_type]

    def parameter(shape):
        sizes = [-1] * len(shape) if case.dynamic else list(shape)
        return opset13.parameter(openvino.PartialShape(sizes), element_type)

    parameters = [parameter(shape) for shape in case.shapes]
    if case.operation == "mvn":
        axes = opset13.constant(np.array(case.axes, np.int64))
        result = opset13.mvn(parameters[0], axes, True, data.EPSILON, "OUTSIDE_SQRT")
    else:
        result = parameters[0]
        for other in parameters[1:]:
            result = opset13.add(result, other)
        count = opset13.constant(len(parameters), element_type)
        result = opset13.divide(result, count)
    return openvino.Model([result], parameters, "case")


def share(array, element_type):
    """A tensor in the memory of `array`; bfloat16 is passed as its bits."""
    if element_type == "bf16":
        return openvino.Tensor(array.view(np.uint16), array.shape, openvino.Type.bf16)
    return openvino.Tensor(array, shared_memory=True)


class OpenVino(Engine):
    def __init__(self, threads):
        super().__init__(threads)
        self.core = openvino.Core()

    def version(self):
        return openvino.get_version().split("-")[0]

    def configuration(self, case):
        precision = "bf16" if case.element_type == "bf16" else "f32"
        return {
            "PERFORMANCE_HINT": "LATENCY",
            "NUM_STREAMS": 1,
            "INFERENCE_NUM_THREADS": self.threads,
            "INFERENCE_PRECISION_HINT": precision,
        }

    def prepare(self, case, inputs, output):
        model = build_model(case)
        compiled = self.core.compile_model(model, "CPU", self.configuration(case))
        request = compiled.create_infer_request()
        for index, array in enumerate(inputs):
            request.set_input_tensor(index, share(array, case.element_type))
        request.set_output_tensor(0, share(output, case.element_type))
        # The native method skips what InferRequest.infer does for each call.
        infer = openvino._pyopenvino.InferRequest.infer
        return FunctionProgram(lambda: infer(request, {}, True, False), output)
