"""Functions beside the estimator, each a thin twin of the C++ call."""

import os
import warnings

import numpy as np

from . import _engine
from ._graphs import as_graph, label_numbers, node_names, to_scipy
from ._options import check, engine_options, seed_from, set_threads
from ._progress import progress
from ._results import Clustering, Metrics, RankPath, warn_unless_converged
from .representation import _Groups

_AWARE = ("urepsc", "nrepsc")
_FAIR = ("ufairsc", "nfairsc")


def fairness_input(representation, groups, n_samples, nodes=None):
    """The engine's representation graph and group labels, each None where it is not given."""
    if groups is not None:
        groups = label_numbers(groups, n_samples, "groups")[0]
    if isinstance(representation, _Groups) and groups is None:
        return None, label_numbers(representation.labels, n_samples, "groups")[0]
    if representation is not None:
        representation = as_graph(
            representation, role="representation", n_samples=n_samples, nodes=nodes
        )
    return representation, groups


def _chosen_method(method, has_representation, has_groups, n_groups):
    """The rule of the command line: groups asked for, else R, else groups, else neither."""
    if method != "auto":
        return method
    if n_groups is not None:
        return "nfairsc"
    if has_representation:
        return "nrepsc"
    return "nfairsc" if has_groups else "nsc"


def _require_meaning(method, rank, has_representation, has_groups, n_groups):
    """Refuse what would play no part."""
    if n_groups is not None and (method not in _FAIR or has_groups or not has_representation):
        raise ValueError(
            f"n_groups={n_groups} is for groups that ufairsc and nfairsc find in representation=..., "
            "where no groups are given"
        )
    if method in _AWARE and not has_representation:
        raise ValueError(f"method={method!r} needs representation=...")
    if method in _AWARE and has_groups:
        raise ValueError(f"groups play no part in method={method!r}; leave one of the two out")
    if method in _FAIR and not (has_representation or has_groups):
        raise ValueError(f"method={method!r} needs groups=..., or representation=... to find them in")
    if method not in _AWARE and rank != "auto":
        raise ValueError(f"rank={rank!r} plays no part in method={method!r}")


def run_cluster(similarity, n_clusters, fairness, options, n_jobs, verbose, stacklevel):
    """The engine's call; ``fairness`` is what fairness_input() returned."""
    representation, groups = fairness
    if n_clusters == 1:
        return _one_cluster(similarity, fairness, options["method"])
    set_threads(n_jobs)
    constrained_by = groups if options["method"] in _FAIR else None
    with progress(verbose) as on_progress:
        fields = _engine.cluster(
            similarity, representation, constrained_by, int(n_clusters), options, on_progress
        )
    measured_by = (representation, groups if representation is None else None)
    result = Clustering(**fields, _similarity=similarity, _fairness=measured_by)
    warn_unless_converged(result, options, stacklevel + 1)
    _warn_of_components(result, stacklevel + 1)
    return result


def _one_cluster(similarity, fairness, method):
    """All in one: fair by any measure, and nothing to compute."""
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
        seconds=dict.fromkeys(("constraint", "eigen", "kmeans"), 0.0),
        groups=fairness[1],
        _similarity=similarity,
        _fairness=fairness,
    )


def _warn_of_components(result, stacklevel):
    """More components than clusters: which are joined is chance. Zero eigenvalues give it away."""
    if result.constraint_rank > 0 or result.eigenvalues[-1] > 1e-6:
        return
    count = int(_engine.connected_components(result._similarity).max()) + 1
    if count > result.n_clusters:
        warnings.warn(
            f"the graph has {count} components, more than n_clusters={result.n_clusters}: which of "
            "them share a cluster is arbitrary; cluster the largest one, or raise n_clusters",
            UserWarning,
            stacklevel=stacklevel + 1,
        )


def cluster(
    similarity,
    n_clusters,
    *,
    representation=None,
    groups=None,
    method="auto",
    rank="auto",
    n_groups=None,
    solver="auto",
    tol="auto",
    max_iter=1000,
    n_init=10,
    regularization=0.0,
    random_state=0,
    memory_limit=None,
    n_jobs=None,
    verbose=0,
):
    """Split a graph into clusters in which every node's representatives are spread evenly.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut: symmetric, weights of 0 or more. A CSR matrix is used where it lies.
        Self-loops play no part.
    n_clusters : int
        From 2.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        Who represents whom, on the same nodes, or a rule of :mod:`repsc.representation`.
    groups : array-like of shape (n_samples,), default=None
        Protected groups, for the methods that are fair to groups.
    method : {"auto", "usc", "nsc", "urepsc", "nrepsc", "ufairsc", "nfairsc"}, default="auto"
        auto: ``"nsc"`` with the graph alone, ``"nfairsc"`` with groups, ``"nrepsc"`` with a
        representation.
    rank : "auto", "exact" or int, default="auto"
        How much of the representation the constraint takes: all of it, or its best approximation
        of that rank.
    n_groups : int, default=None
        ufairsc, nfairsc with a representation: groups to find in it.
    solver : {"auto", "lapack", "lanczos", "cholesky"}, default="auto"
        The eigensolver.
    tol : "auto" or float, default="auto"
        Largest residual of an eigenvector; auto: until the labels have settled.
    max_iter : int, default=1000
        Of the eigensolver: products with a block of vectors.
    n_init : int, default=10
        Runs of k-means; the best counts.
    regularization : "auto" or float, default=0
        Normalized methods: links every pair of nodes by this over N more. auto: the average degree.
    random_state : int, RandomState or None, default=0
        An int is the seed of the command line: the same number gives the same labels.
    memory_limit : int, default=None
        Bytes that constraint and solver may take; None: 80 % of what is free.
    n_jobs : int, default=None
        Threads; None: all cores. Never changes a result.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    Clustering

    Warns
    -----
    NotConverged
        Where the eigensolver stopped at ``max_iter``.

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(400, 4, degree=40)
    >>> truth = [i // 100 for i in range(400)]
    >>> G = repsc.sample_rpp(R, truth, p=0.6, q=0.4, r=0.3, s=0.1)
    >>> result = repsc.cluster(G, 4, representation=R)
    >>> result.method, result.converged
    ('nrepsc', True)
    >>> repsc.evaluate(G, result.labels, representation=R, truth=truth).accuracy
    1.0
    """
    check(
        "cluster",
        n_clusters=n_clusters,
        method=method,
        rank=rank,
        n_groups=n_groups,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    fairness = fairness_input(representation, groups, similarity.num_nodes, nodes)
    given = [part is not None for part in fairness]
    method = _chosen_method(method, *given, n_groups)
    _require_meaning(method, rank, *given, n_groups)
    options = engine_options(
        method=method,
        rank=rank,
        n_groups=n_groups,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
    )
    return run_cluster(similarity, n_clusters, fairness, options, n_jobs, verbose, stacklevel=2)


def path(
    similarity,
    representation,
    n_clusters,
    ranks,
    *,
    method="nrepsc",
    solver="auto",
    tol="auto",
    max_iter=1000,
    n_init=10,
    regularization=0.0,
    random_state=0,
    memory_limit=None,
    n_jobs=None,
    verbose=0,
):
    """Clusters at several ranks of the representation, from one decomposition.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom, on the same nodes.
    n_clusters : int
        From 2.
    ranks : iterable of int
        From 1 to N - n_clusters, in any order.
    method : {"urepsc", "nrepsc"}, default="nrepsc"
        Unnormalized or normalized.
    solver, tol, max_iter, n_init, regularization, random_state, memory_limit, n_jobs, verbose
        As for :func:`cluster`.

    Returns
    -------
    RankPath

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
    """
    check(
        "path",
        n_clusters=n_clusters,
        method=method,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    if method not in ("auto", *_AWARE):
        raise ValueError(f"method={method!r} has no ranks; a path is of urepsc or nrepsc")
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    representation = as_graph(
        representation, role="representation", n_samples=similarity.num_nodes, nodes=nodes
    )
    options = engine_options(
        method=method,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_init=n_init,
        regularization=regularization,
        random_state=random_state,
        memory_limit=memory_limit,
    )
    set_threads(n_jobs)
    with progress(verbose) as on_progress:
        steps, seconds = _engine.path(
            similarity,
            representation,
            int(n_clusters),
            [int(rank) for rank in ranks],
            options,
            on_progress,
        )
    clusterings = []
    for rank, fields in steps:
        fairness = (representation, None)
        clusterings.append(Clustering(**fields, _similarity=similarity, _fairness=fairness))
        warn_unless_converged(clusterings[-1], options, 2, f" at rank {rank}")
    return RankPath(np.array([rank for rank, _ in steps]), clusterings, seconds)


def evaluate(similarity, labels, *, representation=None, groups=None, truth=None):
    """Cuts, balance and accuracy of labels made by anybody.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.
    representation : sparse or dense matrix, NetworkX or igraph graph, rule, default=None
        Who represents whom.
    groups : array-like of shape (n_samples,), default=None
        Protected groups in place of a representation.
    truth : array-like of shape (n_samples,), default=None
        True labels: adds accuracy and adjusted Rand index.

    Returns
    -------
    Metrics

    Examples
    --------
    >>> import numpy as np, repsc
    >>> path_of_four = np.diag([1, 1, 1], 1) + np.diag([1, 1, 1], -1)
    >>> metrics = repsc.evaluate(path_of_four, ["a", "a", "b", "b"], groups=[0, 1, 0, 1])
    >>> metrics.ratio_cut, metrics.average_balance
    (0.5, 1.0)
    """
    if representation is not None and groups is not None:
        raise ValueError("groups stand in for a representation; give one of the two")
    nodes = node_names(similarity)
    similarity = as_graph(similarity)
    n_samples = similarity.num_nodes
    numbers, values = label_numbers(labels, n_samples)
    fairness = fairness_input(representation, groups, n_samples, nodes)
    fields = _engine.evaluate(similarity, *fairness, numbers, len(values))
    if truth is not None:
        truth = label_numbers(truth, n_samples, "true labels")[0]
        fields["accuracy"] = _engine.accuracy(numbers, truth)
        fields["adjusted_rand_index"] = _engine.adjusted_rand_index(numbers, truth)
    return Metrics(**fields)


def balance(representation, labels):
    """rho_i of every node: its fewest representatives in a cluster over its most, 0/0 being 1.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    ndarray of shape (n_samples,)

    Examples
    --------
    >>> import repsc
    >>> repsc.balance(repsc.representation.groups(["f", "f", "m", "m"]), [0, 1, 0, 0])
    array([1., 1., 0., 0.])
    """
    numbers, values = label_numbers(labels)
    fairness = fairness_input(representation, None, len(numbers))
    return _engine.balance(*fairness, numbers, len(values))


def ratio_cut(similarity, labels):
    """The sum over clusters of what is cut over the number of nodes; the paper's, with 1/2 in Cut.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    float

    Examples
    --------
    >>> import repsc
    >>> repsc.ratio_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1])
    0.75
    """
    similarity = as_graph(similarity)
    numbers, values = label_numbers(labels, similarity.num_nodes)
    return _engine.ratio_cut(similarity, numbers, len(values))


def normalized_cut(similarity, labels):
    """The sum over clusters of what is cut over the degrees; the paper's, with 1/2 in Cut.

    Parameters
    ----------
    similarity : sparse or dense matrix, NetworkX or igraph graph
        The graph that is cut.
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.

    Returns
    -------
    float

    Examples
    --------
    >>> import repsc
    >>> round(repsc.normalized_cut([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [0, 0, 1]), 4)
    0.6667
    """
    similarity = as_graph(similarity)
    numbers, values = label_numbers(labels, similarity.num_nodes)
    return _engine.normalized_cut(similarity, numbers, len(values))


def sample_planted_partition(labels, within, across, *, random_state=0):
    """A random graph: an edge with probability ``within`` where labels agree, else ``across``.

    Parameters
    ----------
    labels : array-like of shape (n_samples,)
        The cluster of each node, of any kind.
    within, across : float
        Probabilities.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> import repsc
    >>> repsc.sample_planted_partition([0, 0, 1, 1], 1.0, 0.0).toarray().astype(int)
    array([[0, 1, 0, 0],
           [1, 0, 0, 0],
           [0, 0, 0, 1],
           [0, 0, 1, 0]])
    """
    check("sample_planted_partition", random_state=random_state)
    numbers, _ = label_numbers(labels)
    return to_scipy(
        _engine.sample_planted_partition(numbers, within, across, seed_from(random_state))
    )


def sample_regular_representation(n_samples, n_clusters, degree, *, random_state=0):
    """A representation graph that a fair clustering exists for (Assumption 4.1 of the paper).

    Every node has ``degree`` neighbours, itself among them, and as many in each of the clusters
    ``0, ..., 0, 1, ..., 1, ...`` of equal size.

    Parameters
    ----------
    n_samples, n_clusters, degree : int
        ``n_clusters`` divides the other two; where n_samples / n_clusters is odd, degree /
        n_clusters must be odd too.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> import repsc
    >>> R = repsc.sample_regular_representation(12, 2, degree=4)
    >>> R.sum(axis=0)
    array([4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4., 4.])
    """
    check("sample_regular_representation", random_state=random_state)
    return to_scipy(
        _engine.sample_regular_representation(
            n_samples, n_clusters, degree, seed_from(random_state)
        )
    )


def sample_rpp(representation, clusters, *, p, q, r, s, random_state=0):
    """A similarity graph of the paper's model R-PP on top of a representation graph.

    Parameters
    ----------
    representation : sparse or dense matrix, NetworkX or igraph graph, rule
        Who represents whom.
    clusters : array-like of shape (n_samples,)
        The planted cluster of each node.
    p, q : float
        Probability of an edge between nodes linked in the representation graph: of the same
        cluster, of different ones.
    r, s : float
        The same for nodes that are not linked there; 1 >= p >= q >= r >= s >= 0.
    random_state : int, RandomState or None, default=0
        An int is the seed of the C++ library.

    Returns
    -------
    scipy.sparse.csr_array of shape (n_samples, n_samples)

    Examples
    --------
    >>> import repsc
    >>> rule = repsc.representation.groups(["f", "m", "f", "m"])
    >>> repsc.sample_rpp(rule, [0, 0, 1, 1], p=1, q=1, r=0, s=0).toarray().astype(int)
    array([[0, 0, 1, 0],
           [0, 0, 0, 1],
           [1, 0, 0, 0],
           [0, 1, 0, 0]])
    """
    check("sample_rpp", random_state=random_state)
    numbers, _ = label_numbers(clusters, what="clusters")
    fairness = fairness_input(representation, None, len(numbers))
    return to_scipy(_engine.sample_rpp(*fairness, numbers, (p, q, r, s), seed_from(random_state)))


def read_graph(path, *, format="auto", self_loops="drop", return_names=False, verbose=0):
    """Read a graph file: an edge list, MatrixMarket, METIS or a SciPy ``.npz``.

    Parameters
    ----------
    path : str or path-like
        Text formats may end in ``.gz``.
    format : {"auto", "txt", "mtx", "graph", "npz"}, default="auto"
        auto: by the ending, an edge list where that says nothing.
    self_loops : {"drop", "keep", "add"}, default="drop"
        ``"add"`` for representation graphs: a self-loop at every node.
    return_names : bool, default=False
        Also return what the file calls the nodes.
    verbose : int, default=0
        1 shows progress, and says what reading changed (merged duplicates, dropped self-loops).

    Returns
    -------
    graph : scipy.sparse.csr_array of shape (n_samples, n_samples)
        Undirected: direction dropped, duplicates merged.
    names : list of str
        Only with ``return_names``.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "friends.txt")
    ...     repsc.write_graph([[0, 1, 0], [1, 0, 2], [0, 2, 0]], file, names=["Ann", "Bob", "Cy"])
    ...     graph, names = repsc.read_graph(file, return_names=True)
    >>> graph.toarray()
    array([[0., 1., 0.],
           [1., 0., 2.],
           [0., 2., 0.]])
    >>> names
    ['Ann', 'Bob', 'Cy']
    """
    with progress(verbose) as on_progress:
        graph, changes = _engine.read_graph(os.fspath(path), format, self_loops, on_progress)
    if verbose and changes:
        print(f"repsc: {os.fspath(path)}: {changes}")
    return (to_scipy(graph), graph.names) if return_names else to_scipy(graph)


def write_graph(graph, path, *, format="auto", names=None):
    """Write a graph file, whole or not at all.

    Parameters
    ----------
    graph : sparse or dense matrix, NetworkX or igraph graph, rule
        Self-loops are kept.
    path : str or path-like
        The ending tells the format; ``.gz`` compresses.
    format : {"auto", "txt", "mtx", "graph", "npz"}, default="auto"
        auto: by the ending.
    names : list of str, default=None
        What an edge list calls the nodes; None: what NetworkX and igraph call them, else 0, 1, ...
        The other formats hold no names.

    Examples
    --------
    >>> import os, repsc, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "pair.mtx")
    ...     repsc.write_graph([[0, 1], [1, 0]], file)
    ...     repsc.read_graph(file).nnz
    2
    """
    if names is None:
        names = node_names(graph)
    graph = as_graph(graph, self_loops="keep")
    if names is not None:
        graph = graph.with_names([str(name) for name in names])
    _engine.write_graph(graph, os.fspath(path), format)
