"""The columns of a data frame as the engine takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ._labels import array_of, is_missing
from ._typing import AnyArray, FloatArray, Frame

Columns = dict[str, AnyArray]


def columns_of(frame: Frame, wanted: str | Sequence[str] | None) -> tuple[Columns, AnyArray]:
    """The wanted columns as arrays by name, and the names of the rows."""
    if hasattr(frame, "columns"):
        columns = {str(name): frame[name] for name in frame.columns}
    elif hasattr(frame, "items"):
        columns = {str(name): values for name, values in frame.items()}
    else:
        raise ValueError(f"expected a data frame or a dict of columns, not {type(frame).__name__}")
    if wanted is not None:
        wanted = [wanted] if isinstance(wanted, str) else wanted
        require_known(wanted, columns)
        columns = {str(name): columns[str(name)] for name in wanted}
    if not columns:
        raise ValueError("there are no columns")
    index = getattr(next(iter(columns.values())), "index", None)
    arrays = {name: _as_array(values) for name, values in columns.items()}
    lengths = {len(values) if values.ndim == 1 else -1 for values in arrays.values()}
    if len(lengths) != 1 or -1 in lengths:
        raise ValueError("columns must be one-dimensional and of the same length")
    return arrays, _row_names(index, lengths.pop())


def require_known(names: Iterable[object], columns: Iterable[str]) -> None:
    """Raise ValueError for the first name that is not a column."""
    for name in names:
        if str(name) not in columns:
            raise ValueError(f"there is no column {name!r}; there are {', '.join(columns)}")


def width_of(name: object, width: object) -> float:
    """The largest difference in a numeric column, checked."""
    if isinstance(width, Real) and 0 <= float(width) < np.inf:
        return float(width)
    raise ValueError(f"within={{{name!r}: {width!r}}} must be a finite number of at least 0")


def words_and_numbers(
    values: AnyArray, name: str, *, dates: bool = False
) -> tuple[list[str], FloatArray | None]:
    """A column as the engine takes it; the numbers are None unless the column is numeric.

    A missing value is an empty word. ``dates``: whether dates may be compared as words.
    """
    if values.dtype.kind in "mM":
        if not dates:
            raise ValueError(f"column {name!r} holds dates; convert them to numbers, such as years")
        return ["" if np.isnat(value) else str(value) for value in values], None
    if np.issubdtype(values.dtype, np.number):
        numbers = values.astype(np.float64)
        if np.isinf(numbers).any():
            raise ValueError(f"column {name!r} holds an infinite number")
        words = ["" if np.isnan(n) else _written(n) for n in numbers.tolist()]
        return words, numbers
    return ["" if is_missing(v) else str(v) for v in values.tolist()], None


def _row_names(index: Any, count: int) -> AnyArray:
    """The names of the rows in messages: the frame's index where it is unique."""
    if index is not None and not callable(index):
        names = np.asarray([str(name) for name in index], dtype=object)
        if len(set(names)) == count and all(names):
            return names
    return np.asarray([str(row) for row in range(count)], dtype=object)


def _as_array(column: Any) -> AnyArray:
    """A column as a NumPy array; missing integers of pandas become NaN."""
    dtype = getattr(column, "dtype", None)
    numeric = hasattr(column, "to_numpy") and getattr(dtype, "kind", "O") in "iuf"
    nullable = not isinstance(dtype, np.dtype) and getattr(dtype, "na_value", None) is not None
    if numeric and nullable:
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return array_of(column)


def _written(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)
