"""The columns of a data frame as the engine takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ._frames import is_frame, is_pandas
from ._labels import array_of, is_missing
from ._names import Match, RowNames, combined, objects
from ._typing import AnyArray, FloatArray, Frame, Labels

Columns = dict[str, AnyArray]


class Table:
    """The columns of a rule, and the names of their rows."""

    def __init__(self, columns: Columns, names: RowNames, count: int) -> None:
        self.columns = columns
        self._names = names
        self._count = count

    @classmethod
    def of(
        cls, frame: Frame, wanted: str | Sequence[Any] | None, id_column: str | None = None
    ) -> Table:
        """The wanted columns of a frame as arrays; ``id_column`` has the names of the rows."""
        columns = _columns_of(frame)
        if id_column is not None:
            require_known([id_column], columns)
            index = objects(columns.pop(str(id_column)))
            names = RowNames(index, numbered=False, columns={})
        else:
            names = RowNames.of(frame if is_pandas(frame) else _indexed(columns), columns)
        if wanted is not None:
            wanted = [wanted] if isinstance(wanted, str) else wanted
            require_known(wanted, columns)
            columns = {str(name): columns[str(name)] for name in wanted}
        if not columns:
            raise ValueError("there are no columns")
        arrays = {name: _as_array(values) for name, values in columns.items()}
        lengths = {len(values) if values.ndim == 1 else -1 for values in arrays.values()}
        if names.index is not None:
            lengths.add(len(names.index))
        if len(lengths) != 1 or -1 in lengths:
            raise ValueError("columns must be one-dimensional and of the same length")
        return cls(arrays, names, lengths.pop())

    @classmethod
    def of_groups(cls, groups: Labels, id_column: str | None = None) -> Table:
        """One column of groups: a sequence, a dict by name, or all columns of a frame together."""
        if is_frame(groups):
            table = cls.of(groups, None, id_column)
            if len(table.columns) > 1:
                table.columns = {", ".join(table.columns): combined(table.columns, "the frame")}
            return table
        if id_column is not None:
            raise ValueError(f"id={id_column!r} is a column of a frame, but groups are not a frame")
        if isinstance(groups, Mapping):
            table = cls.of({"group": array_of(list(groups.values()))}, None)
            return cls(table.columns, RowNames(objects(groups), False, {}), len(groups))
        return cls.of({str(getattr(groups, "name", None) or "group"): groups}, None)

    def with_columns(self, columns: Columns) -> Table:
        """A table of the same people."""
        return Table(columns, self._names, self._count)

    def names(self) -> AnyArray | None:
        """The names of the rows, unless they are only numbered."""
        return None if self._names.numbered else self._names.index

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, rows: Any) -> Table:
        columns = {name: values[rows] for name, values in self.columns.items()}
        count = len(next(iter(columns.values())))
        return Table(columns, self._names[rows], count)

    def match(self, nodes: Sequence[Any] | None) -> Match:
        """How the rows belong to the nodes."""
        match = self._names.match(nodes, "the table of the representation rule")
        if match.column is not None and match.column in self.columns:
            raise ValueError(
                f"column {match.column!r} has the names of the nodes, and the rule compares people "
                f"by it; use id={match.column!r}"
            )
        return match

    def shown_names(self) -> list[str]:
        """The names of the rows in messages: the index where it is unique."""
        if self._names.index is not None:
            names = [str(name) for name in self._names.index]
            if len(set(names)) == self._count and all(names):
                return names
        return [str(row) for row in range(self._count)]


def _columns_of(frame: Any) -> dict[str, Any]:
    """The columns of a data frame, a dict, a series or an array, by name."""
    if hasattr(frame, "columns"):
        return {str(name): frame[name] for name in frame.columns}
    if hasattr(frame, "to_numpy"):  # a series
        return {str(getattr(frame, "name", None) or "0"): frame}
    if isinstance(frame, Mapping):
        return {str(name): values for name, values in frame.items()}
    array = np.asarray(frame) if isinstance(frame, (np.ndarray, list, tuple)) else None
    if array is not None and array.dtype.names:
        return {name: array[name] for name in array.dtype.names}
    if array is not None and array.ndim == 1 and array.dtype.kind in "biuf":
        return {"0": array}
    if array is None or array.ndim != 2:
        raise ValueError(
            "expected a data frame, a dict of columns, or an array with a row for each sample, not "
            f"{type(frame).__name__}" + ("" if array is None else f" of shape {array.shape}")
        )
    columns = array.T
    if array.dtype == object:  # each column has a type of its own
        return {str(number): array_of(column.tolist()) for number, column in enumerate(columns)}
    return {str(number): column for number, column in enumerate(columns)}


def _indexed(columns: Mapping[str, Any]) -> Any:
    """A column with an index, if a dict has one; all of them must have the same index."""
    indexed = [values for values in columns.values() if is_pandas(values)]
    for values in indexed[1:]:
        if not values.index.equals(indexed[0].index):
            raise ValueError(
                "the columns of the dict have different indexes; make one data frame of them, "
                "which matches their rows by name"
            )
    return indexed[0] if indexed else None


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
