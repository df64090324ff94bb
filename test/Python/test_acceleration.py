"""Models that meanvar computes in part, and ONNX Runtime for the rest."""

import concurrent.futures
import io
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from arrays import ForeignArray, normal

import meanvar

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
import onnx.helper
import onnx.numpy_helper
import onnx.parser

HEADER = '<ir_version: 8, opset_import: ["": 17]>\n'


def parse(text):
    return onnx.parser.parse_model(text if text.startswith("<") else HEADER + text)


def add_weights(model, **shapes):
    """Adds initializers of random numbers."""
    for seed, (name, shape) in enumerate(shapes.items()):
        weights = normal("f32", shape, seed) / np.float32(np.sqrt(np.prod(shape[1:])))
        model.graph.initializer.append(onnx.numpy_helper.from_array(weights, name))
    return model


def check(model, feed, want_parts, atol=2e-5, **options):
    """Compares with ONNX Runtime, and the parts with what is expected of them: a letter
    for the runtime, and operators."""
    accelerated = meanvar.accelerate(model, **options)
    parts = [f"{part.runtime[0]}: " + " ".join(
        model.graph.node[index].op_type for index in part.nodes)
        for part in accelerated.partition.parts]
    assert parts == want_parts
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    copies = {name: array.copy() for name, array in feed.items()}
    for _ in range(2):
        got = accelerated.run(feed)
        for value, array, want in zip(session.get_outputs(), got, session.run(None, feed)):
            assert array.dtype == want.dtype and array.shape == want.shape, value.name
            np.testing.assert_allclose(array, want, rtol=1e-5, atol=atol)
    for name, copy in copies.items():
        np.testing.assert_array_equal(feed[name], copy)
    return accelerated


CONVOLUTIONS = """net (float[N, 3, H, W] x) => (float[N, 4, H, W] y) {
  a = Conv <pads = [1, 1, 1, 1]> (x, w)
  b = MeanVarianceNormalization (a)
  y = Conv <pads = [1, 1, 1, 1]> (b, v)
}"""


def convolutions():
    return add_weights(parse(CONVOLUTIONS), w=(4, 3, 3, 3), v=(4, 4, 3, 3))


def test_normalization_between_convolutions():
    x = normal("f32", (2, 3, 9, 7))
    accelerated = check(convolutions(), {"x": x}, [
        "O: Conv", "m: MeanVarianceNormalization", "O: Conv"])
    assert accelerated.name == "net"
    assert repr(accelerated) == "<meanvar.AcceleratedModel 'net' of 'x' to 'y'>"
    [value] = accelerated.inputs
    assert (value.name, value.dtype, value.shape) == (
        "x", np.float32, ("N", 3, "H", "W"))
    assert repr(value) == "Value(name='x', dtype=float32, shape=('N', 3, 'H', 'W'))"
    [value] = accelerated.outputs
    assert (value.name, value.shape) == ("y", ("N", 4, "H", "W"))
    assert str(accelerated.partition) == """\
graph 'net' in 3 parts
  0: ONNX Runtime computes 1 x Conv
  1: meanvar computes 1 x MeanVarianceNormalization
  2: ONNX Runtime computes 1 x Conv
why ONNX Runtime
  2 x Conv: the operator is not supported"""
    assert [part.inputs for part in accelerated.partition.parts] == [
        ("x",), ("a",), ("b",)]
    assert accelerated.partition.reasons == {
        0: "the operator is not supported", 2: "the operator is not supported"}
    np.testing.assert_array_equal(accelerated(x), accelerated.run({"x": x})[0])
    np.testing.assert_array_equal(accelerated(ForeignArray(x)), accelerated(x))


def test_file(tmp_path):
    path = tmp_path / "model.onnx"
    model = convolutions()
    x = normal("f32", (1, 3, 5, 5))
    want = meanvar.accelerate(model)(x)
    onnx.save(model, path)
    np.testing.assert_array_equal(meanvar.accelerate(str(path))(x), want)
    onnx.save(model, path, save_as_external_data=True, location="weights.bin",
              size_threshold=0)
    np.testing.assert_array_equal(meanvar.accelerate(path)(x), want)
    with pytest.raises(ValueError, match=r"^the data of initializer 'w' is external, and"):
        meanvar.accelerate(onnx.load(path, load_external_data=False))


def test_several_normalizations():
    """With adjacent elementwise nodes, scale and bias, and a residual around all."""
    model = add_weights(parse("""net (float[N, 8] x) => (float[N, 8] y) {
      a = MatMul (x, w)
      b = LayerNormalization <axis = -1> (a, scale, bias)
      c = Softplus (b)
      d = MatMul (c, w)
      e = Add (d, a)
      f = LayerNormalization <axis = -1> (e, scale, bias)
      y = Sigmoid (f)
    }"""), w=(8, 8), scale=(8,), bias=(8,))
    check(model, {"x": normal("f32", (5, 8))}, [
        "O: MatMul", "m: LayerNormalization", "O: Softplus MatMul",
        "m: Add LayerNormalization", "O: Sigmoid"])


def test_equal_parts_share_a_function():
    """They differ in weights, names and the symbols of sizes. What decides shapes is no
    weight."""
    blocks, value = [], "x"
    shapes = {}
    for i, axis in enumerate((-1, -1, -1, 1)):
        blocks.append(f"a{i} = LayerNormalization <axis = {axis}> ({value}, s{i}, b{i})")
        blocks.append(f"z{i} = Reshape (a{i}, shape)")
        blocks.append(f"v{i} = Softmax <axis = 1> (z{i})")
        value = f"v{i}"
        shapes.update({f"s{i}": (32,), f"b{i}": (32,)})
    model = add_weights(parse("net (float[N, 32] x) => (float[N, 32] v3) {\n"
                              "shape = Constant <value_ints = [-1, 32]> ()\n"
                              + "\n".join(blocks) + "\n}"), **shapes)
    accelerated = check(model, {"x": normal("f32", (5, 32))}, [
        "m: LayerNormalization Reshape", "O: Softmax"] * 4)
    functions = [step._function for step in accelerated._steps[::2]]
    assert functions[0] is functions[1] is functions[2] is not functions[3]
    assert [len(step._weights) for step in accelerated._steps[::2]] == [2, 2, 2, 0]
    assert [value.name for value in functions[3].inputs] == ["v2"]


def test_no_supported_node():
    accelerated = check(parse("""g (float[N] x) => (float[N] y) {
      a = Softplus (x)
      y = Sigmoid (a) }"""), {"x": normal("f32", (7,))}, ["O: Softplus Sigmoid"])
    assert "1 x Softplus, 1 x Sigmoid: the operator is not supported" in str(
        accelerated.partition)


def test_lone_elementwise_nodes_stay():
    accelerated = check(parse("""g (float[N, 4] x) => (float[4, N] y) {
      a = Add (x, x)
      b = Softplus (a)
      c = Transpose (b)
      y = Identity (c) }"""), {"x": normal("f32", (7, 4))}, [
          "O: Add Softplus Transpose Identity"])
    assert accelerated.partition.reasons[0] == (
        "no normalization, mean or other reduction is next to it")


def test_all_is_supported_without_onnxruntime():
    model = parse("""g (float[N, 4] x) => (float[N, 4] y, float[N, 4] z) {
      y = MeanVarianceNormalization <axes = [1]> (x)
      z = Mul (y, y) }""")
    accelerated = check(model, {"x": normal("f32", (3, 4))},
                        ["m: MeanVarianceNormalization Mul"])
    y, z = accelerated(normal("f32", (3, 4)))
    np.testing.assert_array_equal(z, y * y)
    code = f"""if True:
        import sys
        sys.modules["onnxruntime"] = None
        import meanvar, numpy
        import onnx
        model = onnx.ModelProto.FromString({model.SerializeToString()!r})
        assert len(meanvar.accelerate(model)(numpy.ones((2, 4), "f4"))) == 2
        model.graph.node[1].op_type = "Softplus"
        del model.graph.node[1].input[1]
        try:
            meanvar.accelerate(model)
        except ModuleNotFoundError as error:
            assert error.name == "onnxruntime"
            assert str(error) == ("1 node of the model is left to the package "
                                  "'onnxruntime', which is not installed"), error
        else:
            raise AssertionError
        sys.modules["onnx"] = None
        try:
            meanvar.accelerate("model.onnx")
        except ModuleNotFoundError as error:
            assert error.name == "onnx"
            assert str(error) == ("models are read by the package 'onnx', which is not "
                                  "installed"), error
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_parts_are_convex():
    """The sum reads a normalization and what ONNX Runtime makes of it."""
    check(parse("""g (float[N, 4] x) => (float[N, 4] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      b = Softplus (a)
      c = Add (a, b)
      y = MeanVarianceNormalization <axes = [0]> (c)
    }"""), {"x": normal("f32", (5, 4))}, [
        "m: MeanVarianceNormalization", "O: Softplus", "m: Add MeanVarianceNormalization"])


def test_parts_are_maximal():
    """What an unrelated node of ONNX Runtime comes between is still one part."""
    check(parse("""g (float[N, 4] x, float[N, 4] z) => (float[N, 4] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      b = MeanVarianceNormalization <axes = [1]> (z)
      c = Softplus (b)
      y = Add (a, c)
    }"""), {"x": normal("f32", (5, 4)), "z": normal("f32", (5, 4), 1)}, [
        "m: MeanVarianceNormalization", "O: Softplus", "m: MeanVarianceNormalization Add"])


def test_long_chains():
    """Many parts, and more nodes than calls can be nested."""
    nodes = ["v0 = Identity (x)"]
    for i in range(1500):
        nodes.append(f"v{i + 1} = Softplus (v{i})")
    nodes.append("a = MeanVarianceNormalization <axes = [1]> (x)")
    nodes.append("y = Add (a, v1500)")
    check(parse("g (float[N, 4] x) => (float[N, 4] y) {\n" + "\n".join(nodes) + "\n}"),
          {"x": normal("f32", (5, 4))}, [
              "O: Identity" + " Softplus" * 1500, "m: MeanVarianceNormalization Add"])


def test_expanded_normalizations():
    check(parse("""g (float[N, 4] x) => (float[N, 4] y) {
      r = Softmax (x)
      mean = ReduceMean <axes = [1]> (r)
      difference = Sub (r, mean)
      two = Constant <value = float {2}> ()
      square = Pow (difference, two)
      variance = ReduceMean <axes = [1]> (square)
      epsilon = Constant <value = float {1e-3}> ()
      sum = Add (variance, epsilon)
      deviation = Sqrt (sum)
      quotient = Div (difference, deviation)
      y = Softmax (quotient)
    }"""), {"x": normal("f32", (5, 4))}, [
        "O: Softmax", "m: ReduceMean Sub Pow ReduceMean Add Sqrt Div", "O: Softmax"])


def test_constants_are_shared():
    """An initializer and a computed constant that both runtimes read; both are outputs,
    too."""
    model = add_weights(parse("""g (float[N, 4] x) => (float[N, 4] y, float[4] bias,
                                                    float[1, 4] row, float[N, 4] x) {
      axes = Constant <value_ints = [0]> ()
      row = Unsqueeze (bias, axes)
      a = MeanVarianceNormalization <axes = [1]> (x)
      b = Add (a, row)
      c = Softplus (b)
      d = PRelu (c, row)
      y = PRelu (d, bias)
    }"""), bias=(4,))
    del model.graph.output[3]
    accelerated = check(model, {"x": normal("f32", (5, 4))}, [
        "m: Unsqueeze", "m: MeanVarianceNormalization Add", "O: Softplus PRelu PRelu"])
    assert [value.name for value in accelerated.inputs] == ["x"]


def test_unused_nodes_are_left_out():
    """Also where nothing else is left for ONNX Runtime."""
    check(parse("""g (float[N, 4] x) => (float[N, 4] y) {
      a = Softplus (x)
      b = MeanVarianceNormalization <axes = [1]> (a)
      y = MeanVarianceNormalization <axes = [1]> (x)
    }"""), {"x": normal("f32", (5, 4))}, ["m: MeanVarianceNormalization"])


def test_outputs_without_nodes():
    model = add_weights(parse("""g (float[N] x) => (float[4] bias, float[N] x) {
    }"""), bias=(4,))
    x = normal("f32", (3,))
    bias, same = meanvar.accelerate(model)(x)
    np.testing.assert_array_equal(same, x)
    np.testing.assert_array_equal(
        bias, onnx.numpy_helper.to_array(model.graph.initializer[0]))


def test_random_nodes_are_not_copied():
    """A node without inputs is no constant where meanvar does not know it."""
    accelerated = meanvar.accelerate(parse("""g (float[4] x) => (float[4] y, float[4] z) {
      r = RandomNormal <shape = [4]> ()
      a = Add (x, r)
      y = MeanVarianceNormalization <axes = [0]> (a)
      z = Softplus (r)
    }"""))
    assert sorted(sum((part.nodes for part in accelerated.partition.parts), ())) == [
        0, 1, 2, 3]


def test_subgraphs_stay():
    """Branches that capture a normalization, an initializer and an input."""
    model = add_weights(parse("""g (float[N, 4] x, bool flag) => (float[N, 4] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      b = If <then_branch = then () => (float[N, 4] t) { t = Add (a, bias) },
              else_branch = otherwise () => (float[N, 4] e) { e = Mul (x, a) }> (flag)
      y = MeanVarianceNormalization <axes = [1]> (b)
    }"""), bias=(4,))
    for flag in (True, False):
        check(model, {"x": normal("f32", (5, 4)), "flag": np.array(flag)}, [
            "m: MeanVarianceNormalization", "O: If", "m: MeanVarianceNormalization"])


def test_loops_stay():
    model = parse("""g (float[N, 4] x, int64 trips) => (float[N, 4] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      go = Constant <value = bool {1}> ()
      y = Loop <body = body (int64 i, bool before, float[N, 4] in)
                            => (bool after, float[N, 4] out) {
        after = Identity (before)
        half = Mul (a, in)
        out = Add (half, x)
      }> (trips, go, a)
    }""")
    check(model, {"x": normal("f32", (5, 4)), "trips": np.array(3)}, [
        "m: MeanVarianceNormalization", "O: Loop"])


def test_functions_of_the_model():
    check(parse("""<ir_version: 8, opset_import: ["": 17, "local": 1]>
    g (float[N, 4] x) => (float[N, 4] y) {
      a = local.normalize (x)
      y = local.activate (a)
    }
    <opset_import: ["": 17], domain: "local">
    normalize (x) => (y) { y = MeanVarianceNormalization <axes = [1]> (x) }
    <opset_import: ["": 17], domain: "local">
    activate (x) => (y) { y = Softplus (x) }
    """), {"x": normal("f32", (5, 4))}, ["m: normalize", "O: activate"])


def test_values_that_decide_shapes():
    """A shape that is known at run time only keeps a Reshape with ONNX Runtime."""
    accelerated = check(parse("""g (float[N, 4] x, int64[2] shape) => (float[M, 2] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      y = Reshape (a, shape)
    }"""), {"x": normal("f32", (5, 4)), "shape": np.array([10, 2])}, [
        "m: MeanVarianceNormalization", "O: Reshape"])
    assert accelerated.partition.reasons[1].startswith(
        "input 1 ('shape') is known at run time only")


# What exporters make of a group normalization, and of x.view(n, h * w, c).
GROUPS = """g (float[N, 8, H, W] x) => (float[N, 8, H, W] y)
<int64[3] to = {0, 4, -1}, float[4] one = {1, 1, 1, 1}, float[4] zero = {0, 0, 0, 0}> {
  a = Reshape (x, to)
  b = InstanceNormalization (a, one, zero)
  shape = Shape (x)
  c = Reshape (b, shape)
  d = Mul (c, scale)
  y = Add (d, bias)
}"""
VIEW = """g (float[N, 3, H, W] x) => (float[N, P, 3] y, float[N, 3, H, W] z)
<int64 i0 = {0}, int64 i2 = {2}, int64[1] i3 = {3}, int64[1] axis = {0}> {
  t = Softplus (x)
  shape = Shape (t)
  i = Cast <to = 6> (shape)
  h = Gather (i, i2)
  w = Gather (i, i3)
  hw = Mul (h, w)
  p = Cast <to = 7> (hw)
  n = Gather (shape, i0)
  n1 = Unsqueeze (n, axis)
  c = Slice (shape, one, two)
  to = Concat <axis = 0> (n1, p, c)
  u = Transpose <perm = [0, 2, 3, 1]> (t)
  v = Reshape (u, to)
  y = MeanVarianceNormalization <axes = [1]> (v)
  s = Softplus (y)
  flat = Transpose <perm = [0, 2, 1]> (s)
  m = MeanVarianceNormalization <axes = [2]> (flat)
  z = Reshape (m, shape)
}""".replace("> {", ", int64[1] one = {1}, int64[1] two = {2}> {", 1)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_shapes_of_sizes(size):
    """Sizes are computed where they are needed, from the tensors that have them."""
    model = add_weights(parse(GROUPS), scale=(8, 1, 1), bias=(8, 1, 1))
    check(model, {"x": normal("f32", (size, 8, 3, size))}, [
        "m: Reshape InstanceNormalization Reshape Mul Add"])
    check(parse(VIEW), {"x": normal("f32", (size, 3, 4, size))}, [
        "O: Softplus", "m: Transpose Reshape MeanVarianceNormalization",
        "O: Softplus", "m: Transpose MeanVarianceNormalization Reshape"])


def test_defaults_of_inputs_are_constants():
    model = parse("""<ir_version: 3, opset_import: ["": 9]>
    g (float[2, 4] x, float[4] slope) => (float[2, 4] y) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      y = PRelu (a, slope)
    }""")
    add_weights(model, slope=(4,))
    accelerated = check(model, {"x": normal("f32", (2, 4))}, [
        "m: MeanVarianceNormalization", "O: PRelu"])
    assert [value.name for value in accelerated.inputs] == ["x"]


def test_bfloat16_between_parts():
    """ONNX Runtime does not exchange it with NumPy."""
    model = parse("""g (bfloat16[N, 4] x) => (bfloat16[M, 4] y, float[M, 4] z) {
      a = MeanVarianceNormalization <axes = [1]> (x)
      y = Concat <axis = 0> (a, x)
      b = MeanVarianceNormalization <axes = [1]> (y)
      z = Cast <to = 1> (b)
    }""")
    accelerated = meanvar.accelerate(model)
    for rows in (5, 0):
        x = normal("bf16", (rows, 4))
        y, z = accelerated(x)
        want = np.concatenate([meanvar.mvn(x, 1), x])
        assert y.dtype == ml_dtypes.bfloat16
        np.testing.assert_array_equal(y, want)
        np.testing.assert_array_equal(z, meanvar.mvn(want, 1).astype(np.float32))


def test_memory_is_shared_between_parts(monkeypatch):
    """No copy of what goes from one runtime to the other, and results of meanvar in place
    of what ONNX Runtime made."""
    accelerated = meanvar.accelerate(convolutions())
    addresses = []
    for step in accelerated._steps:
        def record(arrays, call=step._call):
            results = call(arrays)
            addresses.extend(array.ctypes.data for array in [*arrays, *results])
            return results
        monkeypatch.setattr(step, "_call", record)
    x = normal("f32", (2, 3, 9, 7))
    y = accelerated(x)
    assert addresses[0] == x.ctypes.data
    assert len({*addresses[1:5]}) == 1
    assert addresses[5] == y.ctypes.data


def test_memory_of_others_is_left_alone():
    """Where a value is read again, is an output or an input, or is a constant of ONNX
    Runtime, or has the size of a result by chance."""
    model = add_weights(parse("""g (float[N, 4] x) =>
        (float[N, 4] y, float[N, 4] z, float[4] w, float[N, 4] n, float[M, 4] s) {
      a = Cos (x)
      y = MeanVarianceNormalization <axes = [1]> (a)
      b = Sigmoid (x)
      c = Identity (b)
      d = MeanVarianceNormalization <axes = [1]> (b)
      z = PRelu (c, d)
      four = Constant <value_ints = [4]> ()
      folded = ConstantOfShape <value = float[1] {3}> (four)
      weights = Sigmoid (folded)
      e = Mul (weights, bias)
      w = MeanVarianceNormalization <axes = [0]> (e)
      n = MeanVarianceNormalization <axes = [1]> (x)
      f = Tanh (x)
      r = MeanVarianceNormalization <axes = [1]> (f)
      s = Concat <axis = 0> (r, a)
    }"""), bias=(4,))
    x = normal("f32", (4, 4))
    accelerated = meanvar.accelerate(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    for _ in range(3):
        for got, want in zip(accelerated(x), session.run(None, {"x": x})):
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=2e-5)
    np.testing.assert_array_equal(x, normal("f32", (4, 4)))
    x.flags.writeable = False
    assert len(accelerated(x)) == 5


def test_outputs_of_onnxruntime_are_its_callers():
    """It does not give away its constants or one buffer twice: what writing in place
    relies on."""
    model = parse("""g (float[4] x) => (float[4] a, float[4] b, float[2, 2] c, float[4] d,
                                        float[4] e) {
      a = Softplus (x)
      b = Identity (a)
      square = Constant <value_ints = [2, 2]> ()
      c = Reshape (a, square)
      d = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> ()
      e = Identity (x)
    }""")
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    x = normal("f32", (4,))
    want = [array.copy() for array in session.run(None, {"x": x})]
    for count in range(len(want)):
        got = session.run(None, {"x": x})
        got[count][...] = 77
        for index, array in enumerate(got):
            if index != count:
                np.testing.assert_array_equal(array, want[index])
    np.testing.assert_array_equal(x, normal("f32", (4,)))


def test_threads():
    model = convolutions()
    accelerated = meanvar.accelerate(model)
    arrays = [normal("f32", (1 + i % 3, 3, 8, 8), i) for i in range(24)]
    want = [accelerated(array) for array in arrays]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for got, expected in zip(pool.map(accelerated, arrays), want):
            np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


def test_sessions_do_not_spin_while_others_run():
    def setting(**options):
        accelerated = meanvar.accelerate(convolutions(), **options)
        given = accelerated._steps[0]._session.get_session_options()
        return given.get_session_config_entry("session.force_spinning_stop")

    assert setting() == "1"
    given = onnxruntime.SessionOptions()
    given.add_session_config_entry("session.force_spinning_stop", "0")
    assert setting(session_options=given) == "0"


@pytest.mark.parametrize("options", [
    {"target": "x86-64"}, {"opt_level": 1}, {"threads": 2},
    {"session_options": onnxruntime.SessionOptions()},
    {"providers": [("CPUExecutionProvider", {})]}])
def test_options(options):
    check(convolutions(), {"x": normal("f32", (1, 3, 4, 4))}, [
        "O: Conv", "m: MeanVarianceNormalization", "O: Conv"], **options)


X = normal("f32", (1, 3, 4, 4))


@pytest.mark.parametrize("call, error, message", [
    (lambda f: f(), TypeError, "^model 'net' takes 1 inputs, but got 0$"),
    (lambda f: f.run({}), ValueError, "^input 'x' of model 'net' is missing$"),
    (lambda f: f.run({"x": X, "z": X}), ValueError,
     r"^model 'net' has no input 'z' \(allowed: 'x'\)$"),
    (lambda f: f.run({"x": X}, ["z"]), ValueError,
     r"^model 'net' has no output 'z' \(allowed: 'y'\)$"),
    (lambda f: f(X[0]), ValueError,
     r"^input 'x' has shape \(3, 4, 4\) \(allowed: \('N', 3, 'H', 'W'\) with N = 3, "),
    (lambda f: f(X[:, :2]), ValueError,
     r"^input 'x' has shape \(1, 2, 4, 4\) \(allowed: \('N', 3, 'H', 'W'\) with N = 1, "),
    (lambda f: f(X.astype("f8")), TypeError,
     r"^input 'x' has elements of float64 \(allowed: float32\)$"),
    (lambda f: f(X.tolist()), TypeError,
     r"^input 'x' is of type 'list' \(allowed: NumPy arrays and arrays with __dlpack__\)$"),
    (lambda f: meanvar.accelerate(parse(
        "g (float[N] x, float[N] z) => (float[N] y) { y = PRelu (x, z) }"))(
            X[0, 0, 0], X[0, 0, 0, 1:]), ValueError,
     r"^input 'z' has shape \(3,\) \(allowed: \('N',\) with N = 4\)$"),
    (lambda f: meanvar.accelerate(convolutions(), threads=0), ValueError,
     "^number of threads 0 "),
    (lambda f: meanvar.accelerate(convolutions(), target="abacus"),
     meanvar.CompilationError, "'abacus'"),
    (lambda f: meanvar.accelerate("no-such-file.onnx"), FileNotFoundError,
     "no-such-file.onnx"),
    (lambda f: meanvar.accelerate(5), TypeError,
     r"^model is of type 'int' \(allowed: a path or onnx.ModelProto\)$"),
    (lambda f: meanvar.accelerate(parse("g (float[4] x) => (float[4] y) "
                                        "{ y = Add (x, z) }")), ValueError,
     r"^node 0 \(Add\) reads 'z', which nothing before it defines$"),
    (lambda f: meanvar.accelerate(parse("g (float[4] x) => (float[4] y) "
                                        "{ y = Softplus (x) y = Softplus (x) }")), ValueError,
     r"^node 1 \(Softplus\) defines 'y' again$"),
    (lambda f: meanvar.accelerate(parse("g (float[4] x) => (float[4] z) "
                                        "{ y = Softplus (x) }")), ValueError,
     r"^output 'z' of the graph is not defined$"),
])
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(meanvar.accelerate(convolutions()))


def test_outputs_by_name():
    model = parse("""g (float[N, 4] x) => (float[N, 4] y, float[N, 4] z) {
      y = Softplus (x)
      z = MeanVarianceNormalization <axes = [1]> (y) }""")
    accelerated = meanvar.accelerate(model)
    x = normal("f32", (3, 4))
    y, z = accelerated.run({"x": x})
    for names, want in [(["z"], [z]), (["z", "y"], [z, y]), ([], [])]:
        got = accelerated.run({"x": x}, names)
        assert len(got) == len(want)
        for array, expected in zip(got, want):
            np.testing.assert_array_equal(array, expected)


def random_model(seed):
    """A graph of nodes that read any values before, some of which are supported."""
    random = np.random.default_rng(seed)
    unary = ["Cos", "Sigmoid", "Neg", "Identity", "Softmax",
             "MeanVarianceNormalization <axes = [1]>", "MeanVarianceNormalization <axes = [0]>"]
    binary = ["Add", "Sub", "Mul", "Mean", "Max"]
    values, lines = ["x", "z", "c"], []
    for index in range(14):
        operators, count = (unary, 1) if random.random() < 0.5 else (binary, 2)
        operands = random.choice(values[-6:], count)
        lines.append(f"v{index} = {random.choice(operators)} ({', '.join(operands)})")
        values.append(f"v{index}")
    outputs = ", ".join(f"float[N, 5] {name}" for name in [*values[-2:], values[6]])
    return add_weights(parse("g (float[N, 5] x, float[N, 5] z) => (" + outputs + ") {\n"
                             + "\n".join(lines) + "\n}"), c=(3, 5))


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs(seed):
    """Cosines and the like keep values far from constant rows, of which ONNX Runtime does
    not normalize all to 0."""
    model = random_model(seed)
    feed = {"x": normal("f32", (3, 5), seed), "z": normal("f32", (3, 5), seed + 100)}
    accelerated = meanvar.accelerate(model)
    parts = accelerated.partition.parts
    computed = [index for part in parts for index in part.nodes]
    assert len(computed) == len(set(computed))
    available = set(feed)
    for part in parts:
        assert available.issuperset(part.inputs)
        available.update(part.outputs)
    session = onnxruntime.InferenceSession(model.SerializeToString(),
                                           providers=["CPUExecutionProvider"])
    for _ in range(2):
        for got, want in zip(accelerated.run(feed), session.run(None, feed)):
            np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-3)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_told():
    told = []
    meanvar.accelerate(convolutions(), progress=lambda *step: told.append(step))
    assert told == [
        ("checking nodes", 0, 3), ("checking nodes", 1, 3), ("checking nodes", 2, 3),
        ("checking nodes", 3, 3), ("compiling parts", 0, 1), ("compiling parts", 1, 1),
        ("preparing parts", 0, 3), ("preparing parts", 1, 3), ("preparing parts", 2, 3),
        ("preparing parts", 3, 3)]


def test_progress_in_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    # Nothing is shown of what is done at once.
    monkeypatch.setattr("meanvar._progress._SECONDS_BEFORE_FIRST_LINE", 3600.0)
    meanvar.accelerate(convolutions())
    assert terminal.getvalue() == ""
    monkeypatch.setattr("meanvar._progress._SECONDS_BEFORE_FIRST_LINE", 0.0)
    meanvar.accelerate(convolutions(), progress=False)
    assert terminal.getvalue() == ""
    meanvar.accelerate(convolutions())
    erase = "\r\x1b[K"
    assert terminal.getvalue().startswith(
        erase + "meanvar.accelerate: checking nodes, 0 of 3" + erase)
    assert terminal.getvalue().endswith(erase)


def test_progress_elsewhere(monkeypatch):
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    monkeypatch.setattr("meanvar._progress._SECONDS_BEFORE_FIRST_LINE", 0.0)
    meanvar.accelerate(convolutions())
    assert file.getvalue() == ""
    meanvar.accelerate(convolutions(), progress=True)
    assert "checking nodes, 0 of 3" in file.getvalue()
    monkeypatch.setattr("sys.stderr", None)
    meanvar.accelerate(convolutions(), progress=True)


def test_progress_that_is_none():
    with pytest.raises(TypeError, match=r"^progress is of type 'str' \(allowed: a function,"
                       r" bool, None\)$"):
        meanvar.accelerate(convolutions(), progress="yes")


def test_progress_that_fails():
    def stop(work, done, total):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="^enough$"):
        meanvar.accelerate(convolutions(), progress=stop)
