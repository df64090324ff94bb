"""Values of the ONNX operators around the normalizations, against exact references."""

import numpy as np
import pytest

import harness
import onnx_model
import reference
from inputs import EXTREMES, FLOATS, normal
from reference import quantize

# Relative rounding errors of the type in which scale and bias are applied.
EPSILON = {"f16": 2.0**-24, "bf16": 2.0**-24, "f32": 2.0**-24, "f64": 2.0**-53}


def run(directory, opset, nodes, inputs, output_types, shapes=None, initializers=(),
        outputs=("y",)):
    """Runs a model; `inputs` maps names to (dtype, array), `shapes` to declared sizes."""
    model = build(opset, nodes, inputs, output_types, shapes, initializers, outputs)
    return harness.run(directory, model, list(inputs.values()), output_types,
                       name="model.onnx")


def build(opset, nodes, inputs, output_types, shapes=None, initializers=(),
          outputs=("y",)):
    shapes = shapes or {}
    declared = [onnx_model.value(name, dtype, shapes.get(name, np.shape(array)))
                for name, (dtype, array) in inputs.items()]
    results = [f"{name}: {onnx_model.ELEMENT_TYPES[dtype]}"
               for name, dtype in zip(outputs, output_types)]
    return onnx_model.model(opset, nodes, declared, results, initializers)


def exact(dtype, values):
    """Values as the input of a model of `dtype` holds them."""
    return quantize(dtype, np.asarray(values, np.float64))


# Elementwise -----------------------------------------------------------------

BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}
BINARY |= {"Max": np.maximum, "Min": np.minimum}
UNARY = {"Neg": np.negative, "Sqrt": np.sqrt, "Reciprocal": np.reciprocal,
         "Abs": np.abs, "Relu": lambda x: np.maximum(x, 0)}
SIGNED = ["Neg", "Abs", "Relu"]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("operator", BINARY)
def test_o3_arithmetic_is_rounded_once(operator, dtype, tmp_path):
    a = normal(dtype, (3, 37), seed=1)
    b = normal(dtype, (37,), seed=2)
    b[:4] = [0, -0.0, np.inf, np.nan]
    [got] = run(tmp_path, 14, [onnx_model.node(operator, ["a", "b"], ["y"])],
                {"a": (dtype, a), "b": (dtype, b)}, [dtype])
    # One operation in f64, rounded again, is rounded once for the narrower types.
    with np.errstate(all="ignore"):
        want = quantize(dtype, BINARY[operator](a, b))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("operator", UNARY)
def test_o3_functions_are_rounded_once(operator, dtype, tmp_path):
    x = normal(dtype, (41,), seed=3)
    if operator not in SIGNED:
        x = np.abs(x)
    x[:4] = [0, 1, np.inf, np.nan]
    [got] = run(tmp_path, 13, [onnx_model.node(operator, ["x"], ["y"])],
                {"x": (dtype, x)}, [dtype])
    with np.errstate(all="ignore"):
        want = quantize(dtype, UNARY[operator](x))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("exponent", [2, 2.0, 3, -1, 0, 0.5, 2.75])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o3_powers(dtype, exponent, tmp_path):
    x = np.abs(normal(dtype, (50,), seed=4)) + exact(dtype, 0.125)
    x = quantize(dtype, x)
    kind = "i64" if isinstance(exponent, int) else dtype
    [got] = run(tmp_path, 15, [onnx_model.node("Pow", ["x", "e"], ["y"])],
                {"x": (dtype, x), "e": (kind, np.full((1,), exponent))}, [dtype])
    want = np.power(x.astype(np.longdouble), exponent)
    reference.check(dtype, got, want, reference.ulp(dtype, want))


@pytest.mark.parametrize("operator", BINARY)
@pytest.mark.parametrize("dtype", ["i32", "i64"])
def test_o3_integers(operator, dtype, tmp_path):
    a, b = np.arange(-7, 8), np.array([3, -2, 1] * 5)
    [got] = run(tmp_path, 14, [onnx_model.node(operator, ["a", "b"], ["y"])],
                {"a": (dtype, a), "b": (dtype, b)}, [dtype])
    want = np.trunc(a / b) if operator == "Div" else BINARY[operator](a, b)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("operator", SIGNED)
@pytest.mark.parametrize("dtype", ["i32", "i64"])
def test_o3_functions_of_integers(operator, dtype, tmp_path):
    x = np.array([0, 1, -1, 5, -7, 2**31 - 1, -2**31 if dtype == "i64" else 3])
    [got] = run(tmp_path, 14, [onnx_model.node(operator, ["x"], ["y"])],
                {"x": (dtype, x)}, [dtype])
    np.testing.assert_array_equal(got, UNARY[operator](x))


ALL_TYPES = ["f16", "bf16", "f32", "f64", "i32", "i64"]
NUMBERS = {"f16": 10, "bf16": 16, "f32": 1, "f64": 11, "i32": 6, "i64": 7, "i1": 9,
           "i8": 3, "ui8": 2}
SMALL_TYPES = {"i1": bool, "i8": np.int8, "ui8": np.uint8}


@pytest.mark.parametrize("to", ALL_TYPES)
@pytest.mark.parametrize("dtype", ALL_TYPES)
def test_o3_casts(dtype, to, tmp_path):
    x = np.array([0, 1, -1, 2.75, -2.75, 257, 1000.125, 32000])
    x = np.trunc(x) if dtype[0] == "i" else quantize(dtype, x)
    [got] = run(tmp_path, 13, [onnx_model.node("Cast", ["x"], ["y"], {"to": NUMBERS[to]})],
                {"x": (dtype, x)}, [to])
    np.testing.assert_array_equal(got, np.trunc(x) if to[0] == "i" else quantize(to, x))


@pytest.mark.parametrize("dtype", SMALL_TYPES)
@pytest.mark.parametrize("other", ALL_TYPES + [*SMALL_TYPES])
def test_o3_casts_of_small_types(dtype, other, tmp_path):
    """To other types and back. Integers keep their low bits, and a bool is not 0."""
    x = np.arange(256).astype(SMALL_TYPES[dtype])
    back = {"to": NUMBERS[dtype]}
    [got, again] = run(tmp_path, 13, [
        onnx_model.node("Cast", ["x"], ["y"], {"to": NUMBERS[other]}),
        onnx_model.node("Cast", ["y"], ["z"], back)], {"x": (dtype, x)}, [other, dtype],
        outputs=("y", "z"))
    want = x.astype(SMALL_TYPES.get(other, np.int64))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(again, want.astype(SMALL_TYPES[dtype]))


@pytest.mark.parametrize("dtype", SMALL_TYPES)
def test_o3_casts_of_floats_to_small_types(dtype, tmp_path):
    x = np.array([0, -0.0, 0.25, 1, 100.75, 127, *([] if dtype == "ui8" else [-0.5, -128]),
                  *([np.nan, np.inf, 1e-45] if dtype == "i1" else [])], np.float32)
    [got] = run(tmp_path, 13, [onnx_model.node("Cast", ["x"], ["y"],
                                               {"to": NUMBERS[dtype]})],
                {"x": ("f32", x)}, [dtype])
    np.testing.assert_array_equal(got, x.astype(SMALL_TYPES[dtype]))


# Broadcasting at run time ----------------------------------------------------

@pytest.mark.parametrize("shapes", [
    ((3, 5), (3, 5)), ((1, 5), (3, 5)), ((3, 1), (1, 5)), ((1, 1), (3, 5)), ((3, 5), (1, 1)),
    ((0, 5), (1, 5)), ((1, 5), (0, 1)), ((3, 33), (3, 1)), ((3, 1), (3, 33)), ((1, 0), (3, 1)),
], ids=str)
@pytest.mark.parametrize("dtype", FLOATS)
def test_run_time_sizes_stretch(shapes, dtype, tmp_path):
    a, b = (normal(dtype, shape, seed) for seed, shape in enumerate(shapes))
    [got] = run(tmp_path, 14, [onnx_model.node("Sub", ["a", "b"], ["y"])],
                {"a": (dtype, a), "b": (dtype, b)}, [dtype],
                shapes={"a": ("A", "B"), "b": ("C", "D")})
    np.testing.assert_array_equal(got, quantize(dtype, a - b))


def test_many_run_time_sizes(tmp_path):
    """Three inputs of which each is stretched, also to a rank that it lacks."""
    a, b, c = normal("f32", (1, 4), 1), normal("f32", (3, 1), 2), normal("f32", (2, 1, 1), 3)
    nodes = [onnx_model.node("Add", ["a", "b"], ["s"]),
             onnx_model.node("Mul", ["s", "c"], ["y"])]
    [got] = run(tmp_path, 14, nodes, {"a": ("f32", a), "b": ("f32", b), "c": ("f32", c)},
                ["f32"], shapes={"a": ("A", "B"), "b": ("C", "D"), "c": ("E", "F", "G")})
    np.testing.assert_array_equal(got, quantize("f32", quantize("f32", a + b) * c))


@pytest.mark.parametrize("shapes,words", [
    (((3, 5), (2, 5)), ["node 'sub' (Sub, opset 14)", "input 1 ('b')", "size 2",
                        "result dimension 0", "size 3"]),
    (((3, 5), (3, 4)), ["size 4", "result dimension 1", "size 5"]),
    (((3, 5), (0, 5)), ["size 0", "size 3"]),
], ids=str)
def test_run_time_sizes_that_do_not_broadcast(shapes, words, tmp_path):
    inputs = {name: ("f32", np.ones(shape)) for name, shape in zip("ab", shapes)}
    model = build(14, [onnx_model.node("Sub", ["a", "b"], ["y"], name="sub")], inputs,
                  ["f32"], {"a": ("A", "B"), "b": ("C", "D")})
    harness.refuse(tmp_path, model, list(inputs.values()), words, name="model.onnx")


# Reductions ------------------------------------------------------------------

def exact_mean(x, axes):
    return np.mean(x.astype(np.longdouble), axis=tuple(axes), keepdims=True)


@pytest.mark.parametrize("axes", [[0], [1], [2], [0, 2], [1, 2], [0, 1, 2], [-1, 0]], ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o1_reduce_mean(dtype, dynamic, axes, tmp_path):
    x = normal(dtype, (5, 33, 19), seed=5, mean=3)
    nodes = [onnx_model.node("ReduceMean", ["x", "axes"], ["y"])]
    [got] = run(tmp_path, 18, nodes, {"x": (dtype, x)}, [dtype],
                shapes={"x": ("A", "B", "C")} if dynamic else {},
                initializers=[onnx_model.integers("axes", axes)])
    want = exact_mean(x, axes)
    reference.check(dtype, got, want, reduce_mean_bound(dtype, x, axes, want))


def reduce_mean_bound(dtype, x, axes, want):
    """O1."""
    factor, smallest = (2.0**-50, 0) if dtype == "f64" else (2.0**-22, 2.0**-147)
    return 0.51 * reference.ulp(dtype, want) + factor * exact_mean(np.abs(x), axes) + smallest


@pytest.mark.parametrize("columns", [2, 20, 64, 200])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o1_reduce_mean_of_extremes(dtype, dynamic, axis, columns, tmp_path):
    """Sums do not overflow, infinities stay what they are, and NaN in its lane."""
    largest, _, subnormal = EXTREMES[dtype]
    x = np.ones((9, columns))
    # There is no wider type for the sums of f64.
    largest = largest / 256 if dtype == "f64" else largest
    x[0], x[1] = largest, -largest
    x[2, 1], x[3, 0], x[3, 1], x[4, -1] = np.inf, np.inf, -np.inf, np.nan
    x[5, 0], x[6], x[7] = -np.inf, subnormal * 64, -0.0
    nodes = [onnx_model.node("ReduceMean", ["x"], ["y"], {"axes": [axis], "keepdims": 0})]
    values = x if axis == 1 else np.ascontiguousarray(x.T)
    [got] = run(tmp_path, 13, nodes, {"x": (dtype, values)}, [dtype],
                shapes={"x": ("A", "B")} if dynamic else {})
    want = [largest, -largest, np.inf, np.nan, np.nan, -np.inf, subnormal * 64, 0, 1]
    np.testing.assert_allclose(got, want, rtol=2.0**-51, atol=0)


@pytest.mark.parametrize("columns", [3, 50])
def test_o1_reduce_mean_overflows(columns, tmp_path):
    x = np.full((2, columns), EXTREMES["f64"][0]) * [[1], [-1]]
    [got] = run(tmp_path, 13,
                [onnx_model.node("ReduceMean", ["x"], ["y"], {"axes": [1], "keepdims": 0})],
                {"x": ("f64", x)}, ["f64"], shapes={"x": ("A", "B")})
    np.testing.assert_array_equal(got, [np.inf, -np.inf])


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (1, 1)])
def test_o1_reduce_mean_of_few(shape, dtype, tmp_path):
    x = np.full(shape, 7.0)
    [got] = run(tmp_path, 13, [onnx_model.node("ReduceMean", ["x"], ["y"], {"axes": [1]})],
                {"x": (dtype, x)}, [dtype], shapes={"x": ("A", "B")})
    assert got.shape == (shape[0], 1)
    np.testing.assert_array_equal(got, np.full(got.shape, 7.0 if x.size else np.nan))


@pytest.mark.parametrize("axes", [[0], [1], [0, 1]], ids=str)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_o1_reduce_mean_of_many(dtype, axes, tmp_path):
    """The same bits for every number of threads, and the bound of long lanes."""
    x = normal(dtype, (700, 1500), seed=24, mean=1)
    nodes = [onnx_model.node("ReduceMean", ["x"], ["y"], {"axes": axes})]
    model = build(13, nodes, {"x": (dtype, x)}, [dtype], {"x": ("A", "B")})
    results = [harness.run(tmp_path, model, [(dtype, x)], [dtype], name="model.onnx",
                           options=[f"--threads={threads}"])[0] for threads in (1, 2, 3)]
    want = exact_mean(x, axes)
    reference.check(dtype, results[0], want, reduce_mean_bound(dtype, x, axes, want))
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])


# Shapes ----------------------------------------------------------------------

@pytest.mark.parametrize("target", [
    [0, 0, 12], [0, 2, -1], [-1], [24, -1], [4, 3, 2, 1], [1, 0, 0, 4] + [1] * 3, [2, 12],
], ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
def test_reshape(target, dynamic, tmp_path):
    x = normal("f32", (2, 3, 4), seed=6)
    if target == [0, 0, 12]:
        target = [0, 0, 4]
    if target[:2] == [1, 0]:
        target = [2, 0, 1, 4]
    nodes = [onnx_model.node("Reshape", ["x", "s"], ["y"])]
    [got] = run(tmp_path, 13, nodes, {"x": ("f32", x)}, ["f32"],
                shapes={"x": ("A", "B", "C")} if dynamic else {},
                initializers=[onnx_model.integers("s", target)])
    sizes = [x.shape[dim] if size == 0 else size for dim, size in enumerate(target)]
    np.testing.assert_array_equal(got, x.reshape(sizes))


@pytest.mark.parametrize("shape,target,words", [
    ((2, 3), [4, -1], ["node 'r' (Reshape, opset 13)", "6 elements", "4"]),
    ((2, 3), [5], ["the input has 6 elements, but the shape 5"]),
    ((2, 3), [0, 4], ["the input has 3 elements, but the shape 4"]),
], ids=str)
def test_reshape_that_does_not_fit(shape, target, words, tmp_path):
    inputs = {"x": ("f32", np.ones(shape))}
    model = build(13, [onnx_model.node("Reshape", ["x", "s"], ["y"], name="r")], inputs,
                  ["f32"], {"x": ("A", "B")}, [onnx_model.integers("s", target)])
    harness.refuse(tmp_path, model, list(inputs.values()), words, name="model.onnx")


def chain(target):
    """Nodes that make a vector of sizes of x, each a dimension, a product of some, or a
    number, and reshape x to it."""
    nodes = [onnx_model.node("Shape", ["x"], ["sizes"])]
    numbers = [onnx_model.integers(f"n{number}", [number]) for number in range(-1, 5)]
    parts = []
    for index, part in enumerate(target):
        if isinstance(part, str) and len(part) == 1:
            nodes.append(onnx_model.node("Gather", ["sizes", f"n{'ABC'.index(part)}"],
                                         [f"p{index}"], {"axis": 0}))
        elif isinstance(part, str):
            nodes += [onnx_model.node("Slice", ["sizes", f"n{'ABC'.index(one)}",
                                                f"n{'ABC'.index(one) + 1}"],
                                      [f"p{index}_{one}"]) for one in part]
            nodes.append(onnx_model.node("Mul", [f"p{index}_{one}" for one in part],
                                         [f"p{index}"]))
        parts.append(f"p{index}" if isinstance(part, str) else f"n{part}")
    nodes.append(onnx_model.node("Concat", parts, ["s"], {"axis": 0}))
    nodes.append(onnx_model.node("Reshape", ["x", "s"], ["y"], name="r"))
    return nodes, numbers


@pytest.mark.parametrize("target,shape", [
    (["A", "BC"], (2, 12)), (["AB", "C"], (6, 4)), (["C", "A", "B"], (4, 2, 3)),
    (["BC", -1], (12, 2)), ([0, "B", 2, -1], (2, 3, 2, 2)), ([1, "CA", "B", 1], (1, 8, 3, 1)),
], ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
def test_reshape_to_computed_sizes(target, shape, dynamic, tmp_path):
    x = normal("f32", (2, 3, 4), seed=6)
    nodes, numbers = chain(target)
    [got] = run(tmp_path, 13, nodes, {"x": ("f32", x)}, ["f32"],
                shapes={"x": ("A", "B", "C")} if dynamic else {}, initializers=numbers)
    np.testing.assert_array_equal(got, x.reshape(shape))


@pytest.mark.parametrize("shape,target,words", [
    ((2, 3, 4), ["A", "B"], ["node 'r' (Reshape, opset 13)",
                             "the input has 4 elements, but the shape 1"]),
    ((2, 3, 4), ["AB", "CB"], ["the input has 24 elements, but the shape 72"]),
    ((2, 3, 4), ["BC", "B", -1], ["8 elements do not fill a shape", "have room for 0 of them"]),
    ((2, 3, 0), ["C", "A", "B"], ["the shape has size 0 in dimension 0, which stands for "
                                  "size 2 of the input (allowed: sizes other than 0)"]),
    ((2, 3, 0), ["A", "B", 1, "C"], ["the shape has size 0 in dimension 3, which the input "
                                     "lacks"]),
], ids=str)
def test_computed_sizes_that_do_not_fit(shape, target, words, tmp_path):
    nodes, numbers = chain(target)
    inputs = {"x": ("f32", np.ones(shape))}
    model = build(13, nodes, inputs, ["f32"], {"x": ("A", "B", "C")}, numbers)
    harness.refuse(tmp_path, model, list(inputs.values()), words, name="model.onnx")


def test_sizes_of_tensors_without_elements(tmp_path):
    nodes, numbers = chain(["A", "BC"])
    for shape in (0, 3, 4), (2, 0, 4), (0, 0, 0):
        [got] = run(tmp_path, 13, nodes, {"x": ("f32", np.ones(shape))}, ["f32"],
                    shapes={"x": ("A", "B", "C")}, initializers=numbers)
        assert got.shape == (shape[0], shape[1] * shape[2])


def test_squeeze_of_a_run_time_size(tmp_path):
    nodes = [onnx_model.node("Squeeze", ["x"], ["y"], {"axes": [0]}, name="s")]
    x = normal("f32", (1, 5), seed=7)
    [got] = run(tmp_path, 11, nodes, {"x": ("f32", x)}, ["f32"], shapes={"x": ("A", "B")})
    np.testing.assert_array_equal(got, x[0])
    inputs = {"x": ("f32", np.ones((2, 5)))}
    harness.refuse(tmp_path, build(11, nodes, inputs, ["f32"], {"x": ("A", "B")}),
                   list(inputs.values()),
                   ["node 's' (Squeeze, opset 11)", "size 2", "allowed: 1"], name="model.onnx")


@pytest.mark.parametrize("perm", [[1, 0, 2], [2, 0, 1], [2, 1, 0]], ids=str)
@pytest.mark.parametrize("dtype", FLOATS)
def test_transpose(dtype, perm, tmp_path):
    x = normal(dtype, (3, 17, 5), seed=8)
    [got] = run(tmp_path, 13, [onnx_model.node("Transpose", ["x"], ["y"], {"perm": perm})],
                {"x": (dtype, x)}, [dtype], shapes={"x": ("A", 17, "C")})
    np.testing.assert_array_equal(got, x.transpose(perm))


@pytest.mark.parametrize("axis", range(4))
def test_flatten(axis, tmp_path):
    x = normal("f32", (2, 3, 4), seed=9)
    [got] = run(tmp_path, 13, [onnx_model.node("Flatten", ["x"], ["y"], {"axis": axis})],
                {"x": ("f32", x)}, ["f32"], shapes={"x": ("A", 3, "C")})
    np.testing.assert_array_equal(got, x.reshape(int(np.prod(x.shape[:axis])), -1))


# Normalizations with scale and bias ------------------------------------------

def check_scaled(dtype, got, expected, scale, bias):
    """normalized * scale + bias: the bound of V5, scaled, and three roundings."""
    want = expected.result * scale + bias
    size = np.abs(expected.result * scale) + np.abs(bias)
    bound = expected.bound * np.abs(scale) + 3 * EPSILON[dtype] * size
    if dtype in ("f16", "bf16"):
        bound = bound + 0.5 * reference.ulp(dtype, want)
    reference.check(dtype, got, want, bound)


def as_f32(number):
    return float(np.float32(number))


@pytest.mark.parametrize("axis,shape", [(-1, (4, 6, 33)), (1, (4, 6, 33)), (0, (3, 5)),
                                        (2, (2, 3, 4, 5)), (-1, (3, 768)), (1, (2, 0))],
                         ids=str)
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o2_layer_normalization(dtype, dynamic, axis, shape, tmp_path):
    x = normal(dtype, shape, seed=10, mean=2)
    normalized = shape[axis:]
    scale, bias = normal(dtype, normalized, seed=11), normal(dtype, normalized, seed=12)
    statistics = "f32"
    nodes = [onnx_model.node("LayerNormalization", ["x", "s", "b"], ["y", "m", "i"],
                             {"axis": axis, "epsilon": 1e-3})]
    names = [f"d{dim}" for dim in range(len(shape))]
    y, mean, factor = run(
        tmp_path, 17, nodes, {"x": (dtype, x), "s": (dtype, scale), "b": (dtype, bias)},
        [dtype, statistics, statistics], outputs=("y", "m", "i"),
        shapes={"x": names, "s": names[axis:], "b": names[axis:]} if dynamic else {})
    axes = list(range(len(shape)))[axis:]
    expected = reference.Mvn(dtype, x, axes, epsilon=as_f32(1e-3), inside_sqrt=True)
    check_scaled(dtype, y, expected, scale, bias)
    if x.size:
        want = exact_mean(x, axes)
        sigma = np.std(x.astype(np.longdouble), axis=tuple(axes), keepdims=True)
        reference.check("f32", mean, want, 1e-6 * np.maximum(sigma, np.abs(want)))
        want = 1 / np.sqrt(sigma**2 + as_f32(1e-3))
        reference.check("f32", factor, want, 1.1e-6 * want)


@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_o2_layer_normalization_without_bias(dtype, tmp_path):
    x = normal(dtype, (4, 9), seed=13)
    scale = exact(dtype, [0.5])
    nodes = [onnx_model.node("LayerNormalization", ["x", "s"], ["y"])]
    [got] = run(tmp_path, 17, nodes, {"x": (dtype, x), "s": (dtype, scale)}, [dtype])
    expected = reference.Mvn(dtype, x, [1], epsilon=as_f32(1e-5), inside_sqrt=True)
    check_scaled(dtype, got, expected, scale, np.zeros(9))


def test_o2_layer_normalization_of_equal_values(tmp_path):
    """A constant lane gives the bias to the bit."""
    x, bias = np.full((3, 1000), quantize("f32", 0.1)), normal("f32", (1000,), seed=14)
    nodes = [onnx_model.node("LayerNormalization", ["x", "s", "b"], ["y"])]
    inputs = {"x": ("f32", x), "s": ("f32", np.ones(1000)), "b": ("f32", bias)}
    [got] = run(tmp_path, 17, nodes, inputs, ["f32"])
    np.testing.assert_array_equal(got, np.broadcast_to(bias, x.shape))


@pytest.mark.parametrize("opset", [1, 6, 22])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o2_instance_normalization(dtype, dynamic, opset, tmp_path):
    if dtype == "bf16" and opset < 22:
        pytest.skip("bfloat16 came with opset 22")
    x = normal(dtype, (2, 3, 5, 7), seed=15, mean=1)
    scale, bias = normal(dtype, (3,), seed=16), normal(dtype, (3,), seed=17)
    nodes = [onnx_model.node("InstanceNormalization", ["x", "s", "b"], ["y"])]
    inputs = {"x": (dtype, x), "s": (dtype, scale), "b": (dtype, bias)}
    shapes = {"x": ("N", "C", "H", "W"), "s": ("C",), "b": ("C",)} if dynamic else {}
    [got] = run(tmp_path, opset, nodes, inputs, [dtype], shapes)
    expected = reference.Mvn(dtype, x, [2, 3], epsilon=as_f32(1e-5), inside_sqrt=True)
    check_scaled(dtype, got, expected, scale[:, None, None], bias[:, None, None])


@pytest.mark.parametrize("opset", [18, 21])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("dtype", FLOATS)
def test_o2_group_normalization(dtype, groups, dynamic, opset, tmp_path):
    x = normal(dtype, (2, 6, 5, 7), seed=18, mean=1)
    count = groups if opset == 18 else 6
    scale, bias = normal(dtype, (count,), seed=19), normal(dtype, (count,), seed=20)
    nodes = [onnx_model.node("GroupNormalization", ["x", "s", "b"], ["y"],
                             {"num_groups": groups, "epsilon": 0.25})]
    inputs = {"x": (dtype, x), "s": (dtype, scale), "b": (dtype, bias)}
    shapes = {"x": ("N", "C", "H", "W"), "s": ("?",), "b": ("?",)} if dynamic else {}
    [got] = run(tmp_path, opset, nodes, inputs, [dtype], shapes)
    grouped = x.reshape(2, groups, 6 // groups, 5, 7)
    expected = reference.Mvn(dtype, grouped, [2, 3, 4], epsilon=0.25, inside_sqrt=True)
    repeat = (lambda v: np.repeat(v, 6 // groups)) if opset == 18 else (lambda v: v)
    shape = (1, groups, 6 // groups, 1, 1)
    check_scaled(dtype, got.reshape(grouped.shape), expected, repeat(scale).reshape(shape),
                 repeat(bias).reshape(shape))


def test_exported_layer_norm(tmp_path):
    """The nodes that exporters write for a layer norm before opset 17."""
    x, scale, bias = normal("f32", (4, 7, 32), 21), normal("f32", (32,), 22), normal("f32", (32,), 23)
    nodes = [
        onnx_model.node("ReduceMean", ["x"], ["m"], {"axes": [-1]}),
        onnx_model.node("Sub", ["x", "m"], ["d"]),
        onnx_model.node("Pow", ["d", "two"], ["q"]),
        onnx_model.node("ReduceMean", ["q"], ["v"], {"axes": [-1]}),
        onnx_model.node("Add", ["v", "epsilon"], ["e"]),
        onnx_model.node("Sqrt", ["e"], ["r"]),
        onnx_model.node("Div", ["d", "r"], ["n"]),
        onnx_model.node("Mul", ["n", "s"], ["w"]),
        onnx_model.node("Add", ["w", "b"], ["y"]),
    ]
    constants = [onnx_model.initializer("two", 2.0), onnx_model.initializer("epsilon", 1e-5),
                 onnx_model.initializer("s", scale), onnx_model.initializer("b", bias)]
    [got] = run(tmp_path, 13, nodes, {"x": ("f32", x)}, ["f32"],
                shapes={"x": ("N", "S", 32)}, initializers=constants)
    expected = reference.Mvn("f32", x, [2], epsilon=as_f32(1e-5), inside_sqrt=True)
    # Seven more roundings than in one operation.
    want = expected.result * scale + bias
    reference.check("f32", got, want, expected.bound * np.abs(scale)
                    + 10 * 2.0**-24 * (np.abs(expected.result * scale) + np.abs(bias) + 1))
