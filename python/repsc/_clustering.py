"""cluster(): one graph, one clustering."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from . import _engine
from . import _typing as t
from ._choices import chosen_clusters
from ._graphs import Fairness, Sensitive, as_fairness, as_graph, node_names
from ._options import ChooseOptions, ClusterOptions, EngineOptions
from ._progress import progress
from ._results import Clustering
from ._warnings import warn_of_result, warn_unless_converged

_SHORTEST = 1e-3  # seconds


def cluster(
    similarity: t.GraphLike, n_clusters: t.NumClusters, *,
    representation: t.RepresentationLike | None = None,
    sensitive_features: t.Labels | None = None, groups: t.Labels | None = None,
    method: t.Method = "auto",
    rank: t.Rank = "auto", constraint: t.Constraint = "auto", strength: float | None = None,
    embedding_rows: t.EmbeddingRows = "auto",
    refine: t.Refine = "auto", mu: t.Mu | None = None, min_cluster_size: int = 1,
    keep_structure: float | None = None, fairness: float | None = None,
    n_groups: int | None = None,
    solver: t.Solver = "auto", device: str = "auto", tol: t.Automatic = "auto",
    max_iter: int = 1000, n_init: int = 10, regularization: t.Automatic = 0.0,
    random_state: t.RandomState = 0, memory_limit: int | None = None,
    time_limit: float | None = None, n_jobs: int | None = None, verbose: int = 0,
) -> Clustering:
    """Split a graph into clusters in which the representatives of every node are spread evenly.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph to cut: symmetric, with weights of 0 or more. A CSR matrix is used without
        copying. Self-loops are ignored. A pandas frame may name its nodes, as graphs do.
    n_clusters : int or "auto"
        The number of clusters, at least 2. auto: the one that :func:`choose_k` recommends, which
        is kept in ``chosen_clusters``; an error if there is no clear one.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        The representation graph, on the same nodes, or a rule of :mod:`repsc.representation`;
        matched by name if both have names.
    sensitive_features : array-like of shape (n_samples,), dict or data frame, default=None
        The protected group of each node, for the methods that are fair to groups. If the nodes have
        names, a pandas object with an index, a dict and a frame with a column of names are matched
        by name. Several columns of a frame are one group together.
    groups : array-like of shape (n_samples,), default=None
        Another name of ``sensitive_features``.
    method : {"auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"}, default="auto"
        auto: with a representation graph or sensitive features the fair bargain, the best
        compromise between the structure of plain clustering and the fairness of drawing lots: a
        search among plain clustering, the exact constraint and soft constraints, each of them
        refined. For a similarity graph alone ``"nsc"``, with the better of both scalings of the
        rows and with moves that lower the cut. If ``rank``, ``constraint`` or ``strength`` is
        given, ``"nrepsc"``.
    rank : "auto", "exact" or int, default="auto"
        The part of the representation graph that a hard constraint uses: all of it ("exact"), or
        its best approximation of this rank. auto: all of it if this is possible and cheap,
        otherwise as given by ``constraint``. A hard constraint then has rank n_samples / 10, and at
        most 128 for more than 5000 samples.
    constraint : {"auto", "hard", "soft"}, default="auto"
        For urepsc and nrepsc: whether the representation constraint has to hold exactly (hard, as
        in the paper) or deviations from it are penalized (soft). auto: hard if a rank is given or
        the constraint can be satisfied exactly at little cost, otherwise soft.
    strength : float, default=None
        The strength of the soft constraint; giving it implies ``constraint="soft"``. 0 is plain
        clustering, at 1 the representation graph weighs as much as the similarity graph, and for
        large values the constraint is satisfied exactly. None: 1.
    embedding_rows : {"auto", "plain", "unit"}, default="auto"
        Whether k-means clusters the rows of the embedding as they are or scaled to length 1. auto:
        whichever is better if ``method`` is not given, otherwise unit for nsc and soft constraints
        and plain for the others.
    refine : "auto" or bool, default="auto"
        Whether the labels of k-means are refined as by :func:`refine`: for the ratio cut after
        unnormalized methods, otherwise for the normalized cut. True needs a representation graph
        or groups.
        auto: the labels are refined if ``method``, ``rank``, ``constraint`` and ``strength`` are
        not given; for a similarity graph alone by moves that lower the normalized cut.
    mu, min_cluster_size
        Options of the refinement, as for :func:`refine`. If a method, a rank, a constraint or a
        strength is given, they need ``refine=True``. ``mu=None``: the search chooses it.
    keep_structure : float, default=None
        For the automatic choice of the method: keep at least this share of the structure of plain
        clustering (``structure_kept`` of the result), and be as fair as possible.
    fairness : float, default=None
        For the automatic choice of the method: gain at least this much fairness
        (``fairness_gained`` of the result), and keep as much structure as possible.
    n_groups : int, default=None
        For ufairsc and nfairsc with a representation graph: the number of groups to find in it.
    solver : {"auto", "lapack", "lanczos", "cholesky"}, default="auto"
        The eigensolver.
    device : {"auto", "cpu", "cuda", "cuda:N"}, default="auto"
        Where eigenvectors and k-means are computed. auto: on a CUDA device if there is one, its
        library is installed (docs/gpu.md), and the graph has at least 50 million entries or
        the representation is decomposed as a dense matrix of at least 3000 rows.
    tol : "auto" or float, default="auto"
        Maximum residual of an eigenvector; auto: until the labels have settled.
    max_iter : int, default=1000
        Maximum number of products of the eigensolver with a block of vectors.
    n_init : int, default=10
        Runs of k-means, of which the best is used.
    regularization : "auto" or float, default=0
        For normalized methods: this amount divided by n_samples is added to the weight of every
        pair of nodes. auto: the average degree.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same seed gives the same labels.
    memory_limit : int, default=None
        Maximum memory of the constraint and the solver in bytes; None: 80 % of the free memory.
    time_limit : float, default=None
        End after this many seconds with the best result so far: ``time_limit_reached`` is then
        True, and the labels depend on the speed of the machine. None: no limit.
    n_jobs : int, default=None
        Number of threads, at most that of the cores; None: all cores within the limits of joblib
        and OpenMP (``OMP_NUM_THREADS``). It does not change the result.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    Clustering

    Warns
    -----
    NotConverged
        If the eigensolver stopped at ``max_iter``.
    NotConnected
        If the similarity graph has several components.
    TargetMissed
        If ``keep_structure`` or ``fairness`` was not reached.
    ClusteringWarning
        If there is something else to know about the clusters, such as very small ones.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> truth = [i // 100 for i in range(400)]
    >>> G = repsc.sample_rpp(R, truth, p=0.6, q=0.4, r=0.3, s=0.1)
    >>> result = repsc.cluster(G, 4, representation=R)
    >>> result.converged
    True
    >>> round(result.fairness_gained, 2)
    1.0
    >>> repsc.evaluate(G, result.labels, representation=R, truth=truth).accuracy
    1.0
    """
    options = ClusterOptions.from_arguments("cluster", locals())
    options.set_threads()
    graph = as_graph(similarity)
    nodes = node_names(similarity)
    sensitive = Sensitive.given(sensitive_features, groups)
    measured_by = as_fairness(representation, sensitive, graph.num_nodes, nodes)
    result, asked = run_cluster(graph, measured_by, options, nodes)
    warn_unless_converged(result, asked)
    warn_of_result(result)
    return result


def run_cluster(
    similarity: _engine.Graph,
    fairness: Fairness,
    options: ClusterOptions,
    nodes: Sequence[Any] | None,
) -> tuple[Clustering, EngineOptions]:
    """The clusters, and the options that the engine was given."""
    asked = options.for_engine()
    if options.n_clusters == "auto":
        start = time.monotonic()
        how = ChooseOptions.from_parameters(vars(options))
        chosen = chosen_clusters(similarity, fairness, options.method, how, asked["seed"])
        number = cast(int, chosen.recommended)
        rest = replace(options, n_clusters=number, random_state=asked["seed"])
        if options.time_limit is not None:  # of both together
            left = options.time_limit - (time.monotonic() - start)
            rest = replace(rest, time_limit=max(left, _SHORTEST))
        found, asked = run_cluster(similarity, fairness, rest, nodes)
        return replace(found, chosen_clusters=chosen), asked
    if options.n_clusters == 1:
        return _one_cluster(similarity, fairness, chosen_method(fairness, asked), nodes), asked
    with progress(options.verbose) as on_progress:
        fields = _engine.cluster(
            similarity, *fairness, int(options.n_clusters), asked, on_progress
        )
    representation, groups = fairness
    measured_by = Fairness(representation, groups if representation is None else None)
    return Clustering.from_engine(fields, similarity, measured_by, nodes), asked


def chosen_method(fairness: Fairness, options: EngineOptions) -> str:
    """The method that the library chooses for this input."""
    representation, groups = fairness
    return _engine.choose_method(representation is not None, groups is not None, options)


def single_method(fairness: Fairness, options: ClusterOptions) -> t.Method:
    """The method that takes the place of a search."""
    unnamed = (options.rank, options.constraint, options.strength) == ("auto", "auto", None)
    if options.method == "auto" and fairness.representation is None and unnamed:
        return "nsc" if fairness.groups is None else "nfairsc"
    asked = replace(options, random_state=0).for_engine()  # draws no seed
    return cast(t.Method, chosen_method(fairness, asked))


def _one_cluster(
    similarity: _engine.Graph, fairness: Fairness, method: str, nodes: Sequence[Any] | None
) -> Clustering:
    """All nodes in one cluster, which is fair by every measure and needs no computation."""
    n_samples = similarity.num_nodes
    return Clustering(
        labels=np.zeros(n_samples, dtype=np.int32),
        n_clusters=1,
        method=method,
        embedding=np.full((n_samples, 1), n_samples**-0.5),
        eigenvalues=np.zeros(1),
        inertia=0.0,
        converged=True,
        settled=False,
        residual=0.0,
        constraint_rank=0,
        constraint_residual=0.0,
        n_iter=0,
        solver="none",
        seconds=dict.fromkeys(("constraint", "eigen", "kmeans", "refine", "search"), 0.0),
        groups=fairness.groups,
        _similarity=similarity,
        _fairness=fairness,
        _nodes=nodes,
    )
