"""path(): clusters at several ranks and strengths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from . import _engine
from . import _typing as t
from ._graphs import Sensitive, as_problem
from ._options import ClusterOptions, RefineOptions, SpectralOptions
from ._progress import progress
from ._results import Clustering
from ._searches import RankPath
from ._warnings import warn_of_result, warn_unless_converged


def path(
    similarity: t.GraphLike, representation: t.RepresentationLike | None, n_clusters: int,
    ranks: Iterable[int] = (), *,
    sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    strengths: Iterable[float] = (), refine: Iterable[float] = (), min_cluster_size: int = 1,
    method: Literal["auto", "urepsc", "nrepsc"] = "nrepsc",
    embedding_rows: t.EmbeddingRows = "auto",
    solver: t.Solver = "auto", device: str = "auto", tol: t.Automatic = "auto",
    max_iter: int = 1000, n_init: int = 10, regularization: t.Automatic = 0.0,
    random_state: t.RandomState = 0, memory_limit: int | None = None,
    time_limit: float | None = None, n_jobs: int | None = None, verbose: int = 0,
) -> RankPath:
    """Cluster at several ranks of the representation graph and strengths of a soft constraint.

    All ranks share one decomposition, and every point starts from the eigenvectors of the previous
    one.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph to cut.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, None
        The representation graph, on the same nodes; None with ``sensitive_features``.
    n_clusters : int
        The number of clusters, at least 2.
    ranks : iterable of int, default=()
        From 1 to N - n_clusters, in any order.
    sensitive_features, groups
        The protected group of each node, as for :func:`cluster`, instead of ``representation``.
        Their representation graph, which links the nodes of each group, is not built.
    strengths : iterable of float, default=()
        Strengths of the soft constraint, at least 0, in any order.
    refine : iterable of float, default=()
        Values of mu. Each point is also refined at each of them, see :func:`refine`.
    min_cluster_size : int, default=1
        Minimum number of nodes in every refined cluster.
    method : {"urepsc", "nrepsc"}, default="nrepsc"
        Unnormalized or normalized.
    embedding_rows, solver, device, tol, max_iter, n_init, regularization
        As for :func:`cluster`.
    random_state, memory_limit, time_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    RankPath
        A sequence of clusterings, with a table of their metrics.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> G = repsc.sample_rpp(R, [i // 100 for i in range(400)], p=0.6, q=0.4, r=0.3, s=0.1)
    >>> found = repsc.path(G, R, 4, [1, 10, 100])
    >>> found.ranks
    array([  1,  10, 100])
    >>> [clustering.constraint_rank for clustering in found]
    [0, 9, 99]
    >>> found = repsc.path(G, R, 4, strengths=[0, 1], refine=[2])
    >>> found.strengths, found.mus
    (array([0., 1., 0., 1.]), array([nan, nan,  2.,  2.]))
    >>> found.metrics["average_balance"].round(2)
    array([1., 1., 1., 1.])
    >>> found.on_average_front
    array([ True,  True,  True,  True])
    """
    options = SpectralOptions.from_arguments("path", locals())
    ranks, strengths, mus = list(ranks), list(strengths), list(refine)
    ClusterOptions.check_each("path", "strength", strengths)
    RefineOptions.check_each("path", "mu", mus)
    RefineOptions.check_each("path", "min_cluster_size", [min_cluster_size])
    options.set_threads()
    given = Sensitive.given(sensitive_features, groups)
    problem = as_problem(similarity, representation, given)
    asked = options.for_engine()
    if min_cluster_size != 1:
        if not mus:
            raise ValueError("min_cluster_size needs refine=, which moves nodes between clusters")
        asked["refinement"] = {"min_cluster_size": int(min_cluster_size)}
    with progress(verbose) as on_progress:
        steps, seconds, ended = _engine.path(
            problem.similarity,
            *problem.fairness,
            int(n_clusters),
            [int(rank) for rank in ranks],
            [float(strength) for strength in strengths],
            [float(mu) for mu in mus],
            asked,
            on_progress,
        )
    points = []
    seen: set[str] = set()
    for rank, fields in steps:
        found = Clustering.from_engine(fields, *problem)
        if found.refinement is None:  # a refined point has the eigenvectors of another point
            warn_unless_converged(found, asked, _point(rank, found))
        warn_of_result(found, seen)
        points.append((rank, found))
    ranks_of_points, clusterings = zip(*points)
    return RankPath(np.array(ranks_of_points), list(clusterings), seconds, ended)


def _point(rank: int, found: Clustering) -> str:
    return f" at rank {rank}" if found.strength is None else f" at strength {found.strength:g}"
