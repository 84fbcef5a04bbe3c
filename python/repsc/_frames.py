"""Data frames of pandas and polars, neither of which is imported here, and the names in them."""

from __future__ import annotations

import sys
from typing import Any


def is_pandas(table: Any) -> bool:
    """Whether this is a Series or a DataFrame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, (pandas.Series, pandas.DataFrame))


def is_numbered(index: Any) -> bool:
    """Whether an index of pandas counts the rows: 0, 1, ..."""
    kind = sys.modules["pandas"].RangeIndex
    return isinstance(index, kind) and index.start == 0 and index.step == 1


def is_frame(table: Any) -> bool:
    """Whether this is a DataFrame of pandas or polars."""
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(table, polars.DataFrame):
        return True
    return is_pandas(table) and table.ndim == 2


def index_names(table: Any) -> list[Any] | None:
    """The index of a pandas frame of features, if it has names."""
    if not is_pandas(table) or is_numbered(table.index) or not table.index.is_unique:
        return None
    return list(table.index)


def frame_names(frame: Any, role: str) -> list[Any] | None:
    """The names of the nodes of an adjacency matrix in a pandas frame; None if there are none.

    Its index and its columns may be in different orders, see :func:`square_frame`.
    """
    index, columns = frame.index, frame.columns
    if is_numbered(index) and is_numbered(columns):
        return None
    if is_numbered(columns):
        return list(index) if index.is_unique else None
    if is_numbered(index):
        return list(columns) if columns.is_unique else None
    if not index.is_unique or not columns.is_unique or set(index) != set(columns):
        raise ValueError(
            f"the index and the columns of the {role} frame do not hold the same names; give both "
            "the names of the nodes, or use .to_numpy()"
        )
    return list(index)


def square_frame(frame: Any) -> Any:
    """An adjacency matrix in a pandas frame, with its columns in the order of its index."""
    if is_numbered(frame.index) or is_numbered(frame.columns):
        return frame
    return frame if frame.index.equals(frame.columns) else frame[list(frame.index)]
