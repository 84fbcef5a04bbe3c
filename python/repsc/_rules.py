"""Rules: representation graphs that are built when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, TypeVar

from . import _engine
from ._columns import Columns, Table, words_and_numbers
from ._labels import label_numbers
from ._matrices import to_scipy
from ._typing import CsrArray, FloatArray, IntArray

#: Builds the engine's graph from the names of the rows and the columns.
Build = Callable[[list[str], Columns], _engine.Graph]
_Rule = TypeVar("_Rule", bound="Rule")


class Rule:
    """A rule for who represents whom. The functions of :mod:`repsc.representation` return it."""

    def __init__(self, table: Table, build: Build) -> None:
        self._table = table
        self._build = build
        self._graph: _engine.Graph | None = None

    @property
    def shape(self) -> tuple[int]:
        """The number of people, as a tuple, which scikit-learn reads before it selects rows."""
        return (len(self),)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self: _Rule, rows: Any) -> _Rule:
        if isinstance(rows, tuple):  # rule[rows, ...]
            rows = rows[0]
        if isinstance(rows, Integral):
            rows = [rows]
        return type(self)(self._table[rows], self._build)

    def in_order_of(self: _Rule, nodes: Sequence[Any] | None) -> _Rule:
        """The rule with its people in the order of the nodes, matched by name."""
        order = self._table.order(nodes)
        return self if order is None else self[order]

    def to_graph(self) -> _engine.Graph:
        """The engine's graph, built once."""
        if self._graph is None:
            self._graph = self._build(self._table.shown_names(), self._table.columns)
        return self._graph

    def tocsr(self) -> CsrArray:
        """The representation graph as a SciPy CSR array.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_samples, n_samples)
        """
        return to_scipy(self.to_graph())

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_graph": None}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} people by {', '.join(self._table.columns)}>"


class GroupRule(Rule):
    """A rule that people of the same group represent one another.

    The engine takes the labels directly; it needs no graph, which would have cliques.
    """

    def __init__(self, table: Table, build: Build) -> None:
        super().__init__(table, build)
        #: The group of each person, from 0. A missing value raises ValueError.
        self.labels = _group_numbers(table.columns)


def neighbor_graph(
    names: list[str], columns: Columns, *, categorical: list[str], n_neighbors: int
) -> _engine.Graph:
    """Links everyone to the ``n_neighbors`` people most like them."""
    return _engine.representation_from_neighbors(names, _table(columns), categorical, n_neighbors)


def condition_graph(
    names: list[str], columns: Columns, *, within: dict[str, float], same: list[str]
) -> _engine.Graph:
    """Links people that satisfy all conditions."""
    table = _table(columns, dates=[name for name in same if name not in within])
    return _engine.representation_by_rule(names, table, list(within.items()), same)


def group_graph(_names: list[str], columns: Columns) -> _engine.Graph:
    """Links people of the same group."""
    return _engine.representation_from_groups(_group_numbers(columns))


def _group_numbers(columns: Columns) -> IntArray:
    (values,) = columns.values()
    return label_numbers(values, what="groups")[0]


def _table(
    columns: Columns, dates: Sequence[str] = ()
) -> list[tuple[str, list[str], FloatArray | None]]:
    """Name, words, and numbers where the column is numeric; ``dates`` may hold dates."""
    return [
        (name, *words_and_numbers(values, name, dates=name in dates))
        for name, values in columns.items()
    ]
