"""Names of nodes and of rows: what is matched by name, what by position, and what is refused.

Rows without names (arrays, lists, sparse matrices) are in the order of the nodes. Names are matched
with those of the similarity graph, and what could be matched in two ways is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._devices import on_host
from ._frames import is_frame, is_numbered, is_pandas
from ._labels import array_of, label_numbers
from ._typing import AnyArray

Names = Sequence[Any]


def objects(values: Iterable[Any]) -> AnyArray:
    """An array of objects, which may be tuples."""
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    for position, value in enumerate(listed):
        array[position] = value
    return array


def are_row_numbers(names: Names) -> bool:
    """Whether the names are 0, 1, ..., N - 1 in any order."""
    return set(names) == set(range(len(names))) and not any(isinstance(n, bool) for n in names)


def positions(names: Names, nodes: Names, what: str) -> AnyArray | None:
    """Where each node is among ``names``; None if they are in the same order.

    Raises ValueError unless both hold the same names, each once.
    """
    place = {name: position for position, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for position, name in enumerate(names) if place[name] != position)
        raise ValueError(f"{what} names {_shown(twice)} more than once; names must be distinct")
    missing = [name for name in nodes if name not in place]
    if missing or len(names) != len(nodes):
        raise ValueError(_mismatch(names, nodes, missing, what))
    order = np.array([place[name] for name in nodes], dtype=np.intp)
    return None if (order == np.arange(len(order))).all() else order


def _mismatch(names: Names, nodes: Names, missing: Names, what: str) -> str:
    surplus = len(names) - (len(nodes) - len(missing))
    known = set(nodes)
    example = missing[0] if missing else next(name for name in names if name not in known)
    if {str(name) for name in names} == {str(name) for name in nodes}:
        remedy = "one has numbers and the other has words; convert the names of one of them"
    elif _counts_from(names, nodes) in ((0, 1), (1, 0)):
        remedy = (
            "one counts nodes from 0 and the other from 1; rename those of one of them. Leaving "
            "out what does not match would shift every node by one"
        )
    else:
        remedy = "give both the same nodes"
    return (
        f"{what} and the similarity graph name different nodes: {len(missing)} are missing in "
        f"{what} and {surplus} are only there, such as {_shown(example)}; {remedy}"
    )


def _counts_from(*several: Names) -> tuple[int | None, ...]:
    """Where the names start that are consecutive integers, as numbers or as words; else None."""
    starts: list[int | None] = []
    for names in several:
        words = {str(name) for name in names}
        start = [s for s in (0, 1) if words == {str(i + s) for i in range(len(names))}]
        starts.append(start[0] if start else None)
    return tuple(starts)


def _shown(name: Any) -> str:
    return repr(name.item() if isinstance(name, np.generic) else name)


class Match(NamedTuple):
    """How rows belong to nodes."""

    #: The row of each node; None if row i belongs to node i.
    rows: AnyArray | None = None
    #: Whether the names say so; otherwise rows are in the order of the nodes.
    by_name: bool = False
    #: The column that has the names, if it is not the index.
    column: str | None = None


class RowNames:
    """The names of the rows of a table: its index, or a column of names."""

    def __init__(
        self, index: AnyArray | None, numbered: bool, columns: Mapping[str, AnyArray]
    ) -> None:
        #: The index of a pandas object, or the column that was chosen for it; else None.
        self.index = index
        #: Whether pandas has numbered the rows, for want of names.
        self.numbered = numbered
        #: Columns with distinct values, any of which may hold the names.
        self.columns = columns

    @classmethod
    def of(cls, table: Any, columns: Mapping[str, Any] | None = None) -> RowNames:
        """Of a pandas or polars object, a dict of columns, or rows without names."""
        index, numbered = None, False
        if is_pandas(table):
            index, numbered = objects(table.index), is_numbered(table.index)
        candidates = {}
        for name, values in (columns or {}).items():
            distinct = _distinct(values)
            if distinct is not None:
                candidates[name] = distinct
        return cls(index, numbered, candidates)

    def __getitem__(self, rows: Any) -> RowNames:
        index = None if self.index is None else self.index[rows]
        columns = {name: values[rows] for name, values in self.columns.items()}
        return RowNames(index, self.numbered, columns)

    def match(self, nodes: Names | None, what: str) -> Match:
        """How the rows belong to the nodes; raises ValueError if this is not clear."""
        if nodes is None:
            self._require_row_numbers_in_order(what)
            return Match()
        found = [(name, values) for name, values in self.columns.items() if _same(values, nodes)]
        if self.index is not None and not self.numbered and _same(self.index, nodes):
            found.append(("", self.index))
        orders = [(name, positions(list(values), nodes, what)) for name, values in found]
        for name, order in orders[1:]:
            if not np.array_equal(_plain(order, nodes), _plain(orders[0][1], nodes)):
                both = " and ".join(_place(each) for each in (orders[0][0], name))
                raise ValueError(
                    f"{what} can be matched with the nodes in two ways, by {both}; leave one out"
                )
        if orders:
            name, order = orders[0]
            return Match(order, True, name or None)
        self._refuse(nodes, what)
        return Match()

    def _require_row_numbers_in_order(self, what: str) -> None:
        """The similarity graph has rows without names."""
        if self.index is None or self.numbered or not are_row_numbers(list(self.index)):
            return
        if [int(name) for name in self.index] != list(range(len(self.index))):
            raise ValueError(
                f"{what} can be matched with the rows of the similarity matrix in two ways, by "
                "position and by the numbers of its index; use .sort_index() if the index has the "
                "numbers of the rows, and .reset_index(drop=True) if its rows are in the same order"
            )

    def _refuse(self, nodes: Names, what: str) -> None:
        """No index and no column has the names of the nodes."""
        if self.numbered and self.index is not None:
            if list(self.index) == list(nodes):
                return
            why = "its index only numbers its rows"
            if are_row_numbers(nodes):
                why = "it can be matched by position and by the numbers of its index"
            raise ValueError(
                f"{what} does not name the nodes of the similarity graph, such as "
                f"{_shown(nodes[0])}: {why}; give it an index with the names of the nodes, "
                ".set_axis(list(nodes)) if its rows are in the order of the nodes"
            )
        if self.index is not None:
            positions(list(self.index), nodes, what)  # raises
        for name, values in self.columns.items():
            if not set(nodes).isdisjoint(values):
                positions(list(values), nodes, f"column {name!r} of {what}")  # raises


def _plain(order: AnyArray | None, nodes: Names) -> AnyArray:
    return np.arange(len(nodes)) if order is None else order


def _place(column: str) -> str:
    return f"its column {column!r}" if column else "its index"


def _same(values: AnyArray, nodes: Names) -> bool:
    return len(values) == len(nodes) and set(values) == set(nodes)


def _distinct(column: Any) -> AnyArray | None:
    """The values of a column of words or integers if they are all different."""
    values = array_of(column)
    if values.ndim != 1 or values.dtype.kind not in "iuUSO":
        return None
    listed = objects(values.tolist())
    try:
        return listed if len(set(listed)) == len(listed) else None
    except TypeError:  # they cannot be names
        return None


def has_names(values: Any) -> bool:
    """Whether labels say which node each of them belongs to."""
    return isinstance(values, Mapping) or is_pandas(values)


def in_order_of_nodes(values: Any, nodes: Names | None, what: str) -> Any:
    """Labels or groups with one value per node, in the order of the nodes.

    A dict has node names as its keys. A frame has groups in its columns, one or several, which are
    combined: people of the same group agree in all of them.
    """
    if isinstance(values, Mapping):
        return _from_mapping(values, nodes, what)
    if is_frame(values):
        return _from_frame(values, nodes, what)
    if is_pandas(values):
        rows = RowNames.of(values).match(nodes, what).rows
        return values if rows is None else values.iloc[rows]
    return on_host(values)


def _from_mapping(values: Mapping[Any, Any], nodes: Names | None, what: str) -> AnyArray:
    names = list(values)
    if nodes is None:
        if not are_row_numbers(names):
            raise ValueError(
                f"{what} is a dict, so that its keys must be the numbers of the rows of the "
                f"similarity matrix, 0 to {len(names) - 1}; give a graph with names, or a list"
            )
        nodes = range(len(names))
    order = positions(names, nodes, what)
    found = list(values.values())
    return array_of(found if order is None else [found[row] for row in order])


def _from_frame(frame: Any, nodes: Names | None, what: str) -> Any:
    columns = {str(name): frame[name] for name in frame.columns}
    match = RowNames.of(frame, columns).match(nodes, what)
    groups = {name: values for name, values in columns.items() if name != match.column}
    if not groups:
        raise ValueError(f"{what} has the names of the nodes and no other column")
    numbers = combined(groups, what)
    return numbers if match.rows is None else numbers[match.rows]


def combined(
    columns: Mapping[str, Any], what: str = "groups", *, distinct: bool = False
) -> AnyArray:
    """The groups of people that agree in all columns, as numbers.

    ``distinct``: whether all values of a column may be different.
    """
    for name, values in columns.items():
        if not distinct and len(columns) > 1 and len(values) > 2 and _distinct(values) is not None:
            raise ValueError(
                f"column {name!r} of {what} is different in every row: as a group it would set "
                "everyone apart, and as a name it is not that of a node; leave it out, or use id= "
                "of repsc.representation.groups"
            )
    codes = [label_numbers(values, what=f"{what}[{name!r}]")[0] for name, values in columns.items()]
    return np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)[1].ravel()
