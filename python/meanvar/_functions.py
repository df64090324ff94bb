"""Functions of MLIR modules and of ONNX models."""

from __future__ import annotations

import os
import pathlib

from meanvar import _meanvar


def compile(source: str | bytes, *, function: str | None = None, target: str = "host",
            threads: int = 1, opt_level: int = 3) -> _meanvar.Function:
    """Compiles a module in MLIR's text form or bytecode and returns a Function.

    Where the module has several public functions of tensors, `function` names one.
    `target` is a CPU that LLVM knows, such as "x86-64-v3", or "host". `threads` is the
    number of threads that a call runs on.
    """
    if isinstance(source, str):
        source = source.encode()
    functions = _meanvar.compile_module(bytes(source), False, "", None, target,
                                        opt_level, threads)
    return _choose(functions, function)


def load(path: str | os.PathLike[str], *, function: str | None = None,
         target: str = "host", threads: int = 1,
         opt_level: int = 3) -> _meanvar.Function:
    """Compiles an ONNX model or an MLIR module in a file and returns a Function.

    Files that end in `.onnx`, or start as models do, are models; their external data is
    read from files beside them. The options are those of `compile`.
    """
    path = pathlib.Path(path)
    source = path.read_bytes()
    # A model starts with its field 1, a number: a byte that no text contains.
    is_onnx = path.suffix == ".onnx" or source[:1] == b"\x08"
    functions = _meanvar.compile_module(source, is_onnx, os.fspath(path),
                                        os.fspath(path.parent), target, opt_level,
                                        threads)
    return _choose(functions, function)


def compile_model(model: bytes, *, name: str = "", directory: str | None = None,
                  target: str = "host", threads: int = 1,
                  opt_level: int = 3) -> _meanvar.Function:
    """Compiles an ONNX model in memory.

    Diagnostics call it `name`; its external data is read from files below `directory`,
    if any. The other options are those of `compile`.
    """
    [function] = _meanvar.compile_module(model, True, name, directory, target, opt_level,
                                         threads)
    return function


def _choose(functions: list[_meanvar.Function], name: str | None) -> _meanvar.Function:
    names = ", ".join(f"'{function.name}'" for function in functions) or "none"
    if name is None:
        if len(functions) == 1:
            return functions[0]
        raise ValueError(f"the module has {len(functions)} public functions of tensors: "
                         f"choose one by function= (allowed: {names})")
    for function in functions:
        if function.name == name:
            return function
    raise ValueError(f"the module has no public function '{name}' (allowed: {names})")
