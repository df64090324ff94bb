"""How far long work has come."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Collection, Iterator
from typing import Callable, TextIO, TypeVar, Union

ProgressCallback = Callable[[str, int, int], object]
"""Called with what is being done, how many of its steps are done, and how many there are."""

# What takes no longer needs no sign of life.
_SECONDS_BEFORE_FIRST_LINE = 2.0
_SECONDS_BETWEEN_LINES = 0.1

_Step = TypeVar("_Step")


class _TerminalLine:
    """Shows progress in one line of a terminal, which it overwrites."""

    def __init__(self, stream: TextIO, title: str, delay: float) -> None:
        self._stream, self._title = stream, title
        self._next = time.monotonic() + delay
        self._is_shown = False

    def __call__(self, work: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _SECONDS_BETWEEN_LINES
        self._is_shown = True
        self._stream.write(f"\r\x1b[K{self._title}: {work}, {done} of {total}")
        self._stream.flush()

    def clear(self) -> None:
        """Leaves the line as if nothing had been shown."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


@contextlib.contextmanager
def show_progress(progress: Union[ProgressCallback, bool, None],
                  title: str) -> Iterator[ProgressCallback]:
    """Yields the function that is told of the progress: `progress` itself, or one that
    does nothing for False. For None it shows on standard error what takes longer than two
    seconds if that is a terminal, for True all in any case."""
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is of type '{type(progress).__name__}' (allowed: a "
                        "function, bool, None)")
    # A program without a console has no such stream.
    stream = sys.stderr
    if stream is None or not (stream.isatty() if progress is None else progress):
        yield lambda work, done, total: None
        return
    line = _TerminalLine(stream, title, 0.0 if progress else _SECONDS_BEFORE_FIRST_LINE)
    try:
        yield line
    finally:
        line.clear()


def in_steps(report: ProgressCallback, work: str,
             steps: Collection[_Step]) -> Iterator[_Step]:
    """Goes through `steps` and tells `report` before each of them, and at the end."""
    for done, step in enumerate(steps):
        report(work, done, len(steps))
        yield step
    report(work, len(steps), len(steps))
