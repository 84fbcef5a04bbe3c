"""refine(): better and fairer labels from given labels."""

from __future__ import annotations

import time
from dataclasses import replace

from . import _engine
from ._graphs import Fairness, both_graphs
from ._labels import label_numbers
from ._options import EngineOptions, RefineOptions
from ._progress import progress
from ._results import Clustering, Refinement
from ._typing import Cut, GraphLike, IntArray, Labels, Mu, RandomState, RepresentationLike


def refine(
    similarity: GraphLike, representation: RepresentationLike, labels: Labels, *,
    mu: Mu = 2.0, cut: Cut = "normalized", min_cluster_size: int = 1, max_rounds: int = 100,
    random_state: RandomState = 0, n_jobs: int | None = None, verbose: int = 0,
) -> Refinement:
    """Lower the cut and raise the balance of labels from any tool.

    Single nodes are moved and pairs are swapped while this lowers
    ``cut / scale - mu * average balance``, where scale is the expected cut of a random labelling.
    Refining the result again changes nothing.

    Parameters
    ----------
    similarity, representation
        The graphs, as for :func:`cluster`.
    labels : array-like of shape (n_samples,)
        The cluster of each node at the start; labels may have any type.
    mu : float or "ratio", default=2.0
        The weight of the average balance, relative to the cut of a random labelling. A larger value
        gives more balance. "ratio": the weight is found that maximizes average balance / cut.
    cut : {"normalized", "ratio"}, default="normalized"
        The cut to lower.
    min_cluster_size : int, default=1
        Minimum number of nodes in every cluster; smaller clusters are filled first.
    max_rounds : int, default=100
        Maximum number of rounds of descent and escapes from local optima.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same seed gives the same labels.
    n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    Refinement
        The labels, with the values of those given, and what was improved.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(120, 2, degree=10)
    >>> G = repsc.sample_rpp(R, [i // 60 for i in range(120)], p=0.5, q=0.5, r=0.1, s=0.05)
    >>> plain = repsc.cluster(G, 2)
    >>> print(repsc.balance(R, plain.labels).mean().round(2))
    0.59
    >>> better = repsc.refine(G, R, plain.labels)
    >>> round(better.average_balance, 2)
    1.0
    >>> repsc.refine(G, R, better.labels).moves
    0
    """
    options = RefineOptions.from_arguments("refine", locals())
    graphs = both_graphs(similarity, representation)
    numbers, values = label_numbers(labels, graphs[0].num_nodes)
    if len(values) < 2:
        raise ValueError("all nodes are in one cluster; refinement needs at least two")
    options.set_threads()
    found = _run_refine(*graphs, numbers, len(values), options.for_engine(), verbose)
    return replace(found, labels=values[found.labels])


def refined(clustering: Clustering, options: EngineOptions, verbose: int) -> Clustering:
    """The same clustering with its labels refined."""
    begin = time.perf_counter()
    representation = clustering._fairness.representation
    assert representation is not None, "refinement is asked for with a representation graph only"
    graphs = clustering._similarity, representation
    found = _run_refine(*graphs, clustering.labels, clustering.n_clusters, options, verbose)
    return replace(
        clustering,
        labels=found.labels,
        seconds={**clustering.seconds, "refine": time.perf_counter() - begin},
        refinement=found,
        before_refinement=clustering.labels,
    )


def _run_refine(
    similarity: _engine.Graph,
    representation: _engine.Graph,
    labels: IntArray,
    n_clusters: int,
    options: EngineOptions,
    verbose: int,
) -> Refinement:
    """The engine's call, with labels from 0."""
    with progress(verbose) as on_progress:
        fields = _engine.refine(
            similarity, representation, labels, n_clusters, options, on_progress
        )
    return Refinement(
        **fields,
        n_clusters=n_clusters,
        cut_kind=options["cut"],
        _similarity=similarity,
        _fairness=Fairness(representation, None),
    )
