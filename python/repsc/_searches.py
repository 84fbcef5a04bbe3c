"""What searches over several clusterings return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, overload

import numpy as np

from . import _engine
from ._results import Clustering
from ._shown import Shown, html_table
from ._typing import AnyArray, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class RankPath(Shown):
    """Clusters at several ranks of one representation graph and strengths of a soft constraint.

    The points come first, in ascending order of rank, then of strength. They are followed by each
    point refined at each mu, if this was asked for.

    Attributes
    ----------
    ranks : ndarray of shape (n_points,)
        0 for a soft constraint.
    clusterings : list of Clustering
        One for each point.
    decomposition_seconds : float
        Time of the decomposition that all ranks share.
    time_limit_reached : bool
        Whether the time limit ended the path: later points are missing.
    """

    ranks: IntArray
    clusterings: list[Clustering]
    decomposition_seconds: float
    time_limit_reached: bool = False

    def _summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = {"points": len(self)}
        for name, values in (
            ("ranks", self.ranks[self.ranks > 0]),
            ("strengths", self.strengths[~np.isnan(self.strengths)]),
            ("mus", self.mus[~np.isnan(self.mus)]),
        ):
            if len(values) > 0:
                summary[name] = np.unique(values)
        return summary

    def _repr_html_(self) -> str:
        columns = {**self.metrics, "on the average front": self.on_average_front}
        title = f"{type(self).__name__} of {len(self)} points"
        return html_table(title, [n.replace("_", " ") for n in columns], zip(*columns.values()))

    def __len__(self) -> int:
        return len(self.clusterings)

    def __iter__(self) -> Iterator[Clustering]:
        return iter(self.clusterings)

    @overload
    def __getitem__(self, position: int) -> Clustering: ...
    @overload
    def __getitem__(self, position: slice) -> list[Clustering]: ...
    def __getitem__(self, position: int | slice) -> Clustering | list[Clustering]:
        return self.clusterings[position]

    @cached_property
    def strengths(self) -> FloatArray:
        """The strengths of the soft constraint; NaN for a hard constraint."""
        return np.array([c.strength for c in self.clusterings], dtype=float)

    @cached_property
    def mus(self) -> FloatArray:
        """The mu of each refinement; NaN where labels were not refined."""
        mus = [c.refinement and c.refinement.mu for c in self.clusterings]
        return np.array(mus, dtype=float)

    @cached_property
    def metrics(self) -> dict[str, AnyArray]:
        """A dict of arrays with one value per point: the columns of a table."""
        rows = [clustering.metrics for clustering in self.clusterings]
        names = ("ratio_cut", "normalized_cut", "average_balance", "minimum_balance")
        return {
            "rank": self.ranks,
            "strength": self.strengths,
            "mu": self.mus,
            **{name: np.array([getattr(row, name) for row in rows]) for name in names},
        }

    @cached_property
    def on_average_front(self) -> BoolArray:
        """Whether no other point has at most the cut and at least the average balance.

        The cut is the one that the method lowers: ratio cut for urepsc, else normalized cut.
        """
        return self._front("average_balance")

    @cached_property
    def on_minimum_front(self) -> BoolArray:
        """The same for the minimum balance."""
        return self._front("minimum_balance")

    def _front(self, gain: str) -> BoolArray:
        cut = _engine.cut_of(self.clusterings[0].method) + "_cut"
        points = zip(self.metrics[cut].tolist(), self.metrics[gain].tolist())
        return np.array(_engine.pareto_front(list(points)))


@dataclass(frozen=True, eq=False, repr=False)
class TargetResult(Shown):
    """The clustering of least cut that meets a target, or the nearest one that was found.

    Attributes
    ----------
    clustering : Clustering
        The clustering that the search started from, with the labels found.
    met : bool
        Whether the target was met.
    start : str
        The method of that clustering: ``"nsc"``, ``"nrepsc of strength 10"``, ...
    mu : float
        Of the refinement that followed; 0 without refinement.
    cut_kind : {"normalized", "ratio"}
        The cut that was lowered.
    cut, plain_cut : float
        Of the labels, and of plain clustering.
    average_balance : float
        Of the labels.
    satisfied : int or None
        With ``target_individual``: the number of nodes that reach it.
    below : ndarray of int
        With ``target_individual``: the nodes that could reach it and do not.
    unreachable : structured ndarray
        With ``target_individual``: the nodes that cannot reach it in any clustering, as returned by
        :func:`unreachable_nodes`.
    tried : int
        The number of searches that were made. They do not depend on the target: one front of cut
        and balance answers every target.
    balance_limit : float
        No clustering can have a larger average balance: the mean of floor(d / K) / ceil(d / K) over
        nodes with d representatives.
    seconds : float
        Time of the search.
    time_limit_reached : bool
        Whether the time limit ended the search.
    """

    clustering: Clustering = field(repr=False)
    met: bool
    start: str
    mu: float
    cut_kind: str
    cut: float
    plain_cut: float
    average_balance: float
    satisfied: int | None
    below: IntArray
    unreachable: AnyArray
    tried: int
    balance_limit: float = 1.0
    seconds: float = 0.0
    time_limit_reached: bool = False

    @property
    def labels(self) -> AnyArray:
        """The cluster of each node: ``clustering.labels``."""
        return self.clustering.labels

    @property
    def labels_by_node(self) -> dict[Any, Any] | None:
        """The cluster of each node by its name; None if the nodes have no names."""
        return self.clustering.labels_by_node

    def _summary(self) -> dict[str, Any]:
        names = ("met", "start", "mu", "cut_kind", "cut", "plain_cut", "average_balance", "tried")
        summary = {name: getattr(self, name) for name in names}
        if self.satisfied is not None:
            summary["satisfied"] = self.satisfied
            summary["below"] = len(self.below)
            summary["unreachable"] = len(self.unreachable)
        return summary

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), **self.clustering._details()}

    @property
    def cut_increase(self) -> float:
        """The increase of the cut relative to plain clustering; 0.1 is 10 % more."""
        if self.plain_cut > 0:
            return self.cut / self.plain_cut - 1
        return float("inf") if self.cut > 0 else 0.0


def unreachable_array(columns: Sequence[Any]) -> AnyArray:
    """The engine's columns as one structured array."""
    kinds = [("node", np.int32), ("representatives", np.int32), ("best", np.float64)]
    found = np.empty(len(columns[0]), dtype=kinds)
    for (name, _), column in zip(kinds, columns):
        found[name] = column
    return found
