"""certify(): how far the cut of labels can be from that of clusters that are as fair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _engine
from ._clustering import cluster
from ._graphs import Sensitive, as_fairness, as_graph, labels_of_nodes, node_names
from ._options import CertifyOptions
from ._progress import progress
from ._shown import Shown
from ._typing import Cut, GraphLike, Labels, PlainCut, RandomState, RepresentationLike


@dataclass(frozen=True, repr=False)
class Certificate(Shown):
    """A lower bound of the cut of all clusters that are at most as unfair as given ones.

    Attributes
    ----------
    deviation : float
        How far the labels are from the representation constraint: 0 if they satisfy it. NaN without
        a representation; the bound then holds for all clusters.
    lower_bound : float
        Of the cut, with the paper's factor 1/2.
    cut : float
        Of the labels.
    gap : float
        ``cut / lower_bound - 1``: no clusters that are as fair cut less by more than this. Infinite
        if only the bound is 0.
    strength : float
        The strength of the soft constraint at which the bound was found.
    price_of_fairness_at_least : float or None
        ``lower_bound / plain_cut - 1`` where that is above 0, else 0; None without a plain cut.
    verified : bool
        Whether a factorization has confirmed that no eigenvalue was missed. If False, the bound
        holds if the eigensolver missed none.
    reason : str
        Why it is not verified.
    cut_kind : {"normalized", "ratio"}
        The cut that is bounded.
    plain_cut : float or None
        The cut of plain clustering.
    n_eigenproblems : int
        Eigenproblems that were solved.
    time_limit_reached : bool
        Whether the time limit ended the search: the bound is weaker than it could be.
    seconds : float
        Time of the computation, without plain clustering.
    """

    deviation: float
    lower_bound: float
    cut: float
    gap: float
    strength: float
    price_of_fairness_at_least: float | None
    verified: bool
    reason: str
    cut_kind: str
    plain_cut: float | None
    n_eigenproblems: int
    time_limit_reached: bool
    seconds: float

    def _summary(self) -> dict[str, Any]:
        shown = ("cut_kind", "cut", "lower_bound", "gap", "verified")
        return {name: getattr(self, name) for name in shown}

    def _details(self) -> dict[str, Any]:
        more = ("deviation", "strength", "plain_cut", "price_of_fairness_at_least", "seconds")
        found = {name: getattr(self, name) for name in more}
        return {**self._summary(), **{k: v for k, v in found.items() if v is not None}}


def certify(
    similarity: GraphLike, representation: RepresentationLike | None, labels: Labels, *,
    sensitive_features: Labels | None = None, groups: Labels | None = None,
    cut: Cut = "normalized", tol: float = 2e-3, plain_cut: PlainCut = "auto",
    verify: bool = True, memory_limit: int | None = None, random_state: RandomState = 0,
    time_limit: float | None = None, n_jobs: int | None = None, verbose: int = 0,
) -> Certificate:
    """Bound from below the cut of all clusters that are as fair as the labels.

    The bound is for as many clusters as the labels have, none of them empty, that deviate at most
    as much from the representation constraint: clusters by any method, now or in the future.

    Parameters
    ----------
    similarity, representation
        The graphs, as for :func:`cluster`; None for ``representation`` with ``sensitive_features``,
        or for a bound of the cut of all clusters.
    labels : array-like of shape (n_samples,)
        The cluster of each node, from any tool; labels may have any type.
    sensitive_features, groups
        The protected group of each node, as for :func:`cluster`, instead of ``representation``.
    cut : {"normalized", "ratio"}, default="normalized"
        The cut to bound.
    tol : float, default=2e-3
        Precision of the bound, relative to it. A lower one makes the bound weaker, never wrong.
    plain_cut : float, "auto" or None, default="auto"
        The cut of plain clustering, to which the price of fairness is relative. "auto": ``"nsc"``
        runs (``"usc"`` for the ratio cut) with the same seed, if there is a representation.
    verify : bool, default=True
        Whether a factorization confirms that the eigensolver missed nothing, where that fits into
        memory.
    memory_limit : int, default=None
        In bytes; None: 80 % of the free memory.
    random_state, time_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    Certificate

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> fair = repsc.cluster(G, 2, representation=R)
    >>> proof = repsc.certify(G, R, fair.labels)
    >>> proof.lower_bound <= proof.cut, proof.verified
    (True, True)
    """
    options = CertifyOptions.from_arguments("certify", locals())
    options.set_threads()
    sensitive = Sensitive.given(sensitive_features, groups)
    if representation is not None and sensitive.values is not None:
        raise ValueError(f"{sensitive.name}= cannot be given with representation=; give only one")
    graph, nodes = as_graph(similarity), node_names(similarity)
    numbers, values = labels_of_nodes(labels, nodes, graph.num_nodes)
    fairness = as_fairness(representation, sensitive, graph.num_nodes, nodes)
    given = options.for_engine()
    if plain_cut == "auto" and len(values) > 1 and any(part is not None for part in fairness):
        given["plain_cut"] = _plain_cut(similarity, len(values), options, given["seed"])
    with progress(verbose) as on_progress:
        fields = _engine.certify(graph, *fairness, numbers, len(values), given, on_progress)
    return Certificate(**fields)


def _plain_cut(similarity: GraphLike, n_clusters: int, options: CertifyOptions, seed: int) -> float:
    """The cut of plain clustering, of the kind that is bounded."""
    found = cluster(
        similarity, n_clusters, method="auto" if options.cut == "normalized" else "usc",
        refine=False, random_state=seed, time_limit=options.time_limit,
        memory_limit=options.memory_limit, n_jobs=options.n_jobs,
    ).metrics
    return found.normalized_cut if options.cut == "normalized" else found.ratio_cut
