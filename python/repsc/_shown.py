"""Short texts and HTML tables for results, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

#: Items of a sequence, and rows of a table, that are shown.
_ITEMS = 8
_ROWS = 20


class Shown:
    """Gives an object a one-line repr, and an HTML table in notebooks."""

    def _summary(self) -> dict[str, Any]:
        """What the repr shows."""
        raise NotImplementedError

    def _details(self) -> dict[str, Any]:
        """What the HTML table shows."""
        return self._summary()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={in_words(value)}" for name, value in self._summary().items())
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), value) for name, value in self._details().items()]
        return html_table(type(self).__name__, (), rows)


def in_words(value: Any) -> str:
    """A value in a few characters: numbers with four digits, sequences with their first items."""
    if isinstance(value, (np.ndarray, list, tuple)):
        items = [in_words(item) for item in value[:_ITEMS]]
        if len(value) > _ITEMS:
            items[-1:] = ["...", in_words(value[-1])]
        return f"[{', '.join(items)}]"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.4g}"
    return repr(value.item() if isinstance(value, np.generic) else value)


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with the first rows; words are escaped."""
    rows = list(rows)
    left_out = len(rows) - _ROWS
    lines = ["<table>", f"<caption>{escape(title)}</caption>"]
    if head:
        cells = "".join(f"<th>{escape(name)}</th>" for name in head)
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    lines.append("<tbody>")
    for first, *others in rows[:_ROWS]:
        cells = "".join(f"<td>{escape(_cell(value))}</td>" for value in others)
        lines.append(f'<tr><th style="text-align:left">{escape(_cell(first))}</th>{cells}</tr>')
    if left_out > 0:
        lines.append(f'<tr><td colspan="99">{left_out} more rows</td></tr>')
    return "\n".join([*lines, "</tbody>", "</table>"])


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else in_words(value)
