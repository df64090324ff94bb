"""The stubs of the extension declare what it has."""

import ast
import pathlib
import re

import pytest

import meanvar
from meanvar import _meanvar

STUBS = pathlib.Path(meanvar.__file__).parent / "_meanvar.pyi"


def declarations():
    """(name, FunctionDef) of every function of the stubs, methods as Class.name."""
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    yield f"{node.name}.{member.name}", member


def parameters(function):
    """The names of all parameters, those that have to be named, and the defaults."""
    arguments = function.args
    named = [a.arg for a in arguments.kwonlyargs]
    if arguments.vararg:
        named.append("*" + arguments.vararg.arg)
    optional = len(arguments.defaults) + sum(d is not None for d in arguments.kw_defaults)
    return [a.arg for a in arguments.args], sorted(named), optional


@pytest.mark.parametrize("name, declared", [*declarations()])
def test_function(name, declared):
    found = _meanvar
    for part in name.split("."):
        found = getattr(found, part)
    if isinstance(found, property):
        return
    [(signature, *_)] = found.__nb_signature__
    # nanobind writes `\\0` for a default.
    text = re.sub(r"\\\d+", "...", signature) + ": ..."
    [actual] = ast.parse(text).body
    expected = parameters(declared)
    if ast.unparse(declared.args).count("Literal[True]"):
        # This overload has no default for what chooses it.
        expected = (*expected[:2], expected[2] + 1)
    assert parameters(actual) == expected


def test_nothing_is_missing():
    stubs = {name.split(".")[0] for name, _ in declarations()} | {"version"}
    assert stubs == {name for name in dir(_meanvar) if not name.startswith("__")}
    for name in ("Value", "Function"):
        members = {n.split(".")[1] for n, _ in declarations() if n.startswith(name + ".")}
        found = {n for n, value in vars(getattr(_meanvar, name)).items()
                 if n == "__call__" or not n.startswith("_")}
        assert members == found


def test_package_is_typed():
    assert (STUBS.parent / "py.typed").exists()
    assert all(hasattr(meanvar, name) for name in meanvar.__all__)
