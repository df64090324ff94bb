"""Functions of modules and models."""

import ml_dtypes
import numpy as np
import onnx_model
import pytest
from arrays import DTYPES, ForeignArray, normal

import meanvar

MVN = """
func.func @mvn(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
NAMED = """
func.func @f(%x: tensor<?x?x4xbf16>, %n: index, %flag: tensor<2xi1>)
    -> (tensor<?x?x4xbf16>, tensor<2xi1>, index)
    attributes {meanvar.input_names = ["x", "n", "flag"],
                meanvar.input_dimension_names = [["batch", "", ""], [], [""]],
                meanvar.output_names = ["y", "same", "count"]} {
  return %x, %flag, %n : tensor<?x?x4xbf16>, tensor<2xi1>, index
}
"""


def mean_model(dtype="f32", op_type="Mean"):
    return onnx_model.model(
        13, nodes=[onnx_model.node(op_type, ["a", "b"], ["c"], name="first")],
        inputs=[onnx_model.value(name, dtype, ["N", 3]) for name in ("a", "b")],
        outputs=[onnx_model.value("c", dtype, ["N", 3])])


def test_one_function():
    function = meanvar.compile(MVN)
    assert function.name == "mvn"
    [value] = function.inputs
    assert (value.name, value.dtype, value.shape) == ("input_0", np.float32, (None, 4))
    assert [value.name for value in function.outputs] == ["output_0"]
    assert repr(value) == "Value(name='input_0', dtype=float32, shape=(None, 4))"
    assert repr(function) == "<meanvar.Function 'mvn' of 'input_0' to 'output_0'>"
    for rows in (3, 0, 1):
        x = normal("f32", (rows, 4))
        np.testing.assert_allclose(function(x), meanvar.mvn(x, 1), atol=1e-6)


def test_signature():
    function = meanvar.compile(NAMED)
    assert [(v.name, v.dtype, v.shape) for v in function.inputs] == [
        ("x", ml_dtypes.bfloat16, ("batch", None, 4)), ("n", np.int64, ()),
        ("flag", np.bool_, (2,))]
    assert [v.name for v in function.outputs] == ["y", "same", "count"]


def test_names_that_are_no_utf8():
    source = MVN.replace("@mvn", '@"a\\FFb"').replace("xf32> {\n  %0", '''xf32>
    attributes {meanvar.input_names = ["x\\FE"]} {\n  %0''')
    function = meanvar.compile(source)
    assert function.name == r"a\xffb"
    assert [value.name for value in function.inputs] == [r"x\xfe"]
    assert function.run({r"x\xfe": normal("f32", (2, 4))})[0].shape == (2, 4)


def test_scalars_and_several_outputs():
    function = meanvar.compile(NAMED)
    x, flag = normal("bf16", (2, 3, 4)), np.array([True, False])
    y, same, count = function(x, 5, flag)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(same, flag)
    assert same.dtype == np.bool_
    assert count.dtype == np.int64 and count == 5
    [count, y] = function.run({"flag": flag, "n": 7, "x": x}, ["count", "y"])
    assert count == 7 and y.shape == x.shape


def test_outputs_of_the_caller():
    function = meanvar.compile(MVN)
    x = normal("f32", (3, 8))[:, ::2]
    want = function(x)
    assert function(x, out=x) is x
    np.testing.assert_array_equal(x, want)


def test_choice_of_a_function():
    text = MVN + MVN.replace("@mvn", "@other")
    assert meanvar.compile(text, function="other").name == "other"
    with pytest.raises(ValueError, match=r"has 2 public .* \(allowed: 'mvn', 'other'\)"):
        meanvar.compile(text)
    with pytest.raises(ValueError, match=r"no public function 'f' \(allowed: 'mvn', "):
        meanvar.compile(text, function="f")


@pytest.mark.parametrize("options", [
    {"target": "x86-64"}, {"opt_level": 0}, {"threads": 2}])
def test_options(options):
    x = normal("f32", (5, 4))
    np.testing.assert_allclose(meanvar.compile(MVN, **options)(x),
                               meanvar.mvn(x, 1), atol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_model(tmp_path, dtype):
    path = tmp_path / "model.onnx"
    path.write_bytes(mean_model(dtype))
    function = meanvar.load(path)
    assert [value.name for value in function.inputs] == ["a", "b"]
    assert function.inputs[0].dtype == DTYPES[dtype]
    assert [value.shape for value in function.inputs] == [("N", 3)] * 2
    assert function.outputs[0].shape == ("N", 3)
    a, b = normal(dtype, (2, 3)), normal(dtype, (2, 3), seed=1)
    [c] = function.run({"b": b, "a": a})
    np.testing.assert_array_equal(c, meanvar.mean(a, b))
    np.testing.assert_array_equal(function(ForeignArray(a, is_named=False), b), c)


def test_files(tmp_path):
    text = tmp_path / "module.mlir"
    text.write_text(MVN)
    assert meanvar.load(str(text)).name == "mvn"
    model = tmp_path / "model.bin"
    model.write_bytes(mean_model())
    assert [value.name for value in meanvar.load(model).inputs] == ["a", "b"]
    model = tmp_path / "refused.onnx"
    model.write_bytes(mean_model(op_type="Frobnicate"))
    with pytest.raises(meanvar.CompilationError, match="Frobnicate") as error:
        meanvar.load(model)
    assert str(model) == error.value.diagnostics[0].file


def test_external_data(tmp_path):
    initializer = ('initializer { name: "b" data_type: FLOAT dims: [3] data_location: EXTERNAL '
                   'external_data { key: "location" value: "b.bin" } }')
    model = onnx_model.model(
        13, nodes=[onnx_model.node("Mean", ["a", "b"], ["c"])],
        inputs=[onnx_model.value("a", "f32", [3])],
        outputs=[onnx_model.value("c", "f32", [3])], initializers=[initializer])
    (tmp_path / "model.onnx").write_bytes(model)
    np.array([1, 2, 3], np.float32).tofile(tmp_path / "b.bin")
    function = meanvar.load(tmp_path / "model.onnx")
    np.testing.assert_array_equal(function(np.ones(3, np.float32)), [1, 1.5, 2])


@pytest.mark.parametrize("call, error, message", [
    (lambda f, x: f(), TypeError, "^function 'f' takes 3 inputs, but got 0$"),
    (lambda f, x: f(x.astype("f4"), 1, [True]), TypeError,
     "^input 2 is of type 'list'"),
    (lambda f, x: f(x.astype("f4"), 1, np.ones(2, bool)), TypeError,
     r"^input 0 \('x'\) has elements of float32 \(allowed: bfloat16\)$"),
    (lambda f, x: f(x, "one", np.ones(2, bool)), ValueError, "one"),
    (lambda f, x: f(x[0], 1, np.ones(2, bool)), ValueError,
     r"^input 0 \('x'\) of function 'f' is 'tensor<3x4xbf16>' \(allowed: "),
    (lambda f, x: f(x, 1, np.ones(3, bool)), ValueError,
     r"^input 2 \('flag'\) of function 'f' is 'tensor<3xi1>'"),
    (lambda f, x: f.run({"x": x, "n": 1}), ValueError,
     "^input 'flag' of function 'f' is missing$"),
    (lambda f, x: f.run({"x": x, "n": 1, "flag": np.ones(2, bool), "z": 1}), ValueError,
     r"^function 'f' has no input 'z' \(allowed: 'x', 'n', 'flag'\)$"),
    (lambda f, x: f.run({}, ["z"]), ValueError,
     r"^function 'f' has no output 'z' \(allowed: 'y', 'same', 'count'\)$"),
])
def test_refused_calls(call, error, message):
    function = meanvar.compile(NAMED)
    with pytest.raises(error, match=message):
        call(function, normal("bf16", (2, 3, 4)))


def test_refused_sizes():
    text = MVN.replace("%x: tensor<?x4xf32>", "%x: tensor<?x4xf32>, %y: tensor<?x4xf32>")
    text = text.replace("meanvar.mvn %x axes = [1] : tensor<?x4xf32>",
                        "meanvar.mean %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) "
                        "-> tensor<?x4xf32>")
    with pytest.raises(ValueError, match="size 3 .*size 2"):
        meanvar.compile(text)(normal("f32", (2, 4)), normal("f32", (3, 4)))
