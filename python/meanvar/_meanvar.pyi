"""The extension, over the C interface of meanvar."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, overload

import numpy as np

class _DLPackArray(Protocol):
    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

_Array = np.ndarray | np.generic | _DLPackArray

version: str

@overload
def mvn(
    x: _Array,
    axes: int | Iterable[int] | None = (0, 2, 3),
    *,
    epsilon: float = 1e-9,
    inside_sqrt: bool = False,
    center_only: bool = False,
    statistics: Literal[False] = False,
    out: Any = None,
    threads: int | None = None,
) -> Any: ...
@overload
def mvn(
    x: _Array,
    axes: int | Iterable[int] | None = (0, 2, 3),
    *,
    epsilon: float = 1e-9,
    inside_sqrt: bool = False,
    center_only: bool = False,
    statistics: Literal[True],
    out: tuple[Any, Any, Any] | None = None,
    threads: int | None = None,
) -> tuple[Any, Any, Any]: ...
def mean(*xs: _Array, out: Any = None, threads: int | None = None) -> Any: ...
def num_cached_kernels() -> int: ...
def num_compiled_kernels() -> int: ...
def set_max_cached_kernels(count: int) -> None: ...
def clear_cache() -> None: ...

class Value:
    """An input or an output of a Function."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> np.dtype: ...
    @property
    def shape(self) -> tuple[int | str | None, ...]: ...

class Function:
    """A compiled function of tensors."""

    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> list[Value]: ...
    @property
    def outputs(self) -> list[Value]: ...
    def __call__(self, *arrays: Any, out: Any = None) -> Any: ...
    def run(
        self, inputs: Mapping[str, Any], output_names: Sequence[str] | None = None
    ) -> list[Any]: ...
    def save(
        self,
        path: str | os.PathLike[str],
        *,
        header: str | os.PathLike[str] | None = None,
        target: str | None = None,
        triple: str | None = None,
        prefix: str | None = None,
    ) -> None: ...

def check_model(model: bytes, directory: str | None) -> int: ...
def compile_module(
    source: bytes,
    is_onnx: bool,
    name: str,
    directory: str | None,
    target: str,
    opt_level: int,
    threads: int,
) -> list[Function]: ...
