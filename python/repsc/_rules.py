"""Rules: representation graphs that are built when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

from . import _engine
from ._columns import Columns, words_and_numbers
from ._labels import label_numbers
from ._matrices import to_scipy
from ._typing import AnyArray, CsrArray, FloatArray, IntArray

#: Builds the engine's graph from the names of the rows and the columns.
Build = Callable[[list[str], Columns], _engine.Graph]


class Rule:
    """A rule for who represents whom. The functions of :mod:`repsc.representation` return it."""

    def __init__(self, columns: Columns, names: AnyArray, build: Build) -> None:
        self._columns = columns
        self._names = names
        self._build = build
        self._graph: _engine.Graph | None = None

    @property
    def shape(self) -> tuple[int]:
        """The number of people, as a tuple, which scikit-learn reads before it selects rows."""
        return (len(self._names),)

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, rows: Any) -> Rule:
        if isinstance(rows, tuple):  # rule[rows, ...]
            rows = rows[0]
        if isinstance(rows, Integral):
            rows = [rows]
        columns = {name: values[rows] for name, values in self._columns.items()}
        return type(self)(columns, self._names[rows], self._build)

    def to_graph(self) -> _engine.Graph:
        """The engine's graph, built once."""
        if self._graph is None:
            self._graph = self._build(self._names.tolist(), self._columns)
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
        return f"<{type(self).__name__}: {len(self)} people by {', '.join(self._columns)}>"


class GroupRule(Rule):
    """A rule that people of the same group represent one another.

    The engine takes the labels directly; it needs no graph, which would have cliques.
    """

    def __init__(self, columns: Columns, names: AnyArray, build: Build) -> None:
        super().__init__(columns, names, build)
        #: The group of each person, from 0. A missing value raises ValueError.
        self.labels = _group_numbers(columns)


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
