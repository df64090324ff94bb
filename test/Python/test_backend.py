"""ONNX's backend interface, and the node tests of the `onnx` package."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import meanvar

onnx = pytest.importorskip("onnx")
import onnx.helper
import onnx.parser
from onnx import TensorProto
from onnx.backend.test import BackendTest
from onnx.backend.test.loader import load_model_tests

import meanvar.backend

# What docs/ONNX.md lists.
OPERATORS = {
    "Mean", "MeanVarianceNormalization", "LayerNormalization", "InstanceNormalization",
    "GroupNormalization", "Add", "Sub", "Mul", "Div", "Neg", "Abs", "Relu", "Max", "Min",
    "Sqrt", "Reciprocal", "Pow", "ReduceMean"}
# What does not compute takes more types.
MOVES = {"Cast", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Identity",
         "Constant", "Shape", "Size"}
TYPES = {TensorProto.FLOAT16, TensorProto.BFLOAT16, TensorProto.FLOAT,
         TensorProto.DOUBLE, TensorProto.INT32, TensorProto.INT64}
SMALL_TYPES = {TensorProto.INT8, TensorProto.UINT8, TensorProto.BOOL}
# Operators that only take vectors of sizes, in expanded functions.
SHAPE_CHAINS = {
    "test_depthtospace_example_expanded", "test_depthtospace_crd_mode_example_expanded",
    "test_spacetodepth_expanded", "test_spacetodepth_example_expanded",
    "test_spacetodepth_dcr_mode_example_expanded",
    "test_spacetodepth_crd_mode_example_expanded",
    "test_group_normalization_example_expanded",
    "test_group_normalization_epsilon_expanded"}
NORMALIZATIONS = {
    "test_mvn", "test_mvn_expanded", "test_mvn_expanded_ver18", "test_mean_example",
    "test_mean_one_input", "test_mean_two_inputs", "test_layer_normalization_4d_axis1",
    "test_instancenorm_example", "test_instancenorm_epsilon",
    "test_group_normalization_example", "test_group_normalization_epsilon"}


def all_node_tests():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [test for test in load_model_tests(kind="node") if test.model is not None]


def is_supported(model):
    values = [*model.graph.input, *model.graph.output]
    operators = {node.op_type for node in model.graph.node}
    types = {value.type.tensor_type.elem_type for value in values}
    return operators <= OPERATORS | MOVES and types <= (
        TYPES | SMALL_TYPES if operators <= MOVES else TYPES)


NODE_TESTS = all_node_tests()
SUPPORTED = SHAPE_CHAINS | {test.name for test in NODE_TESTS if is_supported(test.model)}


def make_test_case():
    """The tests of ONNX for the operators that are supported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runner = BackendTest(meanvar.backend.MeanVarBackend, __name__)
    case = runner.test_cases["OnnxBackendNodeModelTest"]
    for name in [name for name in vars(case) if name.startswith("test_")]:
        if name.removesuffix("_cpu") not in SUPPORTED:
            delattr(case, name)
    return case


OnnxBackendNodeModelTest = make_test_case()


def test_all_normalizations_are_among_them():
    assert NORMALIZATIONS <= SUPPORTED
    assert {f"{name}_cpu" for name in SUPPORTED} == {
        name for name in vars(OnnxBackendNodeModelTest) if name.startswith("test_")}


def test_other_nodes_are_refused():
    """No node test of ONNX ends the interpreter, whatever it has."""
    for test in NODE_TESTS:
        compatible = meanvar.backend.is_compatible(test.model)
        assert compatible == (test.name in SUPPORTED), test.name


MVN = """<ir_version: 8, opset_import: ["": 17]>
normalize (float[N, 4] x, float[4] bias) => (float[N, 4] y, float[N, 4] z) {
  y = MeanVarianceNormalization <axes = [1]> (x)
  z = Add (y, bias)
}"""
RESHAPE = """<ir_version: 8, opset_import: ["": 17]>
change (float[6] x, int64[2] shape) => (float[?, ?] y) {
  negated = Neg (x)
  y = Reshape (negated, shape)
}"""
X = np.arange(8, dtype=np.float32).reshape(2, 4)
BIAS = np.ones(4, np.float32)


def parse(text):
    return onnx.parser.parse_model(text)


@pytest.mark.parametrize("inputs", [[X, BIAS], (X, BIAS), {"bias": BIAS, "x": X}])
def test_inputs_and_outputs(inputs):
    prepared = meanvar.backend.prepare(parse(MVN), "CPU", threads=1, target="host")
    outputs = prepared.run(inputs)
    assert isinstance(outputs, tuple) and outputs._fields == ("y", "z")
    np.testing.assert_array_equal(outputs["y"], meanvar.mvn(X, 1))
    np.testing.assert_array_equal(outputs[1], outputs[0] + 1)
    np.testing.assert_array_equal(meanvar.backend.run_model(parse(MVN), inputs)[1],
                                  outputs[1])


def test_a_lone_input():
    model = parse("""<ir_version: 8, opset_import: ["": 17]>
        f (float[2, 4] x, float[2, 4] c = {1, 2, 3, 4, 5, 6, 7, 8}) => (float[2, 4] y) {
          y = Mean (x, c) }""")
    [y] = meanvar.backend.run_model(model, X)
    np.testing.assert_array_equal(y, X + 0.5)


def test_shapes_that_are_inputs():
    prepared = meanvar.backend.prepare(parse(RESHAPE))
    x = np.arange(6, dtype=np.float32)
    for _ in range(2):
        for rows in range(1, 25):
            shape = np.array([2, -1] if rows % 2 else [3, 2])
            [y] = prepared.run([x, shape])
            np.testing.assert_array_equal(y, -x.reshape(shape))
    assert len(prepared._functions) == 2


def test_kept_functions_are_bounded():
    prepared = meanvar.backend.prepare(parse(RESHAPE.replace("[6]", "[N]")))
    limit = meanvar.backend._MAX_FUNCTIONS
    for size in range(1, limit + 3):
        [y] = prepared.run([np.ones(size, np.float32), np.array([1, size])])
        assert y.shape == (1, size)
    assert len(prepared._functions) == limit


def test_devices():
    supported = [device for device in ("CPU", "CPU:0", "CPU:1", "CUDA", "TPU", "CPU:x", "")
                 if meanvar.backend.supports_device(device)]
    assert supported == ["CPU", "CPU:0"]
    assert meanvar.backend.is_compatible(parse(MVN))
    assert not meanvar.backend.is_compatible(parse(MVN), "CUDA")


@pytest.mark.parametrize("opset", [None, 9, 13])
def test_nodes(opset):
    node = onnx.helper.make_node("MeanVarianceNormalization", ["x"], ["y"], axes=[1])
    options = {} if opset is None else {"opset_version": opset}
    [y] = meanvar.backend.run_node(node, [X], **options)
    np.testing.assert_array_equal(y, meanvar.mvn(X, 1))
    outputs = meanvar.backend.run_node(node, X, outputs_info=[(np.float32, (2, 4))],
                                       **options)
    np.testing.assert_array_equal(outputs["y"], y)


def test_nodes_with_shapes_and_optional_inputs():
    node = onnx.helper.make_node("Reshape", ["x", "shape"], ["y"])
    [y] = meanvar.backend.run_node(node, [X, np.array([4, 2])])
    np.testing.assert_array_equal(y, X.reshape(4, 2))
    node = onnx.helper.make_node("LayerNormalization", ["x", "scale", ""],
                                 ["y", "", "factor"])
    y, factor = meanvar.backend.run_node(node, [X, BIAS])
    want = meanvar.mvn(X, 1, epsilon=1e-5, inside_sqrt=True)
    np.testing.assert_allclose(y, want, rtol=1e-6)
    assert factor.shape == (2, 1)


SOFTPLUS = onnx.helper.make_node("Softplus", ["x"], ["y"])


@pytest.mark.parametrize("call, error, message", [
    (lambda b: b.prepare(parse(MVN), "CUDA"), ValueError,
     r"^device 'CUDA' is not supported \(allowed: 'CPU'\)$"),
    (lambda b: b.run_node(SOFTPLUS, [X], "CUDA"), ValueError, "^device 'CUDA' "),
    (lambda b: b.run_node(SOFTPLUS, [X]), meanvar.CompilationError,
     r"\(Softplus, opset \d+\): the operator is not supported"),
    (lambda b: b.run_node(SOFTPLUS, [X, X]), ValueError,
     "^node 'Softplus' takes 1 inputs, but got 2$"),
    (lambda b: b.prepare(parse(MVN)).run([X]), ValueError,
     "^the model takes 2 inputs, but got 1$"),
    (lambda b: b.prepare(parse(MVN)).run({"x": X, "b": X}), ValueError,
     r"^the inputs are named 'x', 'b' \(allowed: 'x', 'bias'\)$"),
    (lambda b: b.prepare(parse(MVN)).run([X, BIAS], device="CPU"), TypeError,
     r"^run got an unexpected option 'device' \(allowed: none\)$"),
    (lambda b: b.prepare(parse(MVN), colour="red"), TypeError, "'colour'"),
    (lambda b: b.prepare(parse(MVN), target="abacus"), meanvar.CompilationError,
     "'abacus'"),
    (lambda b: b.prepare(parse(RESHAPE.replace("Neg", "Softplus"))), meanvar.CompilationError,
     "Softplus"),
    (lambda b: b.prepare(onnx.ModelProto()), onnx.checker.ValidationError, "ir_version"),
])
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(meanvar.backend)


def test_the_package_does_not_need_onnx():
    code = """if True:
        import sys
        sys.modules["onnx"] = None
        import meanvar
        try:
            import meanvar.backend
        except ModuleNotFoundError as error:
            assert error.name == "onnx"
        else:
            raise AssertionError
        assert not any(name.startswith("onnx.") for name in sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True)
