"""The scale between plain clustering and drawing lots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from . import _engine
from . import _typing as t
from ._graphs import Fairness, Sensitive, as_fairness, as_graph, node_names
from ._options import BaselineOptions
from ._progress import progress
from ._shown import Shown


class Outcome(NamedTuple):
    """The normalized cut and the average balance of one clustering."""

    cut: float
    average_balance: float


class Lots(NamedTuple):
    """Clusters of equal size drawn by lot: means and standard deviations over draws."""

    cut: float
    cut_spread: float
    average_balance: float
    balance_spread: float
    ratio_cut: float
    draws: int


@dataclass(frozen=True, repr=False)
class Baselines(Shown):
    """What a clustering is measured against.

    Attributes
    ----------
    plain : Outcome
        Plain normalized clustering, the better of both scalings of the rows.
    random : Lots
        Clusters of equal size drawn by lot.
    exact : Outcome or None
        The exact constraint, where it can be satisfied at little cost.
    fair_balance : float
        The average balance that counts as fair: that of lots, or of ``exact`` if that is higher.
    reachable_balance : float
        No clustering has a higher average balance.
    """

    plain: Outcome
    random: Lots
    exact: Outcome | None
    fair_balance: float
    reachable_balance: float

    @classmethod
    def from_engine(cls, fields: dict[str, Any]) -> Baselines:
        """From the fields of the engine."""
        exact = fields["exact"]
        return cls(
            plain=Outcome(*fields["plain"]),
            random=Lots(*fields["random"]),
            exact=None if exact is None else Outcome(*exact),
            fair_balance=fields["fair_balance"],
            reachable_balance=fields["reachable_balance"],
        )

    def structure_kept(self, normalized_cut: float) -> float:
        """1: as much structure as plain clustering; 0: none, as lots."""
        unit = self.random.cut - self.plain.cut
        if unit > 0:
            return (self.random.cut - normalized_cut) / unit
        return 1.0 if normalized_cut <= self.random.cut else 0.0

    def fairness_gained(self, average_balance: float) -> float:
        """0: no fairer than plain clustering; 1: as fair as lots, or as the exact constraint."""
        plain = self.plain.average_balance
        if math.isnan(plain) or self.fair_balance > plain:
            return (average_balance - plain) / (self.fair_balance - plain)
        if average_balance >= self.fair_balance:
            return 1.0
        return average_balance / self.fair_balance

    def _summary(self) -> dict[str, Any]:
        return {
            "plain_cut": self.plain.cut,
            "plain_balance": self.plain.average_balance,
            "random_cut": self.random.cut,
            "random_balance": self.random.average_balance,
            "fair_balance": self.fair_balance,
        }

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), "reachable_balance": self.reachable_balance}


def measured_baselines(
    similarity: _engine.Graph, fairness: Fairness, n_clusters: int, seed: int, verbose: int = 0
) -> Baselines | None:
    """The baselines; None if a node is isolated or there is one cluster only."""
    if n_clusters < 2:
        return None
    with progress(verbose) as on_progress:
        fields = _engine.baselines(similarity, *fairness, n_clusters, seed, on_progress)
    return None if fields is None else Baselines.from_engine(cast(dict[str, Any], fields))


def baselines(
    similarity: t.GraphLike, n_clusters: int, *,
    representation: t.RepresentationLike | None = None,
    sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    random_state: t.RandomState = 0, n_jobs: int | None = None, verbose: int = 0,
) -> Baselines | None:
    """Plain clustering and lots, between which every clustering of a graph is placed.

    Parameters
    ----------
    similarity, n_clusters, representation, sensitive_features, groups, random_state, n_jobs, \
    verbose
        As for :func:`cluster`.

    Returns
    -------
    Baselines or None
        None if a node of the graph is isolated, which plain normalized clustering does not allow.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(400)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> scale = repsc.baselines(G, 4, representation=R)
    >>> scale.structure_kept(scale.plain.cut), scale.fairness_gained(scale.fair_balance)
    (1.0, 1.0)
    """
    options = BaselineOptions.from_arguments("baselines", locals())
    options.set_threads()
    graph = as_graph(similarity)
    sensitive = Sensitive.given(sensitive_features, groups)
    fairness = as_fairness(representation, sensitive, graph.num_nodes, node_names(similarity))
    return measured_baselines(
        graph, fairness, int(options.n_clusters), options.seed(), options.verbose
    )
