"""Rules: representation graphs that are built when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from . import _engine
from ._columns import Columns, Table, words_and_numbers
from ._labels import label_numbers
from ._matrices import graph_from_matrix, to_scipy
from ._names import Match, combined, positions
from ._typing import AnyArray, CsrArray, FloatArray, IntArray

#: Builds the engine's graph from the names of the rows and the columns.
Build = Callable[[list[str], Columns], _engine.Graph]


class Rule:
    """A rule for who represents whom. The functions of :mod:`repsc.representation` return it.

    ``first | second`` links people whom one of two rules links, and ``first & second`` those whom
    both link.
    """

    #: The rule in words.
    text: str
    __array_ufunc__ = None  # NumPy leaves | and & to this class

    def __init__(self) -> None:
        self._graph: _engine.Graph | None = None

    @property
    def shape(self) -> tuple[int]:
        """The number of people, as a tuple, which scikit-learn reads before it selects rows."""
        return (len(self),)

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, rows: Any) -> Rule:
        if isinstance(rows, tuple):  # rule[rows, ...]
            rows = rows[0]
        if isinstance(rows, Integral):
            rows = [rows]
        return self._selected(rows)

    def _selected(self, rows: Any) -> Rule:
        """The rule for some of the people."""
        raise NotImplementedError

    def names(self) -> AnyArray | None:
        """The names of the people, if they have names."""
        raise NotImplementedError

    def match(self, nodes: Sequence[Any] | None) -> Match:
        """How the people belong to the nodes."""
        raise NotImplementedError

    def in_order_of(self, nodes: Sequence[Any] | None) -> Rule:
        """The rule with its people in the order of the nodes, matched by name."""
        rows = self.match(nodes).rows
        return self if rows is None else self._selected(rows)

    def _make_graph(self) -> _engine.Graph:
        raise NotImplementedError

    def to_graph(self) -> _engine.Graph:
        """The engine's graph, built once."""
        if self._graph is None:
            self._graph = self._make_graph()
        return self._graph

    def tocsr(self) -> CsrArray:
        """The representation graph as a SciPy CSR array.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_samples, n_samples)
        """
        return to_scipy(self.to_graph())

    def __or__(self, other: Rule) -> Rule:
        return CombinedRule(self, _aligned(other, self), "or")

    def __and__(self, other: Rule) -> Rule:
        other = _aligned(other, self)
        if isinstance(self, GroupRule) and isinstance(other, GroupRule):
            return self.with_groups_of(other)
        return CombinedRule(self, other, "and")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_graph": None}

    def __repr__(self) -> str:
        return f"<Rule for {len(self)} people: {self.text}>"


class TableRule(Rule):
    """A rule about the columns of a table."""

    def __init__(self, table: Table, build: Build, text: str) -> None:
        super().__init__()
        self._table = table
        self._build = build
        self.text = text

    def __len__(self) -> int:
        return len(self._table)

    def _selected(self, rows: Any) -> TableRule:
        return type(self)(self._table[rows], self._build, self.text)

    def names(self) -> AnyArray | None:
        return self._table.names()

    def match(self, nodes: Sequence[Any] | None) -> Match:
        return self._table.match(nodes)

    def _make_graph(self) -> _engine.Graph:
        return self._build(self._table.shown_names(), self._table.columns)


class GroupRule(TableRule):
    """A rule that people of the same group represent one another.

    The engine takes the labels directly; it needs no graph, which would have cliques.
    """

    def __init__(self, table: Table, build: Build, text: str) -> None:
        super().__init__(table, build, text)
        #: The group of each person, from 0. A missing value raises ValueError.
        self.labels = _group_numbers(table.columns)

    def with_groups_of(self, other: GroupRule) -> GroupRule:
        """The rule for people that agree in both groups, which are groups again."""
        both = combined({"0": self.labels, "1": other.labels}, distinct=True)
        table = self._table.with_columns({f"{self.text} and {other.text}": both})
        return GroupRule(table, self._build, f"{self.text} and {other.text}")


class CombinedRule(Rule):
    """Two rules, of which one or both must hold."""

    def __init__(self, first: Rule, second: Rule, word: str) -> None:
        super().__init__()
        self._parts = (first, second)
        self._word = word
        self.text = f" {word} ".join(_in_brackets(part, word) for part in self._parts)

    def __len__(self) -> int:
        return len(self._parts[0])

    def _selected(self, rows: Any) -> CombinedRule:
        first, second = (part[rows] for part in self._parts)
        return CombinedRule(first, second, self._word)

    def names(self) -> AnyArray | None:
        first, second = (part.names() for part in self._parts)
        return second if first is None else first

    def match(self, nodes: Sequence[Any] | None) -> Match:
        """A part without names has the order of the other part."""
        first, second = (part.match(nodes) for part in self._parts)
        if first.by_name and second.by_name:
            rows = [np.arange(len(self)) if m.rows is None else m.rows for m in (first, second)]
            if (rows[0] != rows[1]).any():
                raise ValueError(
                    "the tables of the two rules have the people in different orders; name the "
                    "column of their names with id=... before the rules are combined"
                )
        return first if first.by_name else second

    def _make_graph(self) -> _engine.Graph:
        first, second = (part.tocsr() for part in self._parts)
        linked = first.multiply(second).tocsr() if self._word == "and" else first + second
        linked.data[:] = 1
        return graph_from_matrix(linked, "representation", "add", None)


def _in_brackets(rule: Rule, word: str) -> str:
    """The text of a part; in brackets where ``and`` and ``or`` meet."""
    mixed = (word == "and" and " or " in rule.text) or (word == "or" and " and " in rule.text)
    return f"({rule.text})" if mixed else rule.text


def _aligned(rule: Rule, other: Rule) -> Rule:
    """The rule with its people in the order of those of another one."""
    if not isinstance(rule, Rule):
        raise TypeError(
            f"a rule is combined with a rule, not with {type(rule).__name__}; use rule.tocsr() to "
            "combine matrices"
        )
    if len(rule) != len(other):
        raise ValueError(
            f"the rules are for {len(other)} and {len(rule)} people and cannot be combined"
        )
    names, wanted = rule.names(), other.names()
    if names is None or wanted is None:
        return rule
    if set(names) != set(wanted) or len(set(names)) < len(names):
        raise ValueError(
            "the tables of the two rules do not name the same people, each once; they cannot be "
            "combined"
        )
    order = positions(list(names), list(wanted), "the second rule")
    return rule if order is None else rule[order]


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
