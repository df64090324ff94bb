"""Everything that is refused, and that messages say what is wrong."""

import pickle

import ml_dtypes
import numpy as np
import pytest
from arrays import normal

import meanvar

X = normal("f32", (2, 3, 4, 5))
FLOATS = r"\(allowed: float16, bfloat16, float32 and float64\)"
ALL = r"\(allowed: float16, bfloat16, float32, float64, bool, int8"


@pytest.mark.parametrize("call, error, message", [
    (lambda: meanvar.mvn([1.0]), TypeError,
     r"^x is of type 'list' \(allowed: NumPy arrays and arrays with __dlpack__\)$"),
    (lambda: meanvar.mvn(X.astype("i4")), TypeError, f"^x has elements of int32 {FLOATS}$"),
    (lambda: meanvar.mvn(X.astype(bool)), TypeError, f"^x has elements of bool {FLOATS}$"),
    (lambda: meanvar.mvn(X.astype(">f4")), TypeError, f"^x has elements of >f4 {ALL}"),
    (lambda: meanvar.mvn(X.astype("u4")), TypeError, f"^x has elements of uint32 {ALL}"),
    (lambda: meanvar.mvn(X.astype(ml_dtypes.float8_e5m2)), TypeError,
     f"^x has elements of float8_e5m2 {ALL}"),
    (lambda: meanvar.mvn(np.array(["text"])), TypeError, "^x has elements of <U4"),
    (lambda: meanvar.mvn(X, (1.5,)), TypeError,
     r"^axes has an element of type 'float' \(allowed: int\)$"),
    (lambda: meanvar.mvn(X, 1.5), TypeError,
     r"^axes is of type 'float' \(allowed: int, several of them, or None\)$"),
    (lambda: meanvar.mvn(X, 2**70), OverflowError, "too "),
    (lambda: meanvar.mvn(X, 4), meanvar.CompilationError,
     r"^axis 4 is out of range for rank 4 \(allowed: -4 to 3\)$"),
    (lambda: meanvar.mvn(X, 4, statistics=True), meanvar.CompilationError,
     r"^axis 4 is out of range for rank 4 \(allowed: -4 to 3\)$"),
    (lambda: meanvar.mvn(X, (1, -3)), meanvar.CompilationError,
     r"^axis -3 repeats dimension 1 of rank 4 \(allowed: each dimension once\)$"),
    (lambda: meanvar.mvn(X[0]), meanvar.CompilationError,
     r"^axis 3 is out of range for rank 3 \(allowed: -3 to 2\)$"),
    (lambda: meanvar.mvn(X, epsilon=-1), ValueError,
     r"^epsilon is -1.000000 \(allowed: finite values of at least 0\)$"),
    (lambda: meanvar.mvn(X, epsilon=float("nan")), ValueError, "^epsilon is nan "),
    (lambda: meanvar.mvn(X, epsilon=float("inf")), ValueError, "^epsilon is inf "),
    (lambda: meanvar.mvn(X, threads=0), ValueError,
     r"^number of threads 0 is out of range \(allowed: 1 to 1024\)$"),
    (lambda: meanvar.mvn(X, threads=-1), ValueError, "^number of threads -1 is out of"),
    (lambda: meanvar.mvn(X, threads=1025), ValueError, "^number of threads 1025 is out"),
    (lambda: meanvar.mvn(X, threads=1.5), TypeError,
     r"^threads is of type 'float' \(allowed: int\)$"),
    (lambda: meanvar.mean(), TypeError,
     "^mean takes one array or more, but got none$"),
    (lambda: meanvar.mean(X, X.astype("f8")), TypeError,
     r"^operand 1 has elements of float64, but operand 0 of float32 \(allowed: one type"),
    (lambda: meanvar.mean(X, X.astype("i8")), TypeError, "^operand 1 has elements of int64"),
    (lambda: meanvar.mean(X, X[:, :2]), meanvar.CompilationError,
     r"^operand 1 has size 2 in result dimension 1, which does not broadcast with size 3 "
     r"of operand 0 \(allowed: 1 or equal sizes\)$"),
    (lambda: meanvar.mean(X, None), TypeError, "^operand 1 is of type 'NoneType'"),
])
def test_operators(call, error, message):
    kernels = meanvar._meanvar.num_cached_kernels()
    for _ in range(2):
        with pytest.raises(error, match=message):
            call()
    assert meanvar._meanvar.num_cached_kernels() == kernels


@pytest.mark.parametrize("call, error, message", [
    (lambda: meanvar.compile("nonsense"), meanvar.CompilationError,
     "^1:1: custom op 'nonsense' is unknown"),
    (lambda: meanvar.compile(""), ValueError,
     r"^the module has 0 public functions .* \(allowed: none\)$"),
    (lambda: meanvar.compile("[" * 100000), meanvar.CompilationError,
     "^1:513: nesting of brackets exceeds 512 levels$"),
    (lambda: meanvar.compile("", target="abacus"), meanvar.CompilationError, "'abacus'"),
    (lambda: meanvar.compile("", opt_level=4), ValueError,
     r"^optimization level 4 is out of range \(allowed: 0 to 3\)$"),
    (lambda: meanvar.compile("", opt_level=-1), ValueError, "^optimization level "),
    (lambda: meanvar.compile("", threads=0), ValueError, "^number of threads 0 "),
    (lambda: meanvar.load("no-such-file.onnx"), FileNotFoundError, "no-such-file.onnx"),
])
def test_compilation(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_diagnostics():
    text = "func.func private @f()\nfunc.func private @f()\n"
    with pytest.raises(meanvar.CompilationError) as caught:
        meanvar.compile(text)
    error = caught.value
    assert str(error) == ("2:1: redefinition of symbol named 'f'\n"
                          "1:1: see existing symbol definition here")
    assert [(d.severity, d.line, d.column) for d in error.diagnostics] == [
        ("error", 2, 1), ("note", 1, 1)]
    assert error.diagnostics[0].message == "redefinition of symbol named 'f'"
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and copy.diagnostics == error.diagnostics


def test_text_that_is_no_utf8():
    with pytest.raises(meanvar.CompilationError, match="redefinition") as error:
        meanvar.compile(b'func.func private @"a\xffb"()\n' * 2)
    assert r"a\xffb" in error.value.diagnostics[0].message


def test_memory_that_is_not_to_be_had():
    x = np.broadcast_to(np.float32(1), (1 << 37,))
    with pytest.raises(MemoryError):
        meanvar.mvn(x, 0)
