"""ONNX Runtime, with inputs and outputs bound to NumPy's memory."""

import numpy as np
import onnx
import onnxruntime

from engines.engine import Engine, FunctionProgram, Unsupported

ONNX_TYPES = {
    "f16": onnx.TensorProto.FLOAT16,
    "bf16": onnx.TensorProto.BFLOAT16,
    "f32": onnx.TensorProto.FLOAT,
    "f64": onnx.TensorProto.DOUBLE,
}
OPSET, IR_VERSION = 17, 8


def make_model(case, node, initializers=()):
    element_type = ONNX_TYPES[case.element_type]

    def describe(name, shape):
        sizes = shape
        if case.dynamic:
            sizes = [f"{name}_{dim}" for dim in range(len(shape))]
        return onnx.helper.make_tensor_value_info(name, element_type, sizes)

    inputs = [describe(f"x{i}", shape) for i, shape in enumerate(case.shapes)]
    graph = onnx.helper.make_graph(
        [node], "case", inputs, [describe("y", case.output_shape)], initializers)
    opset = onnx.helper.make_opsetid("", OPSET)
    return onnx.helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION)


class OnnxRuntime(Engine):
    """The operator of the case."""

    def __init__(self, threads):
        super().__init__(threads)
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = threads
        self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 3
        level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        self.options.graph_optimization_level = level

    def version(self):
        return onnxruntime.__version__

    def build(self, case):
        inputs = [f"x{i}" for i in range(len(case.shapes))]
        if case.operation == "mean":
            return make_model(case, onnx.helper.make_node("Mean", inputs, ["y"]))
        return make_model(case, onnx.helper.make_node(
            "MeanVarianceNormalization", inputs, ["y"], axes=case.axes))

    def prepare(self, case, inputs, output):
        model = self.build(case).SerializeToString()
        session = onnxruntime.InferenceSession(
            model, self.options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for index, array in enumerate(inputs):
            binding.bind_input(
                f"x{index}", "cpu", 0, ONNX_TYPES[case.element_type], array.shape,
                array.ctypes.data)
        binding.bind_output(
            "y", "cpu", 0, ONNX_TYPES[case.element_type], output.shape,
            output.ctypes.data)
        # The session itself skips what InferenceSession does for each call.
        native, native_binding = session._sess, binding._iobinding
        return FunctionProgram(
            lambda: native.run_with_iobinding(native_binding, None), output)


class OnnxRuntimeLayerNormalization(OnnxRuntime):
    """LayerNormalization with a scale of ones, where it is the same function (but
    for an epsilon within the square root)."""

    def build(self, case):
        rank = len(case.shapes[0])
        if case.operation != "mvn":
            raise Unsupported("not a normalization")
        if case.axes != tuple(range(case.axes[0], rank)):
            raise Unsupported("axes are not the last ones")
        shape = case.shapes[0][case.axes[0] :]
        scale = make_ones(ONNX_TYPES[case.element_type], shape)
        node = onnx.helper.make_node(
            "LayerNormalization", ["x0", "scale"], ["y"], axis=case.axes[0],
            epsilon=1e-9)
        return make_model(case, node, [scale])


def make_ones(element_type, shape):
    numpy_type = onnx.helper.tensor_dtype_to_np_dtype(element_type)
    return onnx.numpy_helper.from_array(np.ones(shape, numpy_type), "scale")
