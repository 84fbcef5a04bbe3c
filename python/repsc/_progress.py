"""Progress of long computations: a tqdm bar if tqdm is installed, else a line per second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Progress(Protocol):
    """What the engine calls: the stage, how much of it is done, of how much, and a measure."""

    def __call__(self, stage: str, done: int, total: int, value: float) -> None: ...

    def close(self) -> None:
        """End the display."""


class _Bar:
    """One bar per stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage: str | None = None

    def __call__(self, stage: str, done: int, total: int, value: float) -> None:
        if stage != self._stage:
            self.close()
            self._bar = self._tqdm(desc=stage, total=total or None, leave=True)
            self._stage = stage
        self._bar.n = done
        self._bar.set_postfix_str(f"{value:.2g}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Lines:
    """At most one line per second."""

    def __init__(self) -> None:
        self._last = 0.0

    def __call__(self, stage: str, done: int, total: int, value: float) -> None:
        now = time.monotonic()
        if now - self._last >= 1:
            self._last = now
            of = f" of {total}" if total else ""
            print(f"repsc: {stage} {done}{of} ({value:.2g})", file=sys.stderr)

    def close(self) -> None:
        pass


@contextmanager
def progress(verbose: int) -> Iterator[Progress | None]:
    """The function for the engine to call, or None if ``verbose`` is 0."""
    if not verbose:
        yield None
        return
    shown: Progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        shown = _Lines()
    else:
        shown = _Bar(tqdm)
    try:
        yield shown
    finally:
        shown.close()
