"""Results for callers whose arrays are not NumPy's."""

from __future__ import annotations

import importlib
from typing import Any

# Libraries whose arrays do not say where they come from.
_MODULES = {"torch": "torch", "jax": "jax.dlpack", "jaxlib": "jax.dlpack"}


def like(array: Any, shared: Any, result: Any) -> Any:
    """Returns `result` as an array of the library that `array` comes from.

    `shared` is the same memory with `__dlpack__`. An array of a library that cannot be
    told is answered with one of NumPy.
    """
    library = type(array).__module__.partition(".")[0]
    if library in _MODULES:
        return importlib.import_module(_MODULES[library]).from_dlpack(shared)
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__().from_dlpack(shared)
    return result
