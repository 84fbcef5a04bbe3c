"""What is measured about labels: plain numbers that can be compared, hashed and shown."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from ._shown import Shown
from ._typing import FloatArray, IntArray


def _nothing() -> FloatArray:
    return np.empty(0)


class Numbers(Shown):
    """A dataclass of numbers and arrays; NaN, which stands for "not measured", equals NaN."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _fields(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def _values(self) -> tuple[Any, ...]:
        return tuple(_comparable(value) for value in self._fields().values())


def _comparable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return tuple(_comparable(item) for item in value.tolist())
    return None if value != value else value


@dataclass(frozen=True, eq=False, repr=False)
class GroupFairness(Numbers):
    """Shares of protected groups in clusters, as work on fair clustering measures them.

    V_s are the nodes of group s, C is a cluster and N the number of nodes.

    Attributes
    ----------
    average, minimum : float
        Of the balances of the clusters: min over groups s, t of ``|V_s in C| / |V_t in C|``
        (Chierichetti et al. 2017).
    relative_average, relative_minimum : float
        Divided by ``best_possible``.
    best_possible : float
        The smallest divided by the largest group of the whole graph. No clustering has a larger
        minimum; the average can be larger.
    largest_deviation : float
        The largest difference between the share of a group in a cluster, ``|V_s in C| / |C|``, and
        its share overall, ``|V_s| / N``.
    smallest_ratio, largest_ratio : float
        Of the share in a cluster to the share overall: the bounds [alpha, beta] of fair clustering.
    n_groups, n_empty_clusters : int
        Empty clusters are left out.
    cluster_balance, cluster_relative_balance, cluster_largest_deviation : ndarray
        For each cluster, in the order of the sorted labels; NaN for an empty cluster.
    cluster_smallest_ratio, cluster_largest_ratio : ndarray
        The same.
    """

    average: float
    minimum: float
    relative_average: float
    relative_minimum: float
    best_possible: float
    largest_deviation: float
    smallest_ratio: float
    largest_ratio: float
    n_groups: int
    n_empty_clusters: int
    cluster_balance: FloatArray
    cluster_relative_balance: FloatArray
    cluster_largest_deviation: FloatArray
    cluster_smallest_ratio: FloatArray
    cluster_largest_ratio: FloatArray

    def _summary(self) -> dict[str, Any]:
        shown = ("average", "minimum", "best_possible", "largest_deviation", "n_groups")
        return {name: getattr(self, name) for name in shown}

    def _details(self) -> dict[str, Any]:
        return self._fields()


@dataclass(frozen=True, eq=False, repr=False)
class Metrics(Numbers):
    """Quality and fairness of labels. ``docs/methods.md`` has a table of the formulas.

    Attributes
    ----------
    ratio_cut, normalized_cut : float
        With the paper's factor 1/2 in Cut; other texts define values that are twice as large.
    average_balance, minimum_balance : float
        Mean and minimum of rho_i; NaN without a representation.
    constraint_residual : float
        0 if the labels satisfy the representation constraint exactly; NaN without a representation.
    cluster_sizes : ndarray of shape (n_clusters,)
        In the order of the sorted labels.
    accuracy, adjusted_rand_index : float
        Compared to the true labels; NaN without them.
    average_proportional_balance, minimum_proportional_balance : float
        The same as balance with counts divided by cluster sizes, as the constraint asks for; NaN
        without a representation.
    balance_counts : {"links", "weights"}
        What the four balances count: links of the representation graph, as the paper does, or
        their weights.
    modularity : float
        Newman's.
    internal_edge_share : float
        The weight inside of clusters divided by the total weight; 1 without edges.
    conductance : ndarray of shape (n_clusters,)
        The weight that leaves a cluster divided by the smaller of its volume and that of the rest,
        without the paper's factor 1/2; 0 if nothing leaves.
    cluster_internal_shares : ndarray of shape (n_clusters,)
        The internal edge share of each cluster.
    group_fairness : GroupFairness or None
        None without groups.
    """

    ratio_cut: float
    normalized_cut: float
    average_balance: float
    minimum_balance: float
    constraint_residual: float
    cluster_sizes: IntArray
    accuracy: float = float("nan")
    adjusted_rand_index: float = float("nan")
    average_proportional_balance: float = float("nan")
    minimum_proportional_balance: float = float("nan")
    balance_counts: str = "links"
    modularity: float = float("nan")
    internal_edge_share: float = float("nan")
    conductance: FloatArray = field(default_factory=_nothing)
    cluster_internal_shares: FloatArray = field(default_factory=_nothing)
    group_fairness: GroupFairness | None = None

    @classmethod
    def from_engine(cls, fields: dict[str, Any]) -> Metrics:
        """The engine's fields."""
        groups = fields["group_fairness"]
        return cls(**{**fields, "group_fairness": groups and GroupFairness(**groups)})

    def _summary(self) -> dict[str, Any]:
        """What was measured, in one line."""
        shown = (
            "ratio_cut",
            "normalized_cut",
            "average_balance",
            "minimum_balance",
            "constraint_residual",
            "cluster_sizes",
            "accuracy",
            "adjusted_rand_index",
            "modularity",
        )
        named = {name: getattr(self, name) for name in shown}
        return {name: value for name, value in named.items() if _comparable(value) is not None}

    def _details(self) -> dict[str, Any]:
        details = self._summary()
        if not np.isnan(self.average_proportional_balance):
            details["average_proportional_balance"] = self.average_proportional_balance
        if self.group_fairness is not None:
            details["average_group_balance"] = self.group_fairness.average
            details["largest_group_deviation"] = self.group_fairness.largest_deviation
        return {**details, "internal_edge_share": self.internal_edge_share}
