"""Every program of cases.json gives its known answer; README.md has the fields."""

import json
import math
import pathlib

import numpy as np
import pytest

import harness
import onnx_model
from reference import quantize

CASES = json.loads((pathlib.Path(__file__).parent / "cases.json").read_text())
DOCUMENTED = [case for case in CASES if case["id"].startswith("doc_")]


def contents(description):
    """The elements that an entry of `inputs` describes, rounded to its type."""
    shape = description["shape"]
    count = math.prod(shape)
    if "values" in description:
        values = np.array([float(v) for v in description["values"]])
    elif "fill" in description:
        values = np.full(count, float(description["fill"]))
    elif "ramp" in description:
        start, step = description["ramp"]
        values = start + step * np.arange(count, dtype=np.float64)
    else:
        values = np.resize(np.array(description["repeat"], dtype=np.float64), count)
    return quantize(description["dtype"], values.reshape(shape))


def mvn_attributes(case):
    names = ("axes", "epsilon", "inside_sqrt", "center_only")
    return {name: case[name] for name in names if name in case}


def program_text(case):
    """The case as a module in the meanvar dialect."""
    types = [harness.type_text(i["dtype"], i["shape"], i.get("dynamic", ()))
             for i in case["inputs"]]
    operands = [f"%x{index}" for index in range(len(types))]
    if case["op"] == "mvn":
        result_type = types[0]
        body = harness.mvn_text("%y", operands[0], types[0], **mvn_attributes(case))
    else:
        result_type = mean_type(case["inputs"])
        body = harness.mean_text("%y", operands, types, result_type)
    return harness.function_text(types, [body], ["%y"], [result_type])


def mean_type(inputs):
    """The result type that M4 infers; where sizes disagree, any."""
    rank = max(len(i["shape"]) for i in inputs)
    sizes = []
    for dim in range(-rank, 0):
        size = "1"
        for i in inputs:
            position = len(i["shape"]) + dim
            if position < 0:
                continue
            given = "?" if position in i.get("dynamic", ()) else str(i["shape"][position])
            if size == "1" or (size == "?" and given != "1"):
                size = given
        sizes.append(size)
    return "tensor<" + "x".join(sizes + [inputs[0]["dtype"]]) + ">"


def check(case, got):
    want = case["output"]
    assert list(got.shape) == want["shape"]
    got = got.ravel()
    if "head" in want:
        head, tail = (np.array(want[k], dtype=np.float64) for k in ("head", "tail"))
        got = np.concatenate([got[: head.size], got[-tail.size:]])
        expected = np.concatenate([head, tail])
    else:
        expected = contents(want).ravel()
    if case.get("exact"):
        np.testing.assert_array_equal(got, expected)
    else:
        np.testing.assert_allclose(got, expected, rtol=case["rtol"], atol=case["atol"],
                                   equal_nan=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_known_answer(case, tmp_path):
    inputs = [(i["dtype"], contents(i)) for i in case["inputs"]]
    if "error" in case:
        harness.refuse(tmp_path, program_text(case), inputs, case["error"])
        return
    [got] = harness.run(tmp_path, program_text(case), inputs, [case["output"]["dtype"]])
    check(case, got)


def every_dimension_dynamic(case):
    inputs = [dict(i, dynamic=list(range(len(i["shape"])))) for i in case["inputs"]]
    return dict(case, inputs=inputs)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_known_answer_at_run_time(case, tmp_path):
    """The same with every size known at run time only."""
    test_known_answer(every_dimension_dynamic(case), tmp_path)


@pytest.mark.parametrize("opset", [9, 13])
@pytest.mark.parametrize("case", DOCUMENTED, ids=lambda case: case["id"])
def test_documented_example_from_onnx(case, opset, tmp_path):
    op_type = {"mvn": "MeanVarianceNormalization", "mean": "Mean"}[case["op"]]
    attributes = {"axes": case["axes"]} if "axes" in case else {}
    names = [f"data_{index}" for index in range(len(case["inputs"]))]
    model = onnx_model.model(
        opset,
        nodes=[onnx_model.node(op_type, names, ["result"], attributes)],
        inputs=[onnx_model.value(name, i["dtype"], i["shape"])
                for name, i in zip(names, case["inputs"])],
        outputs=[onnx_model.value("result", case["output"]["dtype"],
                                  case["output"]["shape"])])
    inputs = [(i["dtype"], contents(i)) for i in case["inputs"]]
    [got] = harness.run(tmp_path, model, inputs, [case["output"]["dtype"]],
                        name="model.onnx")
    check(case, got)
