"""What the compiler reports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Diagnostic(NamedTuple):
    """One message of the compiler."""

    __module__ = "meanvar"

    severity: str
    """"error", "warning", "remark", or "note", which says more about the one before."""
    message: str
    file: str
    """The name of the source, or ""."""
    line: int
    """Counted from 1; 0 where there is none."""
    column: int


class CompilationError(ValueError):
    """A module, a model or an operator that cannot be compiled.

    Its text holds the errors, a line each; `diagnostics` all that was reported.
    """

    __module__ = "meanvar"

    def __init__(self, message: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.args[0], self.diagnostics)
