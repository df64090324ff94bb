"""The ONNX project's own tests of single nodes: models with published data.

They come from Debian's copy (libonnx-testdata), and those of newer versions from the
Python package `onnx`, where that is installed.
"""

import os
import pathlib
import re
import subprocess

import pytest

import harness
import onnx_model

NODE_TESTS = os.environ.get("MEANVAR_ONNX_NODE_TESTS", "")
TRANSLATE = pathlib.Path(harness.RUNNER).with_name("meanvar-translate")

OPERATORS = re.compile(
    r"test_(mvn|mean|layer_normalization|instancenorm|group_normalization|reduce_mean|add"
    r"|sub|mul|div|pow|sqrt|reciprocal|neg|cast|constant|identity|reshape|squeeze"
    r"|unsqueeze|transpose|flatten)(_|$)")
# What is not imported: other operators and types, and the function bodies of operators
# other than MeanVarianceNormalization, which compute with shapes.
REFUSED = re.compile(
    r"test_constant_pad|u?int(2|4|8|16)(_|$)|_uint(32|64)|UINT|INT[24]|FLOAT[468]E|STRING"
    r"|e8m0|saturate|identity_(opt|sequence)|(layer|group)_normalization_.*_expanded")
# Debian's data of these is damaged: raw_data and another field.
DAMAGED = {"test_cast_BFLOAT16_to_FLOAT", "test_cast_FLOAT_to_BFLOAT16"}
# The inputs that have to be known at import; the tests leave them to run time.
KNOWN_AT_IMPORT = re.compile(r"test_(reshape|squeeze|unsqueeze|reduce_mean)")


def is_wanted(name):
    return OPERATORS.match(name) and not REFUSED.search(name)


def check_node(name, model, inputs, outputs, directory):
    """Runs a model on serialized TensorProtos and compares with such."""
    if KNOWN_AT_IMPORT.match(name):
        for tensor in inputs[1:]:
            model = onnx_model.with_initializer(model, tensor)
        inputs = inputs[:1]
    (directory / "model.onnx").write_bytes(model)
    arguments = ["model.onnx", "--guard-buffers=end"]
    for kind, tensors in (("input", inputs), ("expected-output", outputs)):
        for index, tensor in enumerate(tensors):
            (directory / f"{kind}_{index}.pb").write_bytes(tensor)
            arguments.append(f"--{kind}=@{kind}_{index}.pb")
    process = harness.invoke(arguments, directory)
    assert process.returncode == 0, process.stderr[-2000:]


def debian_tests():
    if not NODE_TESTS:
        return []
    names = (path.name for path in pathlib.Path(NODE_TESTS).iterdir())
    return sorted(name for name in names if is_wanted(name) and name not in DAMAGED)


@pytest.mark.skipif(not NODE_TESTS, reason="the ONNX node tests are not installed")
@pytest.mark.parametrize("name", debian_tests())
def test_debian(name, tmp_path):
    directory = pathlib.Path(NODE_TESTS) / name
    inputs, outputs = ([path.read_bytes() for path in
                        sorted((directory / "test_data_set_0").glob(f"{kind}_*.pb"))]
                       for kind in ("input", "output"))
    check_node(name, (directory / "model.onnx").read_bytes(), inputs, outputs, tmp_path)


def package_tests():
    try:
        from onnx.backend.test.case.node import collect_testcases
    except ImportError:
        return {}
    return {case.name: case for case in collect_testcases(None) if is_wanted(case.name)}


PACKAGE_TESTS = package_tests()


@pytest.mark.skipif(not PACKAGE_TESTS, reason="the package onnx is not installed")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(PACKAGE_TESTS))
def test_package(name, tmp_path):
    import onnx

    def serialize(tensors, infos):
        return [(tensor if isinstance(tensor, onnx.TensorProto) else
                 onnx.numpy_helper.from_array(tensor, info.name)).SerializeToString()
                for tensor, info in zip(tensors, infos)]

    case = PACKAGE_TESTS[name]
    [(inputs, outputs)] = case.data_sets
    check_node(name, case.model.SerializeToString(),
               serialize(inputs, case.model.graph.input),
               serialize(outputs, case.model.graph.output), tmp_path)


@pytest.mark.skipif(not PACKAGE_TESTS, reason="the package onnx is not installed")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(PACKAGE_TESTS))
def test_text_of_package(name, tmp_path):
    """What onnx writes as text is imported as the same module."""
    import onnx

    model = PACKAGE_TESTS[name].model
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    (tmp_path / "model.onnxtxt").write_text(onnx.printer.to_text(model))
    binary, text = (subprocess.run(
        [TRANSLATE, "--onnx-to-mlir", tmp_path / file], capture_output=True, text=True,
        timeout=harness.TIMEOUT_SECONDS, check=False) for file in ("model.onnx", "model.onnxtxt"))
    # Some need inputs that are known at import; they are refused in both forms.
    assert binary.returncode == text.returncode
    assert binary.stdout == text.stdout
    assert binary.stderr == text.stderr.replace("model.onnxtxt", "model.onnx")


@pytest.mark.skipif(not NODE_TESTS, reason="the ONNX node tests are not installed")
def test_normalizations_are_there():
    names = debian_tests()
    assert {"test_mvn", "test_mvn_expanded", "test_instancenorm_epsilon"} < set(names)
    assert sum(name.startswith("test_layer_normalization") for name in names) == 19
