"""choose_k(): how many clusters?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _engine
from . import _typing as t
from ._errors import InvalidInput
from ._graphs import Fairness, Sensitive, as_fairness, as_graph, node_names
from ._options import ChooseOptions
from ._progress import progress
from ._shown import Shown, html_table
from ._typing import AnyArray

_PLAIN = ("usc", "nsc")
_FAIR_TO_GROUPS = ("ufairsc", "nfairsc")


@dataclass(frozen=True, eq=False, repr=False)
class ClusterCount(Shown):
    """The signs of every number of clusters, and what they say.

    Attributes
    ----------
    recommended : int or None
        The number of clusters; None if there is no clear one.
    reason : str
        Why, as a sentence.
    candidates : list of int
        At most three numbers, the best first.
    table : dict of ndarray
        One value per number of clusters, as for ``pandas.DataFrame(found.table)``:
        ``n_clusters``; ``clear``, whether every sign speaks for it; ``random_cut`` and
        ``random_cut_spread`` of clusters drawn by lot; ``eigenvalue``, ``eigengap`` and
        ``gap_ratio``, the gap divided by the largest later one; ``cut`` (normalized), ``z`` and
        ``share``, how far it is below that of lots; ``smallest_cluster``; and ``stability``, the
        mean adjusted Rand index with the labels of perturbed graphs. With a representation graph
        or groups these are those of the constrained spectrum.
    plain : dict of ndarray
        The same columns of the plain spectrum, from ``eigenvalue`` on; ``stability`` is NaN if
        the constrained spectrum decides.
    n_components : int
        The connected components of the similarity graph.
    constrained : bool
        Whether a representation graph or groups constrain the spectrum that decides.
    strength : float or None
        The strength of a soft constraint.
    time_limit_reached : bool
        Whether the time limit ended it: rows are missing, and nothing is recommended.
    """

    recommended: int | None
    reason: str
    candidates: list[int]
    table: dict[str, AnyArray]
    plain: dict[str, AnyArray]
    n_components: int
    constrained: bool
    strength: float | None
    time_limit_reached: bool

    def _summary(self) -> dict[str, Any]:
        return {
            "recommended": self.recommended,
            "candidates": self.candidates,
            "reason": self.reason,
        }

    def _repr_html_(self) -> str:
        head = [name.replace("_", " ") for name in self.table]
        return html_table(self.reason, head, zip(*self.table.values()))


def choose_k(
    similarity: t.GraphLike, representation: t.RepresentationLike | None = None, *,
    sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    from_: int = 2, to: int = 20, random_state: t.RandomState = 0,
    memory_limit: int | None = None, time_limit: float | None = None,
    n_jobs: int | None = None, verbose: int = 0,
) -> ClusterCount:
    """Find the number of clusters.

    Three signs are computed for every number: the eigengap, the cut against that of clusters drawn
    by lot, and the stability of the labels under perturbations of the graph. A number is
    recommended if all of them speak for it.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph to cut, as for :func:`cluster`.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        The representation graph, as for :func:`cluster`. The constrained spectrum then decides.
    sensitive_features : array-like of shape (n_samples,), dict or data frame, default=None
        The protected group of each node, as for :func:`cluster`.
    groups : array-like of shape (n_samples,), default=None
        Another name of ``sensitive_features``.
    from_, to : int, default=2 and 20
        The smallest and the largest number of clusters; no more than n_samples - 1 are tried.
    random_state, memory_limit, time_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    ClusterCount

    Examples
    --------
    >>> import repsc
    >>> G = repsc.sample_planted_partition([i // 50 for i in range(150)], 0.5, 0.05)
    >>> found = repsc.choose_k(G, to=8)
    >>> found.recommended
    3
    >>> found.table["n_clusters"]
    array([2, 3, 4, 5, 6, 7, 8])
    """
    options = ChooseOptions.from_arguments("choose_k", locals())
    options.set_threads()
    graph = as_graph(similarity)
    sensitive = Sensitive.given(sensitive_features, groups)
    fairness = as_fairness(representation, sensitive, graph.num_nodes, node_names(similarity))
    return run_choose_k(graph, fairness, options, options.seed())


def run_choose_k(
    similarity: _engine.Graph, fairness: Fairness, options: ChooseOptions, seed: int
) -> ClusterCount:
    """The engine's answer."""
    limit, seconds = options.memory_limit, options.time_limit
    with progress(options.verbose) as on_progress:
        fields = _engine.choose_k(
            similarity,
            *fairness,
            int(options.from_),
            int(options.to),
            seed,
            None if limit is None else int(limit),
            None if seconds is None else float(seconds),
            on_progress,
        )
    counts = {
        "n_clusters": fields.pop("n_clusters").astype(int),
        "clear": fields.pop("clear").astype(bool),
        "random_cut": fields.pop("random_cut"),
        "random_cut_spread": fields.pop("random_cut_spread"),
    }
    table = {**counts, **_with_sizes(fields.pop("deciding"))}
    return ClusterCount(table=table, plain=_with_sizes(fields.pop("plain")), **fields)


def _with_sizes(columns: dict[str, AnyArray]) -> dict[str, AnyArray]:
    """Sizes are whole numbers."""
    return {**columns, "smallest_cluster": np.asarray(columns["smallest_cluster"]).astype(int)}


def chosen_clusters(
    similarity: _engine.Graph, fairness: Fairness, method: str, options: ChooseOptions, seed: int
) -> ClusterCount:
    """What ``n_clusters="auto"`` means for a method; an error if there is no clear number."""
    if method in _PLAIN:
        fairness = Fairness(None, None)
    elif method in _FAIR_TO_GROUPS and fairness.groups is not None:
        fairness = Fairness(None, fairness.groups)
    found = run_choose_k(similarity, fairness, options, seed)
    if found.recommended is not None:
        return found
    best = ", ".join(map(str, found.candidates))
    candidates = f"; the best candidates are {best}" if best else ""
    raise InvalidInput(
        f'n_clusters="auto": {found.reason}{candidates}; see the table of repsc.choose_k() and '
        "give a number",
        option="n_clusters",
        value="auto",
        remedies=[("advice", None, "see the table of repsc.choose_k() and give a number")],
    )
