"""ONNX models of Mean and MeanVarianceNormalization."""

import numpy as np
import pytest

import harness
import onnx_model
import reference
from inputs import normal

@pytest.mark.parametrize("opset,attributes,axes,center_only", [
    (1, {}, [0, 2, 3], False),
    (1, {"across_channels": 1}, [0, 1, 2, 3], False),
    (7, {"normalize_variance": 0}, [0, 2, 3], True),
    (8, {"across_channels": 1, "normalize_variance": 0}, [0, 1, 2, 3], True),
    (9, {"axes": [1, -1]}, [1, 3], False),
    (13, {"axes": [2, 3]}, [2, 3], False),
], ids=str)
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_mvn_versions(dtype, opset, attributes, axes, center_only, tmp_path):
    x = normal(dtype, (2, 3, 4, 5), seed=opset, mean=1)
    model = onnx_model.model(
        opset,
        nodes=[onnx_model.node("MeanVarianceNormalization", ["x"], ["y"], attributes)],
        inputs=[onnx_model.value("x", dtype, x.shape)],
        outputs=[onnx_model.value("y", dtype, x.shape)])
    [got] = harness.run(tmp_path, model, [(dtype, x)], [dtype], name="model.onnx")
    expected = reference.Mvn(dtype, x, axes, center_only=center_only)
    reference.check(dtype, got, expected.result, expected.bound)


@pytest.mark.parametrize("dtype", ["bf16"])
def test_mvn_of_bf16(dtype, tmp_path):
    x = normal(dtype, (2, 3, 4, 5), seed=2, mean=1)
    model = onnx_model.model(
        13, nodes=[onnx_model.node("MeanVarianceNormalization", ["x"], ["y"])],
        inputs=[onnx_model.value("x", dtype, x.shape)],
        outputs=[onnx_model.value("y", dtype, x.shape)])
    [got] = harness.run(tmp_path, model, [(dtype, x)], [dtype], name="model.onnx")
    expected = reference.Mvn(dtype, x)
    reference.check(dtype, got, expected.result, expected.bound)


@pytest.mark.parametrize("opset", [1, 6, 8, 13])
def test_mean_versions(opset, tmp_path):
    arrays = [normal("f32", (3, 4), seed=seed) for seed in range(3)]
    names = ["a", "b", "c"]
    model = onnx_model.model(
        opset, nodes=[onnx_model.node("Mean", names, ["y"])],
        inputs=[onnx_model.value(name, "f32", (3, 4)) for name in names],
        outputs=[onnx_model.value("y", "f32", (3, 4))])
    [got] = harness.run(tmp_path, model, [("f32", a) for a in arrays], ["f32"],
                        name="model.onnx")
    want = reference.mean(arrays)
    reference.check("f32", got, want, reference.mean_bound("f32", arrays, want))


def test_several_nodes_and_an_initializer(tmp_path):
    """y = MVN(Mean(x, bias)), with symbolic sizes."""
    x, bias = normal("f32", (4, 6), seed=1), normal("f32", (6,), seed=2)
    model = onnx_model.model(
        13,
        nodes=[onnx_model.node("Mean", ["x", "bias"], ["m"]),
               onnx_model.node("MeanVarianceNormalization", ["m"], ["y"], {"axes": [1]})],
        inputs=[onnx_model.value("x", "f32", ("rows", 6))],
        outputs=[onnx_model.value("y", "f32", ("rows", 6))],
        initializers=[onnx_model.initializer("bias", bias)])
    [got] = harness.run(tmp_path, model, [("f32", x)], ["f32"], name="model.onnx")
    mean = reference.quantize("f32", (x + bias) / 2)
    expected = reference.Mvn("f32", mean, [1])
    reference.check("f32", got, expected.result, expected.bound * 2)


@pytest.mark.parametrize("opset,node,words", [
    (13, ("MeanVarianceNormalization", {"epsilon": 0.5}), ["norm_1", "epsilon"]),
    (13, ("MeanVarianceNormalization", {"axes": [5]}), ["5"]),
    (99, ("MeanVarianceNormalization", {}), ["99"]),
    (13, ("Softmax", {}), ["norm_1", "Softmax", "13"]),
], ids=str)
def test_refused_nodes(opset, node, words, tmp_path):
    op_type, attributes = node
    model = onnx_model.model(
        opset, nodes=[onnx_model.node(op_type, ["x"], ["y"], attributes, name="norm_1")],
        inputs=[onnx_model.value("x", "f32", (2, 3, 4, 5))],
        outputs=[onnx_model.value("y", "f32", (2, 3, 4, 5))])
    harness.refuse(tmp_path, model, [("f32", np.ones((2, 3, 4, 5)))], words,
                   name="model.onnx")


def test_equal_symbols_must_be_equal(tmp_path):
    model = onnx_model.model(
        13, nodes=[onnx_model.node("Mean", ["a", "b"], ["y"])],
        inputs=[onnx_model.value(name, "f32", ("n", 4)) for name in "ab"],
        outputs=[onnx_model.value("y", "f32", ("n", 4))])
    harness.refuse(tmp_path, model, [("f32", np.ones((3, 4))), ("f32", np.ones((1, 4)))],
                   ["3", "1"], name="model.onnx")


@pytest.mark.parametrize("length", [0, 1, 10, 50])
def test_truncated_model(length, tmp_path):
    model = onnx_model.model(
        13, nodes=[onnx_model.node("Mean", ["x"], ["y"])],
        inputs=[onnx_model.value("x", "f32", (2,))],
        outputs=[onnx_model.value("y", "f32", (2,))])
    harness.refuse(tmp_path, model[:length], [("f32", np.ones(2))], [], name="model.onnx")


def test_text_with_external_data(tmp_path):
    """A layer norm as text, with its weights in a file beside it."""
    x, scale, bias = (normal("f32", shape, seed) for seed, shape in
                      enumerate([(3, 40), (40,), (40,)]))
    (tmp_path / "weights.bin").write_bytes(
        np.concatenate([scale, bias]).astype("<f4").tobytes())
    model = """
<ir_version: 10, opset_import: ["" : 18]>
block (float[N, 40] x) => (float[N, 40] y)
<float[40] scale = ["location": "weights.bin"],
 float[40] bias = ["location": "weights.bin", "offset": "160"]>
{
  y = LayerNormalization <epsilon = 0.5> (x, scale, bias)
}"""
    [got] = harness.run(tmp_path, model, [("f32", x)], ["f32"], name="model.onnxtxt")
    expected = reference.Mvn("f32", x, [1], epsilon=0.5, inside_sqrt=True)
    want = expected.result * scale + bias
    reference.check("f32", got, want, expected.bound * np.abs(scale)
                    + 2.0**-22 * (np.abs(expected.result * scale) + np.abs(bias)))
