"""What clusters mean for each person: one person's card, two clusterings compared."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _engine
from ._graphs import Sensitive, as_fairness, as_graph, labels_of_nodes, node_names
from ._labels import label_numbers
from ._names import in_order_of_nodes
from ._options import AuditOptions
from ._shown import Shown
from ._threads import use_threads
from ._typing import GraphLike, Labels, RepresentationLike


@dataclass(frozen=True, repr=False)
class Person(Shown):
    """How one node is represented.

    Attributes
    ----------
    node, cluster
        The node, and the label of its cluster.
    balance : float
        rho_i: the fewest representatives in a cluster divided by the most.
    balance_limit : float
        The largest balance that the number of representatives allows.
    representatives : int
        Their number.
    found, expected : dict
        Representatives in each cluster, and how many there would be in proportion to the sizes.
    reason : str
        Why the balance is what it is, in words.
    help : dict
        The single move or swap that raises the balance most, of several the one with the lowest
        cut: ``kind`` ("none", "move" or "swap"), ``balance`` afterwards, and, unless there is none,
        ``node``, ``from``, ``to``, ``other`` (of a swap) and ``normalized_cut_change``.
    """

    node: Any
    cluster: Any
    balance: float
    balance_limit: float
    representatives: int
    found: dict[Any, int]
    expected: dict[Any, float]
    reason: str
    help: dict[str, Any]

    def _summary(self) -> dict[str, Any]:
        return {"node": self.node, "cluster": self.cluster, "balance": self.balance,
                "reason": self.reason}

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), "balance_limit": self.balance_limit,
                "found": list(self.found.values()), "expected": list(self.expected.values()),
                "help": self.help["kind"], "balance_with_help": self.help["balance"]}


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two clusterings, before and after, node by node.

    Attributes
    ----------
    before, after : dict
        The metrics of both, as in the JSON of the command line.
    n_gained, n_lost : int
        Nodes whose balance is higher or lower afterwards.
    mean_gain, mean_loss : float
        The mean change of those who gain, and of those who lose; both positive.
    adjusted_rand_index : float
        The agreement of the labels.
    largest_losses, largest_gains : list of dict
        Nodes with their balance ``before`` and ``after``, at most 1000.
    groups : list of dict
        The average balance of each group before and after, if groups were given.
    """

    before: dict[str, Any]
    after: dict[str, Any]
    n_gained: int
    n_lost: int
    mean_gain: float
    mean_loss: float
    adjusted_rand_index: float
    largest_losses: list[dict[str, Any]]
    largest_gains: list[dict[str, Any]]
    groups: list[dict[str, Any]]

    def _summary(self) -> dict[str, Any]:
        return {
            "n_gained": self.n_gained, "n_lost": self.n_lost,
            "average_balance": [self.before["average_balance"], self.after["average_balance"]],
            "normalized_cut": [self.before["normalized_cut"], self.after["normalized_cut"]],
        }

    def _details(self) -> dict[str, Any]:
        return {**self._summary(), "mean_gain": self.mean_gain, "mean_loss": self.mean_loss,
                "adjusted_rand_index": self.adjusted_rand_index}


class Audited:
    """Graphs and groups of an audit, with the names of the groups."""

    def __init__(
        self, similarity: GraphLike, representation: RepresentationLike | None,
        sensitive: Sensitive,
    ) -> None:
        self.graph, self.nodes = as_graph(similarity), node_names(similarity)
        self.size = self.graph.num_nodes
        self.fairness = as_fairness(representation, sensitive, self.size, self.nodes)
        if self.fairness.representation is None and self.fairness.groups is None:
            raise ValueError("representation= or sensitive_features= is needed")
        self.group_names: list[str] = []
        if sensitive.values is not None:
            values = in_order_of_nodes(sensitive.values, self.nodes, sensitive.name)
            names = label_numbers(values, self.size, sensitive.name)[1]
            self.group_names = [str(name) for name in names]
        elif self.fairness.groups is not None:
            count = int(np.max(self.fairness.groups)) + 1
            self.group_names = [str(g) for g in range(count)]

    def labels(self, labels: Labels, what: str = "labels") -> tuple[Any, Any]:
        """As the engine has them, and the values."""
        return labels_of_nodes(labels, self.nodes, self.size, what)

    def node(self, number: int) -> Any:
        """By its name, if it has one."""
        return number if self.nodes is None else self.nodes[number]


def explain(
    similarity: GraphLike, representation: RepresentationLike | None, labels: Labels,
    nodes: Sequence[Any], *,
    sensitive_features: Labels | None = None, groups: Labels | None = None,
    n_jobs: int | None = None,
) -> list[Person]:
    """Show how single nodes are represented, and what would help them most.

    Parameters
    ----------
    similarity, representation, labels, sensitive_features, groups
        As for :func:`report`.
    nodes : sequence
        Names of nodes, or their numbers if they have no names.
    n_jobs : int, default=None
        As for :func:`cluster`.

    Returns
    -------
    list of Person

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> (person,) = repsc.explain(G, R, [i // 60 for i in range(120)], [7])
    >>> person.balance, person.reason
    (1.0, 'equally many representatives in every cluster')
    """
    use_threads(AuditOptions.from_arguments("explain", locals()).n_jobs)
    audited = Audited(similarity, representation, Sensitive.given(sensitive_features, groups))
    numbers, values = audited.labels(labels)
    places = nodes
    if audited.nodes is not None:
        known = {node: place for place, node in enumerate(audited.nodes)}
        missing = [node for node in nodes if node not in known]
        if missing:
            raise ValueError(f"no node {missing[0]!r} in the similarity graph")
        places = [known[node] for node in nodes]
    text = _engine.explain(
        audited.graph, *audited.fairness, numbers, len(values), [int(place) for place in places]
    )
    return [_person(card, values, audited) for card in json_text.loads(text)["people"]]


def _person(card: dict[str, Any], values: Any, audited: Audited) -> Person:
    labels = [value.item() if hasattr(value, "item") else value for value in values]
    help_ = dict(card["help"])
    for name in ("node", "other"):
        if name in help_:
            help_[name] = audited.node(int(help_[name]))
    for name in ("from", "to"):
        if name in help_:
            help_[name] = labels[int(help_[name])]
    return Person(
        node=audited.node(int(card["node"])), cluster=labels[int(card["cluster"])],
        balance=card["balance"], balance_limit=card["balance_limit"],
        representatives=card["representatives"], found=dict(zip(labels, card["found"])),
        expected=dict(zip(labels, card["expected"])), reason=card["reason_in_words"], help=help_,
    )


def compare(
    similarity: GraphLike, representation: RepresentationLike | None, before: Labels,
    after: Labels, *,
    sensitive_features: Labels | None = None, groups: Labels | None = None,
    n_jobs: int | None = None,
) -> Comparison:
    """Compare two clusterings node by node: who gains, who loses, and what it costs.

    Parameters
    ----------
    similarity, representation, sensitive_features, groups
        As for :func:`report`.
    before, after : array-like of shape (n_samples,)
        The labels of both; the numbers of clusters may differ.
    n_jobs : int, default=None
        As for :func:`cluster`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> planted = [i // 60 for i in range(120)]
    >>> found = repsc.compare(G, R, planted, [i % 60 // 30 for i in range(120)])
    >>> found.n_gained
    0
    """
    use_threads(AuditOptions.from_arguments("compare", locals()).n_jobs)
    audited = Audited(similarity, representation, Sensitive.given(sensitive_features, groups))
    first, first_values = audited.labels(before, "before")
    second, second_values = audited.labels(after, "after")
    text = _engine.compare(
        audited.graph, *audited.fairness, first, len(first_values), second, len(second_values),
        audited.group_names,
    )
    fields = json_text.loads(text)
    for name in ("largest_losses", "largest_gains"):
        for row in fields[name]:
            row["node"] = audited.node(int(row["node"]))
    fields["n_gained"], fields["n_lost"] = fields.pop("gained"), fields.pop("lost")
    del fields["nodes"]
    return Comparison(**fields)
