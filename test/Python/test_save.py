"""Code that Function.save writes for other programs."""

import ctypes
import shutil
import subprocess

import numpy as np
import onnx_model
import pytest
from arrays import normal

import meanvar

MVN = """
func.func @normalize(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"""
needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no cc")


def call(library, name, x):
    y = np.empty_like(x)
    shape = (ctypes.c_int64 * 2)(*x.shape)
    status = getattr(ctypes.CDLL(str(library)), name)(
        x.ctypes.data_as(ctypes.c_void_p), shape, y.ctypes.data_as(ctypes.c_void_p),
        shape, None)
    assert status == 0
    return y


@needs_compiler
def test_shared_library(tmp_path):
    x = normal("f32", (3, 4))
    function = meanvar.compile(MVN)
    library, header = tmp_path / "kernel.so", tmp_path / "kernel.h"
    function.save(library, header=header)
    np.testing.assert_array_equal(call(library, "kernel_normalize", x), function(x))
    assert "int32_t kernel_normalize(" in header.read_text()
    function.save(str(tmp_path / "other.so"), prefix="mine", target="x86-64")
    np.testing.assert_allclose(call(tmp_path / "other.so", "mine_normalize", x),
                               function(x), atol=1e-6)


@needs_compiler
def test_model(tmp_path):
    model = onnx_model.model(
        13, nodes=[onnx_model.node("Mean", ["a", "a"], ["c"])],
        inputs=[onnx_model.value("a", "f32", ["N", 3])],
        outputs=[onnx_model.value("c", "f32", ["N", 3])])
    path = tmp_path / "average.onnx"
    path.write_bytes(model)
    function = meanvar.load(path)
    path.unlink()
    function.save(tmp_path / "average.so", header=tmp_path / "average.h")
    assert "from average.onnx" in (tmp_path / "average.h").read_text()
    x = normal("f32", (5, 3))
    name = f"average_{function.name}"
    np.testing.assert_array_equal(call(tmp_path / "average.so", name, x), x)


def test_objects(tmp_path):
    function = meanvar.compile(MVN)
    machines = {}
    for triple in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        path = tmp_path / f"{triple}.o"
        function.save(path, triple=triple)
        content = path.read_bytes()
        assert content[:4] == b"\x7fELF"
        machines[triple] = int.from_bytes(content[18:20], "little")
        function.save(path, triple=triple)
        assert path.read_bytes() == content
    assert list(machines.values()) == [62, 183]


@pytest.mark.parametrize("arguments, error, message", [
    ({"triple": "abacus"}, meanvar.CompilationError, "^target triple 'abacus' is unknown"),
    ({"target": "abacus"}, meanvar.CompilationError, "'abacus'"),
    ({"prefix": "1st"}, meanvar.CompilationError,
     r"^symbol prefix '1st' is not allowed \(allowed: letters, digits and underscores, "),
    ({"path": "no-such-directory/kernel.o"}, meanvar.CompilationError,
     "no-such-directory/kernel.o"),
    ({"path": "kernel.so", "triple": "aarch64-linux-gnu"}, meanvar.CompilationError,
     "^a shared library is linked for .* only"),
    ({"header": "kernel.o"}, meanvar.CompilationError,
     "^code and header are the same file, 'kernel.o'$"),
    ({"path": 5}, TypeError, "os.PathLike"),
])
def test_refused(arguments, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = meanvar.compile(MVN)
    with pytest.raises(error, match=message):
        function.save(**{"path": "kernel.o", **arguments})
    assert not list(tmp_path.iterdir())


def test_without_a_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(meanvar.CompilationError,
                       match="^a shared library needs the C compiler 'cc', which is not in"):
        meanvar.compile(MVN).save(tmp_path / "kernel.so")
